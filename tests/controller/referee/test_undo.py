"""A choice that is taken back at the box: the wood follows, also while its tiles are on their way."""

import asyncio
from pathlib import Path

import pytest

from controller.errors import NotNow
from controller.game.core.commands import Believe, StartGame, Undo
from controller.game.core.players import Player
from controller.game.shutbox.commands import Choose, CorrectThrow, TakeThrow
from controller.game.table.snapshot import Snapshot
from controller.journal.replay import replay_checked
from controller.referee.referee import Referee
from hardware.tiles import Position, TileId
from tests.support.tables import TableRig, open_table_rig, until

ANN = (Player("Ann"),)


def shut_tiles(table: TableRig) -> set[str]:
    return {str(tile) for tile in table.world.box.tile_ids if table.world.position(tile) is Position.SHUT}


async def chosen(referee: Referee) -> Snapshot:
    await referee.ask(StartGame(ANN))
    await until(referee, "awaiting_throw")
    await referee.ask(TakeThrow((5, 3)))
    return await referee.ask(Choose(("front-3", "front-5")))


@pytest.mark.parametrize("after_s", [0.0, 0.1, 0.4, 3.0])
async def test_tiles_come_up_again_wherever_they_are_on_their_way(tmp_path: Path, after_s: float) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await chosen(referee)
        await asyncio.sleep(after_s)
        snapshot = await referee.ask(Undo())
        assert snapshot.news == "Ann takes the choice back: front-3 and front-5."
        assert (await until(referee, "choosing")).throw == (3, 5)
        assert shut_tiles(table) == set()
        await referee.ask(Choose(("front-8",)))
        await until(referee, "awaiting_throw")
        assert shut_tiles(table) == {"front-8"}
        assert replay_checked(table.journal.entries(1)) == referee._game


async def test_what_was_chosen_or_taken_back_stays_the_news_until_something_else_happens(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await chosen(referee)
        revealed = "Ann chooses front-3 and front-5. What stands behind counts now: 49 points."
        assert (await until(referee, "awaiting_throw")).news == revealed
        await referee.ask(Undo())
        assert "back" in (await until(referee, "choosing")).news
        await referee.ask(Choose(("front-8",)))
        # The 2 behind it is less.
        assert (await until(referee, "awaiting_throw")).news == "Ann chooses front-8."
        assert (await referee.ask(TakeThrow((5, 3)))).news == ""


async def test_a_reading_is_corrected_after_the_choice_and_chosen_for_anew(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await chosen(referee)
        await until(referee, "awaiting_throw")
        await referee.ask(CorrectThrow((6, 1)))
        assert (await until(referee, "choosing")).throw == (1, 6)
        assert shut_tiles(table) == set()


async def test_a_choice_can_be_taken_back_after_a_restart(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path, store=tmp_path / "wood") as table:
        async with table.referee() as referee:
            await chosen(referee)
            await until(referee, "awaiting_throw")
        async with table.referee() as referee:
            await until(referee, "awaiting_throw")
            await referee.ask(Undo())
            await until(referee, "choosing")
            assert shut_tiles(table) == set()


async def test_a_tile_that_somebody_vouched_for_is_asked_about_and_watched(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        await referee.ask(TakeThrow((5, 3)))
        table.world.stick_not_shut(TileId.parse("front-8"))
        await referee.ask(Choose(("front-8",)))
        await until(referee, "halted")
        await referee.ask(Believe())
        await until(referee, "awaiting_throw")
        with pytest.raises(NotNow, match="front-8: somebody vouched for it"):
            await referee.ask(Undo())
        table.world.lift()
        await referee.ask(Undo(vouched=True))
        await until(referee, "choosing")
        assert shut_tiles(table) == set()
