"""Several files of a folder replaced as one: after a crash at any moment all are the old ones, or all the new ones.

The new files are made ready in a hidden folder beside the old ones. Once they are on the disk, a list of what is to be
moved is written there in one step. Without that list nothing has happened, and what lies there is swept away; with it
the moves are made, by this process or by the next one that looks (`finish_swap`), until they all are. The old files
are moved aside and never deleted.

A list that is found may be anybody's who can write in that folder: nothing is moved out of it, nor by way of a link.
"""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

from controller.errors import SettingsError
from hardware.calibration import sync, write_durably

_STAGE = ".swap"
_NEW = "new"
_MOVES = "moves.json"


def _is_inside(name: str) -> str:
    """A name that leads nowhere but into the folder. Raises `ValueError` for any other."""
    parts = Path(name).parts
    if not parts or "\0" in name or Path(name).is_absolute() or ".." in parts or parts[0] == _STAGE:
        raise ValueError(f"{name!r} does not lie in the folder")
    return name


_Name = Annotated[str, AfterValidator(_is_inside)]


class _Moves(BaseModel):
    """What is to be moved: the files `old` into the folder `aside`, and the staged files `new` in."""

    model_config = ConfigDict(extra="forbid")

    aside: _Name
    old: list[_Name]
    new: list[_Name]


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
    moves = _Moves(aside=aside, old=list(old), new=[str(path.relative_to(staged)) for path in new])
    write_durably(_moves_of(folder), moves.model_dump_json().encode())
    finish_swap(folder)


def is_swap_left(folder: Path) -> bool:
    """True if a swap in `folder` goes on, or was broken off."""
    return os.path.lexists(folder / _STAGE)


def finish_swap(folder: Path) -> None:
    """Carry through a swap that was broken off; one that had not begun to count leaves the old files.

    The caller keeps other processes from the files of `folder` meanwhile. Raises `OSError`, or `SettingsError` for what
    no swap has left there; then nothing is moved.
    """
    moves = _moves_of(folder)
    try:
        _refuse_links(folder, [moves.parent, moves])
        if moves.exists():
            _make_moves(folder, _read_moves(folder))
            moves.unlink()
            sync(moves.parent)
    except ValueError as error:
        raise SettingsError(f"no restore has left {moves.parent}; look whose it is, and remove it") from error
    _sweep(folder)


def _read_moves(folder: Path) -> _Moves:
    """The moves that are to be made in `folder`. Raises `ValueError` for any that lead out of it."""
    moves = _Moves.model_validate_json(_moves_of(folder).read_bytes(), strict=True)
    kept, staged = folder / moves.aside, folder / _STAGE / _NEW
    files = [*(place / name for place in (folder, kept) for name in moves.old)]
    files += [place / name for place in (folder, staged) for name in moves.new]
    _refuse_links(folder, (place for file in files for place in file.parents if place.is_relative_to(folder)))
    return moves


def _refuse_links(folder: Path, places: Iterable[Path]) -> None:
    """Raise `ValueError` if one of these places in `folder`, which may be one itself, is a link."""
    for place in places:
        if place != folder and place.is_symlink():
            raise ValueError(f"{place} is a link")


def _sweep(folder: Path) -> None:
    """Remove what a swap needs no longer, unless there are moves to be made yet."""
    if is_swap_left(folder) and not _moves_of(folder).exists():
        shutil.rmtree(folder / _STAGE)


def _moves_of(folder: Path) -> Path:
    return folder / _STAGE / _MOVES


def _make_moves(folder: Path, moves: _Moves) -> None:
    kept = folder / moves.aside
    for name in moves.old:
        # Done before a crash already: what has the name now is the new file.
        if not os.path.lexists(kept / name):
            _move(folder / name, kept / name)
    for name in moves.new:
        _move(folder / _STAGE / _NEW / name, folder / name)
    moved = [*(kept / name for name in moves.old), *(folder / name for name in moves.new), kept]
    for place in _folders_of(moved):
        if place.exists():
            sync(place)


def _move(source: Path, target: Path) -> None:
    if os.path.lexists(source):
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(source, target)


def _folders_of(paths: Iterable[Path]) -> list[Path]:
    return sorted({path.parent for path in paths})
