"""Seats at the table: who takes one, who may act for whom, and what a restart leaves."""

import asyncio
from contextlib import ExitStack
from pathlib import Path

import pytest

from controller.errors import JournalUnwritable, NotYours, SeatTaken, UnknownSeat
from controller.game.core.commands import Abandon, Park, StartGame
from controller.game.core.players import MOST_PLAYERS, Origin, Player
from controller.game.shutbox.commands import Choose, RollDice, TakeThrow
from controller.game.table.caller import Caller
from controller.journal.store import Journal
from controller.referee.referee import Referee
from controller.referee.seats import AWAY_S, Seating
from controller.settings import Share
from tests.support.tables import open_table_rig, until

START = StartGame((Player("Ann"), Player("Bob"), Player("House", house=True)), options={"first": "chosen"})


async def test_a_command_is_taken_from_who_holds_the_seat_and_refused_from_others(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(START)
        await until(referee, "awaiting_throw")
        ann, bob = [(await referee.seating.sit((name,), "terminal", "player")).token for name in ("Ann", "Bob")]
        with pytest.raises(NotYours, match="only Ann can throw the dice now; you play for Bob here"):
            await referee.ask(RollDice(), referee.seating.caller(bob))
        with pytest.raises(NotYours, match="take a seat first"):
            await referee.ask(RollDice(), referee.seating.caller(None))
        assert referee.snapshot.phase == "awaiting_throw"
        await referee.ask(TakeThrow((5, 3)), referee.seating.caller(ann))
        with pytest.raises(NotYours):
            await referee.ask(Choose(("front-8",)), referee.seating.caller(bob))
        assert (referee.snapshot.by, referee.snapshot.door) == ("Ann", "terminal")
        await referee.ask(Choose(("front-8",)), referee.seating.caller(ann))
        await referee.ask(Park(), referee.seating.caller(None))
        origins = [entry.origin for entry in table.journal.entries(1)]
        assert origins == [
            Origin("panel", None),
            Origin("box", None),
            Origin("terminal", 0),
            Origin("terminal", 0),
            Origin("script", None),
        ]


async def test_who_sits_down_again_and_again_costs_nobody_his_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.referee.seats.MOST_AT_TABLE", 3)
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        ann = await referee.seating.sit(("Ann",), "page", "player")
        for _ in range(2):
            await referee.seating.sit((), "script", "player")
        with pytest.raises(SeatTaken, match="no room for one more"):
            await referee.seating.sit((), "script", "player")
        await asyncio.sleep(AWAY_S + 1)
        for _ in range(2):
            new = await referee.seating.sit((), "script", "player")
        assert referee.seating.caller(new.token).seats == frozenset()
        assert referee.seating.caller(ann.token).seats == {"Ann"}


@pytest.mark.parametrize("name", ["", " Ann", "A" * 25, "An\x1b[2Jn"])
async def test_nobody_sits_down_under_a_name_that_no_terminal_should_show(tmp_path: Path, name: str) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        with pytest.raises(SeatTaken, match="under that name"):
            await referee.seating.sit((name,), "script", "player")


async def test_a_throw_that_the_camera_reads_and_a_choice_of_the_house_tell_their_doors(tmp_path: Path) -> None:
    players = (Player("House", house=True), Player("Ann"))
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(players, options={"first": "chosen"}))
        await until(referee, "awaiting_throw")
        await referee.ask(RollDice())
        await until(referee, "choosing")
        assert (referee.snapshot.door, referee.snapshot.by) == ("camera", "Ann")
        await until(referee, "moving")
        assert (referee.snapshot.door, referee.snapshot.by) == ("house", "House")


def seating(referee: Referee, share: Share = "auto") -> Seating:
    return Seating((), referee._recorder.writer, share, lambda: None, asyncio.get_running_loop().time, lambda: None)


def acts_for(caller: Caller) -> set[str]:
    return {name for name in ("Ann", "Bob", "Carl") if caller.acts_for(name)}


def is_shared(seats: Seating) -> bool:
    return seats.is_shared


