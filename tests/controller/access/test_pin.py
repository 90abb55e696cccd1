"""Which PINs may be set, and what is kept of one."""

import pytest

from controller.access import pin as pins
from controller.access.pin import PinDigest, check_pin, digest_pin
from controller.errors import BadPin
from tests.support.together import together

PIN = "402817"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pins, "_COST", 16)


@pytest.mark.parametrize("pin", [PIN, "280465", "918273645", "402817402818", "112358"])
def test_a_pin_of_six_to_twelve_digits_may_be_set(pin: str) -> None:
    check_pin(pin)


@pytest.mark.parametrize("pin", ["", "40281", "4028174028174", "40281a", " 402817", "402817\n", "٤٠٢٨١٧"])
def test_what_has_another_form_is_refused(pin: str) -> None:
    with pytest.raises(BadPin, match="6 to 12 digits"):
        check_pin(pin)


@together(
    "pin", ["000000", "123456", "654321", "987654321", "901234", "121212", "123123", "1212121", "112233", "332211"]
)
def test_what_everybody_tries_first_is_refused(pin: str) -> None:
    with pytest.raises(BadPin, match="tried first"):
        check_pin(pin)


def test_only_the_pin_itself_fits_its_digest_and_it_cannot_be_read_there() -> None:
    kept = digest_pin(PIN)

    assert PinDigest.model_validate_json(kept.model_dump_json()).fits(PIN)
    assert not kept.fits("402818")
    assert not kept.fits("")
    assert PIN not in kept.model_dump_json()


def test_the_same_pin_twice_has_two_digests() -> None:
    assert digest_pin(PIN).digest != digest_pin(PIN).digest


def test_a_digest_costs_what_is_recommended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    kept = digest_pin(PIN)

    assert (kept.cost, kept.block, kept.passes) == (2**14, 8, 5)
