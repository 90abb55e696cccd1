"""The campaign of a crowd in short form, with every process; and what is told of it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.campaigns.crashes.played_box import Evening
from tests.campaigns.crashes.report import CrashReport
from tests.campaigns.crowd import crowd
from tests.campaigns.crowd.crowd import Outcome, report_crowd, waits_of
from tests.campaigns.crowd.stranger import Harassment
from tests.campaigns.crowd.watchers import Sighting, Watched

GOOD = Outcome(Evening(Counter(events=9)), [0.1] * 99 + [2.0], 0, [150.0] * 60, Harassment(Counter(stuck=3), 10.2, 4.5))


@pytest.mark.long
def test_a_crowd_sees_the_game_and_a_stranger_is_cut_off(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(crowd, "WATCHERS", 3)
    reported: list[Outcome] = []

    def report(outcomes: Sequence[Outcome], seconds: float) -> CrashReport:
        reported.extend(outcomes)
        return report_crowd(outcomes, seconds)

    monkeypatch.setattr(crowd, "report_crowd", report)
    crowd.bench_crowd(0.05, 1, hostile=True, as_json=True)

    [seen] = reported
    assert seen.evening.problems == []
    assert (seen.dropped, seen.harassment.accepted) == (0, 0)
    assert seen.told_s
    assert seen.memory_mb
    assert {"half sent", "large bodies", "stuck", "connections", "asked in a row"} <= seen.harassment.counts.keys()
    assert '"mode": "crowd"' in capsys.readouterr().out


def test_what_is_well_is_no_problem() -> None:
    report = report_crowd([GOOD], 60.0)
    assert report.passed
    assert (report.facts["told_p99_s"], report.facts["told_worst_s"], report.facts["grown_mb"]) == (0.1, 2.0, 0.0)


@pytest.mark.parametrize(
    ("outcome", "says"),
    [
        (replace(GOOD, told_s=[0.3] * 100), "watchers wait 0.300 s for an event"),
        (replace(GOOD, evening=Evening(Counter(events=9), [0.3] * 100)), "players wait 0.300 s for an answer"),
        (replace(GOOD, told_s=[]), "no watcher saw an event"),
        (replace(GOOD, dropped=2), "2 watchers were dropped"),
        (replace(GOOD, memory_mb=[70.0] + [100.0] * 4 + [130.0]), "the daemon grew by 30.0 MB"),
        (replace(GOOD, harassment=Harassment(half_sent_s=13.0)), "half a request was borne for 13.0 s"),
        (replace(GOOD, harassment=Harassment(stuck_s=14.0)), "a stuck watcher was borne for 14.0 s"),
        (replace(GOOD, harassment=Harassment(accepted=1)), "1 bodies of 100 MB were taken"),
        (replace(GOOD, evening=Evening(problems=["Park() was never answered"])), "Park() was never answered"),
    ],
)
def test_every_limit_is_told(outcome: Outcome, says: str) -> None:
    assert [*report_crowd([outcome], 60.0).problems] == [says]


def test_a_wait_is_from_the_event_in_the_journal_to_its_sighting() -> None:
    watched = Watched([Sighting(1, 2, 100.5), Sighting(1, 3, 101.0), Sighting(2, 1, 102.0)], 0)
    assert waits_of({(1, 2): 100.0, (1, 3): 100.75}, watched) == [0.5, 0.25]
