"""The drawer of a simulated box: the faults that it can be given, its present faults, and their repair."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

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


# The act of a hand on the tile that is tapped next.
Mode = Literal["tip", "jam", "unplugged", "stuck"]


@dataclass(frozen=True, slots=True)
class TileAct:
    """An act on one tile, which is then tapped on the drawn box. says: the prompt to tap it."""

    mode: Mode
    label: str
    says: str


@dataclass(frozen=True, slots=True)
class BoxAct:
    """An act on the whole box: a fault by its name, or a power cut for None."""

    fault: str | None
    label: str


@dataclass(frozen=True, slots=True)
class DrawerView:
    """The drawer as it is drawn. may: False for spectators. is_out: the power is off at present."""

    may: bool
    is_out: bool
    of_tile: tuple[TileAct, ...]
    of_box: tuple[BoxAct, ...]
    broken: tuple[BrokenPart, ...]


def drawer_of(table: TableView, words: Words) -> DrawerView | None:
    """Return the drawer; None for a real box."""
    now, _ = table.snapshot, words.gettext
    if not now.simulated:
        return None
    of_tile = (
        TileAct("tip", _("Tip a tile by hand"), _("Tap the tile to tip.")),
        TileAct("jam", _("Jam a tile"), _("Tap the tile to jam.")),
        TileAct("unplugged", _("Unplug a motor"), _("Tap the tile whose motor is unplugged.")),
        TileAct("stuck", _("Break a sensor"), _("Tap the tile whose sensor breaks.")),
    )
    of_box = (
        BoxAct("camera:frozen", _("Freeze the camera")),
        BoxAct("camera:dark", _("Put out the lamp")),
        BoxAct("bus:hung", _("Block the wires to the motors")),
        BoxAct("lid:closed", _("Close the lid")),
        BoxAct(None, _("Cut the power")),
    )
    return DrawerView(
        may=table.audience.caller.role != "spectator",
        is_out=now.job is not None and now.job.kind == "outage",
        of_tile=of_tile,
        of_box=tuple(each for each in of_box if each.fault not in now.broken),
        broken=tuple(broken_parts(table, words)),
    )
