"""The drawer of a simulated box: the faults that it can be given, its present faults, and their repair."""

from dataclasses import dataclass
from typing import Literal

from controller.web.pages.table.broken import BrokenPart, broken_parts
from controller.web.pages.table.view import TableView
from controller.words.words import Words

# The act of a hand on the tile that is tapped next.
Mode = Literal["tip", "jam", "unplugged", "stuck"]


@dataclass(frozen=True, slots=True)
class TileDeed:
    """An act on one tile, which is then tapped on the drawn box. says: the prompt to tap it."""

    mode: Mode
    label: str
    says: str


@dataclass(frozen=True, slots=True)
class BoxDeed:
    """An act on the whole box: a fault by its name, or a power cut for None."""

    fault: str | None
    label: str


@dataclass(frozen=True, slots=True)
class DrawerView:
    """The drawer as it is drawn. may: False for spectators. is_out: the power is off at present."""

    may: bool
    is_out: bool
    of_tile: tuple[TileDeed, ...]
    of_box: tuple[BoxDeed, ...]
    broken: tuple[BrokenPart, ...]


def drawer_of(table: TableView, words: Words) -> DrawerView | None:
    """Return the drawer; None for a real box."""
    now, _ = table.snapshot, words.gettext
    if not now.simulated:
        return None
    of_tile = (
        TileDeed("tip", _("Tip a tile by hand"), _("Tap the tile to tip.")),
        TileDeed("jam", _("Jam a tile"), _("Tap the tile to jam.")),
        TileDeed("unplugged", _("Unplug a motor"), _("Tap the tile whose motor is unplugged.")),
        TileDeed("stuck", _("Break a sensor"), _("Tap the tile whose sensor breaks.")),
    )
    of_box = (
        BoxDeed("camera:frozen", _("Freeze the camera")),
        BoxDeed("camera:dark", _("Put out the lamp")),
        BoxDeed("bus:hung", _("Block the wires to the motors")),
        BoxDeed("lid:closed", _("Close the lid")),
        BoxDeed(None, _("Cut the power")),
    )
    return DrawerView(
        may=table.audience.caller.role != "spectator",
        is_out=now.job is not None and now.job.kind == "outage",
        of_tile=of_tile,
        of_box=tuple(each for each in of_box if each.fault not in now.broken),
        broken=tuple(broken_parts(table, words)),
    )
