"""The box lent in place of the game: who else came at that moment is answered, and the game is taken up afterwards."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from controller.errors import NotNow, TooLate
from controller.game.core.commands import GoOn, Park, StartGame
from controller.game.core.players import Player
from controller.game.core.sight import JobView
from controller.game.shutbox.commands import RollDice
from controller.game.table.snapshot import Snapshot
from controller.referee.referee import Referee
from controller.runtime.threads import run_in_background
from tests.support.tables import open_table_rig, until


class Borrower:
    """Somebody who has the box, and does nothing with it."""

    def __init__(self) -> None:
        self.view = JobView("wiring", "chip 0x40: an answer", 0.5)
        self.is_stopped = False

    def stop(self) -> None:
        self.is_stopped = True

    async def run(self) -> None:
        """Nothing is to be done."""


async def _play(referee: Referee) -> None:
    """Play on after a loan, as the daemon has the referee do."""
    await referee.play()


async def test_what_came_as_the_box_was_lent_is_answered(tmp_path: Path) -> None:
    first, second = Borrower(), Borrower()
    async with open_table_rig(tmp_path) as table, table.referee() as referee, asyncio.timeout(10):
        lent, rolled, parked, refused = await asyncio.gather(
            referee.lend(first),
            referee.ask(RollDice()),
            referee.ask(Park()),
            referee.lend(second),
            return_exceptions=True,
        )
    assert lent is None
    for error in (rolled, refused):
        assert isinstance(error, NotNow)
        assert str(error) == "The wiring is being checked. Wait until that is over, or end it by a pause (park)"
    assert isinstance(parked, Snapshot)
    assert (parked.job, parked.say) == (first.view, "The wiring is being checked. chip 0x40: an answer")
    assert (first.is_stopped, second.is_stopped) == (True, False)


async def test_whoever_does_not_wait_any_more_is_not_lent_the_box(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee, asyncio.timeout(10):
        asking = asyncio.create_task(referee.lend(Borrower()))
        await asyncio.sleep(0)
        asking.cancel()
        await asyncio.wait([asking])
        await asyncio.sleep(1)
        assert referee.snapshot.job is None
        assert referee.snapshot.can("start")


async def test_a_pause_that_comes_once_more_is_none_of_a_job_that_began_meanwhile(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee, asyncio.timeout(60):
        await referee.ask(StartGame((Player("Ann"),)))
        await until(referee, "awaiting_throw")
        before = referee.snapshot
        pause = Park(key="once", game_id=before.game_id, event=before.event)
        await referee.ask(pause)
        borrower = Borrower()
        await referee.lend(borrower)
        assert (await referee.ask(pause)).job is borrower.view
        with pytest.raises(TooLate):
            await referee.ask(replace(pause, key="another"))
        assert not borrower.is_stopped
        await referee.ask(Park(key="now", event=referee.snapshot.event))
        assert borrower.is_stopped


async def test_answers_from_before_and_amid_a_loan_stand(tmp_path: Path) -> None:
    done, refused = Park(key="pause the game"), GoOn(key="go on with it")
    async with open_table_rig(tmp_path) as table, table.referee() as referee, asyncio.timeout(60):
        await referee.ask(StartGame((Player("Ann"),)))
        await until(referee, "awaiting_throw")
        await referee.ask(done)
        borrower = Borrower()
        await referee.lend(borrower)
        assert (await referee.ask(done)).phase == "parked"
        assert not borrower.is_stopped
        with pytest.raises(NotNow, match="The wiring is being checked"):
            await referee.ask(refused)
        await referee.take_back(table.table, ())
        async with run_in_background(_play(referee)):
            with pytest.raises(NotNow, match="The wiring is being checked"):
                await referee.ask(refused)
        assert referee.snapshot.phase == "parked"
