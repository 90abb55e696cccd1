"""Atomic replacement of several files of a folder: after a crash at any moment either all are old or all are new.

The new files are prepared in a hidden folder next to the old ones. Once they are on the disk, a list of the moves is
written there atomically. Without that list nothing has happened, and the hidden folder is removed; with it the moves
are made, by this process or by the next one that checks (`finish_swap`), until all are done. The old files are moved
aside and never deleted.

A list that is found may come from anybody who can write in the folder: nothing is moved out of it, nor through a link.
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
from hardware.toml_file import read_plain

_STAGE = ".swap"
_NEW = "new"
_MOVES = "moves.json"


def _is_inside(name: str) -> str:
    """Return a name that leads into the folder. Raises `ValueError` for any other."""
    parts = Path(name).parts
    if not parts or "\0" in name or Path(name).is_absolute() or ".." in parts or parts[0] == _STAGE:
        raise ValueError(f"{name!r} does not lie in the folder")
    return name


_Name = Annotated[str, AfterValidator(_is_inside)]


class _Moves(BaseModel):
    """The moves: the files `old` into the folder `aside`, and the staged files `new` into the folder."""

    model_config = ConfigDict(extra="forbid")

    aside: _Name
    old: list[_Name]
    new: list[_Name]


@contextmanager
def stage_files(folder: Path) -> Iterator[Path]:
    """Yield an empty folder for the new files of `folder`, on the same file system; remove what is left at the end.

    The caller keeps other processes away from the files of `folder` meanwhile. Raises `OSError`.
    """
    finish_swap(folder)
    staged = folder / _STAGE / _NEW
    staged.mkdir(parents=True)
    try:
        yield staged
    finally:
        _sweep(folder)


def swap_files(folder: Path, old: Iterable[str], aside: str) -> None:
    """Move the files `old` of `folder` into its folder `aside`, which does not exist yet, and the staged files in.

    Names are relative to `folder`. Raises `OSError`; `finish_swap` then completes the swap if it has begun.
    """
    _list_moves(folder / _STAGE, old, aside)
    sync(folder)
    finish_swap(folder)


def swap_prepared(folder: Path, prepared: Path, old: Iterable[str], aside: str) -> None:
    """As `swap_files`, with files that were prepared earlier, in the folder `new` of `prepared`, itself in `folder`.

    `prepared` becomes the hidden folder with its list in it: before that nothing has happened. No swap may be left.
    """
    _list_moves(prepared, old, aside)
    os.replace(prepared, folder / _STAGE)
    sync(folder)
    finish_swap(folder)


def sync_prepared(prepared: Path) -> None:
    """Have the files in the folder `new` of `prepared` reach the disk. Raises `OSError`."""
    new = _files_in(prepared)
    for path in (*new, *_folders_of(new), prepared / _NEW, prepared):
        sync(path)


def _list_moves(stage: Path, old: Iterable[str], aside: str) -> None:
    """Write the list of the moves into `stage`, once the new files in it are on the disk."""
    sync_prepared(stage)
    new = [str(path.relative_to(stage / _NEW)) for path in _files_in(stage)]
    write_durably(stage / _MOVES, _Moves(aside=aside, old=list(old), new=new).model_dump_json().encode())


def _files_in(stage: Path) -> list[Path]:
    return sorted(path for path in (stage / _NEW).rglob("*") if not path.is_dir())


def is_swap_left(folder: Path) -> bool:
    """Return whether a swap in `folder` is in progress, or was interrupted."""
    return os.path.lexists(folder / _STAGE)


def finish_swap(folder: Path) -> None:
    """Finish a swap that was interrupted; if its list was not written yet, the old files stay.

    The caller keeps other processes away from the files of `folder` meanwhile. Raises `OSError`, or `SettingsError` for
    content that is not from a swap or belongs to somebody else; then nothing is moved.
    """
    moves = moves_of(folder)
    try:
        _refuse_links(folder, [moves.parent, moves])
        if moves.exists():
            _make_moves(folder, _read_moves(folder))
            moves.unlink()
            sync(moves.parent)
    except ValueError as error:
        raise SettingsError(f"no restore has left {moves.parent}; look whose it is, and remove it") from error
    except PermissionError as error:
        cure = f"say `sudo chown -R --reference={folder} {moves.parent}`"
        raise SettingsError(f"a restore was broken off, and {error.filename} is closed; {cure}") from error
    _sweep(folder)


def _read_moves(folder: Path) -> _Moves:
    """Read the moves to be made in `folder`. Raises `ValueError` if one leads out of it."""
    moves = _Moves.model_validate_json(read_plain(moves_of(folder)), strict=True)
    kept, staged = folder / moves.aside, folder / _STAGE / _NEW
    files = [*(place / name for place in (folder, kept) for name in moves.old)]
    files += [place / name for place in (folder, staged) for name in moves.new]
    _refuse_links(folder, (place for file in files for place in file.parents if place.is_relative_to(folder)))
    return moves


def _refuse_links(folder: Path, places: Iterable[Path]) -> None:
    """Raise `ValueError` if one of these places in `folder` is a link; `folder` itself may be one."""
    for place in places:
        if place != folder and place.is_symlink():
            raise ValueError(f"{place} is a link")


def _sweep(folder: Path) -> None:
    """Remove the hidden folder, unless there are still moves to be made."""
    if is_swap_left(folder) and not moves_of(folder).exists():
        shutil.rmtree(folder / _STAGE)


def moves_of(folder: Path) -> Path:
    """Return the path of the list of moves that a swap in `folder` has yet to make."""
    return folder / _STAGE / _MOVES


def _make_moves(folder: Path, moves: _Moves) -> None:
    kept = folder / moves.aside
    for name in moves.old:
        # If it was moved before a crash, the name now belongs to the new file.
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
