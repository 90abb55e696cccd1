"""What a reading is worth beside the truth, and how leniently a truth may be written down."""

from typing import Any

import pytest

from tests.support.together import together
from vision.reading import DieReading, Reading, Reason, read, refused
from vision.scoring import Mark, Tally, Truth, judge, tally_of, truth_of


def answer(*values: int) -> Reading:
    return read(tuple(DieReading(value, (10.0 * place, 0.0), 1.0, "white") for place, value in enumerate(values)))


def no(reason: Reason) -> Reading:
    return refused(reason, "No.")


PAIR = Truth("a_two", "felt", (3, 5))
COCKED = Truth("f_cocked", "felt", (3, 5), True, frozenset(["cocked", "unsure"]))


@together(
    ("truth", "reading", "mark"),
    [
        (PAIR, answer(5, 3), Mark.EXACT),
        (PAIR, answer(3, 4), Mark.WRONG),
        (PAIR, answer(3), Mark.WRONG),
        (PAIR, no(Reason.COCKED), Mark.REFUSED),
        (COCKED, answer(3, 5), Mark.WRONG),
        (COCKED, no(Reason.COCKED), Mark.EXACT),
        (COCKED, no(Reason.HAND), Mark.REFUSED),
        (Truth("f_x", "", (), True), no(Reason.HAND), Mark.EXACT),
        (Truth("f_markers", "", (2,), False, frozenset(["no_field"])), answer(2), Mark.EXACT),
        (Truth("f_markers", "", (2,), False, frozenset(["no_field"])), no(Reason.NO_FIELD), Mark.EXACT),
        (Truth("f_markers", "", (2,), False, frozenset(["no_field"])), no(Reason.DARK), Mark.REFUSED),
        (Truth("f_x", "", (2,), True, also=frozenset([(2,)])), answer(2), Mark.EXACT),
        (Truth("f_x", "", (2,), True, also=frozenset([(2,)])), answer(3), Mark.WRONG),
        (Truth("a_two", "", (2, 3), may_refuse=True), no(Reason.COCKED), Mark.EXACT),
        (Truth("a_two", "", (2, 3), may_refuse=True), answer(2, 4), Mark.WRONG),
    ],
)
def test_a_reading_is_exact_or_wrong_and_a_refusal_right_where_the_truth_has_its_reason(
    truth: Truth, reading: Reading, mark: Mark
) -> None:
    assert judge(truth, reading) is mark


@together(
    ("entry", "category", "truth"),
    [
        ([5, 3], "pics", Truth("pics", "", (3, 5))),
        ([], "pics", Truth("pics", "", (), True)),
        ({"values": [3], "scene": "oak"}, "pics", Truth("pics", "oak", (3,))),
        ({"values": [3], "category": "c_one", "family": "felt"}, "pics", Truth("c_one", "felt", (3,))),
        ({"values": [3]}, "f_cocked", Truth("f_cocked", "", (3,), True)),
        ({"values": [3], "must_refuse": False}, "f_glare", Truth("f_glare", "", (3,))),
        ({"values": [3], "refuse": "Hand"}, "pics", Truth("pics", "", (3,), True, frozenset(["hand"]))),
        ({"values": [3]}, "g_refuse", Truth("g_refuse", "", (3,), True)),
        ({"category": "empty"}, "pics", Truth("empty", "", (), True)),
        (
            {"dice": [{"value": 3}], "expect": {"outcome": "refuse", "acceptable": ["refuse", "read_exact"]}},
            "f_shadow",
            Truth("f_shadow", "", (3,), True, also=frozenset([(3,)]), may_refuse=True),
        ),
        (
            {"set_family": "d01", "expect": {"outcome": "read", "values": [2, 6], "acceptable": ["read_exact"]}},
            "a_two",
            Truth("a_two", "d01", (2, 6), also=frozenset([(2, 6)])),
        ),
        ({"dice": [{"value": 6}, {"value": 2}]}, "pics", Truth("pics", "", (2, 6))),
        (
            {"values": [4], "must_refuse": True, "acceptable": ["glare", [4, 1], "read"]},
            "pics",
            Truth("pics", "", (4,), True, frozenset(["glare"]), frozenset([(1, 4), (4,)])),
        ),
    ],
)
def test_a_truth_is_understood_however_it_is_written(entry: Any, category: str, truth: Truth) -> None:
    assert truth_of(entry, category) == truth


@pytest.mark.parametrize(
    "entry", ["3 5", {"values": "35"}, {"values": [3.5]}, {"values": [True]}, {"values": {"a": 1}}]
)
def test_values_that_are_no_whole_numbers_are_refused_with_what_is_allowed(entry: object) -> None:
    with pytest.raises(ValueError, match=r"as in \[3, 5\]"):
        truth_of(entry, "pics")


def test_marks_are_counted() -> None:
    tally = tally_of([Mark.EXACT, Mark.WRONG, Mark.EXACT, Mark.REFUSED])
    assert tally == Tally(2, 1, 1)
    assert tally.pictures == 4
