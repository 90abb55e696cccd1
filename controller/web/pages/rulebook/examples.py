"""Example positions for the rules of a game, found by playing it, so that each can occur on the table. Pure."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement

from controller.rules.board import Board
from controller.rules.shutbox.ruleset import Move, Ruleset
from controller.rules.throw import Throw
from controller.rules.tiles import Tile

_WALKS = 40
_MOST_EFFORT = 20_000  # legal moves on all walks together: a box with many tiles has thousands per throw
_BEST_LEFT = 3  # with this many open tiles a reader sees at a glance that nothing fits
_MOST_KEPT = 64


@dataclass(frozen=True, slots=True)
class Example:
    """A board, a throw that may be made with it, and every move that uses the throw."""

    board: Board
    throw: Throw
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Examples:
    """The examples on a page of rules."""

    throw: Example | None  # a first throw with legal moves, preferably several; None if no first throw has any
    reveal: Move | None  # one of its moves that reveals a tile behind; None if there is none
    lost: Example | None  # a throw that nothing fits; None if there is none, or none was found
    fewer: Board | None  # a board with which fewer dice may be thrown; None if none was found


@lru_cache(_MOST_KEPT)
def examples_of(rules: Ruleset) -> Examples:
    """Return the examples of a game, always the same ones."""
    start, usual, faces = rules.start(), rules.throw(rules.example), range(1, rules.sides + 1)
    # The usual throw has two dice; a small box may require a single die from the start.
    counts = sorted(rules.dice_allowed(start))
    throws = [Throw(dice) for count in counts for dice in combinations_with_replacement(faces, count)]
    found = [_example(rules, start, each) for each in sorted(throws, key=lambda each: each != usual)]
    met = [each for each in found if each.moves]
    # The throw that is the example elsewhere too, or else the first one with a choice of moves.
    throw = next((each for each in met if len(each.moves) > 1), None) or next(iter(met), None)
    walked = list(_walk_often(rules))
    reveal = None
    if throw is not None:
        # The first move found is the simplest one.
        reveal = next((move for move in throw.moves if revealed_tiles(throw.board, move)), None)
    lost = [each for each in walked if not each.moves and rules.meets(each.throw)]
    fewer = [each.board for each in walked if min(rules.dice_allowed(each.board)) < rules.options.dice]
    return Examples(
        throw,
        reveal,
        min(lost, key=lambda each: abs(len(tuple(each.board.standing)) - _BEST_LEFT), default=None),
        max(fewer, key=lambda board: len(tuple(board.standing)), default=None),
    )


def _example(rules: Ruleset, board: Board, throw: Throw) -> Example:
    return Example(board, throw, rules.legal_moves(board, throw))


def revealed_tiles(board: Board, move: Move) -> tuple[Tile, ...]:
    """Return the hidden tiles that a move reveals."""
    showing = set(board.showing)
    return tuple(tile for tile in board.without(move).showing if tile not in showing)


def _walk_often(rules: Ruleset) -> Iterator[Example]:
    """Yield every throw of some random turns, in which each throw is met by as few tiles as possible."""
    chance, effort = random.Random(rules.preset.name), 0
    for _ in range(_WALKS):
        board, on = rules.start(), effort < _MOST_EFFORT
        while on:
            dice = chance.choice(sorted(rules.dice_allowed(board)))
            example = _example(rules, board, Throw(tuple(chance.randint(1, rules.sides) for _ in range(dice))))
            yield example
            effort += len(example.moves)
            on = bool(example.moves) and not rules.ends_turn(example.throw)
            board = board.without(example.moves[0]) if on else board
            on = on and not board.is_shut
