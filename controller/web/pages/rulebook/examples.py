"""Positions that show what rules mean, found by playing by them: each could stand on the table. Pure."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement

from controller.rules import Board, Move, Ruleset, Throw, Tile

_WALKS = 40
_MOST_EFFORT = 20_000  # legal moves that are found on all walks: a box of many tiles has thousands a throw
_BEST_LEFT = 3  # open tiles at which one sees at a glance that nothing fits
_MOST_KEPT = 64


@dataclass(frozen=True, slots=True)
class Example:
    """A board, a throw that may be made at it, and every move that meets it."""

    board: Board
    throw: Throw
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Examples:
    """What a page of rules shows.

    throw: a first throw that can be met, of several ways where there is one; None where no throw can. reveal: a move of
    it that brings a tile behind to light, where there are rows behind. lost: a throw that nothing fits; None where
    there is none, or none was found. fewer: a board at which fewer dice may be thrown.
    """

    throw: Example | None
    reveal: Move | None
    lost: Example | None
    fewer: Board | None


@lru_cache(_MOST_KEPT)
def examples_of(rules: Ruleset) -> Examples:
    """The examples of a game, always the same ones."""
    throw, walked = _first_throw(rules), list(_walk_often(rules))
    lost = [each for each in walked if not each.moves and rules.meets(each.throw)]
    fewer = [each.board for each in walked if min(rules.dice_allowed(each.board)) < rules.options.dice]
    return Examples(
        throw,
        _revealing(throw),
        min(lost, key=lambda each: abs(_tiles_left(each.board) - _BEST_LEFT), default=None),
        max(fewer, key=_tiles_left, default=None),
    )


def _first_throw(rules: Ruleset) -> Example | None:
    """The throw that is used as an example elsewhere, or the first after it that can be met."""
    start, usual = rules.start(), rules.throw(rules.example)
    # The usual throw has two dice; in a small box one may be a must from the start.
    found = [_example(rules, start, throw) for throw in sorted(_throws(rules, start), key=lambda each: each != usual)]
    met = [each for each in found if each.moves]
    return next((each for each in met if len(each.moves) > 1), None) or next(iter(met), None)


def _throws(rules: Ruleset, board: Board) -> Iterator[Throw]:
    faces = range(1, rules.sides + 1)
    for count in sorted(rules.dice_allowed(board)):
        yield from map(Throw, combinations_with_replacement(faces, count))


def _example(rules: Ruleset, board: Board, throw: Throw) -> Example:
    return Example(board, throw, rules.legal_moves(board, throw))


def brought_to_light(board: Board, move: Move) -> tuple[Tile, ...]:
    """The tiles that show once a move is made, and were hidden before."""
    showing = set(board.showing)
    return tuple(tile for tile in board.without(move).showing if tile not in showing)


def _revealing(example: Example | None) -> Move | None:
    """The simplest move that brings a tile to light."""
    moves = example.moves if example is not None else ()
    return next((move for move in moves if example and brought_to_light(example.board, move)), None)


def _walk_often(rules: Ruleset) -> Iterator[Example]:
    """Every throw of some turns that are played by chance, each met by as few tiles as can be."""
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


def _tiles_left(board: Board) -> int:
    return sum(1 for _ in board.standing)
