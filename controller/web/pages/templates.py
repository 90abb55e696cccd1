"""The templates of the pages: one environment for each language, and the files beside them by what is in them."""

import hashlib
from collections.abc import Mapping
from functools import cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any

from controller.game import LONGEST_NAME
from controller.words import LANGUAGE_NAMES, Language, Words, game_title, mark_name, strength_name, words_in

if TYPE_CHECKING:
    from jinja2 import Environment

_HERE = "controller.web.pages"
_DIGEST_SIGNS = 10


class Templates:
    """The templates of the pages in one language.

    Jinja2 is loaded with the first page that somebody looks at: most boxes are played at their terminal.
    """

    def __init__(self, words: Words) -> None:
        self.words = words

    def render(self, name: str, **context: object) -> str:
        """The page, or the part of one, that `name` makes of `context`."""
        return _environment_in(self.words).get_template(name).render(context)


def compile_in(language: Language) -> None:
    """Compile every template in a language, before the first of them is drawn."""
    environment = _environment_in(words_in(language))
    for name in environment.list_templates():
        environment.get_template(name)


@cache
def _environment_in(words: Words) -> "Environment":
    """The environment of a language, one for the process: each template is compiled once, whoever draws by it."""
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
    # The type of an environment does not know what its extensions add.
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
    """The address of a file that pages load; another one after every change of them, so that browsers may keep it."""
    return f"/static/{_digest()}/{name}"


def read_static(digest: str, name: str) -> bytes | None:
    """The bytes of such a file; None where there is none, or where pages of another version ask for it."""
    return _static().get(name) if digest == _digest() else None


def sheet_text(*names: str) -> str:
    """Sheets in one piece, for a page that is kept as a file of its own."""
    return "\n".join(_static()[name].decode() for name in names)


@cache
def _static() -> Mapping[str, bytes]:
    return {each.name: each.read_bytes() for each in sorted(files(_HERE).joinpath("static").iterdir(), key=_name_of)}


def _name_of(file: Traversable) -> str:
    return file.name


@cache
def _digest() -> str:
    # One for all: a script finds those that it needs beside it.
    return hashlib.sha256(b"".join(_static().values())).hexdigest()[:_DIGEST_SIGNS]
