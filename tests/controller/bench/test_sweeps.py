"""Sweeps told in JSON are joined: only those of one reader and one world, and no throw twice."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from controller.bench import sweeps
from controller.bench.sweeps import Sweep, join_sweeps
from tests.controller.conftest import Shutbox, answers
from vision.errors import BadTruth
from vision.evaluation.scoring import Tally

ONE = Sweep("reader", "world", 1, Tally(90, 1, 9))
TWO = Sweep("reader", "world", 2, Tally(100, 0, 0))


def test_the_marks_of_all_sweeps_are_added() -> None:
    assert join_sweeps([ONE, TWO]) == Tally(190, 1, 9)


@pytest.mark.parametrize("other", [replace(TWO, reader="older"), replace(TWO, world="nicer"), replace(TWO, seed=1)])
def test_another_reader_another_world_and_the_same_throws_are_not_added(other: Sweep) -> None:
    with pytest.raises(BadTruth):
        join_sweeps([ONE, other])


@pytest.mark.long
def test_sweeps_of_several_runs_are_told_together(shutbox: Shutbox, tmp_path: Path) -> None:
    files = []
    for seed in ("3", "4"):
        status, out, _ = shutbox("bench", "vision", "--sweep", "1", "--seed", seed, "--json")
        assert status == 0
        files.append(tmp_path / f"{seed}.json")
        files[-1].write_text(out)

    status, out, _ = shutbox("bench", "vision", "--join", *map(str, files), "--json")
    [told] = answers(out)
    assert (status, told["sweeps"], told["pictures"], told["exact"], told["wrong"]) == (0, 2, 2, 2, 0)
    assert told["is_this_reader"] is True
    assert told["reader"] == sweeps.reader_digest() != sweeps.world_digest() == told["world"]

    status, out, _ = shutbox("bench", "vision", "--join", *map(str, files))
    assert (status, "at most 1 wrong in 1" in out, "this reader" in out) == (0, True, True)


@pytest.mark.parametrize("told", ["{", "[]", '{"exact": 1}', json.dumps({"sweep": {"reader": "a"}})])
def test_what_is_no_sweep_is_named(shutbox: Shutbox, tmp_path: Path, told: str) -> None:
    (tmp_path / "other.json").write_text(told)
    status, out, err = shutbox("bench", "vision", "--join", str(tmp_path / "other.json"))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "other.json: not what bench vision" in err


def test_to_join_nothing_is_a_wrong_call(shutbox: Shutbox) -> None:
    status, _, err = shutbox("bench", "vision", "--join")
    assert (status, "name the files" in err) == (2, True)
