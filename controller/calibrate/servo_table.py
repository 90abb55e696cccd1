"""Views of calibrated servos: a table with end points as bars, a line for each tile that is not good, and JSON."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from controller.calibrate.saving import file_json
from firmware.calibration import Failure, Outcome, Proposal
from hardware.box import LEAST_US, MOST_US
from hardware.measured import Measured
from hardware.servo_calibration import ServoCalibration, ServoTile
from hardware.tiles import TileId

_BAR = 16  # characters; even
_COLOURS = {"good": "green", "fair": "yellow", "poor": "red"}


def draw_servos(
    now: ServoCalibration, before: ServoCalibration | None, box: str, order: Collection[TileId], title: str = "Servos"
) -> Iterator[RenderableType]:
    """The table of the tiles, with what has changed since `before`, and the lines below it."""
    grid = Grid(title=f"{title} of the box {box}{_origin(now)}", box=SIMPLE, padding=(0, 1), title_justify="left")
    grid.add_column("tile", no_wrap=True)
    grid.add_column(f"{LEAST_US:<{_BAR // 2}}{MOST_US:>{_BAR // 2}}", no_wrap=True)
    for name in ("open", "shut", "change", "down s", "up s"):
        grid.add_column(name, justify="right", no_wrap=True)
    grid.add_column("mark", no_wrap=True)
    for tile in order:
        found = now.tiles.get(tile)
        if found is not None:
            was = before.tiles.get(tile) if before is not None else None
            grid.add_row(*_cells(tile, found, was))
    yield grid
    for tile in order:
        found = now.tiles.get(tile)
        if found is not None and found.verdict != "good":
            yield f"{tile} is {found.verdict}: {found.reason}"
    for measured, tiles in _by_date(now, order).items():
        some = "" if len(tiles) == len(now.tiles) else f": {', '.join(map(str, tiles))}"
        yield f"Measured {measured}{some}."
    yield _since(before)
    for board, factor in now.clocks.items():
        yield f"Board {board}: pulses are {factor:.3f} times as long as asked for, and corrected."


def describe_missing(now: ServoCalibration, order: Iterable[TileId]) -> str:
    """The tiles of which nothing was saved, in a sentence; empty for none."""
    missing = [str(tile) for tile in order if tile not in now.tiles]
    return f"Not calibrated, the profile's pulses are used: {', '.join(missing)}." if missing else ""


def describe_outcome(tile: TileId, outcome: Outcome, done: str) -> tuple[str, str]:
    """How one tile came out, as a line and its style; `done` is how many are done, in words."""
    if isinstance(outcome, Failure):
        return f"  {tile} ({done}): failed: {outcome.seen}. {outcome.cure}", "red"
    times = f"down {_seconds(outcome.shut_s)} s, up {_seconds(outcome.open_s)} s"
    ends = f"open {outcome.open_us} us, shut {outcome.shut_us} us"
    why = "" if outcome.verdict == "good" else f" {outcome.reason}"
    return f"  {tile} ({done}): {outcome.verdict}: {ends}, {times}.{why}", _COLOURS[outcome.verdict]


def outcome_json(outcomes: Mapping[TileId, Outcome]) -> dict[str, Any]:
    """Tiles that were measured and tiles that were not, as a program wants them."""
    tiles = {str(tile): _proposal_json(each) for tile, each in outcomes.items() if isinstance(each, Proposal)}
    failed = {
        str(tile): {"seen": each.seen, "cure": each.cure}
        for tile, each in outcomes.items()
        if isinstance(each, Failure)
    }
    return {"tiles": tiles, "failed": failed}


def saved_json(saved: Iterable[TileId], file: Path | None) -> dict[str, Any]:
    """The tiles that were saved, and the file; None for nothing."""
    return {
        **file_json(file),
        "saved_tiles": [str(tile) for tile in saved] if file else [],
    }


def versions_json(now: ServoCalibration, before: ServoCalibration | None) -> dict[str, Any]:
    """A calibration and the one before it."""
    return {**now.model_dump(mode="json"), "before": before.model_dump(mode="json") if before else None}


def _proposal_json(proposal: Proposal) -> dict[str, Any]:
    return {
        "open_us": proposal.open_us,
        "shut_us": proposal.shut_us,
        "shut_s": round_seconds(proposal.shut_s),
        "open_s": round_seconds(proposal.open_s),
        "repeat_s": round_seconds(proposal.repeat_s),
        "verdict": proposal.verdict,
        "reason": proposal.reason,
    }


def round_seconds(seconds: float | None) -> float | None:
    """Round seconds to a tenth of a millisecond, which is finer than anybody looks."""
    return None if seconds is None else round(seconds, 4)


def _cells(tile: TileId, found: ServoTile, was: ServoTile | None) -> tuple[str | Text, ...]:
    return (
        str(tile),
        _bar(found),
        str(found.open_us),
        str(found.shut_us),
        f"{found.open_us - was.open_us:+d} {found.shut_us - was.shut_us:+d}" if was is not None else "new",
        _seconds(found.shut_s),
        _seconds(found.open_s),
        Text(found.verdict, style=_COLOURS[found.verdict]),
    )


def _bar(found: ServoTile) -> str:
    """The range of a servo with the end points in it: O stands, S lies."""
    opened, shut = _place(found.open_us), _place(found.shut_us)
    marks = {opened: "O", shut: "S"}
    inside = range(min(opened, shut), max(opened, shut))
    return "".join(marks.get(k, "━" if k in inside else "·") for k in range(_BAR))


def _place(pulse_us: int) -> int:
    return round((pulse_us - LEAST_US) / (MOST_US - LEAST_US) * (_BAR - 1))


def _seconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds:.2f}"


def _by_date(now: ServoCalibration, order: Iterable[TileId]) -> dict[str, list[TileId]]:
    """The tiles by when and by whom they were measured, the last first."""
    found = sorted(((now.tiles[tile], tile) for tile in order if tile in now.tiles), key=lambda each: each[0].date)
    days: dict[str, list[TileId]] = {}
    for each, tile in reversed(found):
        days.setdefault(f"{_day(each)} by {each.author}", []).insert(0, tile)
    return days


def _day(measured: Measured) -> str:
    return measured.date.astimezone().strftime("%Y-%m-%d %H:%M")


def _since(before: ServoCalibration | None) -> str:
    return f"Changes since {_day(before)} by {before.author}." if before else "There is no earlier version."


def _origin(now: ServoCalibration) -> str:
    return "" if now.simulated_seed is None else f" (simulated, seed {now.simulated_seed})"
