"""English sentences that are said in other languages elsewhere: each keeps its template and what fills it."""

from collections.abc import Mapping
from typing import Self


class Phrase(str):
    """An English text made of a template, such as `{tile}: looking for its ends ...`.

    Programs and terminals take it for the text that it is. template, arguments: what a translation needs.
    """

    __slots__ = ("arguments", "template")

    template: str
    arguments: Mapping[str, object]

    def __new__(cls, template: str, arguments: Mapping[str, object]) -> Self:
        made = super().__new__(cls, template.format(**arguments))
        made.template, made.arguments = template, arguments
        return made


def phrase(template: str, **arguments: object) -> Phrase:
    """Return the text that `template` makes with these arguments. Catalogues take the templates from its calls."""
    return Phrase(template, arguments)
