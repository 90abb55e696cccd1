"""What the box sees and does just now, beside its game: tiles, dice, a job in its place, and who has which seat.

No game depends on it and no journal keeps it: it is for whoever draws the table, and after a restart it is seen anew.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from controller.game.core.message import Messages
from controller.game.core.players import BY_THE_BOX, Door, Origin
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
class OwnDice:
    """The dice of a player for whom the box throws: those that are frozen, and the others as they lie."""

    kept: tuple[int, ...] = ()
    thrown: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CameraState:
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


BLIND = CameraState()  # what is known before anybody has looked
# outage: nobody's job; the power of a simulated box is cut.
JobKind = Literal["servos", "camera", "dice", "selftest", "wiring", "bringup", "exchange", "outage"]
# go_on: what was asked for is done. take: it is good enough as it is. some: those that are named with it.
AnswerName = Literal["go_on", "yes", "no", "take", "some"]


@dataclass(frozen=True, slots=True)
class JobQuestion:
    """What a job asks whoever does it.

    say: in words. answers: the names of those that count. names: what may be named with `some`. waits: False where the
    job goes on meanwhile, and may be answered at any time.
    """

    say: str
    answers: tuple[AnswerName, ...]
    names: tuple[str, ...] = ()
    waits: bool = True


@dataclass(frozen=True, slots=True)
class JobView:
    """A job under way: the last that was said of it, which part of it is done (0..1), and what it asks, if it does."""

    kind: JobKind
    say: str = ""
    progress: float = 0.0
    question: JobQuestion | None = None


@dataclass(frozen=True, slots=True)
class Holding:
    """A seat that somebody has taken: his door, and whether he is there."""

    door: Door
    here: bool


@dataclass(frozen=True, slots=True)
class SnapshotContext:
    """The part of a snapshot that no game knows: its number, those of game and event, the box, what came up meanwhile.

    camera_reads: True if the camera of this table knows the dice of this game, which no game can say. reading: True
    while it reads dice that somebody said to lie there. comparing: True after a start, until the tiles were looked at.
    origin: of the last event. holdings, shared: who has taken which seat, and whether the others are for all. job: what
    has the box in place of the game. baize: the field of this box. seen: the last event of all, sealed. colours: those
    of the dice of each seat in a race, where the camera knows them.
    """

    number: int
    event: int
    box: str
    notice: Messages = ()
    news: Messages = ()
    dice_wanted: int | None = None
    camera_reads: bool = True
    reading: bool = False
    comparing: bool = False
    game_id: int = 0
    origin: Origin = BY_THE_BOX
    holdings: Mapping[str, Holding] = field(default_factory=dict)
    shared: bool = True
    sight: CameraState = BLIND
    simulated: bool = False
    daemon: str = ""
    job: JobView | None = None
    baize: BaizeView | None = None
    seen: str = ""
    colours: tuple[str, ...] = ()
