"""The campaign of claims passes where none is granted that is none, and 95 of 100 are answered as they must be."""

import json

import pytest

from tests.campaigns.claims.report import Answer, ClaimsReport
from tests.campaigns.claims.trials import bench_claims


def answered(answer: str, *right: str, count: int = 1, is_true: bool = False) -> list[Answer]:
    return [Answer(7, "mixed", answer, right, is_true)] * count


@pytest.mark.parametrize(
    ("answers", "passed"),
    [
        (answered("mixed", "mixed", count=20), True),
        (answered("mixed", "mixed", count=19) + answered("unsure", "mixed"), True),
        (answered("mixed", "mixed", count=18) + answered("unsure", "mixed", count=2), False),
        (answered("mixed", "mixed", count=99) + answered("granted", "mixed"), False),
        (answered("stacked", "stacked", count=99) + answered("granted", "stacked", is_true=True), True),
        ([], True),
    ],
)
def test_one_granted_wrongly_is_one_too_many(answers: list[Answer], passed: bool) -> None:
    assert ClaimsReport(answers).passed is passed


def test_what_was_answered_otherwise_comes_with_the_command_that_lays_it_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = ClaimsReport(answered("granted", "mixed") + answered("mixed", "mixed"))
    report.show()
    line = "mixed: granted instead of mixed; again: python -m tests.campaigns claims --claims 1 --seed 7"
    assert line in capsys.readouterr().out.replace("\n", " ")
    assert report.as_json()["otherwise"] == [line]
    counts = {"asked": 2, "right": 1, "otherwise": {"granted": 1}, "granted_wrongly": 1}
    assert report.as_json()["kinds"]["mixed"] == counts


@pytest.mark.long
def test_claims_before_the_camera_are_answered_as_they_must_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_claims(12, 1, as_json=True) == 0
    told = json.loads(capsys.readouterr().out)
    assert sum(kind["right"] for kind in told["kinds"].values()) >= 12
