"""Several files of a folder replaced as one: after a crash at any moment all are the old ones, or all the new ones.

The new files are made ready in a hidden folder beside the old ones. Once they are on the disk, a list of what is to be
moved is written there in one step. Without that list nothing has happened, and what lies there is swept away; with it
the moves are made, by this process or by the next one that looks (`finish_swap`), until they all are. The old files
are moved aside and never deleted.
"""

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hardware.calibration import sync, write_durably

_STAGE = ".swap"
_NEW = "new"
_MOVES = "moves.json"


@contextmanager
def stage_files(folder: Path) -> Iterator[Path]:
    """An empty folder for the new files of `folder`, on the same file system; what is left at the end is swept away.

    The caller keeps other processes from the files of `folder` meanwhile. Raises `OSError`.
    """
    finish_swap(folder)
    staged = folder / _STAGE / _NEW
    staged.mkdir(parents=True)
    try:
        yield staged
    finally:
        _sweep(folder)


def swap_files(folder: Path, old: Iterable[str], aside: str) -> None:
    """Move the files `old` of `folder` into its folder `aside`, which does not exist yet, and the staged ones in.

    Names are relative to `folder`. Raises `OSError`; what has been begun by then is finished by `finish_swap`.
    """
    staged = folder / _STAGE / _NEW
    new = sorted(path for path in staged.rglob("*") if not path.is_dir())
    for path in (*new, *_folders_of(new), staged.parent, folder):
        sync(path)
    moves = {"aside": aside, "old": list(old), "new": [str(path.relative_to(staged)) for path in new]}
    write_durably(_moves_of(folder), json.dumps(moves).encode())
    finish_swap(folder)


def is_swap_left(folder: Path) -> bool:
    """True if a swap in `folder` goes on, or was broken off."""
    return os.path.lexists(folder / _STAGE)


def finish_swap(folder: Path) -> None:
    """Carry through a swap that was broken off; one that had not begun to count leaves the old files.

    The caller keeps other processes from the files of `folder` meanwhile. Raises `OSError`.
    """
    moves = _moves_of(folder)
    if moves.exists():
        _make_moves(folder, **json.loads(moves.read_bytes()))
        moves.unlink()
        sync(moves.parent)
    _sweep(folder)


def _sweep(folder: Path) -> None:
    """Remove what a swap needs no longer, unless there are moves to be made yet."""
    if is_swap_left(folder) and not _moves_of(folder).exists():
        shutil.rmtree(folder / _STAGE)


def _moves_of(folder: Path) -> Path:
    return folder / _STAGE / _MOVES


def _make_moves(folder: Path, aside: str, old: list[str], new: list[str]) -> None:
    kept = folder / aside
    for name in old:
        # Done before a crash already: what has the name now is the new file.
        if not os.path.lexists(kept / name):
            _move(folder / name, kept / name)
    for name in new:
        _move(folder / _STAGE / _NEW / name, folder / name)
    for place in _folders_of([*(kept / name for name in old), *(folder / name for name in new), kept]):
        if place.exists():
            sync(place)


def _move(source: Path, target: Path) -> None:
    if os.path.lexists(source):
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(source, target)


def _folders_of(paths: Iterable[Path]) -> list[Path]:
    return sorted({path.parent for path in paths})
