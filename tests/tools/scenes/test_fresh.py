"""Sets that no reader has met: each throw is of its kind, and drawn anew from the name of the set alone."""

import json
import math
import random
from pathlib import Path
from pkgutil import resolve_name

import pytest

from tools.evaluation.ablation import RULES, mark_of
from tools.evaluation.sweeps import reader_digest
from tools.scenes import fresh
from vision.reading import DieReading, Reason, read, refused
from vision.scoring import Truth, find_truth

LEANS = {"cocked 8 to 12 degrees": (8, 12), "cocked 12 to 20 degrees": (12, 20), "cocked 20 to 40 degrees": (20, 40)}


@pytest.mark.parametrize("kind", fresh.KINDS + fresh.HARD, ids=lambda kind: str(kind.name))
def test_a_throw_is_of_its_kind(kind: fresh.Kind) -> None:
    drawn, family, scene = fresh.throw(random.Random("a set/1"), (kind,))
    assert drawn is kind
    assert fresh.truth_of(kind, family, scene)["must_refuse"] is kind.refuse
    leans = [math.degrees(die.lean_rad) for die in scene.dice if die.lean_rad]
    low, high = LEANS.get(kind.name, (0, 0))
    assert len(leans) == (kind.name in LEANS)
    assert all(low <= lean <= high for lean in leans)
    assert (scene.hand is not None) == (kind.name in ("hand", "finger"))
    assert bool(scene.things) == (kind.name in ("thing", "crumb"))
    assert bool(scene.sensor.glares) == (kind.name == "lamp")
    assert any(die.lift_mm for die in scene.dice) is (kind.name == "stacked") or kind.name == "outside"


def test_a_set_is_drawn_again_from_its_name_and_scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, part in (("whole", "1/1"), ("second", "2/2")):
        monkeypatch.setattr("sys.argv", ["fresh", str(tmp_path / folder), "2", part])
        fresh.main()
    (whole,), (second,) = ((tmp_path / folder).iterdir() for folder in ("whole", "second"))
    assert whole.name == second.name == f"{reader_digest()[:12]}-ours"
    assert sorted(path.name for path in second.iterdir()) == ["00001.jpg", "00001.json"]
    for path in second.iterdir():
        assert path.read_bytes() == (whole / path.name).read_bytes()
    truth = find_truth(second / "00001.jpg")
    assert truth is not None
    assert list(truth.values) == json.loads((second / "00001.json").read_text())["values"]


def test_what_is_given_though_it_must_be_refused_is_told_apart_from_a_wrong_value() -> None:
    to_refuse, to_read = Truth("", "", (3,), must_refuse=True), Truth("", "", (3,))
    five, three = (read((DieReading(value, (0.0, 0.0), 1.0, "white", 1),)) for value in (5, 3))
    blurred = refused(Reason.BLURRED, "Out of focus.")
    assert [mark_of(to_refuse, answer) for answer in (five, three, blurred)] == ["given", "given", "exact"]
    assert [mark_of(to_read, answer) for answer in (five, three, blurred)] == ["wrong", "exact", "refused"]


def test_every_rule_that_is_switched_off_is_there() -> None:
    for switches in RULES.values():
        for name, _ in switches:
            assert resolve_name(name) is not None
