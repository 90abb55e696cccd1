"""Requests for guided work: what to calibrate, teach or test; the same from a terminal and from a page."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, Field, PlainSerializer, WithJsonSchema

from controller.errors import BadOrder
from hardware.box import BoardKey, Box, ClockFactor
from hardware.column import ROWS
from hardware.tiles import TileId
from vision.reading import Sides

if TYPE_CHECKING:
    from vision.custom_dice.teaching import Teaching

LEAST_VIEWS, MOST_VIEWS = 8, 40
LEAST_SHOTS, MOST_SHOTS = 3, 40
LONGEST_LABEL = 16
MOST_COLOURS = 12
_MOST_SIDES = 20
_MOST_PARTS = 64  # tiles or boards
MOST_ROWS = len(ROWS)  # of a box that is brought up: front tiles that lie and back tiles that stand are all free
_LONGEST_NAME = 32  # of a set of dice; `DiceFolder` has the same limit
_STRICT = ConfigDict(extra="forbid")

TileName = Annotated[
    TileId,
    BeforeValidator(
        lambda name: name if isinstance(name, TileId) else TileId.parse(name if isinstance(name, str) else "")
    ),
    PlainSerializer(str, return_type=str),
    WithJsonSchema({"type": "string", "examples": ["front-7"]}),
]
Word = Annotated[str, Field(min_length=1, max_length=LONGEST_LABEL)]


@dataclass(frozen=True, slots=True)
class ServoOrder:
    """The tiles to calibrate, the measured clocks of boards, and whether to ask before going on and saving.

    `tiles` are those that were asked for by name; none: all of them. The difference counts: what is measured poorly is
    saved only of a tile that was named. `clocks` are by address: pulse measured by pulse asked for. by_hand: a
    person moves the tiles by keys or buttons, and marks their ends.
    """

    __pydantic_config__ = _STRICT

    tiles: Annotated[tuple[TileName, ...], Field(max_length=_MOST_PARTS)] = ()
    clocks: Annotated[Mapping[BoardKey, ClockFactor], Field(max_length=_MOST_PARTS)] = field(default_factory=dict)
    ask: bool = True
    by_hand: bool = False
    kind: Literal["servos"] = "servos"

    def of(self, box: Box) -> tuple[TileId, ...]:
        """Return the tiles to measure, in the order of the box."""
        return tuple(tile for tile in box.tile_ids if not self.tiles or tile in self.tiles)

    def check(self, box: Box) -> None:
        """Raise `BadOrder` for a tile or a board that this box does not have."""
        for tile in self.tiles:
            if tile not in box.tiles:
                raise BadOrder(f"{box.name} has no {tile}; it has {', '.join(map(str, box.tile_ids))}")
        boards = [f"0x{address:02x}" for address in box.servo_boards]
        for board in self.clocks:
            if board not in boards:
                raise BadOrder(f"{box.name} has no board {board}; it has {', '.join(boards)}")


@dataclass(frozen=True, slots=True)
class CameraOrder:
    """The number of views, the mains' frequency in hertz, and whether to ask before going on and saving."""

    __pydantic_config__ = _STRICT

    views: Annotated[int, Field(ge=LEAST_VIEWS, le=MOST_VIEWS)] = 11
    mains_hz: Literal[50, 60] = 50
    ask: bool = True
    kind: Literal["camera"] = "camera"


@dataclass(frozen=True, slots=True)
class DiceOrder:
    """The set that is to be taught, and whether a person is there to be asked (`ask`).

    labels: value and name of each face, each value from 1 to `sides`. colours: of the set; none: all dice have one.
    shots: how many are wanted of each face.
    """

    __pydantic_config__ = _STRICT

    name: Annotated[str, Field(min_length=1, max_length=_LONGEST_NAME)]
    sides: Sides
    labels: Annotated[tuple[tuple[int, Word], ...], Field(min_length=1, max_length=_MOST_SIDES)]
    colours: Annotated[tuple[Word, ...], Field(max_length=MOST_COLOURS)] = ()
    shots: Annotated[int, Field(ge=LEAST_SHOTS, le=MOST_SHOTS)] = 5
    ask: bool = True
    kind: Literal["dice"] = "dice"

    def check(self) -> None:
        """Raise `BadOrder` for faces or colours that cannot be told apart, or that such a die cannot have."""
        values, labels = zip(*self.labels, strict=True)
        words = (*labels, *self.colours)
        if not all(1 <= value <= self.sides for value in values):
            raise BadOrder(f"each face has a value from 1 to {self.sides}")
        if any(len(set(each)) < len(each) for each in (values, labels, self.colours)):
            raise BadOrder("each face has a value and a name of its own, and each colour is named once")
        if not all(word.isprintable() for word in words):
            raise BadOrder("faces and colours have names of letters, digits and signs that can be printed")

    @property
    def teaching(self) -> "Teaching":
        """The teaching at its start. Raises `ValueError` for too few shots."""
        # Imported here because the web API imports these requests, and must not load the code that reads pictures.
        from vision.custom_dice.teaching import Teaching

        return Teaching(self.name, self.sides, self.labels, self.colours, self.shots)


@dataclass(frozen=True, slots=True)
class SelftestOrder:
    """The test of every chip, tile, sensor and the camera; there is nothing to choose."""

    __pydantic_config__ = _STRICT

    kind: Literal["selftest"] = "selftest"


@dataclass(frozen=True, slots=True)
class WiringOrder:
    """The look at every chip and sensor, with no tile moved; there is nothing to choose."""

    __pydantic_config__ = _STRICT

    kind: Literal["wiring"] = "wiring"


@dataclass(frozen=True, slots=True)
class BringUpOrder:
    """The look at how a new box is wired, and whether a person is there to be asked (`ask`)."""

    __pydantic_config__ = _STRICT

    ask: bool = True
    kind: Literal["bringup"] = "bringup"

    def check(self, box: Box) -> None:
        """Raise `BadOrder` for a box of which no place of its tiles leaves all of them free to move."""
        if box.rows > MOST_ROWS:
            raise BadOrder(f"the wiring of a box with {box.rows} rows cannot be found out: {MOST_ROWS} are the most")


JobOrder = Annotated[
    ServoOrder | CameraOrder | DiceOrder | SelftestOrder | WiringOrder | BringUpOrder, Field(discriminator="kind")
]
