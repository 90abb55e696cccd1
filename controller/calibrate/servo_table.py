"""Present calibrated servos: a table with end points as bars, a line for each tile that is not good, and JSON."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from controller.calibrate.saving import file_json
from firmware.calibration.columns import Failure, Outcome
from firmware.calibration.measure import Proposal
from hardware.box import LEAST_US, MOST_US
from hardware.measured import Measured
from hardware.servo_calibration import ServoCalibration, ServoTile
from hardware.tiles import TileId

_BAR = 16  # characters; even
_COLOURS = {"good": "green", "fair": "yellow", "poor": "red"}


def draw_servos(
    now: ServoCalibration, before: ServoCalibration | None, box: str, order: Collection[TileId], title: str = "Servos"
) -> Iterator[RenderableType]:
    """Yield the table of the tiles, with the changes since `before`, and the lines below it."""
    origin = "" if now.simulated_seed is None else f" (simulated, seed {now.simulated_seed})"
    grid = Grid(title=f"{title} of the box {box}{origin}", box=SIMPLE, padding=(0, 1), title_justify="left")
    grid.add_column("tile", no_wrap=True)
    grid.add_column(f"{LEAST_US:<{_BAR // 2}}{MOST_US:>{_BAR // 2}}", no_wrap=True)
    for name in ("open", "shut", "change", "down s", "up s"):
        grid.add_column(name, justify="right", no_wrap=True)
    grid.add_column("mark", no_wrap=True)
    for tile in order:
        found = now.tiles.get(tile)
        if found is not None:
            was = before.tiles.get(tile) if before is not None else None
            grid.add_row(
                str(tile),
                _bar(found),
                str(found.open_us),
                str(found.shut_us),
                f"{found.open_us - was.open_us:+d} {found.shut_us - was.shut_us:+d}" if was is not None else "new",
                _seconds(found.shut_s),
                _seconds(found.open_s),
                Text(found.verdict, style=_COLOURS[found.verdict]),
            )
    yield grid
    for tile in order:
        found = now.tiles.get(tile)
        if found is not None and found.verdict != "good":
            yield f"{tile} is {found.verdict}: {found.reason}"
    for measured, tiles in _by_date(now, order).items():
        some = "" if len(tiles) == len(now.tiles) else f": {', '.join(map(str, tiles))}"
        yield f"Measured {measured}{some}."
    yield f"Changes since {_day(before)} by {before.author}." if before else "There is no earlier version."
    for board, factor in now.clocks.items():
        yield f"Board {board}: pulses are {factor:.3f} times as long as asked for, and corrected."


def describe_missing(now: ServoCalibration, order: Iterable[TileId]) -> str:
    """Return a sentence about the tiles of which nothing was saved; "" if there are none."""
    missing = [str(tile) for tile in order if tile not in now.tiles]
    return f"Not calibrated, the profile's pulses are used: {', '.join(missing)}." if missing else ""


def describe_outcome(tile: TileId, outcome: Outcome, done: str) -> tuple[str, str]:
    """Return a line about the outcome of one tile, and its style. done: the progress, in words."""
    if isinstance(outcome, Failure):
        return f"  {tile} ({done}): failed: {outcome.seen}. {outcome.cure}", "red"
    times = f"down {_seconds(outcome.shut_s)} s, up {_seconds(outcome.open_s)} s"
    ends = f"open {outcome.open_us} us, shut {outcome.shut_us} us"
    why = "" if outcome.verdict == "good" else f" {outcome.reason}"
    return f"  {tile} ({done}): {outcome.verdict}: {ends}, {times}.{why}", _COLOURS[outcome.verdict]


def outcome_json(outcomes: Mapping[TileId, Outcome]) -> dict[str, Any]:
    """Return the tiles that were measured and those that were not, in the form for programs."""
    tiles = {str(tile): proposal_json(each) for tile, each in outcomes.items() if isinstance(each, Proposal)}
    failed = {
        str(tile): {"seen": each.seen, "cure": each.cure}
        for tile, each in outcomes.items()
        if isinstance(each, Failure)
    }
    return {"tiles": tiles, "failed": failed}


def saved_json(saved: Iterable[TileId], file: Path | None) -> dict[str, Any]:
    """Return the tiles that were saved, and the file (None: nothing was saved)."""
    return {
        **file_json(file),
        "saved_tiles": [str(tile) for tile in saved] if file else [],
    }


def versions_json(now: ServoCalibration, before: ServoCalibration | None) -> dict[str, Any]:
    """Return a calibration and the one before it."""
    return {**now.model_dump(mode="json"), "before": before.model_dump(mode="json") if before else None}


def proposal_json(proposal: Proposal) -> dict[str, Any]:
    """Return the measured values of one tile; times are rounded to 0.1 ms."""
    return {
        "open_us": proposal.open_us,
        "shut_us": proposal.shut_us,
        "shut_s": _round_seconds(proposal.shut_s),
        "open_s": _round_seconds(proposal.open_s),
        "repeat_s": _round_seconds(proposal.repeat_s),
        "verdict": proposal.verdict,
        "reason": proposal.reason,
    }


def _round_seconds(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 4)


def _bar(found: ServoTile) -> str:
    """Draw the range of a servo with its end points: O for open, S for shut."""
    opened, shut = _place(found.open_us), _place(found.shut_us)
    marks = {opened: "O", shut: "S"}
    inside = range(min(opened, shut), max(opened, shut))
    return "".join(marks.get(k, "━" if k in inside else "·") for k in range(_BAR))


def _place(pulse_us: int) -> int:
    return round((pulse_us - LEAST_US) / (MOST_US - LEAST_US) * (_BAR - 1))


def _seconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds:.2f}"


def _by_date(now: ServoCalibration, order: Iterable[TileId]) -> dict[str, list[TileId]]:
    """Group the tiles by the date and author of their measurement, latest first."""
    found = sorted(((now.tiles[tile], tile) for tile in order if tile in now.tiles), key=lambda each: each[0].date)
    days: dict[str, list[TileId]] = {}
    for each, tile in reversed(found):
        days.setdefault(f"{_day(each)} by {each.author}", []).insert(0, tile)
    return days


def _day(measured: Measured) -> str:
    return measured.date.astimezone().strftime("%Y-%m-%d %H:%M")
