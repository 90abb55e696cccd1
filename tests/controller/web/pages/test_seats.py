"""Who has what, as a page lists it."""

from dataclasses import replace
from typing import get_args, get_type_hints

import pytest

from controller.game.core.commands import StartGame
from controller.game.core.players import Player
from controller.game.core.sight import SnapshotContext
from controller.game.table.caller import Caller
from controller.game.table.snapshot import SeatView, Snapshot, snapshot_of
from controller.messages.words import words_in
from controller.rules.shutbox.games import Options
from controller.web.pages.scene import DrawnSeat, describe_counting, draw_seats
from controller.web.pages.table.view import You, you_at
from tests.support.stories import play

SEATS = (
    SeatView("Ann", None, plays=True, held="page", here=True),
    SeatView("Bob", None, plays=True, held="page", here=False),
    SeatView("House", "steady", plays=True),
    SeatView("Cid", None, plays=False),
)
NOW = Snapshot(
    1,
    "box",
    "",
    phase="awaiting_throw",
    seats=SEATS,
    turn="Ann",
    scores={"Ann": None, "Bob": 17, "House": None, "Cid": None},
    score_now=41,
    standing={"Ann": 3, "Bob": 20, "House": 0, "Cid": 60},
    coins={"Ann": 2, "Bob": -2, "House": 0, "Cid": 0},
)


def seats_in(snapshot: Snapshot) -> dict[str, DrawnSeat]:
    return {seat.name: seat for seat in draw_seats(snapshot, words_in("en"))}


def test_who_plays_has_what_is_open_now_and_the_others_their_scores() -> None:
    seats = seats_in(NOW)

    assert (seats["Ann"].score, seats["Ann"].is_open, seats["Ann"].at_turn) == (41, True, True)
    assert (seats["Bob"].score, seats["Bob"].is_open, seats["House"].score) == (17, False, None)
    assert (seats["Bob"].total, seats["Bob"].coins) == (20, -2)


def test_it_is_told_who_is_here_away_out_or_the_house() -> None:
    details = [seat.detail for seat in seats_in(NOW).values()]

    assert details == ["on a page of their own", "away", "the house, steady", "out of the match"]


def test_a_player_of_a_match_of_two_boxes_is_at_the_other_one() -> None:
    there = replace(NOW, seats=(SeatView("Ann", None, plays=True, held="remote", here=True),))

    assert [seat.detail for seat in seats_in(there).values()] == ["at the other box"]


def test_the_own_seat_is_you_on_the_own_phone_and_only_there() -> None:
    details = [seat.detail for seat in draw_seats(NOW, words_in("en"), frozenset({"Ann"}))]

    assert details == ["you", "away", "the house, steady", "out of the match"]


@pytest.mark.parametrize(
    ("seats", "now", "you"),
    [
        ({"Ann"}, NOW, You("Your turn, Ann", 1, at_turn=True)),
        ({"Bob"}, NOW, You("You are Bob", 2, at_turn=False)),
        ({"Cid", "Bob"}, NOW, You("You are Bob and Cid", 2, at_turn=False)),
        ({"Ann", "Bob"}, replace(NOW, turn="Bob"), You("Your turn, Bob", 2, at_turn=True)),
        # Somebody without a chair, the terminal that all share, the next game, the end.
        (set(), NOW, None),
        ({"Dora"}, NOW, None),
        ({"Ann"}, replace(NOW, phase="ended"), None),
    ],
)
def test_a_phone_says_whose_it_is(seats: set[str], now: Snapshot, you: You | None) -> None:
    assert you_at(now, Caller("page", seats=frozenset(seats)), words_in("en")) == you


def test_nothing_is_open_while_who_begins_is_thrown_for_and_after_the_end() -> None:
    rolling = seats_in(replace(NOW, rolling=True))["Ann"]
    ended = seats_in(replace(NOW, phase="ended", winners=("Bob",)))

    assert (rolling.score, rolling.at_turn) == (None, True)
    assert (ended["Ann"].at_turn, ended["Bob"].won, ended["Bob"].detail) == (False, True, "has won")


@pytest.mark.parametrize(
    ("game", "chosen", "told"),
    [
        ("pub", {}, "Every number you see counts: the fewest points win."),
        ("lucky-7", {}, "The first to shut the 7 wins."),
        ("two-level", {}, "Every number you see counts, in the back row too: the fewest points win."),
        ("two-level", {"score": "standing"}, "Every number that stands counts, hidden too: the fewest points win."),
        ("double-shutter", {}, "Every number that stands counts, in front twice: the fewest points win."),
        ("missionary", {}, "Each tile you see counts one: the fewest points win."),
        ("digital", {}, "What you see is read as one number, from the left: the lowest wins."),
    ],
)
def test_it_is_told_what_the_points_are_made_of(game: str, chosen: dict[str, str], told: str) -> None:
    started = play(None, StartGame((Player("Ann"),), game=game, options=chosen))
    assert describe_counting(snapshot_of(started, SnapshotContext(1, 1, "")), words_in("en")) == told


def test_every_way_to_count_is_told() -> None:
    ways = get_args(get_type_hints(Options)["score"])
    assert len({describe_counting(replace(NOW, options={"score": way}), words_in("en")) for way in ways}) == len(ways)
