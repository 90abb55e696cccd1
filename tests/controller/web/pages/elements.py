"""The elements of a page, read as a browser reads them."""

from dataclasses import dataclass
from html.parser import HTMLParser


@dataclass(frozen=True, slots=True)
class Element:
    """One element: its tag and its attributes; empty text for an attribute without a value."""

    tag: str
    attributes: dict[str, str]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(Element(tag, {name: value or "" for name, value in attrs}))


def elements_of(html: str) -> list[Element]:
    reader = _Reader()
    reader.feed(html)
    return reader.found


def tiles_of(html: str) -> dict[str, dict[str, str]]:
    """The attributes of every drawn tile, by its name."""
    found = (each.attributes for each in elements_of(html) if "tile" in each.attributes.get("class", "").split())
    return {attributes["id"]: attributes for attributes in found}
