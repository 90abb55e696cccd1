"""The deliberate faults of a simulated box, in words, with the names by which they are repaired."""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.web.pages.phrases import name_tiles
from controller.web.pages.table.view import TableView
from controller.words.words import Words


@dataclass(frozen=True, slots=True)
class BrokenPart:
    """One present fault: the name by which it is repaired, and its description."""

    fault: str
    says: str


def broken_parts(table: TableView, words: Words) -> Iterator[BrokenPart]:
    """Yield the present faults of a simulated box; none for a real box."""
    if not table.snapshot.broken:
        return
    # Loaded here: only a broken simulated box needs the descriptions of faults.
    from controller.box.faults import fault_kinds

    does = {kind.name: words.gettext(kind.description) for kind in fault_kinds()}
    names = name_tiles(table.snapshot.tiles, words)
    for fault in table.snapshot.broken:
        kind, _colon, part = fault.partition(":")
        said = does[kind]
        if part in names:
            said = words.gettext("%(part)s: %(what)s") % {"part": names[part], "what": said}
        yield BrokenPart(fault, said)
