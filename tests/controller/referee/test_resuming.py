"""After a power cut: sensors and game are compared before anything moves or counts, and people say which is right."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.errors import NotNow, TooLate
from controller.game.core.commands import Abandon, Command, GoOn, Park, PutRight, StartGame, TryAgain, Undo
from controller.game.core.message import compose
from controller.game.core.players import Player
from controller.game.shutbox.commands import Choose, CorrectGame, RollDice, TakeThrow
from controller.journal.replay import replay_checked
from controller.referee.referee import Referee
from controller.runtime.threads import run_in_background
from controller.settings import Pace
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from tests.support.tables import TableRig, open_table_rig, until
from tests.support.true_box import driven_tiles

ANN = StartGame((Player("Ann"),))
OPEN, SHUT, BETWEEN = Position.OPEN, Position.SHUT, Position.BETWEEN


@asynccontextmanager
async def at_the_table(folder: Path, *, held: str | None = None) -> AsyncIterator[tuple[TableRig, Referee]]:
    """A daemon at work, until the power goes. held: a hand holds this tile half way."""
    async with open_table_rig(folder, store=folder / "wood.json") as table:
        if held is not None:
            table.world.hand_moves(TileId.parse(held), BETWEEN)
            table.world.hold_tile(TileId.parse(held))
        async with table.referee() as referee:
            yield table, referee


async def play_to_the_cut(folder: Path, *commands: Command, then_s: float = 5.0) -> None:
    """A game of Ann's, each command once the tiles rest; the power goes so many seconds after the last."""
    async with at_the_table(folder) as (_, referee):
        await referee.ask(ANN)
        await until(referee, "awaiting_throw")
        for command in commands:
            await referee.ask(command)
            await asyncio.sleep(0.0 if command is commands[-1] else 5.0)
        await asyncio.sleep(then_s)


async def tip(folder: Path, **tiles: Position) -> None:
    """Hands move tiles while the box is off; what they leave half way falls."""
    async with open_table_rig(folder, store=folder / "wood.json") as table:
        tip_in(table.world, **tiles)
        await asyncio.sleep(1)


def tip_in(world: World, **tiles: Position) -> None:
    for name, position in tiles.items():
        world.hand_moves(TileId.parse(name.replace("_", "-")), position)


def told(referee: Referee) -> Mapping[str, str]:
    return {tile.name: str(tile.seen) for tile in referee.snapshot.found}


def asked_for(referee: Referee) -> str:
    return referee.snapshot.messages[0].key


def kinds(table: TableRig) -> list[str]:
    return [entry.event.kind for entry in table.journal.entries(1)]


def lying(table: TableRig) -> set[str]:
    return {str(tile) for tile in table.world.box.tile_ids if table.world.position(tile) is SHUT}


PHASES: Mapping[str, Sequence[Command]] = {
    "awaiting_throw": (TakeThrow((5, 3)), Choose(("front-8",))),
    "choosing": (TakeThrow((5, 3)),),
}


@pytest.mark.parametrize("phase", PHASES)
async def test_every_difference_is_told_and_nothing_moves_or_counts_before_the_answer(
    tmp_path: Path, phase: str
) -> None:
    await play_to_the_cut(tmp_path, *PHASES[phase])
    await tip(tmp_path, front_3=SHUT, front_2=SHUT, back_7=BETWEEN)
    async with at_the_table(tmp_path, held="back-8") as (table, referee):
        events, before = kinds(table), lying(table)
        await until(referee, "differing")
        await asyncio.sleep(20)
        down = {"front-2": "SHUT", "front-3": "SHUT", "back-7": "SHUT"}
        assert told(referee) == {**down, "back-8": "BETWEEN"}
        say = referee.snapshot.say
        assert "front-2, front-3 and back-7 are down and should be up. back-8 is half way and should be up." in say
        assert kinds(table) == [*events, "tiles_differ"]
        assert (lying(table), driven_tiles(table.world)) == (before, ())

        table.world.lift("held:back-8")
        await asyncio.sleep(1)
        assert told(referee) == {**down, "back-8": "SHUT"}
        assert (lying(table), driven_tiles(table.world)) == ({*before, "back-8"}, ())

        await referee.ask(PutRight())
        snapshot = await until(referee, phase)  # type: ignore[arg-type]
        assert snapshot.board is not None
        assert lying(table) == ({"front-8"} if phase == "awaiting_throw" else set())


