"""Lists and plurals."""

import pytest

from controller.game.english import count, join_and, plural


@pytest.mark.parametrize(
    ("words", "said"), [((), ""), (("a",), "a"), (("a", "b"), "a and b"), (("a", "b", "c"), "a, b and c")]
)
def test_a_list_is_read_as_one_says_it(words: tuple[str, ...], said: str) -> None:
    assert join_and(words) == said


def test_only_one_is_singular() -> None:
    assert [count(number, "point") for number in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert [plural(number, "lies", "lie") for number in (0, 1, 2)] == ["lie", "lies", "lie"]
