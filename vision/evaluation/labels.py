"""Labels of pictures: finds the truth about a picture in the files next to it.

People label pictures with whatever is at hand (a file a picture, a list a folder, their own keys), so many forms are
read here; `truth_of` turns all of them into the same `Truth`.
"""

import csv
import errno
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from vision.capture.files import SUFFIXES
from vision.errors import BadTruth
from vision.evaluation.scoring import Truth, truth_of

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
    labels.csv
    values stand in one cell, as in "2 3 5", and `expected` is "read" or "refuse".

    Without a category of its own a picture has that of its folder, or, where the names of the pictures in the folder
    begin
    differently, the words before the number in its name.
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
    for folder in picture.parents[:_FOLDERS_UP]:
        for name in _TRUTHS:
            entries = _entries(folder / name)
            found = next((entries[key] for key in _keys(picture) if key in entries), None)
            if found is not None:
                return found
    return None


def _keys(picture: Path) -> Iterator[str]:
    """Yield the ways a file may be named: with all its folders, with fewer, alone, and without its suffix."""
    for path in (picture, picture.with_suffix("")):
        for first in range(1, len(path.parts)):
            yield "/".join(path.parts[first:])


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
