"""The code of a day, and who guesses it."""

import re
from contextlib import suppress
from datetime import date, timedelta

import pytest

from controller.errors import AccessError, TooManyTries, WrongCode
from controller.runtime.tokens import CodeGate, JoinCode, join_code
from tests.support.hand_clock import HandClock

SECRET = "5a" * 32
DAY = date(2026, 11, 20)
CODE = join_code(SECRET, DAY)
THREE_HOURS_S = 3 * 3600


def test_a_code_is_another_with_each_day_and_each_box_and_the_same_after_a_restart() -> None:
    codes = [*(join_code(SECRET, DAY + timedelta(later)) for later in range(100)), join_code("5b" * 32, DAY)]

    assert len({code.typed for code in codes}) == len({code.link for code in codes}) == 101
    assert join_code(SECRET, DAY) == CODE


def test_nothing_in_a_code_can_be_taken_for_something_else() -> None:
    typed = [join_code(SECRET, DAY + timedelta(later)).typed for later in range(1000)]

    assert all(re.fullmatch("[2-9A-HJKMNP-Z]{6}", code) for code in typed)
    assert len(set("".join(typed))) == 31
    assert re.fullmatch(r"[\w-]{22}", CODE.link)


@pytest.mark.parametrize(
    "said", [CODE.typed, CODE.typed.lower(), f" {CODE.typed[:3]}-{CODE.typed[3:]} ", CODE.link, f"{CODE.link}\n"]
)
def test_who_says_the_code_is_let_in(said: str) -> None:
    CodeGate(HandClock()).check(said, CODE, "10.0.0.2")


@pytest.mark.parametrize("said", ["", "ABCDEF", CODE.typed[:5], CODE.link[:-1], CODE.link.lower(), "É" * 6])
def test_who_says_another_is_not(said: str) -> None:
    with pytest.raises(WrongCode, match="not today's code"):
        CodeGate(HandClock()).check(said, CODE, "10.0.0.2")


class Guesser:
    """Says wrong codes from ever other addresses."""

    def __init__(self, gate: CodeGate) -> None:
        self.gate = gate
        self.looked_at = 0

    def guess(self, address: str) -> None:
        with suppress(TooManyTries):
            try:
                self.gate.check("222222", CODE, address)
            except WrongCode:
                self.looked_at += 1


def test_a_guesser_with_any_number_of_addresses_gets_few_tries() -> None:
    clock = HandClock()
    guesser = Guesser(CodeGate(clock))
    for number in range(THREE_HOURS_S):
        for address in (f"a{number}", f"b{number}", "10.0.0.9"):
            guesser.guess(address)
        clock.pass_s(1)

    assert 6000 < guesser.looked_at <= 6500


def test_who_types_the_right_code_at_once_is_let_in_while_somebody_guesses() -> None:
    gate = CodeGate(HandClock())
    guesser = Guesser(gate)
    for _ in range(1000):
        guesser.guess("10.0.0.9")
    assert guesser.looked_at == 61

    gate.check(CODE.typed, CODE, "10.0.0.2")


def test_the_link_opens_whatever_anybody_does() -> None:
    gate = CodeGate(HandClock())
    for number in range(2000):
        Guesser(gate).guess(f"10.0.{number}")
    with pytest.raises(TooManyTries, match="scan the QR code"):
        gate.check(CODE.typed, CODE, "10.0.0.2")

    gate.check(CODE.link, CODE, "10.0.0.2")


def test_patience_comes_back() -> None:
    clock = HandClock()
    gate = CodeGate(clock)
    for _ in range(100):
        Guesser(gate).guess("10.0.0.9")
    with pytest.raises(TooManyTries):
        gate.check(CODE.typed, CODE, "10.0.0.9")
    clock.pass_s(2)

    gate.check(CODE.typed, CODE, "10.0.0.9")


def test_a_refusal_names_no_code() -> None:
    gate = CodeGate(HandClock())
    for code in (JoinCode("ABCDEF", "x" * 22), CODE):
        with pytest.raises(AccessError) as refused:
            gate.check("222222", code, "10.0.0.2")
        assert code.typed not in str(refused.value)
