"""A short form of the campaign on fair and loaded dice, and what it would notice."""

import json

import pytest

from controller.opponents.fairness import fairness_of
from controller.runtime.output import Exit
from tests.campaigns.chance import fairness
from tests.campaigns.chance.fairness import (
    KINDS,
    FairnessReport,
    Loaded,
    Outcome,
    Trial,
    bench_fairness,
    interval,
    throw_dice,
    try_evening,
)

FAIR, SIX = KINDS[0], next(kind for kind in KINDS if kind.promised)


def test_fair_dice_are_not_called_unfair_and_loaded_ones_are(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fairness, "KINDS", (FAIR, SIX))
    assert bench_fairness(4, 1, as_json=True) is Exit.DONE
    fair, six = json.loads(capsys.readouterr().out)["verdicts"]
    assert (fair["kind"], fair["evenings"], fair["unfair"], fair["dice"]) == ("fair", 4, 0, None)
    assert (six["unfair"], six["faces"]) == (4, {"6": 4})
    assert 100 < six["dice"] < 3000


def test_the_moment_of_the_verdict_is_the_first_throw_after_which_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fairness, "DICE", 160)
    loaded = Loaded("half of all are sixes", ((0.1, 0.1, 0.1, 0.1, 0.1, 0.5),) * 2)
    monkeypatch.setattr(fairness, "KINDS", (loaded,))
    trial = Trial(loaded, 1)
    faces = throw_dice(trial)
    first = next(dice for dice in range(0, 161, 2) if fairness_of(faces[:dice]).is_unfair)
    assert try_evening(trial) == Outcome(loaded, first, 6)


def test_dice_are_thrown_as_often_as_their_chances_say_and_lie_in_order() -> None:
    assert [kind.name for kind in KINDS if kind.is_fair] == ["fair", "fair, of 20 sides"]
    for kind in KINDS:
        assert all(sum(die) == pytest.approx(1) for die in kind.dice)
        faces = throw_dice(Trial(kind, 3))
        assert len(faces) == 3000
        assert set(faces) == set(range(1, kind.sides + 1))
        if len(kind.dice) == 2:
            assert all(low <= high for low, high in zip(faces[::2], faces[1::2], strict=True))
    assert throw_dice(Trial(SIX, 3)).count(6) == pytest.approx(600, abs=70)


def test_promises_that_are_not_kept_are_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    alarms = [Outcome(FAIR, 100, 6)] * 6 + [Outcome(FAIR)] * 94
    missed = [Outcome(SIX, 900, 6)] * 80 + [Outcome(SIX)] * 20
    report = FairnessReport([*alarms, *missed])
    assert report.problems == [
        "fair: called unfair on 6 of 100 evenings",
        "six at 1 in 5: called unfair on 80 of 100 evenings",
    ]
    report.show()
    assert "2 problems." in capsys.readouterr().out
    assert FairnessReport([Outcome(FAIR, 100, 6), *[Outcome(FAIR)] * 99]).passed


@pytest.mark.parametrize(("count", "of"), [(10, 1500), (1, 20), (7, 9)])
def test_the_interval_ends_where_the_count_is_1_96_standard_errors_away(count: int, of: int) -> None:
    least, most = interval(count, of)
    assert least < count / of < most
    for share in (least, most):
        assert abs(count / of - share) == pytest.approx(1.96 * (share * (1 - share) / of) ** 0.5)
    assert (interval(0, of)[0], interval(of, of)[1]) == pytest.approx((0.0, 1.0))
