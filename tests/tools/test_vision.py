"""`vision`: pictures are found with their truth, judged, and told of."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import pytest

from hardware.box import load_box
from tests.controller.conftest import Shutbox, answers
from tools.evaluation import vision as bench_vision
from tools.evaluation import vision_report as bench_report
from tools.evaluation.vision import Examiner, Outcome, Trial, examine, list_trials
from tools.scenes.random_scenes import simulated_throw
from vision.capture.frame import Pixels
from vision.errors import BadTruth
from vision.scoring import Mark, Truth, find_truth, pictures_in, truth_of

BOX = load_box("two-level-9")
EXAMINER = Examiner(BOX.field, BOX.die_mm)


@cache
def pictures() -> list[tuple[Pixels, Truth]]:
    return [simulated_throw(seed, 2) for seed in range(3)]


def written(folder: Path, *names: str) -> list[Path]:
    """Throws of the simulator as files."""
    for name, (pixels, _) in zip(names, pictures(), strict=False):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(folder / name), pixels)
    return [folder / name for name in names]


def note(file: Path, *entries: object) -> None:
    file.write_text("\n".join(map(json.dumps, entries)))


def values(number: int) -> list[int]:
    return list(pictures()[number][1].values)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("a_two/truth.jsonl", '{"file": "one.png", "values": [5, 3]}\n\n{"file": "two.png", "values": [1]}'),
        ("a_two/truth.jsonl", '{"file": "a_two/one.png", "values": [5, 3]}'),
        ("truth.jsonl", '{"file": "./a_two/one.png", "values": [5, 3]}'),
        ("truth.json", '[{"name": "a_two/one.png", "values": [5, 3]}]'),
        ("truth.json", '{"pictures": [{"file": "one.png", "values": [5, 3]}]}'),
        ("a_two/truth.json", '{"one.png": [5, 3], "two.png": {"values": [1]}}'),
        ("a_two/truth.json", '{"one": {"values": [5, 3]}}'),
        ("a_two/one.json", '{"values": [5, 3]}'),
        ("labels.csv", "file,expected,values,note\none.png,read,5 3,\ntwo.png,refuse,,a hand\n"),
        ("a_two/labels.csv", 'name,values\none.png,"3, 5"\n'),
    ],
)
def test_the_truth_is_found_wherever_it_lies(tmp_path: Path, file: str, text: str) -> None:
    picture = tmp_path / "a_two" / "one.png"
    picture.parent.mkdir()
    picture.write_bytes(b"")
    (tmp_path / file).write_text(text)
    assert find_truth(picture) == Truth("a_two", "", (3, 5))


def test_a_category_is_the_folder_or_what_stands_before_the_number(tmp_path: Path) -> None:
    names = ["pics/a_two-001.png", "pics/f_cocked_2.png", "c_one/IMG_0001.png"]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).with_suffix(".json").write_text("[3]")
        (tmp_path / name).write_bytes(b"")
    found = [find_truth(tmp_path / name) for name in names]
    assert [truth.category for truth in found if truth] == ["a_two", "f_cocked", "c_one"]


@pytest.mark.parametrize(
    ("row", "must_refuse"), [("one.png,read,4 4,", False), ("one.png,refuse,,", True), ("one.png,refuse,4 4,", True)]
)
def test_a_list_of_labels_says_what_must_be_refused(tmp_path: Path, row: str, must_refuse: bool) -> None:
    (tmp_path / "one.png").write_bytes(b"")
    (tmp_path / "labels.csv").write_text(f"file,expected,values,note\n{row}\n")
    truth = find_truth(tmp_path / "one.png")
    assert truth is not None
    assert truth.must_refuse is must_refuse


def test_a_list_of_labels_with_words_for_values_is_named(tmp_path: Path) -> None:
    (tmp_path / "one.png").write_bytes(b"")
    (tmp_path / "labels.csv").write_text("file,values\none.png,four\n")
    with pytest.raises(BadTruth, match=r"labels\.csv: values are numbers, as in 2 3 5; these are 'four'"):
        find_truth(tmp_path / "one.png")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("file,value\none.png,1 1 2\n", "file and values or expected"),
        ("file,values\none.png,2,3\n", r"more cells than columns.*\['3'\] is left over"),
        ("file,expected,values\none.png,read,\n", "'one.png' is to be read, and no values stand there"),
    ],
)
def test_a_list_of_labels_that_would_have_readable_pictures_refused_is_named(
    tmp_path: Path, text: str, says: str
) -> None:
    (tmp_path / "one.png").write_bytes(b"")
    (tmp_path / "labels.csv").write_text(text)
    with pytest.raises(BadTruth, match=says):
        find_truth(tmp_path / "one.png")


def test_a_list_of_labels_may_begin_as_spreadsheets_write_it(tmp_path: Path) -> None:
    (tmp_path / "one.png").write_bytes(b"")
    (tmp_path / "labels.csv").write_text("file,values\none.png,5 3\n", "utf-8-sig")
    truth = find_truth(tmp_path / "one.png")
    assert truth is not None
    assert truth.values == (3, 5)


@pytest.mark.parametrize("text", ["{", "[1, 2]", '[{"values": [1]}]', '[{"file": "one.png", "values": "x"}]'])
def test_a_truth_that_cannot_be_understood_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "one.png").write_bytes(b"")
    (tmp_path / "truth.json").write_text(text)
    with pytest.raises(BadTruth, match=r"truth\.json|one\.png"):
        find_truth(tmp_path / "one.png")


def test_a_truth_that_cannot_be_understood_is_a_wrong_call(campaign: Shutbox, tmp_path: Path) -> None:
    (tmp_path / "one.png").write_bytes(b"")
    (tmp_path / "truth.json").write_text("{")
    status, out, err = campaign("vision", str(tmp_path))

    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "truth.json: not JSON that can be used" in err


@pytest.mark.parametrize("name", ["truth.json", "labels.csv", "one.json"])
def test_a_truth_that_is_no_text_is_a_wrong_call(campaign: Shutbox, tmp_path: Path, name: str) -> None:
    (tmp_path / "one.png").write_bytes(b"")
    (tmp_path / name).write_bytes("one.png,2 6 ü".encode("latin-1"))
    status, out, err = campaign("vision", str(tmp_path))

    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"{name}: this is no text in UTF-8" in err


@pytest.mark.parametrize("entry", [{}, {"wert": [2, 6]}])
def test_a_truth_that_says_nothing_is_a_wrong_call(entry: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="it says nothing"):
        truth_of(entry, "a_two")


@pytest.mark.long
def test_pictures_without_a_truth_are_told_beside_those_that_are_judged(campaign: Shutbox, tmp_path: Path) -> None:
    for folder in ("known", "unknown"):
        written(tmp_path / folder, "1.png")
    note(tmp_path / "known" / "truth.jsonl", {"file": "1.png", "values": values(0)})
    folders = [str(tmp_path / folder) for folder in ("known", "unknown")]

    [told] = answers(campaign("vision", *folders, "--json")[1])
    assert (told["pictures"], told["judged"], told["exact"]) == (2, 1, 1)
    assert "1 more have no truth beside them" in campaign("vision", *folders)[1]


@pytest.mark.long
def test_a_wrong_answer_is_listed_first_and_is_status_one(
    campaign: Shutbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_report, "_TIMED", 1)
    written(tmp_path, "a_two/1.png", "a_two/2.png", "f_hand/3.png")
    (tmp_path / "a_two" / "extra.png").write_bytes(b"")
    entries: list[dict[str, Any]] = [
        {"file": "a_two/1.png", "values": values(0), "family": "felt"},
        {"file": "a_two/2.png", "values": [9, 9], "family": "felt"},
        {"file": "f_hand/3.png", "values": values(2), "family": "oak"},
    ]
    note(tmp_path / "truth.jsonl", *entries)

    status, out, err = campaign("vision", str(tmp_path), "--json", "--worst", "1")

    [told] = answers(out)
    assert (status, told["pictures"], told["left_out"]) == (1, 3, 1)
    assert (told["exact"], told["wrong"], told["refused"]) == (1, 2, 0)
    assert told["categories"]["f_hand"]["wrong"] == 1
    assert told["families"]["felt"] == {"pictures": 2, "exact": 1, "wrong": 1, "refused": 0, "exact_part": 0.5}
    [worst] = told["worst"]
    assert (worst["mark"], worst["values"], worst["truth"]) == ("wrong", values(1), [9, 9])
    assert {"health", "field", "located", "whole", "baseline"} <= told["ms"].keys()
    assert told["baseline"]["blobs"]["pictures"] == 3
    assert err

    status, out, err = campaign("vision", str(tmp_path))
    assert status == 1
    assert "f_hand" in out
    assert out.index("wrong    ") < out.index("blobs in clusters")
    assert "1 pictures beside them have no truth" in err


def test_pictures_without_a_truth_are_only_counted_and_timed(campaign: Shutbox, tmp_path: Path) -> None:
    written(tmp_path, "1.png")
    status, out, err = campaign("vision", str(tmp_path))

    assert status == 0
    assert "read" in out
    assert "no truth" in err


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ((), "say one of vision"),
        (("dance",), "say one of vision"),
        (("vision",), "--sweep N"),
        (("vision", "/nowhere"), "there is no such folder"),
        (("vision", "."), "there are no pictures"),
        (("vision", "--sweep", "-1"), "say at least 0"),
    ],
)
def test_a_wrong_call_is_one_line(
    campaign: Shutbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: tuple[str, ...], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = campaign(*call)

    assert (status, out, err.count("\n")) == (2, "", 1)
    assert says in err


def test_a_sweep_throws_the_same_dice_for_the_same_seed() -> None:
    trials, left_out = list_trials([], 30_000, 1)
    assert (len(trials), left_out, trials == list_trials([], 30_000, 1)[0]) == (30_000, 0, True)
    assert {trial.throw for trial in trials}.isdisjoint(trial.throw for trial in list_trials([], 30_000, 2)[0])

    first, again = (examine(trials[:1], EXAMINER).outcomes[0] for _ in range(2))
    assert (first.truth, first.answer, first.mark) == (again.truth, again.answer, again.mark)
    assert first.mark is Mark.EXACT


@pytest.mark.long
def test_a_pool_of_processes_judges_as_one_process_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = written(tmp_path, "1.png", "2.png", "3.png")
    trials = [Trial(file.name, file, truth) for file, (_, truth) in zip(files, pictures(), strict=True)]
    alone = examine(trials, EXAMINER).outcomes
    monkeypatch.setattr(bench_vision, "_IN_PLACE", 0)
    pooled = examine(trials, EXAMINER).outcomes
    assert [(each.name, each.answer, each.mark) for each in pooled] == [
        (each.name, each.answer, each.mark) for each in alone
    ]


def test_ctrl_c_ends_with_what_there_is_so_far(
    campaign: Shutbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Examiner.__call__

    def broken_off(examiner: Examiner, numbered: tuple[int, Trial]) -> Outcome:
        if numbered[0] == 1:
            raise KeyboardInterrupt
        return whole(examiner, numbered)

    monkeypatch.setattr(Examiner, "__call__", broken_off)
    status, out, _ = campaign("vision", "--sweep", "5", "--json")

    [told] = answers(out)
    assert (status, told["interrupted"], told["pictures"]) == (130, True, 1)


def test_pictures_are_found_in_folders_in_order(tmp_path: Path) -> None:
    for name in ("b/2.jpg", "a/1.PNG", "a/notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    assert [path.name for path in pictures_in(tmp_path)] == ["1.PNG", "2.jpg"]
