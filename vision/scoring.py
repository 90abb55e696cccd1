"""Marks a reading by the truth: exact, wrong, or refused without need."""

import csv
import errno
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from vision.capture.files import SUFFIXES
from vision.errors import BadTruth
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
    """The truth about one picture, against which readings of it are marked."""

    category: str
    family: str
    values: tuple[int, ...]  # on top, in ascending order
    must_refuse: bool = False  # a careful reader gives no values
    acceptable: frozenset[str] = frozenset()  # reasons of correct refusals; none: any, if it must be refused
    also: frozenset[tuple[int, ...]] = frozenset()  # further correct readings
    may_refuse: bool = False  # any refusal is correct


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
    """Return the truth that somebody wrote down: an object, or the values alone. Raises `ValueError`.

    The keys of the object are `values`, `category`, `family` (or `set_family`, `scene`), `acceptable`, and
    `must_refuse` (or `refuse`). The expected reading may stand in an inner object `expect`, with `outcome` "read" or
    "refuse".

    `category` is that of an entry without one. Where no key decides, a picture must be refused if it has no values, or
    a category that begins with f_ or is called refuse or empty. In `acceptable`, besides reasons, values or the word
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


_TRUTHS = ("truth.jsonl", "truth.json", "labels.csv")
_FOLDERS_UP = 4
_NAMES = ("file", "name", "picture", "image", "path")
_LEADING = re.compile(r"(.*?[^\W\d_])[\W_]*\d")  # the words of the name of a file before its number

Entries = Mapping[str, object]


def pictures_in(folder: Path) -> list[Path]:
    """Return every picture in a folder and its subfolders, in order. Raises `NotADirectoryError`."""
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "there is no such folder", str(folder))
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())


def find_truth(picture: Path) -> Truth | None:
    """Return the truth about a picture, or None where there is none. Raises `BadTruth`.

    It is that of NAME.json next to it, or of truth.jsonl, truth.json or labels.csv in its folder or above. In
    labels.csv values stand in one cell, as in "2 3 5", and `expected` is "read" or "refuse".

    Without a category of its own a picture has that of its folder, or, where the names of the pictures in the folder
    begin differently, the words before the number in its name.
    """
    file = picture.resolve()
    entry = _entry_of(file)
    if entry is None:
        return None
    begins = _beginning(file.name)
    category = begins if begins and len(_beginnings(file.parent)) > 1 else file.parent.name
    try:
        return truth_of(entry, category)
    except ValueError as error:
        raise BadTruth(f"{picture}: its truth: {error}") from error


def _entry_of(picture: Path) -> object | None:
    own = picture.with_suffix(".json")
    if own.name not in _TRUTHS and own.is_file():
        return _parse_json(own, _text_of(own))
    # A file may be named with all its folders, with fewer, alone, and without its suffix.
    ways = [path.parts for path in (picture, picture.with_suffix(""))]
    keys = ["/".join(parts[first:]) for parts in ways for first in range(1, len(parts))]
    for folder in picture.parents[:_FOLDERS_UP]:
        for name in _TRUTHS:
            entries = _entries(folder / name)
            found = next((entries[key] for key in keys if key in entries), None)
            if found is not None:
                return found
    return None


@cache
def _entries(file: Path) -> Entries:
    """Return the entries of a file of labels by the name of the picture; none where there is no such file."""
    if not file.is_file():
        return {}
    text = _text_of(file)
    if file.suffix == ".csv":
        rows = csv.DictReader(text.splitlines())
        titles = list(rows.fieldnames or ())
        if not {"values", "expected"} & set(titles):
            # Such a list would say of every picture that it must be refused.
            columns = "its first line names the columns: file and values or expected"
            raise BadTruth(f"{file}: {columns}; it says {titles}")
        return _by_name(file, [_labelled(file, row) for row in rows])
    if file.suffix == ".jsonl":
        return _by_name(file, [_parse_json(file, line) for line in text.splitlines() if line.strip()])
    found = _parse_json(file, text)
    if isinstance(found, dict):
        lists = [value for value in found.values() if isinstance(value, list) and _are_objects(value)]
        return _by_name(file, lists[0]) if len(lists) == 1 else {_normalize(name): found[name] for name in found}
    return _by_name(file, found)


def _text_of(file: Path) -> str:
    try:
        return file.read_text("utf-8-sig")  # spreadsheets write a byte order mark first
    except UnicodeDecodeError as error:
        raise BadTruth(f"{file}: this is no text in UTF-8: save it as that") from error


def _labelled(file: Path, row: Mapping[str | None, Any]) -> Entries:
    """Return a row of a list: the values as numbers, and whether the picture must be refused. Raises `BadTruth`."""
    if None in row:
        raise BadTruth(
            f"{file}: more cells than columns: values stand in one cell, as in 2 3 5; {row[None]} is left over"
        )
    cells = {str(name): cell or "" for name, cell in row.items()}
    words = cells.get("values", "").replace(",", " ").split()
    if not all(word.isdecimal() for word in words):
        raise BadTruth(f"{file}: values are numbers, as in 2 3 5; these are {cells['values']!r}")
    values = [int(word) for word in words]
    if cells.get("expected") == "read" and not values:
        raise BadTruth(f"{file}: {next(iter(cells.values()))!r} is to be read, and no values stand there")
    return {**cells, "values": values, "must_refuse": cells.get("expected") == "refuse" or not values}


def _by_name(file: Path, entries: object) -> Entries:
    if not isinstance(entries, list) or not _are_objects(entries):
        raise BadTruth(f"{file}: a list of objects is wanted, each with the keys file and values")
    named = {next((str(entry[key]) for key in _NAMES if key in entry), ""): entry for entry in entries}
    if "" in named:
        raise BadTruth(f"{file}: an entry without the key file: {str(named[''])[:80]}")
    return {_normalize(name): entry for name, entry in named.items()}


def _are_objects(entries: list[object]) -> bool:
    return bool(entries) and all(isinstance(entry, dict) for entry in entries)


def _normalize(name: str) -> str:
    return name.replace("\\", "/").removeprefix("./").strip("/")


def _parse_json(file: Path, text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadTruth(f"{file}: not JSON that can be used: {error}") from error


@cache
def _beginnings(folder: Path) -> frozenset[str]:
    return frozenset(_beginning(path.name) for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)


def _beginning(name: str) -> str:
    found = _LEADING.match(name)
    return found[1] if found else ""
