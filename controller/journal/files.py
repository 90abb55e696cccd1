"""Paths of the files that belong to one journal: its high-water mark, its backup copy, and files put aside."""

import os
from datetime import date
from pathlib import Path

from hardware.calibration import sync
from hardware.toml_file import name_aside

# SQLite keeps these beside a database that is open, or was open when the power failed.
_COMPANIONS = ("-wal", "-shm")
_WHY = ("damaged", "newer")


def high_water_mark_of(journal: Path) -> Path:
    """Return the path of the high-water mark: the last event that was acknowledged."""
    return journal.with_suffix(".mark")


def backup_copy_of(journal: Path) -> Path:
    """Return the path of the copy of all finished games, from which a damaged journal is rebuilt."""
    return journal.with_suffix(f".good{journal.suffix}")


def has_journal_beside(journal: Path) -> bool:
    """Return True if companion files show that there was a journal at this path."""
    return any(
        place.exists() for place in (high_water_mark_of(journal), backup_copy_of(journal), rebuilt_path_of(journal))
    )


def rebuilt_path_of(journal: Path) -> Path:
    """Return the path of a rebuilt journal. Once it exists it is complete, and replaces the damaged one."""
    return journal.with_name(f".{journal.name}.fresh")


def files_of(journal: Path) -> tuple[Path, ...]:
    """Return the paths of a journal, of SQLite's files beside it, of its mark and its backup copy; none need exist."""
    beside = (_beside(journal, companion) for companion in _COMPANIONS)
    return (journal, *beside, high_water_mark_of(journal), backup_copy_of(journal))


def remove_journal(journal: Path) -> None:
    """Remove a journal with its mark and its backup copy, for example a demonstration's. Raises `OSError`."""
    for place in files_of(journal):
        place.unlink(missing_ok=True)


def set_aside(journal: Path, why: str, today: date) -> Path | None:
    """Rename a journal and SQLite's files beside it, so that its name is free. Raises `OSError`.

    why: "damaged" or "newer", part of the new name. Anything at this path is renamed, even a folder. Returns the new
    path; None if there was nothing.
    """
    aside = name_aside(journal, why, today)
    for companion in _COMPANIONS:
        if (there := _beside(journal, companion)).exists():
            os.replace(there, _beside(aside, companion))
    if why == "newer" and (mark := high_water_mark_of(journal)).exists():
        os.replace(mark, high_water_mark_of(aside))  # no event that it marks is lost
    was_there = os.path.lexists(journal)  # a link to nothing, or one of a loop, has the name too
    if was_there:
        os.replace(journal, aside)
    sync(journal.parent)
    return aside if was_there else None


def put_folders_aside(journal: Path, today: date) -> list[Path]:
    """Rename everything that is no file, or a link to none, but has the name of one; return the new paths.

    Raises `OSError`.
    """
    moved = []
    for place in (
        high_water_mark_of(journal),
        backup_copy_of(journal),
        *(_beside(journal, each) for each in _COMPANIONS),
    ):
        if os.path.lexists(place) and not place.is_file():
            moved.append(name_aside(place, "damaged", today))
            os.replace(place, moved[-1])
    return moved


def put_aside(journal: Path) -> list[Path]:
    """Return the files of this journal that were put aside: lost games may still be found there."""
    stems = (place.stem for place in (journal, backup_copy_of(journal)))
    found = (path for stem in stems for why in _WHY for path in journal.parent.glob(f"{stem}.{why}-*"))
    return sorted(path for path in found if path.suffix == journal.suffix)


def _beside(path: Path, companion: str) -> Path:
    return path.with_name(path.name + companion)
