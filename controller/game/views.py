"""What a picture of the table is drawn from, as plain values: tiles where they stand, and who sits where.

Whoever draws it needs nothing of the rules.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from controller.game.family import AnyGame
from controller.game.phases import Moving
from controller.game.players import Door, Player, Strength
from controller.game.sight import DieView, Sight
from controller.rules import Throw
from hardware.tiles import Position

TileState = Literal["showing", "hidden", "shut", "absent"]
Number = TypeVar("Number", int, int | None)


@dataclass(frozen=True, slots=True)
class TileView:
    """One tile: its row (from 1, the front) and column (from 1, the left), and what stands on it.

    state: as the game has it: showing, hidden by a tile in front, shut, or absent (the game is played without it).
    believed: somebody says that it is there, whatever its sensors say. seen: where these showed it last; None where
    nobody has looked. moving: the box is bringing it where the game has it.
    """

    name: str
    row: int
    column: int
    mark: str
    state: TileState
    believed: bool = False
    seen: Position | None = None
    moving: bool = False


@dataclass(frozen=True, slots=True)
class Holding:
    """A seat that somebody has taken: his door, and whether he is there."""

    door: Door
    here: bool


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat: its player, and how well the house plays there; None for a person. plays: still in this match.

    held: through which door somebody has taken it by name; None where nobody has. here: he is there now.
    """

    name: str
    house: Strength | None
    plays: bool
    held: Door | None = None
    here: bool = False


def tiles_of(game: AnyGame, seen: Mapping[str, Position]) -> tuple[TileView, ...]:
    """Every tile of the game's layout, row by row from the front, each from the left; `seen` as `Sight.tiles`."""
    showing, absent = set(game.board.showing), game.board.layout.absent
    found = []
    for tile in game.board.layout.by_name.values():
        state: TileState = "hidden" if game.board.stands(tile) else "shut"
        if tile in showing:
            state = "showing"
        elif tile.column in absent:
            state = "absent"
        place = seen.get(tile.name)
        wanted = Position.OPEN if game.board.stands(tile) else Position.SHUT
        believed = tile.name in game.believed
        moving = isinstance(game.phase, Moving) and not believed and place not in (None, wanted)
        found.append(TileView(tile.name, tile.row, tile.column, tile.mark, state, believed, place, moving))
    return tuple(found)


def dice_of(throw: Throw | None, seen: Sequence[DieView]) -> tuple[DieView, ...]:
    """The dice of a throw as they lie, where what was seen is this throw; else their faces alone."""
    if throw is None:
        return ()
    if sorted(die.face for die in seen) == sorted(throw.dice):
        return tuple(seen)
    return tuple(map(DieView, throw.dice))


def likely_of(throw: Sequence[int], sight: Sight) -> tuple[tuple[int, ...], ...]:
    """The throws that a correction offers: what the camera's side wavers between, or what it may have misread.

    None beside a throw that was not read, or was corrected already.
    """
    read = tuple(sorted(die.face for die in sight.dice))
    return sight.likely if sight.eye == "doubtful" or (throw and read == tuple(sorted(throw))) else ()


def seats_of(game: AnyGame, holdings: Mapping[str, Holding]) -> tuple[SeatView, ...]:
    """The seats in their order; `holdings` by name."""
    seats = []
    for seat, player in enumerate(game.players):
        house = player.strength if player.house else None
        holding = None if player.house else holdings.get(player.name)
        held = (holding.door, holding.here) if holding else (None, False)
        seats.append(SeatView(player.name, house, seat in game.active, *held))
    return tuple(seats)


def waiting_seats(holdings: Mapping[str, Holding]) -> tuple[SeatView, ...]:
    """The seats that are held by name while there is no game that has them."""
    return tuple(SeatView(name, None, plays=False, held=each.door, here=each.here) for name, each in holdings.items())


def by_name(players: Sequence[Player], values: Sequence[Number]) -> dict[str, Number]:
    """What belongs to each seat, by the name of its player; empty for no values at all."""
    return {player.name: value for player, value in zip(players, values, strict=bool(values))}
