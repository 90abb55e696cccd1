"""Switches each rule of the reader off alone: `python -m tools.evaluation.ablation FOLDER ...`.

Prints a table of what is then read exactly, wrongly, and given though it must be refused, of the pictures of these
folders and their truth. A rule that loses nothing on a set that no reader has met is not worth its lines.
"""

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from rich.progress import Progress
from rich.table import Table

from controller.runtime.terminal import answers, words
from hardware.box import load_box
from tools.evaluation.timing import keep_to_one_core
from vision.capture.files import load_picture
from vision.field.view import PX_PER_MM
from vision.reader.reader import read_dice
from vision.reading import Reading
from vision.scoring import Mark, Truth, find_truth, judge, pictures_in

_BOX = load_box("two-level-9")
_AT_ONCE = 8  # pictures that a process reads by one rule after the other

Switch = tuple[str, Any]
"""What is replaced, by its full name, and what takes its place."""


def _no_list(*_: object) -> list[object]:
    return []


def _never(*_: object) -> bool:
    return False


def _zero(*_: object) -> float:
    return 0.0


RULES: Mapping[str, tuple[Switch, ...]] = {
    "nothing": (),
    "lean: none is too much": (("vision.reader.refusal.LEANS", 1.0),),
    "smear": (("vision.reader.dice.measure_smear", _zero),),
    "washed-out middles": (("vision.reader.dice.is_washed_out", _never),),
    "the pips must be like a face": (("vision.pips.lattice._LIKE", 0.0),),
    "the largest value counts": (("vision.pips.lattice._NEARLY", 0.0),),
    "the network must be certain": (("vision.reader.dice.CERTAIN", 0.3),),
    "the map must be certain of a 1": (("vision.reader.dice._SURELY_SHOWN", 0.0),),
    "map and network together": (("vision.reader.claims._SEEN", 0.6),),
    "places about that of the map": (("vision.reader.claims._ABOUT", (np.zeros((1, 2)),)),),
    "places beside the likeliest": (("vision.reader.claims._NONE", 10.0 * PX_PER_MM),),
    "things on the baize": (("vision.foreground.unexplained.find_things_on_baize", _no_list),),
    "... sheets by their writing": (("vision.foreground.unexplained._find_sheets", _no_list),),
    "... washed-out areas": (("vision.foreground.unexplained._white", lambda seen: np.zeros_like(seen.inside)),),
    "... gloss of a lamp is none": (("vision.foreground.unexplained._fades", _never),),
    "... the wall is none": (("vision.foreground.unexplained._WALL_MM", 0),),
    "... shadows of dice are none": (
        ("vision.foreground.unexplained.find_shadows", lambda seen, dice: np.zeros_like(seen.inside)),
    ),
    "squares of a covered marker": (("vision.reader.dice._is_printed", _never),),
    "intrusions over the edge": (("vision.foreground.unexplained.find_intrusions", _no_list),),
    "things of another colour": (("vision.foreground.unexplained.find_off_colour", _no_list),),
    "four turns of a doubtful crop": (
        (
            "vision.network.network._Network.chances_over_turns",
            lambda self, planes, _: self.chances(planes),
        ),
    ),
}


def _read(path: Path) -> Reading:
    picture = load_picture(path)
    return picture if isinstance(picture, Reading) else read_dice(picture, layout=_BOX.field, die_mm=_BOX.die_mm)


def mark_of(truth: Truth, reading: Reading) -> str:
    """Exact, wrong, given (values though it must be refused), or refused."""
    mark = judge(truth, reading)
    return "given" if mark is Mark.WRONG and truth.must_refuse else str(mark)


def _by_rule(paths: list[tuple[Path, Truth]]) -> dict[str, list[str]]:
    """The marks of these pictures, with each rule switched off alone."""
    keep_to_one_core()
    found: dict[str, list[str]] = {}
    for rule, switches in RULES.items():
        with ExitStack() as switched:
            for name, other in switches:
                switched.enter_context(mock.patch(name, other))
            found[rule] = [mark_of(truth, _read(path)) for path, truth in paths]
    return found


def main(folders: list[Path], show: Callable[[Table], None]) -> None:
    """Read the pictures of these folders by each reader that lacks one rule."""
    pairs = [(path, truth) for folder in folders for path in pictures_in(folder) if (truth := find_truth(path))]
    chunks = [pairs[at : at + _AT_ONCE] for at in range(0, len(pairs), _AT_ONCE)]
    marks: dict[str, list[str]] = {rule: [] for rule in RULES}
    with ProcessPoolExecutor() as pool, Progress(console=words, transient=True) as bar:
        for found in bar.track(pool.map(_by_rule, chunks), total=len(chunks), description="Reading pictures"):
            for rule, some in found.items():
                marks[rule] += some
    table = Table("Switched off", "Exact", "Wrong", "Given", "Refused", "Better", "Worse")
    for rule, some in marks.items():
        counts = Counter(some)
        changed = [(before, after) for before, after in zip(marks["nothing"], some, strict=True) if before != after]
        better = sum(after == "exact" for _, after in changed)
        numbers = [counts[mark] for mark in ("exact", "wrong", "given", "refused")]
        table.add_row(rule, *map(str, (*numbers, better, len(changed) - better)))
    show(table)


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]], answers.print)