async def test_until_the_tiles_were_looked_at_nobody_is_asked_to_throw(tmp_path: Path) -> None:
    await play_to_the_cut(tmp_path, *PHASES["awaiting_throw"])
    async with at_the_table(tmp_path) as (_, referee):
        assert asked_for(referee) == "game.comparing"
        assert not referee.snapshot.can("roll")
        with pytest.raises(NotNow, match="checks its tiles"):
            await referee.ask(RollDice())

        await asyncio.sleep(5)
        assert asked_for(referee) == "throw.awaited"
        await referee.ask(RollDice())


async def test_the_tiles_are_right_and_the_game_is_corrected(tmp_path: Path) -> None:
    await play_to_the_cut(tmp_path, TakeThrow((5, 3)), Choose(("front-8",)), TakeThrow((6, 6)))
    await tip(tmp_path, front_3=SHUT, back_7=SHUT, front_8=OPEN)
    async with at_the_table(tmp_path, held="front-9") as (table, referee):
        await until(referee, "differing")
        table.world.lift("held:front-9")
        await referee.ask(CorrectGame())
        snapshot = await until(referee, "choosing")
        assert snapshot.board == "1 2 . 4 5 6 7 8 9/9 8 . 6 5 4 3 2 1"
        assert lying(table) == {"front-3", "back-7"}
        assert not snapshot.can("undo")
        assert snapshot.throw == (6, 6)
        assert replay_checked(table.journal.entries(1)) == referee._game


async def test_a_legal_set_is_a_question_and_the_choice_once_it_is_said_to_be_right(tmp_path: Path) -> None:
    await play_to_the_cut(tmp_path, TakeThrow((5, 3)))
    await tip(tmp_path, front_8=SHUT)
    async with at_the_table(tmp_path) as (table, referee):
        assert "Or leave it: it then counts as your move." in (await until(referee, "differing")).say
        await asyncio.sleep(20)
        assert "move_chosen" not in kinds(table)
        await referee.ask(CorrectGame())
        assert (await until(referee, "awaiting_throw")).can("undo")
        assert kinds(table)[-2:] == ["move_chosen", "tiles_confirmed"]
        assert lying(table) == {"front-8"}


async def test_a_shut_box_that_is_said_to_be_right_ends_the_turn(tmp_path: Path) -> None:
    await play_to_the_cut(tmp_path, TakeThrow((5, 3)))
    rows = ("front", "back")
    await tip(tmp_path, **{f"{row}_{number}": SHUT for row in rows for number in range(1, 10)})
    async with at_the_table(tmp_path) as (_, referee):
        await until(referee, "differing")
        await referee.ask(CorrectGame())
        assert (await until(referee, "ended")).scores == {"Ann": 0}


async def test_tiles_that_were_on_their_way_are_brought_there_and_that_is_said(tmp_path: Path) -> None:
    await play_to_the_cut(tmp_path, TakeThrow((6, 3)), Choose(("front-7", "front-2")), then_s=0.05)
    async with at_the_table(tmp_path) as (table, referee):
        assert lying(table) != {"front-7", "front-2"}
        snapshot = await until(referee, "moving", notice="when the power went; the box brings")
        assert "front-2" in snapshot.notice
        await until(referee, "awaiting_throw")
        assert lying(table) == {"front-7", "front-2"}
        assert "tiles_differ" not in kinds(table)


async def test_a_tile_beside_those_on_their_way_makes_it_a_question_about_all(tmp_path: Path) -> None:
    await play_to_the_cut(tmp_path, TakeThrow((5, 3)), Choose(("front-8",)), then_s=0.1)
    await tip(tmp_path, front_3=SHUT)
    async with at_the_table(tmp_path) as (table, referee):
        await until(referee, "differing")
        assert told(referee).keys() == {"front-3", "front-8"}
        await referee.ask(PutRight())
        await until(referee, "awaiting_throw")
        assert lying(table) == {"front-8"}


