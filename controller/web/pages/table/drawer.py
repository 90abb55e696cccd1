"""The drawer of a simulated box: whether it may be used, and the present faults with their repair."""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.messages.words import Words
from controller.web.pages.phrases import name_tiles
from controller.web.pages.table.view import TableView


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


@dataclass(frozen=True, slots=True)
class DrawerView:
    """The drawer as it is drawn. may: False for spectators. is_out: the power is off at present."""

    may: bool
    is_out: bool
    broken: tuple[BrokenPart, ...]


def drawer_of(table: TableView, words: Words) -> DrawerView | None:
    """Return the drawer; None for a real box."""
    now = table.snapshot
    if not now.simulated:
        return None
    is_out = now.job is not None and now.job.kind == "outage"
    return DrawerView(table.audience.caller.role != "spectator", is_out, tuple(broken_parts(table, words)))
