"""Lists and plurals."""

import pytest

from controller.game.core.english import as_sentence, count, join_and, plural


@pytest.mark.parametrize(
    ("words", "said"), [((), ""), (("a",), "a"), (("a", "b"), "a and b"), (("a", "b", "c"), "a, b and c")]
)
def test_a_list_is_read_as_one_says_it(words: tuple[str, ...], said: str) -> None:
    assert join_and(words) == said


def test_only_one_is_singular() -> None:
    assert [count(number, "point") for number in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert [plural(number, "lies", "lie") for number in (0, 1, 2)] == ["lie", "lies", "lie"]


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ("it is for Ann to choose tiles", "It is for Ann to choose tiles."),
        ("front-8 is shut already", "front-8 is shut already."),
        ("7 is too much!", "7 is too much!"),
        ("", "."),
    ],
)
def test_a_refusal_becomes_a_sentence_and_names_stay_as_they_are(told: str, sentence: str) -> None:
    assert as_sentence(told) == sentence
