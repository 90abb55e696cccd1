"""Races on the simulated box: the count, dice, claims, the last one's time, jams, pauses, power cuts, seats, keys."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from controller.box.dice import ClaimDice
from controller.errors import NotNow, NotYours
from controller.game.core.commands import Abandon, GoOn, Park, PutRight, StartGame, TryAgain, Undo
from controller.game.core.players import Player
from controller.game.fleet.commands import (
    CallGo,
    Claim,
    EndRound,
    NameCombination,
    Shout,
    ThrowOwnDice,
    WithdrawShout,
)
from controller.game.fleet.events import Shouted
from controller.game.fleet.state import Race
from controller.game.table.engines import digest_of, replay
from controller.journal.store import Entry
from controller.referee.jobs.outcomes import Job, Observations, Overrides
from controller.referee.jobs.race import RaceJobs
from controller.referee.jobs.tiles import TileJobs
from controller.referee.panel import command_for
from controller.referee.referee import Referee
from controller.rules.fleet.dice import FACES
from controller.settings import Pace
from firmware.panel import ButtonPressed, LidClosed
from hardware.tiles import Position, TileId
from tests.support.race_tables import ANN, BOB, HOUSE, begin, go, kinds, load, seen, view
from tests.support.races import RIGHT, RaceByHand
from tests.support.tables import TableRig, open_table_rig, until
from vision.reading import Reading

TWOS = RIGHT["all-twos"]
PRESS = ButtonPressed(long=False)


async def test_the_box_counts_to_three_and_go(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    loop = asyncio.get_running_loop()
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame((ANN, BOB), "fleet", {"challenge": "in_order"}))
        await until(referee, "ready")
        began_s, counts = loop.time(), []
        async with referee.watch() as snapshots:
            await referee.ask(CallGo())
            while referee.snapshot.phase != "racing":
                counts.append((await snapshots.get()).countdown_s)
        assert [count for at, count in enumerate(counts) if count and count != counts[at - 1]] == [3, 2, 1]
        # All tiles come back at GO, one that was kicked a second time, in 0.4 s.
        tiles_s = 0.9 + 0.4 * sum("driving again" in message for message in caplog.messages)
        assert 3 * Pace().count_s <= loop.time() - began_s < 3 * Pace().count_s + tiles_s


def counting_tiles(table: TableRig) -> str:
    """Where the tiles front-3, front-2 and front-1 are: upright or lying."""
    positions = (table.world.position(TileId.parse(f"front-{number}")) for number in (3, 2, 1))
    return " ".join({Position.OPEN: "up", Position.SHUT: "down"}.get(position, "?") for position in positions)


async def count_to_go(table: TableRig, referee: Referee) -> list[str]:
    """Where the tiles are shortly before each number, and at GO."""
    await referee.ask(CallGo())
    found = []
    for _ in range(3):
        await asyncio.sleep(Pace().count_s - 0.05)
        found.append(counting_tiles(table))
        await asyncio.sleep(0.05)
    await until(referee, "racing")
    return [*found, counting_tiles(table)]


async def test_it_counts_with_its_tiles_which_are_all_back_at_go(tmp_path: Path) -> None:
    """Of two players the third tile is no chip, and lies: it counts all the same."""
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame((ANN, BOB), "fleet", {"challenge": "in_order"}))
        await until(referee, "ready")
        assert counting_tiles(table) == "down up up"
        assert await count_to_go(table, referee) == ["up up up", "up down up", "up down down", "down up up"]


async def test_a_count_that_the_power_cut_off_begins_again_and_nobody_is_asked_about_its_tiles(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table:
        async with table.referee() as referee:
            await referee.ask(StartGame((ANN, BOB, Player("Cleo")), "fleet", {"challenge": "in_order"}))
            await until(referee, "ready")
            await referee.ask(CallGo())
            await asyncio.sleep(2.9)
        assert counting_tiles(table) == "down down down"
        async with table.referee() as referee:
            assert (await seen(referee, lambda snapshot: snapshot.countdown_s == 3)).phase == "counting"
            await until(referee, "racing")
            assert counting_tiles(table) == "up up up"
        assert "tiles_differ" not in kinds(table)


async def test_a_tile_that_was_moved_in_a_power_cut_amid_the_count_and_is_none_of_it_is_asked_about(
    tmp_path: Path,
) -> None:
    async with open_table_rig(tmp_path) as table:
        async with table.referee() as referee:
            await referee.ask(StartGame((ANN, BOB), "fleet", {"challenge": "in_order"}))
            await until(referee, "ready")
            await referee.ask(CallGo())
            await asyncio.sleep(1.5)
        table.world.hand_moves(TileId.parse("front-5"), Position.OPEN)
        async with table.referee() as referee:
            await until(referee, "differing")
        assert "tiles_differ" in kinds(table)


async def test_a_tile_that_jams_counts_no_more_and_halts_the_race_only_where_its_chip_is_taken(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame((ANN, BOB, Player("Cleo")), "fleet", {"challenge": "in_order"}))
        await until(referee, "ready")
        table.world.jam(TileId.parse("front-3"))
        await referee.ask(CallGo())
        await until(referee, "racing")
        assert counting_tiles(table) == "up up up"
        await referee.ask(Shout(None, "Ann"))
        await referee.ask(Claim(TWOS, "Ann"))
        fault = (await until(referee, "halted")).fault
        assert fault is not None
        assert fault.part == "front-3"


async def test_everybody_throws_his_own_dice_and_what_is_kept_is_frozen(tmp_path: Path) -> None:
    """S003: "set apart from the dice throwing area, and the results frozen for that round"."""
    async with open_table_rig(tmp_path) as table:
        load(table, 2, 2, 3, 4, 5, 6, 2, 2, 2, 4)
        async with table.referee() as referee:
            await begin(referee, ANN, BOB)
            with pytest.raises(NotNow, match="none yet"):
                await referee.ask(ThrowOwnDice((2,), "Ann"))
            await referee.ask(ThrowOwnDice((), "Ann"))
            await referee.ask(ThrowOwnDice((2, 2), "Ann"))
            ann = view(referee).columns[0]
            assert (ann.kept, ann.dice) == ((2, 2), (2, 2, 2, 4))
            with pytest.raises(NotNow, match="you cannot keep 6"):
                await referee.ask(ThrowOwnDice((6,), "Ann"))
            assert view(referee).columns[1].dice == ()


async def test_v6_any_kept_die_may_be_thrown_again_where_none_is_frozen(tmp_path: Path) -> None:
    """S003: "no dice are permanently frozen at any time during a round and may be pulled back into use"."""
    for keeping, kept in (("frozen", (2, 2, 6)), ("unfrozen", (6,))):
        (tmp_path / keeping).mkdir()
        async with open_table_rig(tmp_path / keeping) as table:
            load(table, 2, 2, 3, 4, 5, 6, 6, 5, 5, 5)
            async with table.referee() as referee:
                await begin(referee, ANN, BOB, keeping=keeping)
                for keep in ((), (2, 2), (6,)):
                    await referee.ask(ThrowOwnDice(keep, "Ann"))
                assert view(referee).columns[0].kept == kept


async def test_dice_that_the_box_has_thrown_are_claimed_by_themselves(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table:
        load(table, *[2] * 6)
        async with table.referee() as referee:
            await begin(referee, ANN, BOB)
            await referee.ask(ThrowOwnDice((), "Ann"))
            await referee.ask(Shout(None, "Ann"))
            assert (await until(referee, "ready")).standing == {"Ann": 2, "Bob": 1}


async def test_dice_that_somebody_has_taken_off_the_baize_are_claimed_by_word_and_the_race_goes_on(
    tmp_path: Path,
) -> None:
    async with open_table_rig(tmp_path) as table:
        load(table, *[2] * 6)
        know_claims(table)
        async with table.referee() as referee:
            await begin(referee, ANN, BOB)
            await referee.ask(ThrowOwnDice((), "Ann"))
            await referee.ask(Shout(None, "Ann"))
            await asyncio.sleep(1)
            assert len(table.world.dice()) == 6
            table.world.clear_dice()
            await referee.ask(Claim(TWOS, "Ann"))
            assert (await until(referee, "ready")).standing == {"Ann": 2, "Bob": 1}
            await go(referee)


async def test_dice_of_an_earlier_game_are_off_the_simulated_baize_when_a_round_begins(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table:
        table.world.throw_dice(2)
        async with table.referee() as referee:
            await begin(referee, ANN, BOB)
            assert table.world.dice() == ()


async def test_the_dice_of_a_tile_game_do_not_lie_beside_the_claim_of_the_next_race(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table:
        load(table, *[2] * 6)
        know_claims(table)
        async with table.referee() as referee:
            await referee.ask(StartGame((ANN, BOB), "pub"))
            await until(referee, "awaiting_throw")
            table.world.throw_dice(2)
            await referee.ask(Abandon())
            await begin(referee, ANN, BOB)
            await referee.ask(ThrowOwnDice((), "Ann"))
            await referee.ask(Shout(None, "Ann"))
            await asyncio.sleep(3)
            assert [die.value for die in table.world.dice()] == [2] * 6


async def test_the_dice_of_a_game_that_was_given_up_are_off_the_simulated_baize_when_the_next_begins(
    tmp_path: Path,
) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame((ANN, BOB), "pub"))
        await until(referee, "awaiting_throw")
        table.world.throw_dice(2)
        await asyncio.sleep(3)
        assert len(table.world.dice()) == 2
        await referee.ask(Abandon())
        await referee.ask(StartGame((ANN, BOB), "pub"))
        assert table.world.dice() == ()
        await until(referee, "awaiting_throw")
        await asyncio.sleep(5)
        assert all(message.key != "reading.stale" for message in referee.snapshot.messages)


async def test_dice_that_find_no_room_on_the_baize_are_claimed_as_the_box_has_thrown_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_table_rig(tmp_path) as table:
        load(table, *[2] * 6)
        know_claims(table)
        monkeypatch.setattr(table.world, "lay_set", find_no_room)
        async with table.referee() as referee:
            await begin(referee, ANN, BOB)
            await referee.ask(ThrowOwnDice((), "Ann"))
            await referee.ask(Shout(None, "Ann"))
            assert (await until(referee, "ready")).standing == {"Ann": 2, "Bob": 1}


def know_claims(table: TableRig) -> None:
    """The camera knows the dice of two players, and never sees them lie still."""

    async def look_on(*, afresh: bool = False) -> Reading:
        await asyncio.Event().wait()
        raise AssertionError(afresh)

    vars(table.eyes)["next_claim"] = look_on
    table.table = replace(table.table, claims=ClaimDice(("red", "blue"), {face: face for face in FACES}))


def find_no_room(colour: str, values: Sequence[int]) -> None:
    raise ValueError(f"six {colour} dice showing {values} find no room")


async def test_who_was_wrong_plays_on_with_the_dice_that_lie_there(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table:
        load(table, 2, 2, 2, 2, 2, 3, 2)
        async with table.referee() as referee:
            await begin(referee, ANN, BOB)
            await referee.ask(ThrowOwnDice((), "Ann"))
            await referee.ask(Shout(None, "Ann"))
            await seen(referee, lambda snapshot: " is not " in snapshot.news)
            await referee.ask(ThrowOwnDice((2,) * 5, "Ann"))
            await referee.ask(Shout(None, "Ann"))
            assert (await until(referee, "ready")).standing == {"Ann": 2, "Bob": 1}


async def test_who_shouted_rightly_at_once_throws_all_six_again(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table:
        load(table, *[2] * 12)
        async with table.referee() as referee:
            await begin(referee, ANN, BOB, equal_shouts="again")
            await referee.ask(ThrowOwnDice((), "Ann"))
            await referee.ask(ThrowOwnDice((), "Bob"))
            await asyncio.gather(referee.ask(Shout(None, "Ann")), referee.ask(Shout(None, "Bob")))
            await seen(referee, lambda snapshot: "shouted at once" in snapshot.news)
            await asyncio.sleep(1)
            await referee.ask(ThrowOwnDice((), "Ann"))
            assert len(view(referee).columns[0].dice) == 6
            with pytest.raises(NotNow, match="none yet"):
                await referee.ask(ThrowOwnDice((2,), "Bob"))


async def test_shouts_are_timed_when_they_come_and_not_when_the_one_before_is_written(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await begin(referee, ANN, BOB, Player("Cleo"), equal_shouts="share")
        loop = asyncio.get_running_loop()
        before_ms = round(1000 * loop.time())
        await asyncio.gather(*(referee.ask(Shout(None, name)) for name in ("Ann", "Bob")))
        shouts = [entry.event for entry in table.journal.entries(1) if isinstance(entry.event, Shouted)]
        assert [shout.at_ms for shout in shouts] == [before_ms, before_ms]


async def test_the_house_throws_at_its_pace_names_and_shouts(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        loop = asyncio.get_running_loop()
        await referee.ask(StartGame((ANN, HOUSE), "fleet"))
        await seen(referee, lambda snapshot: bool(snapshot.race and snapshot.race.columns[1].has_named))
        await referee.ask(NameCombination("straight", "Ann"))
        await go(referee)
        times, dice = [], view(referee).columns[1]
        async with referee.watch() as snapshots:
            while referee.snapshot.phase != "ready" and referee.snapshot.phase != "naming":
                snapshot = await snapshots.get()
                assert snapshot.race is not None
                column = snapshot.race.columns[1]
                if (column.kept, column.dice) != (dice.kept, dice.dice):
                    times.append(loop.time())
                    dice = column
        waits = [after - before for before, after in pairwise(times)]
        pace_s = 0.85 * Pace().house_throws_s
        assert len(times) > 1
        assert all(0.69 * pace_s <= wait <= 1.31 * pace_s for wait in waits[:-1])
        assert referee.snapshot.standing == {"Ann": 1, "House": 2}


async def test_the_time_of_the_last_stands_still_in_a_pause_and_goes_on_after_a_power_cut(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path, store=tmp_path / "wood") as table:
        async with table.referee() as referee:
            await begin(referee, ANN, BOB, timer=30)
            await referee.ask(Shout(None, "Ann"))
            await referee.ask(Claim(TWOS, "Ann"))
            await until(referee, "racing")
            await asyncio.sleep(10.6)
            assert view(referee).left_s == 20
            await referee.ask(Park())
            await asyncio.sleep(500)
            await referee.ask(GoOn())
            await until(referee, "racing")
            assert view(referee).left_s == 20
            # What had passed of the second before the pause has passed.
            await asyncio.sleep(0.5)
            assert view(referee).left_s == 19
        await asyncio.sleep(500)
        async with table.referee() as referee:
            await until(referee, "racing")
            assert view(referee).left_s == 19
            await referee.ask(Shout(None, "Bob"))
            await asyncio.sleep(100)
            assert view(referee).left_s == 1, "the dice of a shout that came in time are looked at"
            await referee.ask(WithdrawShout("Bob"))
            assert (await until(referee, "ready")).standing == {"Ann": 2, "Bob": 0}
        assert kinds(table).count("second_passed") == 30


def told_to_throw_anew(referee: Referee) -> tuple[str, ...]:
    """Who is told that how his dice lay is not known any more."""
    told = [each.args["players"] for each in referee.snapshot.messages if each.key == "race.thrown_anew"]
    assert len(told) < 2
    return tuple(map(str, told[0])) if told and isinstance(told[0], tuple) else ()


async def test_after_a_power_cut_everybody_is_told_so_until_he_has_thrown_again(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path, store=tmp_path / "wood") as table:
        async with table.referee() as referee:
            await begin(referee, ANN, BOB, HOUSE)
            await referee.ask(ThrowOwnDice((), "Ann"))
            assert view(referee).columns[0].dice
            assert not told_to_throw_anew(referee)
        table.world.hand_moves(TileId.parse("front-1"), Position.SHUT)
        async with table.referee() as referee:
            await until(referee, "differing")
            assert told_to_throw_anew(referee) == ("Ann", "Bob")
            await referee.ask(PutRight())
            await until(referee, "racing")
            await referee.ask(ThrowOwnDice((), "Ann"))
            await seen(referee, lambda snapshot: bool(snapshot.race and snapshot.race.columns[0].dice))
            assert told_to_throw_anew(referee) == ("Bob",)
            await referee.ask(Shout(None, "Bob"))
            assert not told_to_throw_anew(referee)
            await referee.ask(Claim(TWOS, "Bob"))
            await referee.ask(Shout(None, "Ann"))
            await referee.ask(Claim(TWOS, "Ann"))
            await seen(referee, lambda snapshot: snapshot.round == 2)
            assert not told_to_throw_anew(referee)
        async with table.referee() as referee:
            await seen(referee, lambda snapshot: snapshot.round == 2)
            assert not told_to_throw_anew(referee), "nobody has thrown in this round yet"


async def test_a_round_waits_for_a_chip_s_tile_that_jams_and_the_house_with_it(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await begin(referee, ANN, BOB, HOUSE)
        await asyncio.sleep(5)
        table.world.jam(next(tile for tile in table.table.box.tile_ids if str(tile) == "front-3"))
        await referee.ask(Shout(None, "Ann"))
        await referee.ask(Claim(TWOS, "Ann"))
        halted = await until(referee, "halted")
        assert halted.fault is not None
        assert halted.fault.part == "front-3"
        with pytest.raises(NotNow):
            await referee.ask(Shout(None, "Bob"))
        dice = view(referee).columns[2].dice
        await asyncio.sleep(300)
        assert view(referee).columns[2].dice == dice
        table.world.lift()
        await referee.ask(TryAgain())
        after = await seen(referee, lambda snapshot: snapshot.round == 2)
        assert after.standing == {"Ann": 3, "Bob": 1, "House": 2}


async def test_the_lid_that_is_let_down_pauses_a_race_also_amid_the_count(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame((ANN, BOB), "fleet", {"challenge": "in_order"}))
        await until(referee, "ready")
        pressed = command_for(PRESS, referee.snapshot)
        assert pressed == CallGo()
        await referee.ask(pressed)
        await asyncio.sleep(1.5)
        closed = command_for(LidClosed(), referee.snapshot)
        assert closed == Park()
        await referee.ask(closed)
        await asyncio.sleep(50)
        assert (referee.snapshot.phase, referee.snapshot.countdown_s) == ("parked", None)
        await referee.ask(GoOn())
        assert (await seen(referee, lambda snapshot: snapshot.countdown_s == 3)).phase == "counting"
        await until(referee, "racing")


async def test_the_button_is_a_shout_in_a_race_of_two_and_the_dice_say_whose(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await begin(referee, ANN, BOB)
        pressed = command_for(PRESS, referee.snapshot)
        assert pressed == Shout()
        await referee.ask(pressed)
        assert "Whoever pressed the button" in referee.snapshot.say
        ann = await referee.seating.sit(["Ann"], "page", "player")
        bob = await referee.seating.sit(["Bob"], "page", "player")
        await referee.ask(WithdrawShout(), referee.seating.caller(ann.token))
        await referee.ask(Shout())
        await referee.ask(Claim(TWOS), referee.seating.caller(bob.token))
        assert (await until(referee, "ready")).standing == {"Ann": 1, "Bob": 2}


async def test_whose_a_shout_is_and_for_whom_nobody_else_acts(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await begin(referee, ANN, BOB, HOUSE)
        tokens = [(await referee.seating.sit([name], "page", "player")).token for name in ("Ann", "Bob")]
        ann, bob = map(referee.seating.caller, tokens)
        guest = referee.seating.caller((await referee.seating.sit([], "page", "spectator")).token)
        for command in (Shout(None, "Bob"), ThrowOwnDice((), "Bob")):
            with pytest.raises(NotYours, match="Bob"):
                await referee.ask(command, ann)
        for command in (Shout(None, "House"), ThrowOwnDice((), "House"), Shout("all-twos", "House")):
            for caller in (ann, bob):
                with pytest.raises(NotYours, match="House plays by itself"):
                    await referee.ask(command, caller)
        with pytest.raises(NotYours, match="spectators cannot shout"):
            await referee.ask(Shout(), guest)
        await referee.ask(Shout(), ann)
        assert [column.shouted for column in view(referee).columns] == [True, False, False]
        for not_hers in (Claim(TWOS, "Ann"), WithdrawShout("Ann")):
            with pytest.raises(NotYours, match="Ann"):
                await referee.ask(not_hers, bob)
        assert (referee.snapshot.by, referee.snapshot.door) == ("Ann", "page")
        await referee.ask(Claim(TWOS), ann)
        await seen(referee, lambda snapshot: snapshot.standing["Ann"] == 3)


async def test_the_others_go_on_without_a_player_who_leaves(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await begin(referee, ANN, BOB, Player("Cleo"))
        tokens = [(await referee.seating.sit([name], "page", "player")).token for name in ("Ann", "Bob")]
        ann = referee.seating.caller(tokens[0])
        await referee.ask(Shout(), ann)
        await referee.ask(Claim(TWOS), ann)
        await referee.seating.leave(tokens[1])
        await referee.ask(EndRound(), ann)
        after = await until(referee, "ready")
        assert after.standing == {"Ann": 3, "Bob": 0, "Cleo": 0}
        # His seat is nobody's: another may sit down in it, and play on.
        again = referee.seating.caller((await referee.seating.sit(["Bob"], "page", "player")).token)
        await go(referee)
        await referee.ask(Shout(), again)


async def test_repeated_keys_are_done_once(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path, store=tmp_path / "wood") as table:
        async with table.referee() as referee:
            await begin(referee, ANN, BOB, Player("Cleo"))
            throw = ThrowOwnDice((), "Ann", key="ann-throws-1")
            await referee.ask(throw)
            dice = view(referee).columns[0].dice
            await referee.ask(throw)
            assert view(referee).columns[0].dice == dice
            shout, claim = Shout(None, "Bob", key="bob-shouts-1"), Claim(TWOS, "Bob", key="bob-claims-1")
            for command in (shout, shout, claim, claim, shout):
                await referee.ask(command)
            await until(referee, "racing")
            before = kinds(table)
        async with table.referee() as referee:
            await until(referee, "racing")
            for again in (throw, shout, claim):
                await referee.ask(again)
            assert referee.snapshot.standing == {"Ann": 0, "Bob": 3, "Cleo": 0}
        after = kinds(table)
        assert (after.count("shouted"), after.count("chip_taken")) == (1, 1)
        assert before == after


async def test_the_first_namer_is_thrown_for_by_people_and_house(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame((ANN, HOUSE), "flash", {"challenge": "in_turn"}))
        await seen(referee, lambda snapshot: "House threw" in snapshot.news)
        while referee.snapshot.phase == "rolling_off":
            try:
                await referee.ask(ThrowOwnDice((), "Ann"))
            except NotNow:
                await asyncio.sleep(1)
        assert referee.snapshot.phase == "naming"


async def test_a_shout_of_the_house_whose_dice_a_restart_has_lost_is_taken_back(tmp_path: Path) -> None:
    by_hand = RaceByHand((Player("Bank", house=True, strength="perfect"), HOUSE), challenge="in_order", timer=5)
    by_hand.begin()
    by_hand.do(Shout(None, "House"))
    async with open_table_rig(tmp_path) as table:
        keep(table, by_hand)
        async with table.referee() as referee:
            # The wood of this table stands as at no moment of that race.
            await until(referee, "differing")
            await referee.ask(PutRight())
            assert (await seen(referee, lambda snapshot: snapshot.phase == "ended", 36_000)).winners
        assert kinds(table).count("shout_withdrawn") == 1


def keep(table: TableRig, by_hand: RaceByHand) -> None:
    """Have the journal of a table keep a race that was played by hand."""
    events = by_hand.events
    games = [replay(events[: number + 1]) for number in range(len(events))]
    entries = [
        Entry(number, "0", event, digest_of(game))
        for number, (event, game) in enumerate(zip(events, games, strict=True), 1)
        if game is not None
    ]
    table.journal.append(1, table.table.box.name, entries)


async def first_shout(jobs: RaceJobs, race: Race) -> Shout:
    """The first shout that comes of the jobs of a moment, which are then dropped."""
    loop = asyncio.get_running_loop()
    found: asyncio.Future[Shout] = loop.create_future()

    async def run(job: Job) -> None:
        async for outcome in job:
            if isinstance(outcome, Shout):
                found.set_result(outcome)

    tasks = [asyncio.create_task(run(job)) for job in jobs.jobs(race)]
    shout = await found
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return shout


async def test_a_shout_of_the_house_that_is_void_is_shouted_once_more(tmp_path: Path) -> None:
    by_hand = RaceByHand((ANN, HOUSE), challenge="in_order")
    by_hand.begin()
    async with open_table_rig(tmp_path) as table:
        observations = Observations(lambda: None)
        jobs = RaceJobs(table.table, Pace(), observations, TileJobs(table.table, Pace(), Overrides(), observations))
        first = await first_shout(jobs, by_hand.race)
        at_s = asyncio.get_running_loop().time()
        again = await first_shout(jobs, by_hand.race)
        assert (again.combination, again.player) == (first.combination, first.player) == ("all-twos", "House")
        assert asyncio.get_running_loop().time() - at_s < 1


async def test_a_chip_is_put_back_at_the_box_and_its_tile_comes_up(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await begin(referee, ANN, BOB, Player("Cleo"))
        await referee.ask(Shout(None, "Ann"))
        await referee.ask(Claim(TWOS, "Ann"))
        assert [chip.taken_by for chip in view(referee).chips] == [(), (), ("Ann",)]
        down = await until(referee, "racing")
        await referee.ask(Undo())
        up = await until(referee, "racing")
        states = [tile.state for snapshot in (down, up) for tile in snapshot.tiles if tile.name == "front-3"]
        assert states == ["shut", "showing"]


async def test_a_box_that_knows_fewer_colours_than_there_are_players_asks_what_the_dice_show(tmp_path: Path) -> None:
    """A set of six was taught for two; the third has dice, and none that the camera could tell from theirs."""
    async with open_table_rig(tmp_path) as table:
        two = ClaimDice(("red", "blue"), {face: face for face in FACES})
        table.table = replace(table.table, claims=two, hands=None)
        async with table.referee() as referee:
            await begin(referee, ANN, BOB, Player("Cleo"))
            assert not referee.snapshot.camera_reads
            await referee.ask(Shout(player="Cleo"))
            await until(referee, "racing", notice="does not know these dice")
            await referee.ask(Claim(TWOS, "Cleo"))
            await until(referee, "racing")
            assert [each.player for each in view(referee).columns if each.chip] == ["Cleo"]
