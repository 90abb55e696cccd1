"""The drawer of a simulated box: what can be broken of it, what is broken now, and how it is mended."""

from dataclasses import dataclass
from typing import Literal

from controller.web.pages.table.broken import BrokenPart, broken_parts
from controller.web.pages.table.view import TableView
from controller.words import Words

# What a hand does to the tile that is tapped next.
Mode = Literal["tip", "jam", "unplugged", "stuck"]


@dataclass(frozen=True, slots=True)
class TileDeed:
    """Something that is done to one tile, which is tapped on the drawn box. says: what is waited for meanwhile."""

    mode: Mode
    label: str
    says: str


@dataclass(frozen=True, slots=True)
class BoxDeed:
    """Something that is done to the whole box: a fault by its name, or, for None, a cut of the power."""

    fault: str | None
    label: str


@dataclass(frozen=True, slots=True)
class DrawerView:
    """The drawer as it is drawn. may: False for who looks on only. is_out: the power is cut just now."""

    may: bool
    is_out: bool
    of_tile: tuple[TileDeed, ...]
    of_box: tuple[BoxDeed, ...]
    broken: tuple[BrokenPart, ...]


def drawer_of(table: TableView, words: Words) -> DrawerView | None:
    """The drawer; None at a real box, which nobody breaks on purpose."""
    now = table.snapshot
    if not now.simulated:
        return None
    return DrawerView(
        may=table.audience.caller.role != "spectator",
        is_out=now.job is not None and now.job.kind == "outage",
        of_tile=_tile_deeds(words),
        of_box=tuple(each for each in _box_deeds(words) if each.fault not in now.broken),
        broken=tuple(broken_parts(table, words)),
    )


def _tile_deeds(words: Words) -> tuple[TileDeed, ...]:
    _ = words.gettext
    return (
        TileDeed("tip", _("Tip a tile by hand"), _("Tap the tile to tip.")),
        TileDeed("jam", _("Jam a tile"), _("Tap the tile to jam.")),
        TileDeed("unplugged", _("Unplug a motor"), _("Tap the tile whose motor is unplugged.")),
        TileDeed("stuck", _("Break a sensor"), _("Tap the tile whose sensor breaks.")),
    )


def _box_deeds(words: Words) -> tuple[BoxDeed, ...]:
    _ = words.gettext
    return (
        BoxDeed("camera:frozen", _("Freeze the camera")),
        BoxDeed("camera:dark", _("Put out the lamp")),
        BoxDeed("bus:hung", _("Block the wires to the motors")),
        BoxDeed("lid:closed", _("Close the lid")),
        BoxDeed(None, _("Cut the power")),
    )
