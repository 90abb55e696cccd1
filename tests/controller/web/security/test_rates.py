"""Token buckets: what an address, all strangers together and those who are known here may ask."""

from hypothesis import given
from hypothesis import strategies as st

from controller.web.security.rates import Limits, Rate, Rates

LIMITS = Limits(stranger=Rate(4, 1), strangers=Rate(10, 2), known=Rate(20, 5))


def count_admitted(rates: Rates, who: str, asked: int, now_s: float = 0.0, *, is_known: bool = False) -> int:
    return sum(not rates.admit(who, now_s, is_known=is_known) for _ in range(asked))


def test_an_address_has_so_many_at_once_and_so_many_more_a_second() -> None:
    rates = Rates(LIMITS, 0.0)
    assert count_admitted(rates, "a", 10) == 4
    assert rates.admit("a", 0.25, is_known=False) == 0.75
    assert count_admitted(rates, "a", 10, 2.0) == 2
    assert count_admitted(rates, "a", 10, 1000.0) == 4


def test_many_addresses_have_no_more_than_all_strangers_together() -> None:
    rates = Rates(LIMITS, 0.0)
    assert sum(count_admitted(rates, str(number), 3) for number in range(1000)) == 10
    assert sum(count_admitted(rates, str(number), 3, 3.0) for number in range(1000)) == 6


def test_those_who_are_known_do_not_wait_for_strangers() -> None:
    rates = Rates(LIMITS, 0.0)
    for number in range(1000):
        count_admitted(rates, str(number), 3)
    assert count_admitted(rates, "7", 50, is_known=True) == 20
    assert rates.admit("8", 0.0, is_known=False) > 0, "and take nothing from them"


def test_what_costs_less_is_admitted_more_often() -> None:
    rates = Rates(LIMITS, 0.0)
    assert sum(not rates.admit("a", 0.0, is_known=False, cost=0.25) for _ in range(100)) == 13


@given(st.lists(st.tuples(st.integers(0, 9000), st.floats(0.0, 0.5), st.booleans()), max_size=200))
def test_nobody_ever_gets_more_than_their_rate(asked: list[tuple[int, float, bool]]) -> None:
    rates, now_s = Rates(LIMITS, 0.0), 0.0
    strangers = 0
    for who, later_s, is_known in asked:
        now_s += later_s
        strangers += not rates.admit(str(who), now_s, is_known=is_known) and not is_known
    assert strangers <= 10 + 2 * now_s
