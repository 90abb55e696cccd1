"""What is broken on purpose of a simulated box, in words, and under which name it is mended."""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.web.pages.phrases import name_tiles
from controller.web.pages.table.view import TableView
from controller.words import Words


@dataclass(frozen=True, slots=True)
class BrokenPart:
    """Something that is broken now, by the name under which it is mended, and in words."""

    fault: str
    says: str


def broken_parts(table: TableView, words: Words) -> Iterator[BrokenPart]:
    """All that is broken now; nothing at a real box, which nobody breaks on purpose."""
    if not table.snapshot.broken:
        return
    # Only a simulated box that is broken needs to know what its faults do.
    from controller.box import fault_kinds

    does = {kind.name: words.gettext(kind.description) for kind in fault_kinds()}
    names = name_tiles(table.snapshot.tiles, words)
    for fault in table.snapshot.broken:
        kind, _colon, part = fault.partition(":")
        said = does[kind]
        if part in names:
            said = words.gettext("%(part)s: %(what)s") % {"part": names[part], "what": said}
        yield BrokenPart(fault, said)
