"""Campaign `calibration`: boxes just put together are calibrated, and compared with the truth."""

import random
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from rich.table import Table

from controller.box.simulated_rigs import open_simulated_servo_rig
from controller.runtime.clock import run_jumping
from controller.runtime.output import Exit
from controller.runtime.terminal import answers, table
from firmware.calibration.columns import Outcome, Stroker, measure_tiles
from firmware.calibration.measure import Proposal
from firmware.calibration.strokes import LONGEST_PRESS_S
from firmware.tiles.plan import neighbours
from hardware.box import Box
from hardware.sim.servo import JUST_BUILT, Tolerances
from hardware.tiles import TileId
from tests.campaigns.campaign import Campaign, print_report
from tests.support.true_box import end_errors_deg, longest_s, play_deg, stress_of

ALLOWED_DEG = 3.0
_IN_PLACE = 4  # boxes: see `Campaign.in_place`
_SLUGGISH_PART = 0.5  # of the boxes one tile has a third of its speed


@dataclass(frozen=True, slots=True)
class TileOutcome:
    """One tile: its mark (None: not measured) and its errors in degrees, beside what is true of it.

    truly_poor: None where either answer is right. Play only lengthens a slot, but moves its two edges by as much, and
    the tile that shares its column with a slow one may be held there.
    """

    tile: str
    verdict: str | None
    truly_poor: bool | None
    open_deg: float
    shut_deg: float

    @property
    def called_poor(self) -> bool:
        """True if it would not be saved."""
        return self.verdict in ("poor", None)

    @property
    def error_deg(self) -> float:
        """The greater error of its two ends."""
        return max(abs(self.open_deg), abs(self.shut_deg))


@dataclass(frozen=True, slots=True)
class BoxOutcome:
    """The simulated box with this seed: its tiles, how long a servo was driven at most without its tile moving, whether
    the tiles were put back, and the seconds it took at the box.

    Where a tile does not arrive in time, it and its neighbours may be unable to come back: that is not counted.
    """

    seed: int
    tiles: tuple[TileOutcome, ...]
    stall_s: float
    put_back: bool
    box_s: float


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """All boxes that were calibrated, of the profile `box`; fewer than were asked for if it was `interrupted`."""

    box: Box
    boxes: Sequence[BoxOutcome]
    interrupted: bool = False

    @property
    def tiles(self) -> list[TileOutcome]:
        """Every tile of every box."""
        return [tile for box in self.boxes for tile in box.tiles]

    @property
    def errors_deg(self) -> list[float]:
        """The errors of both ends of every sound tile, greatest first."""
        sound = [tile for tile in self.tiles if tile.truly_poor is False and tile.verdict is not None]
        return sorted((abs(end) for tile in sound for end in (tile.open_deg, tile.shut_deg)), reverse=True)

    @property
    def stall_s(self) -> float:
        """The longest that any servo was driven without its tile moving: a stall is never longer."""
        return max((box.stall_s for box in self.boxes), default=0.0)

    def count(self, *, truly_poor: bool, called_poor: bool) -> int:
        """The number of tiles that are truly so and are called so."""
        return sum(tile.truly_poor is truly_poor and tile.called_poor == called_poor for tile in self.tiles)

    @property
    def passed(self) -> bool:
        """True if every box was calibrated as it should be."""
        missed = self.count(truly_poor=True, called_poor=False)
        falsely = self.count(truly_poor=False, called_poor=True)
        fits = bool(self.errors_deg) and self.errors_deg[0] <= ALLOWED_DEG and self.stall_s <= LONGEST_PRESS_S
        return fits and not missed and not falsely and all(box.put_back for box in self.boxes)

    def as_json(self) -> Mapping[str, Any]:
        """The counts and the worst of all boxes."""
        errors = self.errors_deg
        return {
            "box": self.box.name,
            "boxes": len(self.boxes),
            "tiles": len(self.tiles),
            "worst_deg": errors[0] if errors else None,
            "median_deg": statistics.median(errors) if errors else None,
            "longest_stall_s": self.stall_s,
            "poor_called_poor": self.count(truly_poor=True, called_poor=True),
            "poor_missed": self.count(truly_poor=True, called_poor=False),
            "sound_called_poor": self.count(truly_poor=False, called_poor=True),
            "not_put_back": sum(not each.put_back for each in self.boxes),
            "box_seconds": statistics.median(each.box_s for each in self.boxes) if self.boxes else None,
            "passed": self.passed,
            "interrupted": self.interrupted,
        }

    def show(self) -> None:
        """The same as a table, then every tile that was judged wrongly and every box whose tiles lie elsewhere."""
        shown = Table("Measured", "Value", "Allowed")
        for name, value, allowed in _rows(self):
            shown.add_row(name, value, allowed)
        table.print(shown)
        for box in self.boxes:
            for tile in box.tiles:
                is_off = tile.truly_poor is False and tile.verdict is not None and tile.error_deg > ALLOWED_DEG
                if is_off or tile.truly_poor is (not tile.called_poor):
                    answers.print(f"seed {box.seed} {_line(tile)}", markup=False)
            if not box.put_back:
                answers.print(f"seed {box.seed}: a tile was not put back", markup=False)


