"""Evenings of many matches: random ones before an independent judge, and what the rules say word by word."""

import json
from collections.abc import Iterable
from dataclasses import asdict

import pytest
from pydantic import TypeAdapter

from controller.errors import EveningError
from controller.game.evening.decide import finish, is_over, open_evening, withdraw
from controller.game.evening.evening import Evening, evolve, replay, waiting
from controller.game.evening.events import AnyEvent, Called, Finished, Form, Lapsed, Opened
from controller.game.evening.table import table
from controller.game.evening.view import view_of
from tests.support.any_evening import AT, any_opening, next_step
from tests.support.evening_judge import faults_of

pytest.importorskip("networkx", reason="no networkx here: make lanes")

EVENTS: TypeAdapter[tuple[AnyEvent, ...]] = TypeAdapter(tuple[AnyEvent, ...])


def begin(form: Form, players: int, rounds: int = 0) -> Evening:
    names = tuple("ABCDEFGHIJKLMNOPQRSTUVWX"[:players])
    return replay(open_evening(Opened("autumn", AT, form, names, "pub", {}, rounds)))


def after(evening: Evening, events: Iterable[AnyEvent]) -> Evening:
    for event in events:
        evening = evolve(evening, event)
    return evening


def won(evening: Evening, number: int, *winners: str) -> Evening:
    return after(evening, finish(evening, Finished(number, winners, "played", AT)))


def names_of(evening: Evening) -> list[tuple[str, str]]:
    return [match.players for match in evening.matches]


@pytest.mark.parametrize("seed", range(15))
def test_a_random_evening_is_valid_to_its_end(seed: int) -> None:
    told = list(any_opening(seed))
    evening = replay(told)
    while step := list(next_step(seed, evening)):
        told += step
        evening = after(evening, step)
    assert is_over(evening)
    kept = EVENTS.validate_json(EVENTS.dump_json(tuple(told)))
    assert replay(kept) == evening
    rows = [asdict(row) for row in view_of(evening).table]
    assert list(faults_of(json.loads(EVENTS.dump_json(kept)), rows)) == []


def test_the_best_seeds_rest_first_and_meet_last() -> None:
    evening = begin("knock-out", 6)
    assert evening.rounds == (("A", None, "D", "E", "B", None, "C", "F"),)
    assert list(evening.byes()) == [(1, "A"), (1, "B")]
    evening = won(won(evening, 1, "E"), 2, "C")
    assert evening.rounds[1] == ("A", "E", "B", "C")
    evening = won(won(won(evening, 3, "A"), 4, "B"), 5, "B")
    assert is_over(evening)
    assert [(row.rank, row.name) for row in table(evening)][:4] == [(1, "B"), (2, "A"), (3, "C"), (3, "E")]


def test_a_tie_in_a_knock_out_is_played_again() -> None:
    evening = begin("knock-out", 2)
    evening = after(won(evening, 1, "A", "B"), [])
    assert [match.number for match in waiting(evening)] == [1]
    assert not is_over(evening)
    assert is_over(won(evening, 1, "B"))


def test_a_tie_in_a_league_is_a_point_for_each_and_nobody_winning_is_one_too() -> None:
    evening = won(won(begin("round-robin", 3), 1, *begin("round-robin", 3).matches[0].players), 2)
    rows = {row.name: row for row in table(evening)}
    assert sum(row.ties for row in rows.values()) == 4
    assert sum(row.points for row in rows.values()) == 4 + 2 * 3  # and three byes


def test_who_leaves_a_round_robin_early_has_not_been_there() -> None:
    evening = begin("round-robin", 6)
    first = evening.matches[0]
    evening = won(evening, first.number, first.players[0])
    evening = after(evening, withdraw(evening, first.players[0], AT))
    assert {row.name: row.points for row in table(evening)} == dict.fromkeys("ABCDEF", 0)
    assert table(evening)[-1].name == first.players[0]


def test_who_leaves_a_round_robin_late_keeps_what_they_have_and_gives_the_rest() -> None:
    evening = begin("round-robin", 4)
    for match in evening.matches:
        if "A" in match.players and match.round < 3:
            evening = won(evening, match.number, "A")
    evening = after(evening, withdraw(evening, "A", AT))
    rows = {row.name: row for row in table(evening)}
    assert rows["A"].points == 4
    assert sum(row.points for row in rows.values()) == 6


