"""The camera reads the present throw once more: what it misread is corrected, and the journal has both."""

from pathlib import Path
from typing import Any

import pytest

from controller.errors import NotNow
from controller.game.core.commands import Park, StartGame
from controller.game.core.players import Player
from controller.game.shutbox.commands import Choose, RollDice
from controller.game.shutbox.events import ThrowCorrected
from controller.referee.second_look import SecondLook, look_again
from tests.support.tables import TableRig, open_table_rig, until
from vision.errors import CameraDead
from vision.reading import DieReading, Reading, Reason, read, refused

PUB = StartGame((Player("Ann"),), game="pub", options={"first": "chosen"})
OTHER = read((DieReading(6, (1.0, 1.0), 0.9, "white"), DieReading(6, (9.0, 9.0), 0.9, "white")))
NOT_SURE = refused(Reason.UNSURE, "not clear")


def corrections(table: TableRig) -> list[ThrowCorrected]:
    [game_id] = table.journal.game_ids()
    return [each.event for each in table.journal.entries(game_id) if isinstance(each.event, ThrowCorrected)]


async def throw(referee: Any) -> tuple[int, ...]:
    await referee.ask(PUB)
    await until(referee, "awaiting_throw")
    await referee.ask(RollDice())
    return tuple(sorted((await until(referee, "choosing")).throw))


async def test_what_was_read_rightly_stays_and_nothing_is_written(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        thrown = await throw(referee)
        event = referee.snapshot.event
        assert await look_again(referee) == SecondLook(thrown, thrown, "", is_corrected=False)
        assert referee.snapshot.event == event
        table.eyes.refusals.append(NOT_SURE)
        assert await look_again(referee) == SecondLook(thrown, (), "unsure", is_corrected=False)
        assert corrections(table) == []


async def test_what_was_misread_is_corrected_and_the_journal_has_both(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        thrown = await throw(referee)
        assert thrown != (6, 6)
        table.eyes.refusals.append(OTHER)
        assert await look_again(referee) == SecondLook(thrown, (6, 6), "", is_corrected=True)
        assert tuple(referee.snapshot.throw) == (6, 6)
        [corrected] = corrections(table)
        assert [tuple(sorted(corrected.read)), corrected.dice] == [thrown, (6, 6)]
        [game_id] = table.journal.game_ids()
        assert table.journal.entries(game_id)[-1].origin.door == "camera"


async def test_only_a_throw_that_lies_there_is_read_again(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        with pytest.raises(NotNow, match="no throw lies"):
            await look_again(referee)
        await throw(referee)
        await referee.ask(Park())
        with pytest.raises(NotNow, match="no throw lies"):
            await look_again(referee)


async def test_a_camera_that_is_dead_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(_count: int) -> Reading:
        raise CameraDead("camera", expected="a picture", seen="none")

    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await throw(referee)
        monkeypatch.setattr(table.eyes, "look_again", fail)
        with pytest.raises(NotNow, match="the camera sees nothing"):
            await look_again(referee)


async def test_a_throw_that_has_been_chosen_for_meanwhile_is_not_corrected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await throw(referee)

        async def look_late(_count: int) -> Reading:
            await referee.ask(Choose(referee.moves()[0]))
            await until(referee, "awaiting_throw")
            return OTHER

        monkeypatch.setattr(table.eyes, "look_again", look_late)
        with pytest.raises(NotNow):
            await look_again(referee)
        assert corrections(table) == []
