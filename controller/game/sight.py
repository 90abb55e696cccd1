"""What the box sees and does just now, beside its game: where sensors show the tiles, how dice lie, what the eye does.

No game depends on it and no journal keeps it: it is for whoever draws the table, and after a restart it is seen anew.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from controller.game.fleet import OwnDice
from hardware.tiles import Position

# off: no throw is awaited. doubtful: dice lie there and cannot be read.
Eye = Literal["off", "waiting", "rolling", "reading", "doubtful"]
Lid = Literal["open", "closed"]


@dataclass(frozen=True, slots=True)
class DieView:
    """A die that lies there: its face, its colour in a word, and the middle of its top in the field in mm.

    x_mm, y_mm: from the far left corner of the field, as the players see it, to the right and towards them. None, and
    no colour, where nobody has seen how it lies, as of dice that were typed.
    """

    face: int
    x_mm: float | None = None
    y_mm: float | None = None
    colour: str = ""


@dataclass(frozen=True, slots=True)
class BaizeView:
    """The field in which dice lie: its width and depth, and the edge of a die, in mm."""

    width_mm: float
    depth_mm: float
    die_mm: float


@dataclass(frozen=True, slots=True)
class Sight:
    """What the box sees and does now.

    tiles: by name, where the sensors showed each when they were looked at last. dice: of the throw that was read last.
    eye: what it does; likely: the throws it wavers between, best first, or those that it may have misread for the last.
    countdown_s: so many whole seconds more a move made by hand can be taken back, or what is counted before GO. lid: as
    its reed switch has it. looked_at: somebody looks at the camera's pictures. broken: what is broken on purpose of a
    simulated box. own_dice: of a race, those that a simulated box throws for its players, by name.
    """

    tiles: Mapping[str, Position] = field(default_factory=dict)
    dice: tuple[DieView, ...] = ()
    eye: Eye = "off"
    likely: tuple[tuple[int, ...], ...] = ()
    countdown_s: int | None = None
    lid: Lid = "open"
    looked_at: bool = False
    broken: tuple[str, ...] = ()
    own_dice: Mapping[str, OwnDice] = field(default_factory=dict)


def lid_of(*, is_closed: bool) -> Lid:
    """The lid as its reed switch has it."""
    return "closed" if is_closed else "open"


BLIND = Sight()  # what is known before anybody has looked
