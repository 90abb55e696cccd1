"""Kills and a slow card in short form, with every process; and what is told of many."""

import asyncio
import sys
from collections import Counter

import pytest

from tests.campaigns.crashes import slow
from tests.campaigns.crashes.kills import Outcome, Trial, attempt_kills, report_kills
from tests.campaigns.crashes.played_box import Evening
from tests.campaigns.crashes.slow import Outcome as SlowOutcome
from tests.campaigns.crashes.slow import report_slow_card, try_slow_card, waits_of
from tests.campaigns.crashes.watchers import Arrival
from tests.support.cards import needs_card

TRIAL = Trial(1, 1)


@pytest.mark.long
def test_a_command_that_a_kill_interrupts_is_done_once_and_the_wood_is_as_the_game_has_it() -> None:
    outcome = asyncio.run(attempt_kills(TRIAL))

    assert outcome.evening.problems == []
    assert len(outcome.ready_s) == 1
    assert outcome.evening.counts["events"] > 0


def test_a_program_that_does_not_start_is_told_with_its_last_words(monkeypatch: pytest.MonkeyPatch) -> None:
    dying = (sys.executable, "-c", "import sys; sys.exit('nothing works here')")
    monkeypatch.setattr("tests.campaigns.live.box._MOCK_BOX", dying)
    report = report_kills([asyncio.run(attempt_kills(TRIAL))], 1.0)

    [problem] = report.problems
    assert problem.endswith("`shutbox mock-box` ended with status 1 before it was ready: nothing works here")


@pytest.mark.long
@needs_card
def test_on_a_slow_card_times_are_taken_of_every_watcher(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow, "WATCHERS", 2)
    monkeypatch.setattr(slow, "_SLOW_S", 0.02)
    report, results = try_slow_card(0.05, 1)

    [outcome] = results.outcomes
    assert outcome.evening.problems == []
    assert min(len(outcome.told_s), len(outcome.answered_s), outcome.syncs, outcome.slow) > 0
    assert report.facts["watchers"] == 2


def test_problems_and_late_starts_are_told() -> None:
    good = Outcome(TRIAL, Evening(Counter(events=5)), [1.0] * 99)
    assert report_kills([good], 1.0).passed
    assert report_kills([good], 1.0).facts["ready_p99_s"] == 1.0
    late = Outcome(TRIAL, Evening(), [3.5] * 2)
    bad = Outcome(TRIAL, Evening(problems=["nobody sent it"]), [1.0])
    assert [*report_kills([good, late, bad], 1.0).problems] == [
        "python -m tests.campaigns crashes --kills 1 --seed 1: nobody sent it",
        "99 of 100 starts took up to 3.50 s (limit 3 s)",
    ]


def test_a_commit_is_there_when_the_last_sync_of_the_journal_before_its_first_watcher_ended() -> None:
    syncs = [("/journal.sqlite3-wal", 1.0, 2.0), ("/wear.json", 2.0, 2.9), ("/journal.sqlite3-wal", 3.0, 4.0)]
    arrivals = [Arrival((1, 2), 3.5), Arrival((1, 2), 3.0), Arrival((1, 3), 4.25)]
    assert waits_of(syncs, arrivals) == [1.5, 1.0, 0.25]


GOOD = SlowOutcome(Evening(), [0.1] * 100, [0.01] * 100, 50, 5, 0)


@pytest.mark.parametrize(
    ("outcome", "says"),
    [
        (SlowOutcome(Evening(), [0.3], [0.01], 50, 5, 0), "watchers wait 0.300 s"),
        (SlowOutcome(Evening(), [0.1], [0.03], 50, 5, 0), "the loop answers after 0.030 s"),
        (SlowOutcome(Evening(), [0.1], [0.01], 50, 5, 2), "the guard cut the pulses 2 times"),
        (SlowOutcome(Evening(), [0.1], [0.01], 50, 0, 0), "no sync took long"),
        (SlowOutcome(Evening(), [], [0.01], 50, 5, 0), "no watcher saw a commit"),
        (SlowOutcome(Evening(problems=["one is lost"]), [0.1], [0.01], 50, 5, 0), "one is lost"),
    ],
)
def test_every_limit_of_a_slow_card_is_told(outcome: SlowOutcome, says: str) -> None:
    assert report_slow_card([GOOD], 1.0).passed
    [problem] = report_slow_card([outcome], 1.0).problems
    assert says in problem
