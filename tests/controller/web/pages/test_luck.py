"""How rare a throw is, beside counting all throws there are."""

from itertools import product

import pytest

from controller.web.pages.scene import one_in


@pytest.mark.parametrize(
    ("dice", "sides"),
    [
        ((6, 6), 6),
        ((6, 4), 6),
        ((3,), 6),
        ((5, 5, 5), 6),
        ((5, 4, 5), 6),
        ((1, 2, 3), 6),
        ((1, 1, 2, 2), 6),
        ((17,), 20),
    ],
)
def test_a_throw_is_as_rare_as_counting_all_of_them_says(dice: tuple[int, ...], sides: int) -> None:
    throws = list(product(range(1, sides + 1), repeat=len(dice)))
    alike = sum(sorted(throw) == sorted(dice) for throw in throws)

    assert one_in(dice, sides) == round(len(throws) / alike)


def test_two_sixes_are_one_in_36_and_a_six_and_a_four_one_in_18() -> None:
    assert (one_in((6, 6), 6), one_in((6, 4), 6)) == (36, 18)
