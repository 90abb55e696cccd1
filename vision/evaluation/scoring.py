"""Marks a reading by the truth: exact, wrong, or refused without need."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from vision.reading import Reading

_READ_TOO = ("read", "exact", "values", "read_exact")  # acceptable words that stand for the right reading
_ANY_REFUSAL = "refuse"  # the word that stands for any refusal
_TO_REFUSE = re.compile(r"f_|.*(refuse|empty)")
# An entry must have one of these keys: without any it says nothing, and one may be misspelt.
_SAYS = frozenset(("values", "dice", "expect", "must_refuse", "refuse", "acceptable", "category"))


class Mark(StrEnum):
    """Exact: the values, or a refusal where one is right. Wrong: other values were given. Refused: without need."""

    EXACT = "exact"
    WRONG = "wrong"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Truth:
    """The truth about one picture, against which readings of it are marked.

    `values` lie on top, in ascending order.
    `must_refuse`: a careful reader gives no values.
    `acceptable` are the reasons of correct refusals; if the picture must be refused and none are given, any is correct.
    `also` are further correct readings.
    `may_refuse`: any refusal is correct.
    """

    category: str
    family: str
    values: tuple[int, ...]
    must_refuse: bool = False
    acceptable: frozenset[str] = frozenset()
    also: frozenset[tuple[int, ...]] = frozenset()
    may_refuse: bool = False


@dataclass(frozen=True, slots=True)
class Tally:
    """Numbers of pictures that were read exactly, wrongly, and not.

    Wrong and refused are counted apart, for a wrong reading spoils the game and a refusal asks the player.
    """

    exact: int = 0
    wrong: int = 0
    refused: int = 0

    @property
    def pictures(self) -> int:
        return self.exact + self.wrong + self.refused

    @property
    def exact_part(self) -> float:
        """Return the part that was read exactly, 0..1; 0 of none."""
        return self.exact / max(1, self.pictures)


def judge(truth: Truth, reading: Reading) -> Mark:
    if reading.is_read:
        is_right = reading.values == truth.values and not truth.must_refuse
        return Mark.EXACT if is_right or reading.values in truth.also else Mark.WRONG
    any_will_do = truth.may_refuse or (truth.must_refuse and not truth.acceptable)
    return Mark.EXACT if any_will_do or reading.reason in truth.acceptable else Mark.REFUSED


def tally_of(marks: Iterable[Mark]) -> Tally:
    counted = list(marks)
    return Tally(*(counted.count(mark) for mark in (Mark.EXACT, Mark.WRONG, Mark.REFUSED)))


def truth_of(entry: object, category: str) -> Truth:
    """Return the truth that somebody wrote down, an object or the values alone. Raises `ValueError` that says what is
    allowed.

    The keys of the object are `values`, `category`, `family` (or `set_family`, `scene`), `acceptable`, and
    `must_refuse`
    (or `refuse`). The expected reading may stand in an inner object `expect`, with `outcome` "read" or "refuse".

    `category` is that of an entry without one. Where no key decides, a picture must be refused if it has no values,
    or a
    category that begins with f_ or is called refuse or empty. In `acceptable`, besides reasons, values or the word
    "read" stand for further correct readings, and "refuse" for any refusal.
    """
    if not isinstance(entry, Mapping):
        return Truth(category, "", _values(entry), not entry)
    expect = entry.get("expect")
    if isinstance(expect, Mapping):
        entry = {**entry, **expect, "must_refuse": expect.get("outcome") == "refuse"}
    values = _values(entry.get("values", entry.get("dice")))
    category = str(entry.get("category") or category)
    if _SAYS.isdisjoint(entry):
        raise ValueError(f"it says nothing: an entry has the key values, or must_refuse; this is {dict(entry)!r}")
    refuse = entry.get("must_refuse", entry.get("refuse"))
    words = [*_as_list(entry.get("acceptable")), *([refuse] if isinstance(refuse, str) else [])]
    by_name = not values or bool(_TO_REFUSE.match(category))
    return Truth(
        category,
        str(entry.get("family") or entry.get("set_family") or entry.get("scene") or ""),
        values,
        by_name if refuse is None else bool(refuse),
        frozenset(str(word).lower() for word in words if _is_reason(word) and word != _ANY_REFUSAL),
        frozenset(values if isinstance(word, str) else _values(word) for word in words if not _is_reason(word)),
        _ANY_REFUSAL in words,
    )


def _is_reason(word: object) -> bool:
    return isinstance(word, str) and word.lower() not in _READ_TOO


def _as_list(words: object) -> list[object]:
    if words is None:
        return []
    return list(words) if isinstance(words, Sequence) and not isinstance(words, str) else [words]


def _values(given: object) -> tuple[int, ...]:
    """Return the values in ascending order; of dice given one by one, their `value`."""
    values = [die.get("value") if isinstance(die, Mapping) else die for die in _as_list(given)]
    if not all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        raise ValueError(f"values are a list of whole numbers, as in [3, 5]; this is {given!r}")
    return tuple(sorted(value for value in values if isinstance(value, int)))
