"""What hands mean that tip tiles while a player is to choose: pure functions of the game and of what is seen."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from controller.game import Game
from controller.phases import Choosing
from controller.rules import Move
from hardware.tiles import Position, TileId


@dataclass(frozen=True, slots=True)
class Untouched:
    """Every tile is where the game has it."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """A tile is half way, as under a hand that is still moving it, or its sensors contradict each other."""

    tile: TileId
    seen: Position


@dataclass(frozen=True, slots=True)
class Incomplete:
    """The tiles that lie are part of a move; others are missing."""

    tiles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Complete:
    """The tiles that lie make a move."""

    tiles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wrong:
    """These tiles are part of no move: they go back."""

    tiles: tuple[TileId, ...]


Meaning = Untouched | Unclear | Incomplete | Complete | Wrong


def meaning_of(game: Game, strayed: Mapping[TileId, Position]) -> Meaning:
    """What it means that these tiles are seen elsewhere than the game has them, while its player is to choose."""
    if not strayed:
        return Untouched()
    for tile, seen in strayed.items():
        if seen in (Position.BETWEEN, Position.UNKNOWN):
            return Unclear(tile, seen)
    lying = {str(tile) for tile, seen in strayed.items() if seen is Position.SHUT}
    moves = [{tile.name for tile in move} for move in _moves(game)]
    if len(lying) == len(strayed):
        if lying in moves:
            return Complete(_in_order(strayed))
        if any(lying < move for move in moves):
            return Incomplete(_in_order(strayed))
    # What can be completed stays; only what is in its way goes back.
    wrong = [tile for tile, seen in strayed.items() if seen is Position.OPEN]
    wrong = wrong or [tile for tile in strayed if not any(str(tile) in move for move in moves)]
    return Wrong(tuple(wrong or strayed))


def _moves(game: Game) -> Sequence[Move]:
    if not isinstance(game.phase, Choosing):
        return ()
    return game.rules.legal_moves(game.board, game.phase.throw)


def _in_order(tiles: Iterable[TileId]) -> tuple[str, ...]:
    return tuple(map(str, tiles))


def told(game: Game, meant: Meaning) -> str:
    """What the player is told; empty where there is nothing to say."""
    match meant:
        case Unclear(tile, Position.BETWEEN):
            return f"{tile} is half way: tip it all the way down, or up again."
        case Incomplete(tiles):
            return f"{_listed(tiles)} {_lie(tiles)}: tip the rest of a move, or put {_them(tiles)} up again."
        case Wrong(tiles):
            names = tuple(map(str, tiles))
            throw = game.phase.throw if isinstance(game.phase, Choosing) else ""
            return f"{_listed(names)} {_are_part(names)} of no move for {throw}: the box puts {_them(names)} back."
    return ""


def countdown(meant: Complete, left_s: int) -> str:
    """What the player is told while a move made by hand can still be taken back."""
    tiles = meant.tiles
    return f"{_listed(tiles)} {_lie(tiles)}: taken in {left_s} s, unless you put {_them(tiles)} up again."


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _lie(names: tuple[str, ...]) -> str:
    return "lies" if len(names) == 1 else "lie"


def _are_part(names: tuple[str, ...]) -> str:
    return "is part" if len(names) == 1 else "together are part"


def _them(names: tuple[str, ...]) -> str:
    return "it" if len(names) == 1 else "them"
