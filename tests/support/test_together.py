"""Cases that are one test: all are run, and each that fails is named."""

import pytest

from tests.support.together import together


def test_every_combination_is_run_and_each_that_fails_is_named(tmp_path: object) -> None:
    seen: list[tuple[int, str, object]] = []

    @together("number", [1, 2, 3])
    @together(("word", "place"), [("a", tmp_path), ("b", tmp_path)])
    def check(number: int, word: str, place: object) -> None:
        seen.append((number, word, place))
        assert (number, word) != (2, "b")
        if number == 3:
            raise KeyError(word)

    with pytest.raises(AssertionError, match="number = 2:") as caught:
        check()
    told = str(caught.value)
    assert [case[:2] for case in seen] == [(number, word) for number in (1, 2, 3) for word in "ab"]
    assert "2 of 3 cases:" in told
    assert "word, place = ('b'," in told
    assert "number = 1:" not in told
    assert told.count("KeyError") == 2


@together("number", [1, 2])
def test_other_arguments_are_fixtures(tmp_path: object, number: int) -> None:
    assert tmp_path
    assert number in (1, 2)


def test_what_is_not_raised_fails_too_and_no_case_is_no_test() -> None:
    @together("number", [1])
    def check(number: int) -> None:
        with pytest.raises(ValueError, match="no"):
            int(number)

    @together("number", [])
    def empty(number: int) -> None:
        assert number

    with pytest.raises(AssertionError, match="DID NOT RAISE"):
        check()
    with pytest.raises(AssertionError, match="no case at all"):
        empty()
