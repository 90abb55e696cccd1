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
from vision.reader.reader import read_dice
from vision.reading import Reading
from vision.scoring import Mark, Truth, find_truth, judge, pictures_in

_BOX = load_box("two-level-9")
_AT_ONCE = 8  # pictures that a process reads by one rule after the other

Switch = tuple[str, Any]
"""What is replaced, by its full name, and what takes its place."""


def _nothing(*_: object) -> tuple[object, ...]:
    return ()


def _no_list(*_: object) -> list[object]:
    return []


def _no_places(*_: object) -> np.ndarray:
    return np.zeros((0, 2))


def _never(*_: object) -> bool:
    return False


def _zero(*_: object) -> float:
    return 0.0


RULES: Mapping[str, tuple[Switch, ...]] = {
    "nothing": (),
    "lean: none is too much": (("vision.reader.refusal.leans", _never),),
    "smear": (("vision.reader.refusal.is_smeared", _never),),
    "gloss": (("vision.reader.reader.measure_gloss", _zero),),
    "stray pips": (("vision.reader.refusal._shows_another_die", _never),),
    "doubtful dice": (("vision.reader.refusal.is_doubtful", _never),),
    "dice that only the network sees": (
        ("vision.reader.reader.add_network_only", lambda view, seen, found, *_: found),
    ),
    "specks dropped": (("vision.reader.reader.drop_specks", lambda view, found: found),),
    "things on the baize": (("vision.foreground.unexplained.find_things_on_baize", _no_list),),
    "intrusions over the edge": (("vision.foreground.unexplained.find_intrusions", _no_list),),
    "things of another colour": (("vision.foreground.unexplained.find_off_colour", _no_list),),
    "small bodies, light or dim": (
        ("vision.foreground.background.find_small_bodies", lambda pixels, inside, *, light: np.zeros_like(inside)),
    ),
    "dim bodies": (("vision.reader.retry.find_dim_bodies", _no_places),),
    "dice on markers": (("vision.reader.reader.see_on_markers", _nothing),),
    "lattices where the network sees dice": (("vision.reader.reader.fit_lattices", _no_list),),
    "search by the network": (("vision.reader.reader.search_by_network", _nothing),),
    "dice on the map": (("vision.reader.reader.see_on_map", _no_places),),
    "second look": (("vision.reader.reader.unexplained_boxes", _no_list),),
    "empty boxes": (("vision.reader.reader.is_empty", _never),),
    "body of a 1, 2 or 3": (("vision.reader.scan._has_body", lambda *_: True),),
    "next pip of a 1": (("vision.reader.scan.find_next_pips", lambda spots, *_: np.zeros(len(spots), bool)),),
    "close rows of a 6": (("vision.pips.face_candidates._find_close_six", _nothing),),
    "rings about pips": (("vision.pips.face_check._CONTRARY", 1000.0),),
    "shadows of the wall": (("vision.foreground.shadows._shadow_of_wall", lambda shade, *_: np.zeros_like(shade)),),
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
