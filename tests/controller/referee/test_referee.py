"""The referee on a simulated box: games, faults, hands, power cuts. Read as stories."""

import asyncio
import sqlite3
from collections.abc import Collection, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.box.faults import apply_faults
from controller.cli.demonstration import Demonstration
from controller.errors import BoxTooSmall, JournalUnwritable, NotNow
from controller.game.core.commands import Believe, GoOn, Park, ReportFault, StartGame, TryAgain
from controller.game.core.players import Player
from controller.game.shutbox.commands import Choose, CorrectThrow, EndTurn, RollDice, TakeThrow
from controller.game.shutbox.events import DiceThrown, ThrowCorrected
from controller.game.shutbox.evolve import replay_box_game as replay
from controller.game.shutbox.state import Game
from controller.game.table.caller import Caller
from controller.journal.replay import replay_checked
from controller.journal.store import Journal
from controller.referee.lending import Request
from controller.referee.referee import Referee
from controller.rules.errors import IllegalMove
from firmware.errors import TileJammed
from hardware.tiles import Position, TileId
from tests.support.race_tables import seen
from tests.support.tables import PLAYERS, TableRig, open_table_rig, until
from tests.support.true_box import driven_tiles
from vision.errors import CameraDead
from vision.reading import Reading, Reason, refused

ANN = (Player("Ann"),)
FRONT_8, FRONT_7, BACK_2 = TileId(1, 8), TileId(1, 7), TileId(2, 2)


async def thrown(referee: Referee, dice: Sequence[int]) -> None:
    await referee.ask(TakeThrow(tuple(dice)))


def no_hand(_count: int) -> tuple[int, ...]:
    raise AssertionError("the camera reads these dice")


def shut_tiles(table: TableRig) -> set[str]:
    world = table.world
    return {str(tile) for tile in world.box.tile_ids if world.position(tile) is Position.SHUT}


