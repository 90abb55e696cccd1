"""The files of a home: which a backup holds, which it leaves out and why, and which a restore replaces.

Every file that the program writes in a home is listed here; a test looks for every place that writes one.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.runtime.home import Home
from hardware.calibration import FILE_NAME

_HOME = Home(Path(), Path())  # its paths are relative names
_STAMP = r"\d{4}-\d\d-\d\dT\d{6}"
_BOX = r"[a-z0-9][a-z0-9-]*"
_DICE = r"dice/[a-z0-9][a-z0-9_-]{0,31}\.npz"
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class SavedKind:
    """One kind of files that a backup holds: a description, the pattern of their names, and the size limit of each."""

    what: str
    names: re.Pattern[str]
    most_bytes: int


@dataclass(frozen=True, slots=True)
class LeftOutKind:
    """One kind of files or folders that a backup leaves out, and why.

    of_journal: it belongs to the journal, and is put aside with it when another journal replaces it.
    """

    why: str
    names: re.Pattern[str]
    of_journal: bool = False


def _fixed(*paths: Path) -> str:
    return "|".join(re.escape(str(path)) for path in paths)


def _of_box(path: Path) -> str:
    """Return the pattern for a file with the name of a box in its own, written as `@` in `path`."""
    return re.escape(str(path)).replace("@", _BOX)


def _saved(what: str, names: str, most_megabytes: int) -> SavedKind:
    return SavedKind(what, re.compile(names, re.ASCII), most_megabytes * _MEGABYTE)


def _left_out(why: str, names: str, *, of_journal: bool = False) -> LeftOutKind:
    return LeftOutKind(why, re.compile(names, re.ASCII | re.DOTALL), of_journal)


# Copied in this order. The program writes a calibration after the picture that it names, so the picture comes later.
SAVED = (
    _saved("the journal", _fixed(_HOME.journal), 1000),
    _saved("the settings", _fixed(_HOME.settings), 1),
    _saved("the profile of the box as it is wired", _of_box(_HOME.profile("@")), 1),
    _saved("when its wires were right", "|".join(_of_box(_HOME.wires("@", mock=mock)) for mock in (False, True)), 1),
    _saved("the calibration", re.escape(FILE_NAME), 1),
    _saved("earlier calibrations", rf"calibration-{_STAMP}(-\d+)?\.toml", 1),
    _saved("pictures of the empty field", rf"background-{_STAMP}\.png", 40),
    _saved("taught dice", _DICE, 40),
    _saved("earlier taught dice", rf"{_DICE}\.{_STAMP}", 40),
    _saved("evenings of many matches", _of_box(_HOME.evening("@")), 40),
    _saved("the wear of the tiles", "|".join(_of_box(_HOME.wear("@", mock=mock)) for mock in (False, True)), 10),
)
LEFT_OUT = (
    _left_out("part of the copy of the journal", rf"{_fixed(_HOME.journal)}-(wal|shm|journal)", of_journal=True),
    _left_out("made anew beside the journal", r"journal\.mark|journal\.good\.sqlite3(-journal)?", of_journal=True),
    _left_out(
        "games that were played elsewhere; keep their texts", r"guests\.(sqlite3(-\w+)?|mark|good\.sqlite3(-journal)?)"
    ),
    _left_out("a journal that was put aside", r"journal\.(good\.)?(damaged|newer)-.*"),
    _left_out(
        "a journal of another version of the program; copy the file if you want it",
        r"journal-format-.*|\.journal-format-.*",
    ),
    _left_out(
        "the last demonstration: `shutbox demo` plays another",
        rf"{_fixed(_HOME.demo_journal)}.*|demo\.(mark|good\.sqlite3.*)",
    ),
    _left_out("worked out again when they are needed", _fixed(_HOME.odds)),
    _left_out("pictures of throws, which are large; copy the folder if you want them", _fixed(_HOME.evidence)),
    _left_out("pictures that you drew on tiles; copy the folder if you want them", _fixed(_HOME.tile_pictures)),
    _left_out(
        "where the simulated tiles are, which stay as they are",
        f"{_of_box(_HOME.simulated_tiles('@'))}|{_of_box(_HOME.simulated_wood('@'))}",
    ),
    _left_out(
        "who may do what, which opens the box to whoever gets the file; set a PIN or pair anew",
        rf"{_fixed(_HOME.access)}|access\.damaged-.*",
    ),
    _left_out("a copy of the settings, made anew at the next start", _fixed(_HOME.last_settings)),
    _left_out("how often this very computer was started", _fixed(_HOME.runs)),
    _left_out("counts that could not be read and were put aside", r"(runs|wear-[a-z0-9-]+)\.damaged-.*"),
    _left_out("what an earlier restore has put aside", r"before-restore-.*"),
    _left_out("an earlier backup", r"shutbox-.*\.tar\.gz"),
    _left_out("of programs that run", r".*\.(lock|sock)"),
    _left_out(
        "half of what a program wrote", r"\.journal\.sqlite3\..*|(dice/)?\..+\.new|.*\.\d+\.new|\.swap|\.shutbox-.*"
    ),
)
_STRANGE = "not of this program"
_SEATS = {"known by tokens at this box alone; people sit down again": ["who has which seat"]}


def kind_of(name: str) -> SavedKind | None:
    """Return the kind of a saved file by its name relative to the home; None for a file that backups do not hold."""
    return next((kind for kind in SAVED if kind.names.fullmatch(name)), None)


def kinds_of(names: Iterable[str]) -> list[str]:
    """Return the descriptions of files with these names, each kind once."""
    kinds = map(kind_of, names)
    return list(dict.fromkeys(kind.what for kind in kinds if kind is not None))


def saved_names(folder: Path) -> Iterator[str]:
    """Yield the names of the files that a backup holds, kind by kind; each kind is listed when its turn comes."""
    for kind in SAVED:
        yield from (name for name in _names_in(folder) if kind.names.fullmatch(name) and (folder / name).is_file())


def replaced_names(folder: Path) -> list[str]:
    """Return the names of the files that a restore puts aside: the saved ones, and those that belong to the journal."""
    companions = [kind for kind in LEFT_OUT if kind.of_journal]
    more = (name for name in _names_in(folder) if any(kind.names.fullmatch(name) for kind in companions))
    return [*saved_names(folder), *more]


def left_out(folder: Path) -> dict[str, list[str]]:
    """Return the names of the files in a home that no backup holds, by the reason."""
    found: dict[str, list[str]] = {}
    for name in _names_in(folder):
        if kind_of(name) is None or not (folder / name).is_file():
            kind = next((kind for kind in LEFT_OUT if kind.names.fullmatch(name)), None)
            found.setdefault(kind.why if kind else _STRANGE, []).append(name)
    return found | _SEATS


def _names_in(folder: Path) -> list[str]:
    """Return the names of files and folders in a home and in its folder of taught dice; nothing without a home."""
    if not folder.is_dir():
        return []
    # The folder of dice is listed file by file.
    within = (path for path in folder.iterdir() if path.name != "dice" or not path.is_dir())
    return sorted(str(path.relative_to(folder)) for path in (*within, *folder.glob("dice/*")))
