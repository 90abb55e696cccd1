"""The templates of the pages, compiled once for all languages, and the static files, addressed by content."""

import hashlib
from collections.abc import Mapping
from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from controller.game.core.players import LONGEST_NAME
from controller.messages.names import game_title, mark_name
from controller.messages.options import strength_name
from controller.messages.words import LANGUAGE_NAMES, Words

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.runtime import Context

_HERE = "controller.web.pages"
_DIGEST_SIGNS = 10


class Templates:
    """The templates of the pages in one language.

    Jinja2 is loaded with the first page that is opened: most boxes are played at their terminal.
    """

    def __init__(self, words: Words) -> None:
        self.words = words
        self._given = {
            "words": words,
            "mark_name": partial(mark_name, words),
            "game_title": partial(game_title, words),
            "strength_name": partial(strength_name, words),
        }

    def render(self, name: str, **context: object) -> str:
        """Return the page, or part of a page, that the template `name` makes of `context`."""
        return _environment().get_template(name).render(self._given, **context)


@cache
def compile_templates() -> None:
    """Compile every template, before the first of them is drawn."""
    for name in _environment().list_templates():
        _environment().get_template(name)


@cache
def _environment() -> "Environment":
    """Return the only environment of this process: what a language gives comes with the drawing."""
    from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context

    from controller.web.pages.compiled import CompiledBeside

    @pass_context
    def translate(context: "Context", text: str) -> str:
        return words_of(context).gettext(text)

    @pass_context
    def translate_number(context: "Context", one: str, many: str, number: int) -> str:
        return words_of(context).ngettext(one, many, number)

    def words_of(context: "Context") -> Words:
        words: Words = context["words"]
        return words

    found = Environment(
        loader=PackageLoader(_HERE),
        bytecode_cache=CompiledBeside(),
        extensions=["jinja2.ext.i18n"],
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    # The type of an environment lacks the methods that its extensions add.
    translating: Any = found
    translating.install_gettext_callables(translate, translate_number, newstyle=True)
    found.globals |= {"static": static_url, "languages": LANGUAGE_NAMES, "longest_name": LONGEST_NAME}
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
