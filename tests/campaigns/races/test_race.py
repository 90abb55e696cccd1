"""A short form of the campaign of races, and that its books notice what must not be."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from controller.game.core.events import GameEnded, GameEvent, GameStarted
from controller.game.fleet import decide as fleet_decide
from controller.game.fleet.commands import EndRound
from controller.game.fleet.events import ChipTaken, ClaimRefused, CombinationNamed, RaceEnded, ShoutsVoided
from controller.game.fleet.state import Race
from controller.journal.keys import UsedKeys
from controller.runtime.output import Exit
from tests.campaigns.races.books import RaceBooks
from tests.campaigns.races.race import bench_race, play_race_table
from tests.support.long import long_but_every
from tests.support.races import RaceByHand

BUSY = 10  # a seed by which answers are lost, commands repeated, and the daemon is cut off


@pytest.mark.long
def test_each_chip_is_handed_out_once_whatever_is_lost_and_restarted(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_race(9, BUSY, as_json=True) is Exit.DONE
    told = json.loads(capsys.readouterr().out)
    assert told["problems"] == []
    assert told["races"] == told["done"]["start"] == 2
    assert told["counts"]["rounds"] >= 16
    assert min(told["counts"][what] for what in ("chips", "repeated", "lost answers", "cuts")) > 0
    assert set(told["refused"]) >= {"403", "409"}


def forget_keys(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(UsedKeys, "use_of", lambda _keys, _key: "new")


def pay_the_lowest(patch: pytest.MonkeyPatch) -> None:
    resolve = fleet_decide._resolve

    def resolved(race: Race) -> tuple[GameEvent, ...]:
        return tuple(
            replace(event, tile=race.chips[0]) if isinstance(event, ChipTaken) else event for event in resolve(race)
        )

    patch.setattr(fleet_decide, "_resolve", resolved)


@pytest.mark.long
@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (forget_keys, "UNIQUE constraint failed|was done, and is answered with 409"),
        (pay_the_lowest, "take the chip of 1"),
    ],
)
def test_what_is_done_twice_or_paid_wrongly_is_a_failure_with_the_command_that_repeats_it(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    spoil: Callable[[pytest.MonkeyPatch], None],
    problem: str,
) -> None:
    spoil(monkeypatch)
    assert any(re.search(problem, told) for told in play_race_table(BUSY).problems)
    assert bench_race(1, BUSY, as_json=False) is Exit.NO
    assert f"python -m tests.campaigns race --rounds 1 --seed {BUSY}: " in " ".join(capsys.readouterr().out.split())


def story() -> tuple[list[GameEvent], Race]:
    """A race with everything in it: a wrong shout, one at once with another, an ended round, a tie."""
    table = RaceByHand(3, challenge="in_order", stake=2, equal_shouts="share", wrong_shout="no_chip")
    table.begin()
    table.shout(0)
    table.claim(0, right=False)
    table.shout(1, 2)
    table.claim(2)
    table.claim(1)
    for _ in range(8):
        table.begin()
        table.do(EndRound())
    table.play_round(0, 1)
    return table.events, table.race


def heard(events: Sequence[GameEvent], race: Race) -> str:
    first = events[0]
    assert isinstance(first, GameStarted)
    books = RaceBooks(first)
    for event in events[1:]:
        books.hear(event)
    return "; ".join((*books.problems, *books.differences(race)))


def test_the_books_agree_with_what_was_played() -> None:
    assert heard(*story()) == ""


def change(kind: type[Any], at: int = 0, **fields: Any) -> Callable[[list[GameEvent]], None]:
    """Change a field of the event that is the so-manieth of its kind."""

    def spoil(events: list[GameEvent]) -> None:
        place = [number for number, event in enumerate(events) if isinstance(event, kind)][at]
        spoilt: Any = events[place]
        events[place] = replace(spoilt, **fields)

    return spoil


def put(at: type[Any], event: GameEvent) -> Callable[[list[GameEvent]], None]:
    """Put an event before the first of a kind."""

    def spoil(events: list[GameEvent]) -> None:
        events.insert([isinstance(each, at) for each in events].index(True), event)

    return spoil


@pytest.mark.parametrize(
    ("spoil", "problem"),
    long_but_every(
        1,
        [
            (change(ChipTaken, tile="front-1"), "take the chip of 1 of"),
            (change(ChipTaken, players=(1, 0)), "take a chip, and"),
            (change(ChipTaken, at=1, tile="front-2"), "take the chip of 2 of"),
            (put(RaceEnded, ChipTaken((1,), ("all-twos",), "front-3", ((2,) * 6,), "typed")), "handed out twice"),
            (change(ChipTaken, dice=((2,) * 6, (3,) * 6)), "are not all-twos"),
            (change(ClaimRefused, dice=(2,) * 6), "are all-twos"),
            (change(ClaimRefused, costs=False), "agreed otherwise"),
            (change(RaceEnded, at=1, unfinished=(0, 1)), "have not finished, and"),
            (change(GameEnded, winners=(2,)), "win with"),
            (put(GameEnded, CombinationNamed(0, "all-twos")), "which is used up"),
            (put(ChipTaken, ShoutsVoided((1, 2))), "do not count, and they should"),
            (put(RaceEnded, GameEnded((0,))), "the game ends in round 1"),
        ],
    ),
)
def test_the_books_notice_what_must_not_be(spoil: Callable[[list[GameEvent]], None], problem: str) -> None:
    events, race = story()
    spoil(events)
    assert problem in heard(events, race)
