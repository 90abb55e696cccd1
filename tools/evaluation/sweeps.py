"""Sweeps of `vision --json`, counted in several runs: what they say together."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self

from rich.table import Table

from controller.opponents.misreadings import most_of
from controller.runtime.output import Exit, print_json
from controller.runtime.terminal import answers, table
from vision.errors import BadTruth
from vision.scoring import Tally

_READER = ("capture", "field", "foreground", "network", "pips", "reader", "reading.py")
_MARKS = ("exact", "wrong", "refused")


@dataclass(frozen=True, slots=True)
class Sweep:
    """The first throws of one seed and how they were read; `reader` and `world` are digests of what reads and draws."""

    reader: str
    world: str
    seed: int
    tally: Tally

    @classmethod
    def of(cls, told: Any) -> Self:
        """The sweep that `vision --sweep N --json` told. Raises `ValueError`, `KeyError` or `TypeError`."""
        sweep, marks = told["sweep"], [told[mark] for mark in _MARKS]
        return cls(str(sweep["reader"]), str(sweep["world"]), _count(sweep["seed"]), Tally(*map(_count, marks)))

    def as_json(self) -> Mapping[str, Any]:
        """What is told beside the marks."""
        return {"reader": self.reader, "world": self.world, "seed": self.seed}


@cache
def reader_digest() -> str:
    """The digest of all that has a say in the reading of a throw, code and weights."""
    from vision import __path__

    home = Path(__path__[0])
    return _digest(path for part in _READER for path in _files(home / part))


@cache
def world_digest() -> str:
    """The digest of all that has a say in what a simulated throw looks like."""
    import hardware.sim
    import vision

    return _digest([*_files(Path(vision.__path__[0]) / "sim"), Path(hardware.sim.__path__[0]) / "dice.py"])


def load_sweeps(path: Path) -> list[Sweep]:
    """Load what `vision --sweep N --json` told, once or, one a line, several times. Raises `OSError` and
    `BadTruth`.
    """
    try:
        found = [Sweep.of(json.loads(line)) for line in path.read_text("utf-8").splitlines() if line.strip()]
    except (ValueError, KeyError, TypeError) as error:
        raise BadTruth(f"{path}: not what bench vision --sweep N --json told") from error
    if not found:
        raise BadTruth(f"{path}: there is no sweep in it")
    return found


def join_sweeps(sweeps: Sequence[Sweep]) -> Tally:
    """The marks of all of them together. Raises `BadTruth` where they are not of one reader and one world, or where the
    same throws were counted twice.
    """
    if len({(sweep.reader, sweep.world) for sweep in sweeps}) > 1:
        raise BadTruth("these sweeps are of different readers or worlds: one says nothing of another")
    seed, times = Counter(sweep.seed for sweep in sweeps).most_common(1)[0]
    if times > 1:
        raise BadTruth(f"the throws of seed {seed} were counted twice: give every sweep a seed of its own")
    return Tally(*(sum(getattr(sweep.tally, mark) for sweep in sweeps) for mark in _MARKS))


def report_joined(paths: Sequence[Path], *, as_json: bool) -> Exit:
    """Tell what sweeps in these files say together; NO if a wrong answer was given. Raises `OSError` and `BadTruth`."""
    sweeps = [sweep for path in paths for sweep in load_sweeps(path)]
    tally = join_sweeps(sweeps)
    told = {
        "sweeps": len(sweeps),
        "reader": sweeps[0].reader,
        "world": sweeps[0].world,
        "is_this_reader": sweeps[0].reader == reader_digest(),
        "pictures": tally.pictures,
        **{mark: getattr(tally, mark) for mark in _MARKS},
        "most_wrong": most_of(tally.wrong, tally.pictures),
    }
    if as_json:
        print_json(told)
    else:
        _show(told, tally)
    return Exit.NO if tally.wrong else Exit.DONE


def _count(given: object) -> int:
    """A number that counts something. Raises `ValueError`."""
    if not isinstance(given, int) or isinstance(given, bool) or given < 0:
        raise ValueError(f"{given!r} counts nothing")
    return given


def _show(told: Mapping[str, Any], tally: Tally) -> None:
    shown = Table("Sweeps", "Throws", "Exact", "Wrong", "Refused", "Refused %")
    refused = 100 * tally.refused / max(1, tally.pictures)
    shown.add_row(str(told["sweeps"]), *(str(told[name]) for name in ("pictures", *_MARKS)), f"{refused:.2f}")
    table.print(shown)
    whose = "this reader" if told["is_this_reader"] else "another reader than this one"
    bound = 1 / max(told["most_wrong"], 1e-12)
    answers.print(
        f"By {whose} ({told['reader']}), in the simulator's world ({told['world']}): at most 1 wrong in {bound:,.0f}, "
        "with 95 % confidence.",
        markup=False,
    )


def _files(part: Path) -> list[Path]:
    return sorted(path for path in (part.rglob("*") if part.is_dir() else [part]) if path.suffix in (".py", ".onnx"))


def _digest(files: Iterable[Path]) -> str:
    total = hashlib.sha256()
    for path in files:
        total.update(path.name.encode() + b"\0" + path.read_bytes())
    return total.hexdigest()[:16]
