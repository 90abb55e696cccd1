"""The custom dice of this box: one file a set in the folder `dice` of the home folder.

A power cut leaves the old set or the new one; a set that is replaced is kept under the time of the replacement.
"""

import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from hardware.calibration import stamp, write_durably
from hardware.toml_file import read_plain
from vision.custom_dice.body import Body
from vision.custom_dice.faces import DiceFace, DiceSet
from vision.custom_dice.fitting import GRID
from vision.custom_dice.shapes import Shape
from vision.custom_dice.showing import EDGES_MM
from vision.errors import BadDice
from vision.reading import PIPS

VERSION = 2
MOST_BYTES = 40_000_000
_MOST_SHOTS = 4000
_NAME_LENGTH = 32

T = TypeVar("T")


def pack(taught: DiceSet, date: datetime) -> bytes:
    """Return the bytes (NumPy npz) of a set that was taught at that time."""
    file = io.BytesIO()
    np.savez_compressed(
        file,
        version=np.array(VERSION),
        date=np.array(date.isoformat()),
        name=np.array(taught.name),
        sides=np.array(taught.sides),
        edge_mm=np.array(taught.shape.edge_mm),
        drawn_mm=np.array(taught.drawn_mm),
        body_names=np.array([body.name for body in taught.bodies]),
        bodies=np.array([body.bgr for body in taught.bodies]),
        axes=np.array([body.axis for body in taught.bodies]),
        contrasts=np.array([body.contrast for body in taught.bodies]),
        values=np.array([face.value for face in taught.faces]),
        labels=np.array([face.label for face in taught.faces]),
        shots=np.concatenate([face.shots for face in taught.faces]),
        counts=np.array([len(face.shots) for face in taught.faces]),
        floors=np.array([face.floor for face in taught.faces]),
        ceilings=np.array([face.ceiling for face in taught.faces]),
        margins=taught.margins,
        offsets=taught.offsets,
        alike=np.array(taught.alike, np.int64).reshape(-1, 2),
    )
    return file.getvalue()


def unpack(data: bytes) -> DiceSet:
    """Return the set in bytes made by `pack`. Raises `ValueError` with one line that describes the problem."""
    return _read(data, _set_of)


def taught_at(data: bytes) -> datetime:
    """Return the time at which the set was taught. Raises `ValueError`."""
    return _read(data, lambda arrays: datetime.fromisoformat(str(arrays["date"])))


def _read(data: bytes, make: Callable[[Any], T]) -> T:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            if sum(entry.file_size for entry in file.infolist()) > MOST_BYTES:
                raise ValueError("it is too large")
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            if int(arrays["version"]) != VERSION:
                raise ValueError(f"it has version {int(arrays['version'])}, this program reads {VERSION}")
            return make(arrays)
    except ValueError as problem:
        raise ValueError(" ".join(str(problem).split())) from problem
    except Exception as problem:  # whatever zip and NumPy raise for damaged bytes
        raise ValueError("it is damaged") from problem


def _set_of(arrays: Any) -> DiceSet:
    sides = int(arrays["sides"])
    if sides != 6 and sides != 20:
        raise ValueError(f"dice have 6 or 20 sides, not {sides}")
    least, most = EDGES_MM[6 if sides == 6 else 20]
    shape = Shape(6 if sides == 6 else 20, _number(arrays, "edge_mm", least, most))
    faces = _faces(arrays, sides)
    count = len(faces)
    values = [face.value for face in faces]
    alike = _array(arrays, "alike", (None, 2))
    if not np.isin(alike, values).all():
        raise ValueError("alike: there is no such face")
    return DiceSet(
        _word(str(arrays["name"])),
        shape,
        _number(arrays, "drawn_mm", 1.0, most),
        _bodies(arrays),
        faces,
        _array(arrays, "margins", (count, count)).astype(np.float64),
        _array(arrays, "offsets", (count, count)).astype(np.float64),
        tuple((int(one), int(other)) for one, other in alike),
    )


def _faces(arrays: Any, sides: int) -> tuple[DiceFace, ...]:
    values = _array(arrays, "values", (None,)).astype(int)
    count = len(values)
    if not 1 <= count <= sides or len(set(values.tolist())) != count or values.min() < 1 or values.max() > 20:
        raise ValueError("values: each face has one of its own, from 1 to 20")
    labels = [_word(label) for label in arrays["labels"].tolist()]
    counts = _array(arrays, "counts", (count,)).astype(int)
    if len(labels) != count or counts.min() < 1 or counts.sum() > _MOST_SHOTS:
        raise ValueError("counts: every face has its shots")
    shots = arrays["shots"]
    if shots.dtype != np.uint8 or shots.shape != (int(counts.sum()), GRID, GRID):
        raise ValueError(f"shots: {GRID} x {GRID} bytes each")
    floors, ceilings = (_array(arrays, name, (count,)).astype(float) for name in ("floors", "ceilings"))
    parts = np.split(shots, np.cumsum(counts)[:-1])
    return tuple(
        DiceFace(int(value), label, part, float(floor), float(ceiling))
        for value, label, part, floor, ceiling in zip(values, labels, parts, floors, ceilings, strict=True)
    )