async def test_hands_that_put_the_tiles_right_let_the_game_go_on(tmp_path: Path) -> None:
    await play_to_the_cut(tmp_path)
    await tip(tmp_path, front_3=SHUT, front_7=SHUT)
    async with at_the_table(tmp_path) as (table, referee):
        await until(referee, "differing")
        tip_in(table.world, front_3=OPEN)
        await asyncio.sleep(1)
        assert told(referee) == {"front-7": "SHUT"}
        tip_in(table.world, front_7=OPEN)
        await until(referee, "awaiting_throw")
        assert driven_tiles(table.world) == ()


async def test_a_second_cut_asks_again_about_the_tiles_as_they_are_then(tmp_path: Path) -> None:
    await play_to_the_cut(tmp_path)
    await tip(tmp_path, front_3=SHUT)
    async with at_the_table(tmp_path) as (_, referee):
        await until(referee, "differing")
    await tip(tmp_path, front_3=OPEN, front_5=SHUT)
    async with at_the_table(tmp_path) as (_, referee):
        await asyncio.sleep(1)
        assert told(referee) == {"front-5": "SHUT"}
    await tip(tmp_path, front_5=OPEN)
    async with at_the_table(tmp_path) as (_, referee):
        await until(referee, "awaiting_throw")


async def test_what_changes_as_the_answer_is_given_is_told_and_not_moved(tmp_path: Path) -> None:
    await play_to_the_cut(tmp_path)
    await tip(tmp_path, front_3=SHUT)
    async with at_the_table(tmp_path) as (table, referee):
        await until(referee, "differing")
        tip_in(table.world, front_5=SHUT)
        await referee.ask(PutRight())
        await asyncio.sleep(10)
        assert referee.snapshot.phase == "differing"
        assert told(referee) == {"front-3": "SHUT", "front-5": "SHUT"}
        assert lying(table) == {"front-3", "front-5"}


@pytest.mark.parametrize("pause", [True, False])
async def test_a_pause_or_an_end_is_no_answer(tmp_path: Path, pause: bool) -> None:
    await play_to_the_cut(tmp_path)
    await tip(tmp_path, front_3=SHUT)
    async with at_the_table(tmp_path) as (table, referee):
        await until(referee, "differing")
        await referee.ask(Park() if pause else Abandon())
        await asyncio.sleep(5)
        assert lying(table) == {"front-3"}
        await referee.ask(GoOn() if pause else ANN)
        if pause:
            await until(referee, "differing")
            await referee.ask(PutRight())
        # A new game brings every tile to its place without a word.
        await until(referee, "awaiting_throw")
        assert lying(table) == set()


async def test_a_paused_game_is_compared_when_somebody_goes_on(tmp_path: Path) -> None:
    await play_to_the_cut(tmp_path, Park())
    await tip(tmp_path, front_3=SHUT)
    async with at_the_table(tmp_path) as (table, referee):
        await asyncio.sleep(5)
        assert referee.snapshot.phase == "parked"
        await referee.ask(GoOn())
        await until(referee, "differing")
        assert lying(table) == {"front-3"}


async def test_a_game_given_up_before_the_cut_can_be_played_on_after_it(tmp_path: Path) -> None:
    await play_to_the_cut(tmp_path, TakeThrow((5, 3)), Choose(("front-8",)), Abandon())
    async with at_the_table(tmp_path) as (table, referee):
        assert (referee.snapshot.phase, asked_for(referee), referee.snapshot.notice) == ("ended", "game.given_up", "")
        await referee.ask(Undo())
        await until(referee, "awaiting_throw")
        assert kinds(table)[-3:] == ["game_abandoned", "game_resumed", "tiles_confirmed"]
        assert lying(table) == {"front-8"}
    # Under way again, it outlasts the next cut as any other game.
    async with at_the_table(tmp_path) as (_, referee):
        await until(referee, "awaiting_throw")


async def test_tiles_moved_since_a_game_was_given_up_are_a_question_once_it_is_played_on(tmp_path: Path) -> None:
    await play_to_the_cut(tmp_path, Abandon())
    await tip(tmp_path, front_3=SHUT)
    async with at_the_table(tmp_path) as (table, referee):
        await asyncio.sleep(5)
        assert referee.snapshot.phase == "ended"
        await referee.ask(Undo())
        await until(referee, "differing")
        assert lying(table) == {"front-3"}


