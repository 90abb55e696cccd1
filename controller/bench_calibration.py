"""`shutbox bench calibration`: simulated boxes just put together are calibrated, and compared with their wood."""

import random
from collections.abc import Generator
from dataclasses import dataclass
from functools import partial

from controller.calibration_wiring import end_errors_deg, open_simulated_servo_rig
from controller.clock import run_jumping
from controller.processes import mapping
from firmware.calibrating.columns import Outcome, measure_tiles
from firmware.calibrating.measure import Proposal
from firmware.calibrating.stroker import Stroker
from hardware.box import Box
from hardware.tiles import TileId

_IN_PLACE = 4  # so few boxes are calibrated before a pool has started
_SLUGGISH_PART = 0.5  # of the boxes one tile has a third of its speed


@dataclass(frozen=True, slots=True)
class TileResult:
    """What became of one tile: its mark (None: not measured) and its errors in degrees, beside what is true of it."""

    tile: str
    verdict: str | None
    truly_poor: bool
    open_deg: float
    shut_deg: float

    @property
    def called_poor(self) -> bool:
        """Whether it would not be saved."""
        return self.verdict in ("poor", None)

    @property
    def error_deg(self) -> float:
        """The greater error of its two ends."""
        return max(abs(self.open_deg), abs(self.shut_deg))


@dataclass(frozen=True, slots=True)
class BoxResult:
    """What became of the simulated box with this seed: how long a servo was driven at most without
    its tile moving, and whether the tiles were put back.

    Where a tile does not arrive in time, it and its neighbours may be unable to come back: that is not counted.
    """

    seed: int
    tiles: tuple[TileResult, ...]
    stall_s: float
    put_back: bool
    box_s: float


def calibrated_boxes(box: Box, seeds: range) -> Generator[BoxResult, None, None]:
    """Calibrate the simulated boxes with these seeds, by one process a core where there are many."""
    with mapping(in_place=len(seeds) <= _IN_PLACE) as each:
        yield from each(partial(calibrated_box, box), seeds)


def calibrated_box(box: Box, seed: int) -> BoxResult:
    """Calibrate one box on a clock that jumps."""
    return run_jumping(_calibrated(box, seed))


async def _calibrated(box: Box, seed: int) -> BoxResult:
    async with open_simulated_servo_rig(box, seed) as (rig, world):
        sluggish = _sluggish(box, seed)
        if sluggish is not None:
            world.slow(sluggish)
        firmware = rig.firmware
        before = {tile: world.position(tile) for tile in box.tile_ids}
        await firmware.servos.arm()
        stroker = Stroker(box, firmware.servos, firmware.sensors, firmware.panel)
        outcomes = await measure_tiles(stroker, box, box.tile_ids, _no_words)
        results = []
        for tile, outcome in outcomes.items():
            truly_poor = tile == sluggish or world.play_deg(tile) > 0
            if isinstance(outcome, Proposal):
                errors = end_errors_deg(world, tile, outcome.open_us, outcome.shut_us)
                results.append(TileResult(str(tile), outcome.verdict, truly_poor, *errors))
            else:
                results.append(TileResult(str(tile), None, truly_poor, 0.0, 0.0))
        # A tile that does not arrive in time may be unable to come back, and keep others where they are.
        all_arrive = all(isinstance(each, Proposal) and each.arrives for each in outcomes.values())
        put_back = not all_arrive or before == {tile: world.position(tile) for tile in box.tile_ids}
        return BoxResult(seed, tuple(results), world.strain.longest_s, put_back, world.now())


def _sluggish(box: Box, seed: int) -> TileId | None:
    chance = random.Random(f"{seed}/sluggish")
    return chance.choice(box.tile_ids) if chance.random() < _SLUGGISH_PART else None


def _no_words(_tile: TileId, _outcome: Outcome | None) -> None:
    """Nobody listens."""
