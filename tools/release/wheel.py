"""What a wheel says of itself: its name, its version, and under which licence it is."""

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from pathlib import Path, PurePosixPath

_CLASSIFIER = "License :: OSI Approved :: "
_LICENCE_FILES = ("licen", "copying", "notice", "authors")
_NOT_TOLD, _IN_ITS_TEXT = NO_NAME = ("not told", "see its text")
_LONGEST = 60  # characters: older packages have the whole text of their licence where its name belongs


@dataclass(frozen=True, slots=True)
class Wheel:
    """A package as its wheel describes it. texts: its licence files, by name."""

    file: str
    name: str
    version: str
    licence: str
    texts: dict[str, str]


def read_wheel(path: Path) -> Wheel:
    """Read the metadata of a wheel. Raises `OSError`, `KeyError` or `zipfile.BadZipFile` if it has none."""
    with zipfile.ZipFile(path) as archive:
        [place] = [name for name in archive.namelist() if name.count("/") == 1 and name.endswith(".dist-info/METADATA")]
        told = message_from_bytes(archive.read(place))
        folder = place.removesuffix("METADATA")
        texts = {name.removeprefix(folder): archive.read(name) for name in _licence_files(archive, folder)}
    shown = {name: text.decode("utf-8", "replace") for name, text in sorted(texts.items())}
    return Wheel(path.name, told["Name"], told["Version"], licence_of(told), shown)


def licence_of(told: Message) -> str:
    """Return the licence that a package names: as an expression, by its classifiers, or in words.

    One of `NO_NAME` where there is none of these, or the words are the licence itself.
    """
    if expression := told["License-Expression"]:
        return str(expression)
    classifiers = [str(each) for each in told.get_all("Classifier", ()) if str(each).startswith(_CLASSIFIER)]
    if classifiers:
        return ", ".join(each.removeprefix(_CLASSIFIER) for each in classifiers)
    words = str(told["License"] or "").strip()
    if len(words) > _LONGEST or "\n" in words:
        return _IN_ITS_TEXT
    return words or _NOT_TOLD


def _licence_files(archive: zipfile.ZipFile, folder: str) -> Iterator[str]:
    for name in archive.namelist():
        if name.startswith(folder) and PurePosixPath(name).name.lower().startswith(_LICENCE_FILES):
            yield name