def test_whom_somebody_who_goes_had_still_to_meet_wins_and_goes_on() -> None:
    evening = after(begin("knock-out", 4), [Called(1, "Red", 0)])
    evening = after(evening, withdraw(evening, "A", AT))
    assert evening.matches[0].games[-1] == Finished(1, ("D",), "walkover", AT)
    assert evening.matches[0].called is None
    evening = won(evening, 2, "B")
    assert names_of(evening)[-1] == ("D", "B")
    evening = after(evening, withdraw(evening, "D", AT))
    assert is_over(evening)
    assert table(evening)[0].name == "B"


def test_where_both_have_gone_nobody_goes_on() -> None:
    evening = begin("knock-out", 8)
    evening = won(won(won(won(evening, 1, "A"), 2, "D"), 3, "B"), 4, "C")
    for name in ("A", "B"):
        evening = after(evening, withdraw(evening, name, AT))
    assert evening.rounds[2] == ("D", "C")
    evening = begin("knock-out", 4)
    for name in ("A", "D"):
        evening = after(evening, withdraw(evening, name, AT))
    assert evening.result(evening.matches[0]).winners == ("D",)  # type: ignore[union-attr]
    evening = won(evening, 2, "B")
    assert evening.rounds[1] == (None, "B")
    assert is_over(evening)


def test_points_pair_a_swiss_round_and_nobody_meets_again() -> None:
    evening = begin("swiss", 4, rounds=3)
    assert names_of(evening) == [("A", "C"), ("B", "D")]
    evening = won(won(evening, 1, "A"), 2, "B")
    assert {frozenset(pair) for pair in names_of(evening)[2:]} == {frozenset("AB"), frozenset("CD")}
    assert evening.matches[2].players == ("A", "B")
    evening = won(won(evening, 3, "A"), 4, "D")
    assert {frozenset(pair) for pair in names_of(evening)[4:]} == {frozenset("AD"), frozenset("BC")}


def test_who_sat_first_less_often_sits_first() -> None:
    evening = begin("swiss", 4, rounds=3)
    evening = won(won(evening, 1, "A"), 2, "B")
    evening = won(won(evening, 3, "A"), 4, "D")
    firsts = [pair[0] for pair in names_of(evening)]
    assert max(firsts.count(name) for name in "ABCD") <= 2
    assert ("D", "A") in names_of(evening)


def test_players_of_a_called_match_wait_with_all_their_matches() -> None:
    evening = after(begin("round-robin", 4), [Called(1, "Red", 7)])
    assert [match.number for match in waiting(evening)] == [2]
    evening = after(evening, [Lapsed(1)])
    assert [match.number for match in waiting(evening)] == [1, 2]


def test_a_result_is_corrected_until_a_round_was_drawn_by_it() -> None:
    evening = begin("swiss", 4, rounds=2)
    evening = won(won(evening, 1, "A"), 1, "C")
    assert table(evening)[0].name == "C"
    evening = won(evening, 2, "B")
    with pytest.raises(EveningError, match="round 2 was drawn by the result of match 1, which stands"):
        won(evening, 1, "A")
    league = begin("round-robin", 4)
    for match in league.matches:
        league = won(league, match.number, match.players[0])
    assert won(league, 1, league.matches[0].players[1]) != league


@pytest.mark.parametrize(
    ("form", "words", "rounds", "line"),
    [
        ("swiss", ("A", "B", "C"), 4, "3 players can meet in 1 to 3 rounds, not 4"),
        ("swiss", ("A", "B", "C", "D"), 0, "4 players can meet in 1 to 3 rounds, not 0"),
        ("knock-out", ("A", "B", "A:perfect"), 0, "two players have one name: A, B, A"),
    ],
)
def test_an_evening_that_cannot_be_played_is_not_opened(
    form: Form, words: tuple[str, ...], rounds: int, line: str
) -> None:
    with pytest.raises(EveningError, match=line):
        list(open_evening(Opened("autumn", AT, form, words, "pub", {}, rounds)))


def test_what_cannot_be_said_is_refused() -> None:
    evening = begin("knock-out", 4)
    with pytest.raises(EveningError, match="B is not in match 1: that is A against D"):
        won(evening, 1, "B")
    with pytest.raises(EveningError, match="there is no match 3; they are 1 to 2"):
        won(evening, 3, "B")
    with pytest.raises(EveningError, match="Zoe is not here; those who are: A, B, C, D"):
        list(withdraw(evening, "Zoe", AT))


def test_events_that_cannot_follow_are_refused() -> None:
    opened, paired = open_evening(Opened("autumn", AT, "knock-out", ("A", "B"), "pub"))
    for told, line in (
        ([], "begins with its opening"),
        ([paired], "begins with its opening"),
        ([opened, opened], "opened once"),
        ([opened, paired, paired], "round 1 does not follow"),
    ):
        with pytest.raises(EveningError, match=line):
            replay(told)