async def test_once_another_game_has_begun_one_that_was_given_up_stays_so(tmp_path: Path) -> None:
    await play_to_the_cut(tmp_path, Abandon())
    async with at_the_table(tmp_path) as (_, referee):
        given_up = referee.snapshot
        await referee.ask(ANN)
        with pytest.raises(TooLate):
            await referee.ask(Undo(game_id=given_up.game_id, event=given_up.event))
        with pytest.raises(NotNow, match="you cannot take it back now"):
            await referee.ask(Undo())
        await referee.ask(Abandon())
    async with at_the_table(tmp_path) as (_, referee):
        assert referee.snapshot.game_id == given_up.game_id + 1


async def test_after_a_halt_only_what_it_was_not_about_is_a_question(tmp_path: Path) -> None:
    async with at_the_table(tmp_path) as (table, referee):
        await referee.ask(ANN)
        await until(referee, "awaiting_throw")
        tip_in(table.world, front_3=SHUT)
        await until(referee, "halted")
    async with at_the_table(tmp_path) as (table, referee):
        await asyncio.sleep(5)
        assert referee.snapshot.phase == "halted"
        await referee.ask(TryAgain())
        await until(referee, "awaiting_throw")
        assert lying(table) == set()


async def test_under_a_closed_lid_nothing_is_compared(tmp_path: Path) -> None:
    await play_to_the_cut(tmp_path)
    await tip(tmp_path, front_3=SHUT)
    async with open_table_rig(tmp_path, store=tmp_path / "wood.json") as table:
        table.world.close_lid()
        await asyncio.sleep(1)
        async with table.referee() as referee:
            await until(referee, "awaiting_throw", notice="The lid is closed")
            await asyncio.sleep(5)
            assert referee.snapshot.phase == "awaiting_throw"
            table.world.open_lid()
            await until(referee, "differing")


async def test_a_bus_that_hangs_as_the_tiles_are_compared_is_told_and_the_question_comes_after_it(
    tmp_path: Path,
) -> None:
    await play_to_the_cut(tmp_path)
    await tip(tmp_path, front_3=SHUT)
    async with open_table_rig(tmp_path, store=tmp_path / "wood.json") as table:
        table.world.hang_bus()
        async with table.referee() as referee:
            await until(referee, "halted")
            table.world.lift()
            await referee.ask(TryAgain())
            await until(referee, "differing")
            assert lying(table) == {"front-3"}


async def test_tiles_that_were_compared_while_a_throw_was_written_are_not_compared_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play_to_the_cut(tmp_path, *PHASES["awaiting_throw"])
    async with at_the_table(tmp_path) as (_, referee):
        assert asked_for(referee) == "game.comparing"
        write = referee._recorder.writer.append

        async def write_slowly(*words: Any) -> None:
            await asyncio.sleep(20)
            assert asked_for(referee) != "game.comparing"
            await write(*words)

        monkeypatch.setattr(referee._recorder.writer, "append", write_slowly)
        snapshot = await referee.ask(TakeThrow((1, 2)))
        assert (snapshot.phase, asked_for(referee)) == ("choosing", "choice.due")


async def test_what_is_amiss_with_the_journal_is_told_until_somebody_goes_on(tmp_path: Path) -> None:
    await play_to_the_cut(tmp_path, TakeThrow((6, 3)), Choose(("front-7", "front-2")), then_s=0.05)
    lost = compose("journal.lost", game_id=1, events=2, lost="steps")
    async with open_table_rig(tmp_path, store=tmp_path / "wood.json") as table:
        referee = Referee(table.table, table.journal, pace=Pace(), wall_clock=lambda: "", subscribers=(), found=(lost,))
        async with run_in_background(referee.run()):
            # The box brings its tiles there, and says so: that takes nothing away.
            moving = await until(referee, "moving", notice="when the power went")
            assert "the last 2 steps" in moving.notice
            waiting = await until(referee, "awaiting_throw")
            assert "the last 2 steps" in waiting.notice
            assert "the last 2 steps" not in (await referee.ask(TakeThrow((1, 2)))).notice
