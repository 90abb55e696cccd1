"""The report from hardware: its rows, one for each test or each tile of a test, and its page.

The empty form in `docs/evidence/on-hardware.md` and the report of a run are the same page: `python -m tests.on_box`
writes the empty one.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import pytest

from firmware.calibration.bringup.chips import kinds_of
from firmware.drivers.bus import chip_name
from hardware.box import Box
from hardware.tiles import TileId

Each = Literal["box", "tile", "chip"]
Test = TypeVar("Test", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Row:
    """One question of the form; with `each`, one for every tile or chip of the box.

    file: the module of its test. wire: the line of the panel, or the wires of a tile, that it is about.
    is_bare: a computer without a box can answer it, with its camera.
    """

    file: str
    chapter: str
    part: str
    expected: str
    wire: str = ""
    each: Each = "box"
    is_bare: bool = False


ROWS: dict[str, Row] = {}


def row(
    chapter: str, part: str, expected: str, *, wire: str = "", each: Each = "box", is_bare: bool = False
) -> Callable[[Test], Test]:
    """Make a test the answer to a question of the form; questions stand there in the order in which pytest asks."""

    def decorate(test: Test) -> Test:
        ROWS[test.__name__] = Row(test.__module__, chapter, part, expected, wire, each, is_bare)
        # The libraries of a Pi may warn of what a test on a laptop must not do.
        marked: Test = pytest.mark.filterwarnings("default")(pytest.mark.box(test))
        return marked

    return decorate


@dataclass(slots=True)
class Entry:
    """The answer to one question. seen: in words. result: pass, FAIL or skipped. why: the fault, or the reason."""

    part: str
    wire: str
    expected: str
    seen: str = ""
    result: str = ""
    why: str = ""


HEAD: Mapping[str, str] = {
    "who": "a name, or none",
    "when": "day and hour",
    "computer": "model, memory, 64 bits, kernel; and its supply",
    "program": "version, Python",
    "box": "profile; calibrated or not",
}
"""The first lines of the form, with what belongs there."""

_EXPLANATION = """\
# Report from hardware

**The form is empty: nobody has filled it in on a real Raspberry Pi yet.** `pytest -m box` fills in a copy, on a real
box and with a person beside it; [an hour with a borrowed Pi](../howto/lend-a-pi.md) says how. Nothing is simulated
there: the program opens bus, header and camera as it does for a game.

Each row says what is expected and what was seen. *pass* and *FAIL* are the program's; where a person looked or
measured, the row says what they typed. *skipped* has its reason beside it: a part that is not there, that a fault
keeps from being tested, or that nobody could look at. Rows marked ° need no box: the computer alone can answer them,
or with its camera. The rows below are those of the reference box, `{box}`; other boxes have other tiles.
"""
_LEGEND = "Filled in by `pytest -m box`; rows marked ° need no box. Skipped rows have their reasons.\n"
_COLUMNS = ("| part | wire | expected | seen | result |", "|---|---|---|---|---|")


class Form:
    """The answers of one run on one box.

    Lifetime: one run. Concurrency: none.
    """

    def __init__(self, box: Box) -> None:
        self.box = box
        self.head = dict.fromkeys(HEAD, "")
        self.entries: dict[tuple[str, str], Entry] = {}
        # Whichever module was loaded first.
        for test, asked in sorted(ROWS.items(), key=lambda each: each[1].file):
            for name in _names(box, asked.each):
                part = f"{asked.part} {name}".strip() + (" °" if asked.is_bare else "")
                self.entries[test, name] = Entry(part, _wire(box, asked, name), asked.expected)

    def empty_page(self) -> str:
        """Return the form with nothing filled in, and with what is to be filled in."""
        return self._page(_EXPLANATION.format(box=self.box.name), {key: f"*{hint}*" for key, hint in HEAD.items()})

    def page(self) -> str:
        """Return the report: a summary, what failed, and all rows."""
        results = Counter(entry.result or "not reached" for entry in self.entries.values())
        said = ", ".join(f"{results[each]} {each}" for each in ("pass", "FAIL", "skipped", "not reached"))
        wrong = (entry for entry in self.entries.values() if entry.result == "FAIL")
        failed = [f"- **{entry.part}**: {' '.join(entry.why.split())}" for entry in wrong]
        lines = ["# Report from hardware", "", f"**{said}.** {_LEGEND}", *failed, *([""] if failed else [])]
        return self._page("\n".join(lines), self.head)

    def _page(self, beginning: str, head: Mapping[str, str]) -> str:
        lines = [beginning, "| | |", "|---|---|", *(_line(key, value) for key, value in head.items())]
        chapter = ""
        for (test, _), entry in self.entries.items():
            if ROWS[test].chapter != chapter:
                chapter = ROWS[test].chapter
                lines += [
                    "",
                    f"## {chapter}",
                    "",
                    "| part | wire | expected | seen | result |",
                    "|---|---|---|---|---|",
                ]
            seen = "; ".join(filter(None, (entry.seen, entry.why)))
            lines.append(_line(entry.part, entry.wire, entry.expected, seen, entry.result))
        return "\n".join(lines) + "\n"


def _line(*cells: str) -> str:
    plain = (" ".join(cell.split()).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(plain)} |"


def _names(box: Box, each: Each) -> tuple[str, ...]:
    return {
        "box": ("",),
        "tile": tuple(map(str, box.tile_ids)),
        "chip": tuple(map(chip_name, kinds_of(box))),
    }[each]


def _wire(box: Box, asked: Row, name: str) -> str:
    if asked.each == "tile":
        wiring = box.tiles[TileId.parse(name)]
        servo, sensors = (wiring.servo,), (wiring.shut, wiring.open)
        wires = {"servo": servo, "sensors": sensors}.get(asked.wire, (*servo, *sensors))
        return ", ".join(str(wire) for wire in wires if wire is not None)
    if asked.each == "chip":
        return kinds_of(box)[int(name, 16)]
    return str(getattr(box.panel, asked.wire) or "none") if asked.wire else ""
