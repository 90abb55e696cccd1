"""Jobs that are dropped: whatever they waited for, they are closed with the task that ran them."""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.game.core.commands import Command, ConfirmTiles, Park, StartGame, TryAgain
from controller.game.core.players import Player
from controller.game.shutbox.commands import Choose, TakeThrow
from controller.game.shutbox.state import Game
from controller.opponents.house import House
from controller.referee.jobs.executor import Executor, Moment
from controller.referee.jobs.outcomes import Done, Meanwhile, Notice, Observations, Outcome, Wish
from controller.runtime.threads import BackgroundThread
from controller.settings import Pace
from firmware.messages import TileCommand
from hardware.tiles import Position, TileId
from tests.support.said import text_of
from tests.support.stories import play
from tests.support.tables import TableRig, open_table_rig, until
from tests.support.true_box import driven_tiles

FRONT_7 = TileId(1, 7)
CHOOSING = play(None, StartGame((Player("Ann"),)), ConfirmTiles(), TakeThrow((5, 3)))


class Delivered:
    """Takes what comes of the jobs; commands are never answered, as while the disk is full."""

    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []

    async def take(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        if isinstance(outcome, Command):
            await asyncio.Event().wait()


@asynccontextmanager
async def at_work(table: TableRig, game: Game) -> AsyncIterator[list[Outcome]]:
    """The box does what is due in `game`; every generator that was begun meanwhile is closed when that is dropped."""
    begun: list[Any] = []
    delivered = Delivered()
    before = sys.get_asyncgen_hooks()
    sys.set_asyncgen_hooks(firstiter=begun.append)
    try:
        work = asyncio.ensure_future(
            Executor(table.table, None, Pace(), delivered.take, Observations(lambda: None)).do(Moment(game))
        )
        yield delivered.outcomes
        work.cancel()
        await asyncio.wait([work])
        assert begun
        assert [each for each in begun if each.ag_frame is not None] == []
    finally:
        sys.set_asyncgen_hooks(*before)


def said(outcome: Outcome) -> str:
    """What a job says, once only."""
    assert isinstance(outcome, Notice)
    assert not outcome.again
    return text_of(outcome.messages)


async def test_hands_that_wait_for_their_answer_are_let_go(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, at_work(table, CHOOSING) as outcomes:
        table.world.hand_moves(TileId(1, 8), Position.SHUT)
        await asyncio.sleep(10)
        assert outcomes[-1] == Choose(("front-8",))
        assert (
            said(outcomes[-2]) == "front-8 is down: that counts as your move in 1 second, unless you put it up again."
        )


async def test_a_countdown_of_two_seconds_begins_at_two(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, at_work(table, CHOOSING) as outcomes:
        await asyncio.sleep(6.5)  # from here to two seconds later, the loop's floats lose a digit: 2.0000000000000009
        table.world.hand_moves(TileId(1, 8), Position.SHUT)
        await asyncio.sleep(5)
        assert outcomes[-1] == Choose(("front-8",))
        said_in_turn = dict.fromkeys(said(each) for each in outcomes if isinstance(each, Notice) and each.messages)
        assert [words.split(",")[0] for words in said_in_turn] == [
            "front-8 is down: that counts as your move in 2 seconds",
            "front-8 is down: that counts as your move in 1 second",
        ]


async def test_a_move_that_is_dropped_lets_go_of_the_metal(tmp_path: Path) -> None:
    moving = play(CHOOSING, Choose(("front-8",)))

    async with open_table_rig(tmp_path) as table:
        async with at_work(table, moving):
            await asyncio.sleep(0.1)
            assert driven_tiles(table.world)
        assert not driven_tiles(table.world)


@pytest.mark.parametrize("answers", [True, False])
async def test_a_house_that_thinks_for_long_says_so_and_takes_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers: bool
) -> None:
    async def think(_thread: BackgroundThread, question: Callable[[Game], object], game: Game) -> object:
        await asyncio.sleep(5)
        return question(game)

    monkeypatch.setattr(BackgroundThread, "run", think)
    game = play(None, StartGame((Player("House", house=True),), "pub"), ConfirmTiles())
    game = replace(game, board=game.rules.board("1 2 3 4 5 6 . . ."))

    async with open_table_rig(tmp_path, box="classic-9") as table:
        for number in (7, 8, 9):
            table.world.hand_moves(TileId(1, number), Position.SHUT)
        async with at_work(table, game) as outcomes:
            await asyncio.sleep(3)
            [told] = outcomes
            assert isinstance(told, Meanwhile)
            assert text_of((told.message,)) == "House is working out the odds; the first time takes a while."
            if answers:
                await asyncio.sleep(3)
                assert outcomes[1:] == [Done(), Wish(House().choose_dice(game))]


async def test_why_no_tile_moves_is_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        async with open_table_rig(tmp_path) as table, table.referee() as referee:
            table.world.close_lid()
            await asyncio.sleep(1)
            await referee.ask(StartGame((Player("Ann"),)))
            await asyncio.sleep(5)
            assert caplog.messages.count("lid closed, no tile moves until it is open") == 1
            table.world.open_lid()
            await until(referee, "awaiting_throw")
            table.world.hand_moves(TileId(1, 7), Position.SHUT)
            await until(referee, "halted")
            await asyncio.sleep(5)
            assert [line for line in caplog.messages if "must be put back" in line] == [
                "waiting, tiles must be put back or confirmed first tiles=front-7"
            ]
            await referee.ask(TryAgain())
            await until(referee, "awaiting_throw")
            assert any(line.startswith("tile arrived tile=front-7 at=OPEN took_s=0.") for line in caplog.messages)
            await referee.ask(Park())
            await asyncio.sleep(1)
            assert caplog.messages[-1] == "all servos released, tiles left as they are"

    caplog.set_level(logging.INFO)
    await story()


@pytest.mark.parametrize("falls", [False, True])
async def test_a_tile_that_the_box_itself_let_go_on_its_way_is_brought_back_and_nobody_is_asked(
    tmp_path: Path, falls: bool
) -> None:
    async with open_table_rig(tmp_path) as table:
        bank = table.table.firmware.bank
        moving = asyncio.ensure_future(bank.execute([TileCommand(FRONT_7, Position.SHUT)]))
        await asyncio.sleep(0.1)
        moving.cancel()
        await asyncio.wait([moving])
        assert table.world.position(FRONT_7) is Position.BETWEEN
        await asyncio.sleep(0.1 if falls else 0.0)
        assert (table.world.position(FRONT_7) is Position.SHUT) == falls
        async with at_work(table, CHOOSING) as outcomes:
            await asyncio.sleep(2)
            assert [each for each in outcomes if each != Notice((), again=False)] == []
        assert table.world.position(FRONT_7) is Position.OPEN


async def test_a_tile_that_a_hand_leaves_half_way_falls_and_is_not_touched(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table:
        await table.table.firmware.bank.execute([TileCommand(FRONT_7, Position.SHUT)])
        await table.table.firmware.bank.execute([TileCommand(FRONT_7, Position.OPEN)])
        table.world.hand_moves(FRONT_7, Position.BETWEEN)
        async with at_work(table, CHOOSING) as outcomes:
            await asyncio.sleep(0.9)
            assert driven_tiles(table.world) == ()
            assert table.world.position(FRONT_7) is Position.SHUT
            said_in_turn = dict.fromkeys(said(each) for each in outcomes)
            assert list(said_in_turn) == [
                "front-7 is half way: tip it all the way down, or put it up again.",
                "front-7 is down: tip the rest of a move, or put it up again.",
            ]