async def test_whole_games_end_with_the_tiles_as_the_board_has_them(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        demonstration = Demonstration(referee, table.truth, no_hand, lambda: 0.0)
        played = [each async for each in demonstration.play(2, StartGame(PLAYERS))]
        assert [each.misreads for each in played] == [0, 0]
        assert all(each.throws > 2 for each in played)
        for game_id in (1, 2):
            game = replay_checked(table.journal.entries(game_id))
            assert isinstance(game, Game)
            assert game.is_over
            assert dict(zip(("Ann", "House"), game.scores, strict=True)) == played[game_id - 1].scores
        assert referee._game is not None
        board = referee._game.board
        assert shut_tiles(table) == set(board.layout.by_name) - {tile.name for tile in board.standing}
        # A hand can move a tile: its servo was let go.
        some_tile = next(tile for tile in board.layout.by_name.values() if board.stands(tile) and tile.row == 1)
        table.world.hand_moves(TileId.parse(some_tile.name), Position.SHUT)


async def test_a_move_is_in_the_journal_before_a_tile_moves(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        await thrown(referee, (5, 3))
        pulses = len(table.journal.entries(1))
        await referee.ask(Choose(("front-8",)))
        assert table.world.position(FRONT_8) is Position.OPEN
        assert len(table.journal.entries(1)) == pulses + 1
        await until(referee, "awaiting_throw")
        assert shut_tiles(table) == {"front-8"}


async def test_a_jammed_tile_halts_the_game_and_it_goes_on_once_freed(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        table.world.jam(FRONT_8)
        await thrown(referee, (5, 3))
        await referee.ask(Choose(("front-8",)))

        halted = await until(referee, "halted")

        assert halted.fault is not None
        assert (halted.fault.code, halted.fault.part) == ("H-301", "front-8")
        assert (halted.fault.expected, halted.fault.seen) == ("SHUT", "OPEN")
        assert halted.say == (
            "front-8 will not go down. "
            "Take your hand off it, or free it where it is stuck, and let the box try again. (code H-301)"
        )
        assert halted.fault.cure

        await referee.ask(TryAgain())
        assert (await until(referee, "halted")).fault == halted.fault
        table.world.lift()
        # A hand can move the tile: its servo was let go.
        table.world.hand_moves(FRONT_8, Position.SHUT)
        await referee.ask(TryAgain())
        await until(referee, "awaiting_throw")
        assert shut_tiles(table) == {"front-8"}


@pytest.mark.parametrize(
    ("fault", "code"),
    [("silent:0x40", "H-202"), ("bus:hung", "H-201"), ("stuck:front-8", "H-302")],
)
async def test_every_fault_of_the_metal_ends_in_its_name_and_the_game_goes_on_when_it_is_lifted(
    tmp_path: Path, fault: str, code: str
) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        await thrown(referee, (5, 3))
        apply_faults(table.world, [fault])
        await referee.ask(Choose(("front-8",)))
        halted = await until(referee, "halted")
        assert halted.fault is not None
        assert halted.fault.code == code
        assert halted.fault.cure
        table.world.lift()
        await referee.ask(TryAgain())
        await until(referee, "awaiting_throw")
        assert shut_tiles(table) == {"front-8"}


async def test_a_board_that_loses_its_registers_is_set_up_again_and_the_game_goes_on(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        await thrown(referee, (5, 3))
        table.world.forget(0x40)
        await referee.ask(Choose(("front-8",)))
        await until(referee, "awaiting_throw")
        assert shut_tiles(table) == {"front-8"}


async def test_a_tile_that_a_hand_moved_is_named_and_may_be_put_back_by_hand(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        table.world.hand_moves(FRONT_7, Position.SHUT)
        halted = await until(referee, "halted")
        assert halted.fault is not None
        assert (halted.fault.part, halted.fault.expected, halted.fault.seen) == ("front-7", "OPEN", "SHUT")

        table.world.hand_moves(FRONT_7, Position.OPEN)
        await until(referee, "awaiting_throw")


async def test_a_tile_that_a_hand_moved_is_put_back_by_the_box_when_somebody_confirms(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        table.world.hand_moves(FRONT_7, Position.SHUT)
        await until(referee, "halted")
        await referee.ask(TryAgain())
        await until(referee, "awaiting_throw")
        assert shut_tiles(table) == set()


async def test_after_a_power_cut_in_the_middle_of_a_move_the_same_game_goes_on(tmp_path: Path) -> None:
    wood = tmp_path / "wood.json"

    async def until_the_cut() -> None:
        async with open_table_rig(tmp_path, store=wood) as table, table.referee() as referee:
            await referee.ask(StartGame(ANN))
            await until(referee, "awaiting_throw")
            await thrown(referee, (5, 3))
            await referee.ask(Choose(("front-8",)))
            await until(referee, "awaiting_throw")
            await thrown(referee, (6, 3))
            await referee.ask(Choose(("front-7", "back-2")))
            await asyncio.sleep(0.05)

    async def after_it() -> None:
        async with open_table_rig(tmp_path, store=wood) as table:
            assert "front-8" in shut_tiles(table)
            async with table.referee() as referee:
                found = await until(referee, "awaiting_throw")
                assert found.board == "1 2 3 4 5 6 . . 9/9 8 7 6 5 4 3 . 1"
                assert shut_tiles(table) == {"front-7", "front-8", "back-2"}

    await until_the_cut()
    await after_it()


async def test_tiles_that_were_moved_while_the_daemon_was_away_are_noticed(tmp_path: Path) -> None:
    wood = tmp_path / "wood.json"

    async def before() -> None:
        async with open_table_rig(tmp_path, store=wood) as table, table.referee() as referee:
            await referee.ask(StartGame(ANN))
            await until(referee, "awaiting_throw")
        table.world.hand_moves(FRONT_7, Position.SHUT)

    async def after() -> None:
        async with open_table_rig(tmp_path, store=wood) as table, table.referee() as referee:
            asked = await until(referee, "differing")
            assert [(tile.name, tile.seen) for tile in asked.found] == [("front-7", "SHUT")]

    await before()
    await after()


async def test_parking_in_the_middle_of_a_move_lets_go_and_confirming_finishes_it(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        await thrown(referee, (5, 3))
        await referee.ask(Choose(("front-8",)))
        while driven_tiles(table.world) != (FRONT_8,):  # noqa: ASYNC110  as short as a drive
            await asyncio.sleep(0.005)
        await referee.ask(Park())
        await asyncio.sleep(1)
        assert referee.snapshot.phase == "parked"
        assert driven_tiles(table.world) == ()
        assert shut_tiles(table) == set(), "it was let go before it could fall"
        await referee.ask(GoOn())
        await until(referee, "awaiting_throw")
        assert shut_tiles(table) == {"front-8"}


@pytest.mark.parametrize(
    ("faults", "told"),
    [
        (("sag",), ("The computer's power supply is weak. ", "(code H-208)")),
        (("hot",), ("The computer is too warm. ", "(code H-212)")),
        (("sag", "hot"), ("(code H-208)", "(code H-212)")),
    ],
)
async def test_a_computer_that_is_not_well_is_told_of_and_the_game_goes_on(
    tmp_path: Path, faults: tuple[str, ...], told: tuple[str, ...]
) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        apply_faults(table.world, faults)
        await asyncio.sleep(61)
        assert all(words in referee.snapshot.notice for words in told)
        await thrown(referee, (5, 3))
        await referee.ask(Choose(("front-8",)))
        await until(referee, "awaiting_throw", notice=told[0])
        assert shut_tiles(table) == {"front-8"}


async def test_a_refused_reading_is_told_and_the_next_throw_counts(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        table.eyes.refusals.append(refused(Reason.COCKED, "One die leans on the wall. Throw again."))
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        await referee.ask(RollDice())
        assert (await until(referee, "awaiting_throw", notice="leaning")).event == 2
        await referee.ask(RollDice())
        assert len((await until(referee, "choosing")).throw) == 2


async def test_a_typed_correction_is_journalled(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        await referee.ask(RollDice())
        read = (await until(referee, "choosing")).throw
        corrected = await referee.ask(CorrectThrow((6, 6)))
        assert corrected.throw == (6, 6)
        assert table.journal.entries(1)[-1].event == ThrowCorrected(read, (6, 6))
        assert replay([entry.event for entry in table.journal.entries(1)]) == referee._game


async def test_dice_that_are_being_read_are_not_thrown_again(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        first = await referee.ask(RollDice())
        assert first.reading
        assert offered(referee) == ["dice", "park", "abandon"]
        with pytest.raises(NotNow, match="the dice are being read; wait, or say what they show"):
            await referee.ask(RollDice())
        assert not (await until(referee, "choosing")).reading
        assert [type(entry.event) for entry in table.journal.entries(1)].count(DiceThrown) == 1


async def test_dice_that_cannot_be_read_may_be_thrown_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        watcher, leaning = table.table.watcher, refused(Reason.COCKED, "One die leans on the wall. Throw again.")

        async def look_in_vain(_allowed: Collection[int]) -> Reading:
            return leaning

        async def see_nothing_more(_allowed: Collection[int]) -> Reading:
            await asyncio.sleep(3600)
            return leaning

        monkeypatch.setattr(watcher, "look_now", look_in_vain)
        monkeypatch.setattr(watcher, "next_throw", see_nothing_more)
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        assert (await referee.ask(RollDice())).reading
        snapshot = await until(referee, "awaiting_throw", notice="One die is leaning")
        assert not snapshot.reading
        monkeypatch.undo()
        await referee.ask(RollDice())
        await until(referee, "choosing")


async def test_what_is_refused_changes_nothing_for_anybody(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        with pytest.raises(NotNow):
            await referee.ask(TryAgain())
        await referee.ask(StartGame(ANN))
        before = await until(referee, "awaiting_throw")
        with pytest.raises(NotNow):
            await referee.ask(Choose(("front-8",)))
        with pytest.raises(NotNow, match="2 dice"):
            await referee.ask(RollDice(1))
        await thrown(referee, (5, 3))
        with pytest.raises(IllegalMove):
            await referee.ask(Choose(("front-7",)))
        assert referee.snapshot.event == before.event + 1
        assert len(table.journal.entries(1)) == referee.snapshot.event


async def test_two_clients_see_the_same_and_a_slow_one_loses_only_the_oldest(tmp_path: Path) -> None:
    async with (
        open_table_rig(tmp_path) as table,
        table.referee() as referee,
        referee.watch() as one,
        referee.watch() as slow,
    ):
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        numbers = [one.get_nowait().number for _ in range(one.qsize())]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        for _ in range(100):
            await referee.ask(Park())
            await referee.ask(GoOn())
        await until(referee, "awaiting_throw")
        kept = [slow.get_nowait() for _ in range(slow.qsize())]
        assert len(kept) == 64
        assert kept[-1] == referee.snapshot


async def test_a_box_that_cannot_show_a_game_refuses_it_and_names_those_that_can(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        with pytest.raises(BoxTooSmall, match="boxes that can show it: two-level-12"):
            await referee.ask(StartGame(ANN, options={"columns": 12}))
        with pytest.raises(BoxTooSmall, match="classic-12, the-300, two-level-12"):
            await referee.ask(StartGame(ANN, "pub", {"tiles": 12}))
        assert table.journal.game_ids() == []


async def test_a_game_of_one_row_is_played_on_the_front_row_of_a_larger_box(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path, box="two-level-12") as table, table.referee() as referee:
        started = await referee.ask(StartGame(ANN, "pub"))
        assert "do not count" in started.notice
        await until(referee, "awaiting_throw")
        assert shut_tiles(table) == {"front-10", "front-11", "front-12"}


async def test_an_unfinished_game_of_another_box_is_left_alone(tmp_path: Path) -> None:
    async def on_one_box() -> None:
        async with open_table_rig(tmp_path) as table, table.referee() as referee:
            await referee.ask(StartGame(ANN))

    async def on_another() -> None:
        async with open_table_rig(tmp_path, box="classic-9") as table, table.referee() as referee:
            assert referee.snapshot.phase == "idle"
            await referee.ask(StartGame(ANN, "pub"))

    await on_one_box()
    await on_another()
    with Journal(tmp_path / "journal.sqlite3") as journal:
        assert [journal.box_of(game) for game in journal.game_ids()] == ["two-level-9", "classic-9"]


async def test_a_reading_of_dice_that_were_picked_up_again_does_not_count(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        # The camera has just read the old dice when somebody throws again: both wait in the inbox.
        old_work = referee._loop._works
        await referee.ask(RollDice())
        referee._inbox.put(Request(TakeThrow((1, 1), "camera"), Caller("camera"), work=old_work))
        choosing = await until(referee, "choosing")
        assert choosing.throw == table.truth()


async def test_typed_dice_stand_in_for_a_camera_at_fault(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        await referee.ask(ReportFault(CameraDead("camera", expected="a picture", seen="none").fault))
        with pytest.raises(NotNow):
            await referee.ask(Choose(("front-8",)))
        assert (await referee.ask(TakeThrow((5, 3)))).phase == "choosing"


async def test_typed_dice_do_not_help_a_jammed_tile(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        await referee.ask(ReportFault(TileJammed("front-7", expected="OPEN", seen="SHUT").fault))
        with pytest.raises(NotNow, match="tile 7 in front"):
            await referee.ask(TakeThrow((5, 3)))


async def test_a_command_of_the_referees_own_is_tried_again_until_the_disk_has_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        append, full = table.journal.append, [True]

        def maybe(*words: Any) -> None:
            if full[0]:
                raise JournalUnwritable("the disk is full")
            append(*words)

        await referee.ask(StartGame(ANN))
        monkeypatch.setattr(table.journal, "append", maybe)
        await until(referee, "moving", notice="This cannot be saved now")
        full[0] = False
        await until(referee, "awaiting_throw")


async def test_nobody_chooses_for_the_house(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame((Player("House", house=True),)))
        await until(referee, "awaiting_throw")
        await thrown(referee, (5, 3))
        with pytest.raises(NotNow, match="House chooses by itself"):
            await referee.ask(Choose(("front-8",)))


async def test_at_a_simulated_box_the_house_throws_for_itself_and_once_more_what_is_not_read(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        table.eyes.refusals.append(refused(Reason.COCKED, "One die leans on the wall. Lay it flat."))
        start = asyncio.get_running_loop().time()
        await referee.ask(StartGame((Player("Ann"), Player("House", house=True)), options={"first": "lowest"}))
        said = (await until(referee, "awaiting_throw")).say
        assert "Ann: throw one die" in said
        await asyncio.sleep(30)
        assert referee.snapshot.event == 2, "nobody throws for a person"
        await referee.ask(TakeThrow((6,)))
        assert "House throws one die" in referee.snapshot.say
        await seen(referee, lambda snapshot: snapshot.turn == "House" and snapshot.phase != "awaiting_throw")
        assert asyncio.get_running_loop().time() - start < 60


async def test_at_a_real_box_somebody_throws_for_the_house(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table:
        table.table = replace(table.table, hands=None)
        async with table.referee() as referee:
            await referee.ask(StartGame((Player("House", house=True),)))
            await until(referee, "awaiting_throw")
            await asyncio.sleep(60)
            assert referee.snapshot.phase == "awaiting_throw"
            assert "for House" in referee.snapshot.say


async def test_tiles_wait_for_an_open_lid(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        table.world.close_lid()
        await asyncio.sleep(1)
        await referee.ask(StartGame(ANN))
        await until(referee, "moving", notice="The lid is closed")
        await asyncio.sleep(5)
        assert referee.snapshot.phase == "moving"
        table.world.open_lid()
        await until(referee, "awaiting_throw")


async def test_parking_without_a_game_is_no_mistake(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        assert (await referee.ask(Park())).phase == "idle"
        assert table.journal.game_ids() == []


async def test_a_last_game_that_cannot_be_replayed_does_not_keep_the_daemon_from_starting(tmp_path: Path) -> None:
    async def before() -> None:
        async with open_table_rig(tmp_path) as table, table.referee() as referee:
            await referee.ask(StartGame(ANN))
            await until(referee, "awaiting_throw")

    async def after() -> None:
        async with open_table_rig(tmp_path) as table, table.referee() as referee:
            assert "cannot be continued" in referee.snapshot.notice
            await referee.ask(StartGame(ANN))
            assert table.journal.game_ids() == [1, 2]

    await before()
    with sqlite3.connect(tmp_path / "journal.sqlite3") as db:
        db.execute("UPDATE event SET digest = 'wrong' WHERE number = 2")
    db.close()
    await after()


async def halted_with_a_stuck_sensor(table: TableRig, referee: Referee) -> None:
    """The sensor of front-8 never says that it lies; front-8 has to go down."""
    table.world.stick_not_shut(FRONT_8)
    await thrown(referee, (5, 3))
    await referee.ask(Choose(("front-8",)))
    fault = (await until(referee, "halted")).fault
    assert fault is not None
    assert (fault.code, fault.part) == ("H-302", "front-8")


def offered(referee: Referee) -> list[str]:
    return [action.kind for action in referee.snapshot.actions]


async def test_a_person_can_say_that_a_tile_is_where_it_should_be(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        await halted_with_a_stuck_sensor(table, referee)
        assert offered(referee) == ["try_again", "correct", "undo", "believe", "end_turn", "park", "abandon"]
        await referee.ask(Believe())
        await until(referee, "awaiting_throw")
        await asyncio.sleep(5)
        assert referee.snapshot.phase == "awaiting_throw", "its sensors are not asked"
        # The tile behind it goes down over it, though the sensor still says that it stands half way.
        await thrown(referee, (1, 1))
        await referee.ask(Choose(("back-2",)))
        await until(referee, "awaiting_throw")
        assert shut_tiles(table) == {"front-8", "back-2"}


async def test_a_believed_tile_is_asked_again_when_it_has_to_move(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame((*ANN, Player("Bea")), options={"first": "chosen"}))
        await until(referee, "awaiting_throw")
        await halted_with_a_stuck_sensor(table, referee)
        await referee.ask(Believe())
        await until(referee, "awaiting_throw")
        table.world.lift()
        table.world.jam_up(FRONT_8)
        await referee.ask(ReportFault(TileJammed("front-1", expected="SHUT", seen="OPEN").fault))
        await referee.ask(EndTurn())
        fault = (await until(referee, "halted")).fault
        assert fault is not None
        assert (fault.part, fault.expected, fault.seen) == ("front-8", "OPEN", "SHUT")
        # Bea has not thrown yet: there is no turn of hers to end.
        assert referee.snapshot.turn == "Bea"
        assert offered(referee) == ["try_again", "correct", "undo", "believe", "park", "abandon"]
        with pytest.raises(NotNow, match="you cannot end the turn with the tiles that are shut now"):
            await referee.ask(EndTurn())


async def test_a_turn_that_cannot_go_on_is_scored_by_the_tiles_that_are_shut(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame((*ANN, Player("Bea")), options={"first": "chosen"}))
        await until(referee, "awaiting_throw")
        await thrown(referee, (5, 3))
        table.world.jam_down(FRONT_8)
        await referee.ask(Choose(("front-8",)))
        await until(referee, "halted")
        game = referee._game
        assert isinstance(game, Game)
        expected = game.rules.score(game.board)
        table.world.lift()
        await referee.ask(EndTurn())
        snapshot = await until(referee, "awaiting_throw")
        assert snapshot.scores == {"Ann": expected, "Bea": None}
        assert snapshot.turn == "Bea"
        assert not shut_tiles(table)
        assert replay_checked(table.journal.entries(1)) == referee._game


async def test_there_is_nothing_to_believe_or_to_end_without_a_fault(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        for command in (Believe(), EndTurn()):
            with pytest.raises(NotNow):
                await referee.ask(command)
        await referee.ask(ReportFault(CameraDead("camera", expected="a picture", seen="none").fault))
        with pytest.raises(NotNow, match="where it should be now: camera needs help"):
            await referee.ask(Believe())
        assert offered(referee) == ["try_again", "dice", "park", "abandon"]


@pytest.mark.parametrize(("game", "sides", "reads"), [("2012", 20, True), ("2012", 6, False), ("pub", 20, False)])
async def test_everybody_says_the_same_of_whether_the_camera_reads_the_dice(
    tmp_path: Path, game: str, sides: int, reads: bool
) -> None:
    """`camera_reads` tells the players what the referee goes by: the dice that this table's camera was taught."""

    async with open_table_rig(tmp_path, box="classic-12") as table:
        table.table = replace(table.table, sides=sides)
        async with table.referee() as referee:
            await referee.ask(StartGame(ANN, game))
            assert (await until(referee, "awaiting_throw")).camera_reads is reads
            with nullcontext() if reads else pytest.raises(NotNow, match="cannot read"):
                await referee.ask(RollDice())


async def test_a_throw_that_still_rolls_is_not_thrown_again(tmp_path: Path) -> None:
    """A first look at rolling dice reads nothing; who presses once more by then would throw other dice."""
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        table.eyes.refusals = [refused(Reason.NO_DICE, "I see no dice.")]
        await referee.ask(RollDice())
        await asyncio.sleep(3)
        assert not table.eyes.refusals, "the first look has come to nothing"
        assert referee.snapshot.reading
        assert not referee.snapshot.can("roll")
        with pytest.raises(NotNow, match="being read"):
            await referee.ask(RollDice())


async def test_where_no_throw_was_seen_for_a_while_the_dice_may_be_thrown_again(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        table.eyes.refusals = [refused(Reason.NO_DICE, "I see no dice.")]
        await referee.ask(RollDice())
        await asyncio.sleep(10)
        assert not referee.snapshot.reading
        assert referee.snapshot.can("roll")
        await referee.ask(RollDice())


@pytest.mark.parametrize("after_s", [0.05, 0.3, 0.6, 1.0, 1.7])
async def test_a_game_goes_on_by_itself_over_a_bus_that_was_freed_by_nine_clocks(
    tmp_path: Path, after_s: float
) -> None:
    async with open_table_rig(tmp_path) as table:
        for tile in table.table.box.tile_ids[:9]:
            table.world.hand_moves(tile, Position.SHUT)
        async with table.referee() as referee, referee.watch() as snapshots:
            await referee.ask(StartGame((Player("Ann"),)))
            asyncio.get_running_loop().call_later(after_s, table.world.stick_bus)
            phases = set()
            while "awaiting_throw" not in phases:
                snapshot = await snapshots.get()
                assert snapshot.fault is None
                phases.add(snapshot.phase)
            await asyncio.sleep(after_s + 3.0)
            assert referee.snapshot.fault is None
            assert table.world.faults == ()
            assert table.table.firmware.bus.cleared == 1
