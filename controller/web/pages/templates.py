"""The templates of the pages, with one environment for each language, and the static files, addressed by content."""

import hashlib
from collections.abc import Mapping
from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from controller.game.core.message import Language
from controller.game.core.players import LONGEST_NAME
from controller.messages.names import game_title, mark_name
from controller.messages.options import strength_name
from controller.messages.words import LANGUAGE_NAMES, Words, words_in

if TYPE_CHECKING:
    from jinja2 import Environment

_HERE = "controller.web.pages"
_DIGEST_SIGNS = 10


class Templates:
    """The templates of the pages in one language.

    Jinja2 is loaded with the first page that is opened: most boxes are played at their terminal.
    """

    def __init__(self, words: Words) -> None:
        self.words = words

    def render(self, name: str, **context: object) -> str:
        """Return the page, or part of a page, that the template `name` makes of `context`."""
        return _environment_in(self.words).get_template(name).render(context)


def compile_in(language: Language) -> None:
    """Compile every template in a language, before the first of them is drawn."""
    environment = _environment_in(words_in(language))
    for name in environment.list_templates():
        environment.get_template(name)


@cache
def _environment_in(words: Words) -> "Environment":
    """Return the environment of a language, one per process, so that each template is compiled only once."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    found = Environment(
        loader=PackageLoader(_HERE),
        extensions=["jinja2.ext.i18n"],
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    # The type of an environment lacks the methods that its extensions add.
    translating: Any = found
    translating.install_gettext_callables(words.gettext, words.ngettext, newstyle=True)
    found.globals |= {
        "words": words,
        "static": static_url,
        "languages": LANGUAGE_NAMES,
        "longest_name": LONGEST_NAME,
        "mark_name": partial(mark_name, words),
        "game_title": partial(game_title, words),
        "strength_name": partial(strength_name, words),
    }
    return found


def static_url(name: str) -> str:
    """Return the address of a static file. Every change of the files changes it, so browsers may cache it for good."""
    return f"/static/{_digest()}/{name}"


def read_static(digest: str, name: str) -> bytes | None:
    """Return the bytes of a static file; None if there is none, or if a page of another version requests it."""
    return _static().get(name) if digest == _digest() else None


def sheet_text(*names: str) -> str:
    """Return these style sheets as one text, for a self-contained page."""
    return "\n".join(_static()[name].decode() for name in names)


@cache
def _static() -> Mapping[str, bytes]:
    found = files(_HERE).joinpath("static").iterdir()
    return {each.name: each.read_bytes() for each in sorted(found, key=lambda file: file.name)}


@cache
def _digest() -> str:
    # One digest for all files: a script loads others by their names alone.
    return hashlib.sha256(b"".join(_static().values())).hexdigest()[:_DIGEST_SIGNS]
