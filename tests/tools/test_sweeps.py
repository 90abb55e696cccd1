"""Sweeps told in JSON are joined: only those of one reader and one world, and no throw twice."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.controller.conftest import Shutbox, answers
from tools.evaluation import sweeps
from tools.evaluation.sweeps import Sweep, join_sweeps
from vision.errors import BadTruth
from vision.scoring import Tally

ONE = Sweep("reader", "world", 1, Tally(90, 1, 9))
TWO = Sweep("reader", "world", 2, Tally(100, 0, 0))


def test_the_marks_of_all_sweeps_are_added() -> None:
    assert join_sweeps([ONE, TWO]) == Tally(190, 1, 9)


@pytest.mark.parametrize("other", [replace(TWO, reader="older"), replace(TWO, world="nicer"), replace(TWO, seed=1)])
def test_another_reader_another_world_and_the_same_throws_are_not_added(other: Sweep) -> None:
    with pytest.raises(BadTruth):
        join_sweeps([ONE, other])


@pytest.mark.long
def test_sweeps_of_several_runs_are_told_together(campaign: Shutbox, tmp_path: Path) -> None:
    files = []
    for seed in ("3", "4"):
        status, out, _ = campaign("vision", "--sweep", "1", "--seed", seed, "--json")
        assert status == 0
        files.append(tmp_path / f"{seed}.json")
        files[-1].write_text(out)

    status, out, _ = campaign("vision", "--join", *map(str, files), "--json")
    [told] = answers(out)
    assert (status, told["sweeps"], told["pictures"], told["exact"], told["wrong"]) == (0, 2, 2, 2, 0)
    assert told["is_this_reader"] is True
    assert told["reader"] == sweeps.reader_digest() != sweeps.world_digest() == told["world"]

    status, out, _ = campaign("vision", "--join", *map(str, files))
    assert (status, "at most 1 wrong in 1" in out, "this reader" in out) == (0, True, True)


def test_throws_lie_in_the_field_of_the_reference_box(campaign: Shutbox, tmp_path: Path) -> None:
    profile = tmp_path / "larger.toml"
    profile.write_text(Path("hardware/boxes/two-level-9.toml").read_text().replace("die_mm = 16.0", "die_mm = 14.0"))
    status, out, err = campaign("vision", "--sweep", "1", "--box", str(profile))
    assert (status, out, "leave --box out" in err) == (2, "", True)


def _counted(**marks: object) -> str:
    return json.dumps(
        {"sweep": {"reader": "a", "world": "b", "seed": 1}, "exact": 1, "wrong": 0, "refused": 0, **marks}
    )


@pytest.mark.parametrize(
    "told",
    [
        *("{", "[]", '{"exact": 1}', json.dumps({"sweep": {"reader": "a"}})),
        *(_counted(exact=-5), _counted(wrong=0.9), _counted(refused=True), _counted(exact="1")),
    ],
)
def test_what_is_no_sweep_is_named(campaign: Shutbox, tmp_path: Path, told: str) -> None:
    (tmp_path / "other.json").write_text(told)
    status, out, err = campaign("vision", "--join", str(tmp_path / "other.json"))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "other.json: not what bench vision" in err


def test_a_file_may_hold_several_sweeps(campaign: Shutbox, tmp_path: Path) -> None:
    (tmp_path / "two.jsonl").write_text(f"{_counted()}\n{_counted(sweep={'reader': 'a', 'world': 'b', 'seed': 2})}\n")
    [told] = answers(campaign("vision", "--join", str(tmp_path / "two.jsonl"), "--json")[1])
    assert (told["sweeps"], told["pictures"], told["is_this_reader"]) == (2, 2, False)
    (tmp_path / "none.jsonl").write_text("\n")
    status, _, err = campaign("vision", "--join", str(tmp_path / "none.jsonl"))
    assert (status, "none.jsonl: there is no sweep in it" in err) == (2, True)


def test_to_join_nothing_is_a_wrong_call(campaign: Shutbox) -> None:
    status, _, err = campaign("vision", "--join")
    assert (status, "name the files" in err) == (2, True)


def test_new_throws_are_not_joined_at_once(campaign: Shutbox, tmp_path: Path) -> None:
    status, _, err = campaign("vision", "--join", "--sweep", "3", str(tmp_path / "a.json"))
    assert (status, "give one of them" in err) == (2, True)
