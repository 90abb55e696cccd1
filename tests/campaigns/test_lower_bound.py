"""The least time of a set of moves, against every order there is."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from firmware.tiles.plan import PlannedMove
from hardware.tiles import Position, TileId
from tests.campaigns.lower_bound import lower_bound_s

TILES = tuple(TileId(1, number) for number in range(1, 7))


def moves_of(after: list[int | None]) -> list[PlannedMove]:
    """Move n waits for the move of that number, if that comes before it."""
    return [
        PlannedMove(tile, Position.SHUT, frozenset({TILES[other]} if other is not None and other < number else ()))
        for number, (tile, other) in enumerate(zip(TILES, after, strict=False))
    ]


def best_of_all(moves: list[PlannedMove], travel_s: dict[TileId, float], at_once: int, rest_s: float) -> float:
    """The shortest time of all orders in which each move begins as soon as it may and a place is free."""
    return min(time_of(order, travel_s, at_once, rest_s) for order in permutations(moves))


def time_of(order: tuple[PlannedMove, ...], travel_s: dict[TileId, float], at_once: int, rest_s: float) -> float:
    free_s, done_s, waiting = [0.0] * at_once, dict[TileId, float](), list(order)
    while waiting:
        move = next(move for move in waiting if move.after <= done_s.keys())
        waiting.remove(move)
        place = free_s.index(min(free_s))
        begins_s = max([free_s[place], *(done_s[tile] for tile in move.after)])
        done_s[move.tile] = begins_s + travel_s[move.tile]
        free_s[place] = done_s[move.tile] + rest_s
    return max(done_s.values())


@given(
    times=st.lists(st.integers(1, 9), min_size=1, max_size=6),
    after=st.lists(st.none() | st.integers(0, 4), min_size=6, max_size=6),
    at_once=st.integers(1, 4),
    rest_s=st.integers(0, 5),
)
def test_no_order_is_quicker_than_the_bound(
    times: list[int], after: list[int | None], at_once: int, rest_s: int
) -> None:
    moves = moves_of(after[: len(times)])
    travel_s = {tile: float(time) for tile, time in zip(TILES, times, strict=False)}
    bound_s = lower_bound_s(moves, travel_s, at_once, rest_s)
    assert bound_s <= best_of_all(moves, travel_s, at_once, rest_s) + 1e-9


def test_the_bound_is_reached_where_nothing_is_lost() -> None:
    travel_s = dict.fromkeys(TILES, 2.0)
    free = moves_of([None] * 6)
    assert [lower_bound_s(free, travel_s, at_once) for at_once in (1, 2, 3, 4, 6)] == [12.0, 6.0, 4.0, 4.0, 2.0]
    assert lower_bound_s(moves_of([None, 0, 1, None, 3, 4]), travel_s, 6) == 6.0
    assert lower_bound_s(free, travel_s, 2, rest_s=1.0) == 8.0, "three and two rests each"
    assert lower_bound_s([], travel_s, 3) == 0.0


def test_three_long_moves_on_two_places_need_two_of_them_in_a_row() -> None:
    moves = moves_of([None] * 4)
    travel_s = dict(zip(TILES, (5.0, 4.0, 4.0, 1.0), strict=False))
    assert lower_bound_s(moves, travel_s, 2) == 8.0