def _bodies(arrays: Any) -> tuple[Body, ...]:
    names = [_word(name) for name in arrays["body_names"].tolist()]
    count = len(names)
    if count < 1 or len(set(names)) != count:
        raise ValueError("body_names: each body has a name of its own")
    colours, axes = _array(arrays, "bodies", (count, 3)), _array(arrays, "axes", (count, 3))
    if colours.min() < 0 or colours.max() > 255 or not np.allclose(np.linalg.norm(axes, axis=1), 1, atol=1e-3):
        raise ValueError("bodies: no such colours")
    contrasts = _array(arrays, "contrasts", (count,))
    return tuple(
        Body(name, colour, axis, float(contrast))
        for name, colour, axis, contrast in zip(names, colours, axes, contrasts, strict=True)
    )


def _array(arrays: Any, name: str, shape: tuple[int | None, ...]) -> NDArray[Any]:
    """Return an array of finite numbers of this shape (None: any length)."""
    found: NDArray[Any] = arrays[name]
    fits = found.ndim == len(shape) and all(want in (None, side) for want, side in zip(shape, found.shape, strict=True))
    if not fits or found.dtype.kind not in "iuf" or not np.isfinite(found).all():
        raise ValueError(f"{name}: not as it was written")
    return found


def _number(arrays: Any, name: str, least: float, most: float) -> float:
    value = float(_array(arrays, name, ()))
    if not least <= value <= most:
        raise ValueError(f"{name}: {value:g} is not from {least:g} to {most:g}")
    return value


def _word(text: str) -> str:
    if not 1 <= len(text) <= _NAME_LENGTH or not text.isprintable():
        raise ValueError("a name is no name")
    return text


_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")


@dataclass(frozen=True, slots=True)
class DiceFolder:
    """The custom sets in the data folder of a home."""

    home: Path

    @property
    def folder(self) -> Path:
        """Return the folder of the files; it need not exist yet."""
        return self.home / "dice"

    def path(self, name: str) -> Path:
        """Return the file of a set. Raises `BadDice` for an invalid name."""
        if name == PIPS:
            raise BadDice("dice with pips need no teaching: the box reads them as they are")
        if not _NAME.fullmatch(name):
            raise BadDice(f"{name!r} is no name for dice: small letters, digits, - and _, at most 32")
        return self.folder / f"{name}.npz"

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the sets, in alphabetical order."""
        return tuple(sorted(path.stem for path in self.folder.glob("*.npz") if _NAME.fullmatch(path.stem)))

    def load(self, name: str) -> DiceSet:
        """Load a set. Raises `BadDice` when there is none of that name or its file is damaged."""
        taught = self._read(name, unpack)
        if taught.name != name:
            raise BadDice(f"{self.path(name)}: this file holds the dice {taught.name!r}; teach {name!r} again")
        return taught

    def taught_at(self, name: str) -> datetime:
        """Return the time at which a set was taught. Raises `BadDice`."""
        return self._read(name, taught_at)

    def save(self, taught: DiceSet, date: datetime) -> Path:
        """Write a set; an older one of that name is kept under the time of `date`. Raises `BadDice` and `OSError`."""
        path = self.path(taught.name)
        self.folder.mkdir(parents=True, exist_ok=True)  # it belongs to the owner of the home folder
        if path.exists():
            write_durably(path.with_name(f"{path.name}.{stamp(date)}"), path.read_bytes())
        write_durably(path, pack(taught, date))
        return path

    def forget(self, name: str) -> None:
        """Delete a set with its earlier versions. Raises `BadDice` when there is none, `OSError`."""
        path = self.path(name)
        if not path.exists():
            raise BadDice(self._unknown(name))
        for file in [path, *self.folder.glob(f"{path.name}.*")]:
            file.unlink()

    def _read(self, name: str, unpacked: Callable[[bytes], T]) -> T:
        path = self.path(name)
        try:
            return unpacked(read_plain(path, MOST_BYTES))
        except FileNotFoundError:
            raise BadDice(self._unknown(name)) from None
        except OSError as error:
            raise BadDice(f"{path}: cannot be read: {error.strerror}") from error
        except ValueError as problem:
            raise BadDice(f"{path}: {problem}; teach these dice again") from problem

    def _unknown(self, name: str) -> str:
        known = ", ".join((PIPS, *self.names))
        return f"no dice {name!r} were taught on this box; it knows {known}"
