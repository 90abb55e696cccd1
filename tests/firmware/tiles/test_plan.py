"""The order of moves: pure, so every set of commands can be tried."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.errors import SensorDoubtful, TileInTheWay
from firmware.messages import TileCommand
from firmware.tiles.plan import PlannedMove, merge_commands, neighbours, plan_moves, select_startable, tile_behind
from hardware.tiles import Position, TileId, tile_in_front, tiles_of

OPEN, SHUT, BETWEEN, UNKNOWN = Position.OPEN, Position.SHUT, Position.BETWEEN, Position.UNKNOWN
FRONT_7, BACK_3 = TileId(1, 7), TileId(2, 3)

Board = dict[TileId, Position]


@st.composite
def boards(draw: st.DrawFn) -> tuple[int, int, Board, Board]:
    """Rows, columns, a board the wood allows, and commands."""
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    seen: Board = {}
    for column in range(1, columns + 1):
        lying = draw(st.integers(0, rows))
        for tile in tiles_of(rows, columns):
            if tile.column(columns) == column:
                seen[tile] = SHUT if tile.row <= lying else OPEN
    wanted = draw(st.dictionaries(st.sampled_from(sorted(seen)), st.sampled_from((OPEN, SHUT))))
    return rows, columns, seen, wanted


def allowed(board: Board, columns: int) -> bool:
    """The stack rule: no tile lies behind a standing one."""
    return all(
        (ahead := tile_in_front(tile, columns)) is None or board[ahead] is SHUT
        for tile, position in board.items()
        if position is SHUT
    )


@given(boards(), st.integers(1, 6), st.randoms(use_true_random=False))
def test_every_order_of_arrival_obeys_wood_and_supply_and_does_all(
    case: tuple[int, int, Board, Board], at_once: int, rng: random.Random
) -> None:
    rows, columns, seen, wanted = case
    if not allowed({**seen, **wanted}, columns):
        with pytest.raises(TileInTheWay):
            plan_moves(wanted, seen, rows=rows, columns=columns)
        return
    waiting = list(plan_moves(wanted, seen, rows=rows, columns=columns))
    board, arrived = dict(seen), set[TileId]()
    running: list[PlannedMove] = []
    while waiting or running:
        started = select_startable(waiting, arrived, running=len(running), at_once=at_once)
        assert started or running, "nothing moves and nothing can start"
        waiting = [move for move in waiting if move not in started]
        running += started
        assert len(running) <= at_once
        for move in running:
            assert allowed({**board, move.tile: move.target}, columns)
        done = running.pop(rng.randrange(len(running)))
        board[done.tile] = done.target
        arrived.add(done.tile)
    assert board == {**seen, **wanted}


@given(boards())
def test_what_is_there_already_is_not_moved(case: tuple[int, int, Board, Board]) -> None:
    rows, columns, seen, _ = case
    assert plan_moves(seen, seen, rows=rows, columns=columns) == ()


@pytest.mark.parametrize("seen", [OPEN, BETWEEN])
def test_a_tile_goes_down_only_behind_one_that_surely_lies(seen: Position) -> None:
    with pytest.raises(TileInTheWay) as caught:
        plan_moves({BACK_3: SHUT}, {BACK_3: OPEN, FRONT_7: seen}, rows=2, columns=9)
    assert caught.value.fault.part == "front-7"
    assert caught.value.fault.expected == "SHUT before back-3 moves to SHUT"
    assert caught.value.fault.seen == seen


@pytest.mark.parametrize("seen", [SHUT, BETWEEN])
def test_a_tile_comes_up_only_before_one_that_surely_stands(seen: Position) -> None:
    with pytest.raises(TileInTheWay) as caught:
        plan_moves({FRONT_7: OPEN}, {FRONT_7: SHUT, BACK_3: seen}, rows=2, columns=9)
    assert caught.value.fault.part == "back-3"


def test_a_neighbour_nobody_can_see_is_a_doubtful_sensor() -> None:
    with pytest.raises(SensorDoubtful) as caught:
        plan_moves({BACK_3: SHUT}, {BACK_3: OPEN, FRONT_7: UNKNOWN}, rows=2, columns=9)
    assert caught.value.fault.part == "front-7"


def test_a_command_that_puts_a_tile_in_the_way_is_refused() -> None:
    with pytest.raises(TileInTheWay) as caught:
        plan_moves({BACK_3: SHUT, FRONT_7: OPEN}, {BACK_3: OPEN, FRONT_7: SHUT}, rows=2, columns=9)
    assert caught.value.fault.part == "front-7"


def test_commands_agree_or_are_refused() -> None:
    twice = TileCommand(FRONT_7, SHUT)
    assert merge_commands([twice, twice]) == {FRONT_7: SHUT}
    with pytest.raises(ValueError, match="front-7"):
        merge_commands([twice, TileCommand(FRONT_7, OPEN)])


def test_neighbours_stand_in_the_same_column() -> None:
    assert neighbours(FRONT_7, rows=2, columns=9) == (BACK_3,)
    assert neighbours(BACK_3, rows=3, columns=9) == (FRONT_7, TileId(3, 7))
    assert neighbours(FRONT_7, rows=1, columns=9) == ()
    assert tile_behind(BACK_3, rows=2, columns=9) is None