def bench_calibration(box: Box, seeds: range, tolerances: Tolerances = JUST_BUILT, *, as_json: bool) -> Exit:
    """Calibrate, compare and report; NO if an end is off by more than 3 degrees, a servo stalled, or a mark is wrong.

    Ctrl-C ends with what there is so far and is raised again as `KeyboardInterrupt`.
    """
    worst_deg = 0.0

    def describe(outcome: BoxOutcome) -> str:
        nonlocal worst_deg
        worst_deg = max(worst_deg, *CalibrationReport(box, [outcome]).errors_deg, 0.0)
        return f"worst {worst_deg:.1f} degrees"

    results = Campaign("boxes", seeds, partial(calibrate_box, box, tolerances=tolerances), in_place=_IN_PLACE).run(
        describe
    )
    report = CalibrationReport(box, results.outcomes, results.interrupted)
    summary = f"{len(results.outcomes)} boxes {box.name} in {results.seconds:.0f} s."
    return print_report(report, results, as_json=as_json, summary=summary)


def calibrate_box(box: Box, seed: int, tolerances: Tolerances = JUST_BUILT) -> BoxOutcome:
    """Calibrate the simulated box with this seed on a jumping loop, and compare with its wood."""
    return run_jumping(_calibrate_box(box, seed, tolerances))


async def _calibrate_box(box: Box, seed: int, tolerances: Tolerances) -> BoxOutcome:
    async with open_simulated_servo_rig(box, seed, tolerances) as (rig, world):
        sluggish = _draw_sluggish(box, seed)
        if sluggish is not None:
            world.slow(sluggish)
        firmware = rig.firmware
        before = {tile: world.position(tile) for tile in box.tile_ids}
        await firmware.servos.arm()
        stroker = Stroker(box, firmware.servos, firmware.sensors, firmware.panel)
        outcomes = await measure_tiles(stroker, box, box.tile_ids, _ignore)
        results = []
        for tile, outcome in outcomes.items():
            is_loose = play_deg(world, tile) >= tolerances.loose_deg[0]
            truly_poor: bool | None = tile == sluggish or is_loose
            beside_it = sluggish in neighbours(tile, box.rows, box.columns)
            if tile != sluggish and (beside_it or (is_loose and box.motion.link == "slot")):
                truly_poor = None
            if isinstance(outcome, Proposal):
                errors = end_errors_deg(world, tile, outcome.open_us, outcome.shut_us)
                results.append(TileOutcome(str(tile), outcome.verdict, truly_poor, *errors))
            else:
                results.append(TileOutcome(str(tile), None, truly_poor, 0.0, 0.0))
        # A tile that does not arrive in time may be unable to come back, and keep others where they are.
        all_arrive = all(isinstance(each, Proposal) and each.shut_s is not None for each in outcomes.values())
        put_back = not all_arrive or before == {tile: world.position(tile) for tile in box.tile_ids}
        return BoxOutcome(seed, tuple(results), longest_s(stress_of(world)), put_back, world.now())


def _draw_sluggish(box: Box, seed: int) -> TileId | None:
    chance = random.Random(f"{seed}/sluggish")
    return chance.choice(box.tile_ids) if chance.random() < _SLUGGISH_PART else None


def _ignore(_tile: TileId, _outcome: Outcome | None) -> None:
    """Do nothing: the report tells of all tiles at the end."""


def _rows(report: CalibrationReport) -> list[tuple[str, str, str]]:
    errors = report.errors_deg
    missed = report.count(truly_poor=True, called_poor=False)
    falsely = report.count(truly_poor=False, called_poor=True)
    return [
        ("boxes, tiles", f"{len(report.boxes)}, {len(report.tiles)}", ""),
        ("worst error of an end", f"{errors[0]:.2f} degrees" if errors else "-", f"{ALLOWED_DEG:.0f}"),
        ("median error of an end", f"{statistics.median(errors):.2f} degrees" if errors else "-", ""),
        ("longest driven without moving", f"{report.stall_s:.3f} s", f"{LONGEST_PRESS_S}"),
        ("poor tiles called poor", str(report.count(truly_poor=True, called_poor=True)), ""),
        ("poor tiles missed", str(missed), "0"),
        ("sound tiles called poor", str(falsely), "0"),
        ("boxes not put back", str(sum(not box.put_back for box in report.boxes)), "0"),
        ("a box takes", f"{statistics.median(box.box_s for box in report.boxes):.0f} s" if report.boxes else "-", ""),
    ]


def _line(tile: TileOutcome) -> str:
    truth = "poor" if tile.truly_poor else "sound"
    ends = f"open {tile.open_deg:+.1f}, shut {tile.shut_deg:+.1f} degrees off"
    return f"{tile.tile}: {truth}, called {tile.verdict or 'not measured'}; {ends}"
