"""The files of one journal: beside its own the mark, the good copy, and what was set aside."""

import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from hardware.calibration import sync

# What SQLite keeps beside a database that is open, or was when the power went.
_COMPANIONS = ("-wal", "-shm")
_WHY = ("damaged", "newer")


def mark_of(journal: Path) -> Path:
    """The file with the mark of the last event that was acknowledged."""
    return journal.with_suffix(".mark")


def good_copy_of(journal: Path) -> Path:
    """The copy of every game that was over, to go on from where the journal is damaged."""
    return journal.with_suffix(f".good{journal.suffix}")


def has_journal_beside(journal: Path) -> bool:
    """True if what lies beside tells that there has been a journal at this place."""
    return any(place.exists() for place in (mark_of(journal), good_copy_of(journal), fresh_of(journal)))


def fresh_of(journal: Path) -> Path:
    """A journal made anew: once it is there it is complete, and takes the place of the other."""
    return journal.with_name(f".{journal.name}.fresh")


def remove_journal(journal: Path) -> None:
    """Remove a journal, as one of a demonstration, with its mark and its good copy. Raises `OSError`."""
    beside = (_beside(journal, companion) for companion in _COMPANIONS)
    for place in (journal, *beside, mark_of(journal), good_copy_of(journal)):
        place.unlink(missing_ok=True)


def set_aside(journal: Path, why: str, today: date) -> Path | None:
    """Rename a journal, with all that SQLite keeps beside it, so that its name is free. Raises `OSError`.

    `why` stands in the new name: "damaged", "newer". What cannot be opened at all, such as a folder, is renamed too.
    The place where it lies now; None where there was none.
    """
    aside = next(name for name in _names_aside(journal, why, today) if not name.exists())
    for companion in _COMPANIONS:
        if (there := _beside(journal, companion)).exists():
            os.replace(there, _beside(aside, companion))
    was_there = journal.exists()
    if was_there:
        os.replace(journal, aside)
    sync(journal.parent)
    return aside if was_there else None


def put_folders_aside(journal: Path, today: date) -> list[Path]:
    """Rename whatever is no file and stands where one belongs; the places where it lies now. Raises `OSError`."""
    moved = []
    for place in (mark_of(journal), good_copy_of(journal), *(_beside(journal, each) for each in _COMPANIONS)):
        if place.exists() and not place.is_file():
            moved.append(next(name for name in _names_aside(place, "damaged", today) if not name.exists()))
            os.replace(place, moved[-1])
    return moved


def put_aside(journal: Path) -> list[Path]:
    """What was put aside of this journal: whoever repairs a box looks there for what was lost."""
    stems = (place.stem for place in (journal, good_copy_of(journal)))
    found = (path for stem in stems for why in _WHY for path in journal.parent.glob(f"{stem}.{why}-*"))
    return sorted(path for path in found if not path.name.endswith(_COMPANIONS))


def _beside(path: Path, companion: str) -> Path:
    return path.with_name(path.name + companion)


def _names_aside(journal: Path, why: str, today: date) -> Iterator[Path]:
    first = f"{journal.stem}.{why}-{today.isoformat()}"
    yield journal.with_name(f"{first}{journal.suffix}")
    number = 1
    while True:
        number += 1
        yield journal.with_name(f"{first}-{number}{journal.suffix}")
