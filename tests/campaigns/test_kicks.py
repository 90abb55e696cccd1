"""The campaign of kicks counts what is healed, and finds what is not."""

import pytest

from firmware.tiles import bank
from tests.campaigns.builds import Build, Kick
from tests.campaigns.kicks import LIMIT_S, KicksReport, Outcome, Trial, bench_kicks, try_kicks

KICKING = Build(kick=Kick.ANY)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 4])
def test_boxes_of_either_kind_of_servo_heal(seed: int) -> None:
    trial = Trial(seed, 60, 3, KICKING)
    assert trial.digital is (seed == 4)
    outcome = try_kicks(trial)
    assert (outcome.problems, outcome.cuts) == ([], 3)
    assert outcome.releases >= 60
    assert outcome.kicks > 0
    assert outcome.longest_s < LIMIT_S


@pytest.mark.long
def test_a_bank_that_does_not_heal_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bank, "select_again", lambda *_: {})
    outcome = try_kicks(Trial(4, 100, 0, KICKING))
    assert any("ends" in problem for problem in outcome.problems)


def test_a_failure_comes_with_the_command_that_repeats_it() -> None:
    failed = Outcome(Trial(17, 100, 5), problems=["at 3.00 s: front-7 ends BETWEEN instead of SHUT"])
    report = KicksReport([Outcome(Trial(16, 100, 5)), failed])
    assert not report.passed
    assert report.as_json()["problems"] == [
        "at 3.00 s: front-7 ends BETWEEN instead of SHUT; "
        "again: python -m tests.campaigns kicks --releases 100 --cuts 5 --seed 17"
    ]


def test_the_report_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_kicks(30, 1, 1, as_json=False) == 0
    assert "1 cuts of /OE amid a move" in capsys.readouterr().out
