"""What a device was shown, under the seal of the box that has shown it."""

from hypothesis import given
from hypothesis import strategies as st

from controller.runtime.tokens import check_signature, sign

SECRET, ANOTHER = "5a" * 32, "5b" * 32
SHOWN = "12.57.0123456789abcdef"


def test_what_was_sealed_here_is_read_again_and_elsewhere_it_is_not() -> None:
    sealed = sign(SECRET, SHOWN)
    assert check_signature(SECRET, sealed) == SHOWN
    assert check_signature(ANOTHER, sealed) is None


def test_a_seal_is_good_for_nothing_else() -> None:
    _, _, mark = sign(SECRET, SHOWN).rpartition(".")
    assert check_signature(SECRET, f"12.58.0123456789abcdef.{mark}") is None
    assert check_signature(SECRET, SHOWN) is None
    assert check_signature(SECRET, f".{mark}") is None


@given(st.text())
def test_whatever_a_stranger_shows_is_nothing(text: str) -> None:
    assert check_signature(SECRET, text) is None