async def test_seats_that_nobody_took_are_for_all_at_one_terminal_and_for_the_first_of_several(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        seats = seating(referee)
        first, second, third = [(await seats.sit((), "terminal", "player")).token for _ in range(3)]
        with ExitStack() as there:
            there.enter_context(seats.present(second))
            assert acts_for(seats.caller(second)) == acts_for(seats.caller(None)) == {"Ann", "Bob", "Carl"}
            assert is_shared(seats)
            there.enter_context(seats.present(third))
            assert acts_for(seats.caller(second)) == {"Ann", "Bob", "Carl"}
            assert acts_for(seats.caller(third)) == acts_for(seats.caller(None)) == set()
            assert not is_shared(seats)
            assert [seats.caller(each).others_share for each in (second, third, None)] == [False, True, True]
            await seats.sit(("Bob",), "terminal", "player", third)
            assert (acts_for(seats.caller(second)), acts_for(seats.caller(third))) == ({"Ann", "Carl"}, {"Bob"})
            with seats.present(first):
                assert (acts_for(seats.caller(first)), acts_for(seats.caller(second))) == ({"Ann", "Carl"}, set())
        assert acts_for(seats.caller(first)) == {"Ann", "Carl"}


@pytest.mark.parametrize(("share", "of_none", "of_bob"), [("yes", "AC", "ABC"), ("no", "", "B"), ("auto", "AC", "ABC")])
async def test_the_players_may_agree_who_acts_for_whom(tmp_path: Path, share: Share, of_none: str, of_bob: str) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        seats = seating(referee, share)
        bob = (await seats.sit(("Bob",), "page", "player")).token
        assert {name[0] for name in acts_for(seats.caller(None))} == set(of_none)
        assert {name[0] for name in acts_for(seats.caller(bob))} == set(of_bob)


async def test_a_seat_is_taken_once_until_its_holder_is_away_or_leaves(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(START)
        ann = (await referee.seating.sit(("Ann",), "terminal", "player")).token
        for names, says in (
            (("Bob", "Ann"), "Ann is already playing at another terminal"),
            (("House",), "nobody can sit down as House in this game; the seats are those of Ann and Bob"),
            (("Zoe",), "nobody can sit down as Zoe"),
        ):
            with pytest.raises(SeatTaken, match=says):
                await referee.seating.sit(names, "page", "player")
        assert [(seat.name, seat.held, seat.here) for seat in referee.snapshot.seats] == [
            ("Ann", "terminal", True),
            ("Bob", None, False),
            ("House", None, False),
        ]
        await asyncio.sleep(AWAY_S + 1)
        with referee.seating.present(ann), pytest.raises(SeatTaken):
            await referee.seating.sit(("Ann",), "page", "player")
        await asyncio.sleep(AWAY_S + 1)
        other = (await referee.seating.sit(("Ann",), "page", "player")).token
        assert acts_for(referee.seating.caller(ann)) == {"Bob", "Carl"}
        await referee.seating.leave(other)
        assert not referee.snapshot.seats[0].held
        with pytest.raises(UnknownSeat, match="take your seat again"):
            referee.seating.caller(other)


def names(who: str, count: int = MOST_PLAYERS) -> tuple[str, ...]:
    return tuple(f"{who} {number}" for number in range(count))


async def test_no_more_wait_than_can_play_and_who_is_away_makes_room(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        old = (await referee.seating.sit(names("Old", 6), "page", "player")).token
        await asyncio.sleep(10)
        new = (await referee.seating.sit(names("New", 6), "page", "player")).token
        with pytest.raises(SeatTaken, match="12 wait to play already, and no more can"):
            await referee.seating.sit(("Ann",), "page", "player")
        await asyncio.sleep(AWAY_S - 9)
        await referee.seating.sit(("Ann",), "page", "player")
        callers = [referee.seating.caller(token) for token in (old, new)]
        assert [caller.seats for caller in callers] == [frozenset(), frozenset(names("New", 6))]
        assert {seat.name for seat in referee.snapshot.waiting} == {"Ann", *names("New", 6)}


async def test_who_plays_is_not_kept_from_his_seat_by_those_who_wait_for_the_next_game(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        waiting = (await referee.seating.sit(names("New"), "page", "player")).token
        await referee.ask(START)
        ann = (await referee.seating.sit(("Ann",), "page", "player")).token
        assert [set(referee.seating.caller(token).seats) for token in (ann, waiting)] == [{"Ann"}, set()]


async def test_who_waits_for_the_next_game_takes_no_present_one_from_others_who_wait(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(START)
        sit = referee.seating.sit
        early = (await sit(names("New"), "page", "player", next_game=True)).token
        with pytest.raises(SeatTaken, match="12 wait to play already"):
            await sit(("Zoe",), "page", "player", next_game=True)
        with pytest.raises(SeatTaken, match="House plays in this game; say another name"):
            await sit(("House",), "page", "player", next_game=True)
        await asyncio.sleep(AWAY_S + 1)
        ann = (await sit(("Ann",), "page", "player")).token
        await sit(("Zoe",), "page", "player", next_game=True)
        assert [set(referee.seating.caller(token).seats) for token in (early, ann)] == [set(), {"Ann"}]
        assert [seat.name for seat in referee.snapshot.waiting] == ["Zoe"]


async def test_who_only_looks_on_takes_no_seat(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        with pytest.raises(SeatTaken, match="a seat is for a player"):
            await referee.seating.sit(("Ann",), "page", "spectator")
        token = (await referee.seating.sit((), "page", "spectator")).token
        with referee.seating.present(token), pytest.raises(NotYours, match="spectators cannot"):
            await referee.ask(START, referee.seating.caller(token))
        assert seating(referee).is_shared


async def test_seats_outlast_a_restart_and_no_token_stands_in_the_journal(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path, store=tmp_path / "wood") as table:
        async with table.referee() as referee:
            await referee.ask(START)
            token = (await referee.seating.sit(("Ann", "Bob"), "page", "player")).token
        async with table.referee() as referee:
            assert acts_for(referee.seating.caller(token)) == {"Ann", "Bob", "Carl"}
            with pytest.raises(SeatTaken, match="Bob is already playing at another page"):
                await referee.seating.sit(("Bob",), "page", "player")
        assert token.encode() not in table.journal.path.read_bytes()


async def test_after_a_restart_nobody_sits_there_who_is_not_in_the_game_that_is_on(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path, store=tmp_path / "wood") as table:
        async with table.referee() as referee:
            carl = (await referee.seating.sit(("Carl",), "page", "player")).token
            await referee.ask(START)
            ann = (await referee.seating.sit(("Ann",), "page", "player")).token
        async with table.referee() as referee:
            assert referee.seating.caller(ann).seats == {"Ann"}
            with pytest.raises(UnknownSeat):
                referee.seating.caller(carl)
            await referee.ask(Abandon())
        async with table.referee() as referee:
            with pytest.raises(UnknownSeat):
                referee.seating.caller(ann)


async def test_a_seat_that_cannot_be_written_is_not_taken(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        table.journal._db.execute("PRAGMA query_only = 1")
        with pytest.raises(JournalUnwritable):
            await referee.seating.sit(("Ann",), "page", "player")
        assert acts_for(referee.seating.caller(None)) == {"Ann", "Bob", "Carl"}
        table.journal._db.execute("PRAGMA query_only = 0")


async def test_a_device_that_was_revoked_is_gone_though_the_card_takes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_journal: Journal, _seats: object) -> None:
        raise JournalUnwritable("the card is full")

    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        phone = await referee.seating.sit(("Ann",), "page", "player", device=1)
        monkeypatch.setattr(Journal, "keep_seats", refuse)
        await referee.seating.shut_out_device(2)  # of nobody here: nothing is to be written
        assert referee.seating.caller(phone.token).seats == {"Ann"}
        with pytest.raises(JournalUnwritable):
            await referee.seating.shut_out_device(1)
        with pytest.raises(UnknownSeat):
            referee.seating.caller(phone.token)
