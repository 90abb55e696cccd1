"""Open the simulated box in this process: tiles, wires and camera of one world, on the running loop's clock.

A simulated box in a process of its own is a mock-box.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from controller.box.checks import log_camera_drift
from controller.box.dice import simulated_claim_dice
from controller.box.faults import apply_faults, check_faults
from controller.box.simulated_actions import Hands
from controller.box.stored_calibration import find_uncalibrated
from controller.box.table import Table, open_table
from controller.errors import BadDeed
from controller.runtime.locks import lock_tiles
from firmware.box_io import Firmware, open_firmware
from firmware.sim.i2c import WorldBusLines, open_i2c
from firmware.sim.pins import open_pin_factory
from firmware.sim.remote import SimulatedComputer
from firmware.sim.worker import SimulatedWorker, WorldAlarm
from hardware.box import Box
from hardware.calibration import CameraCalibration, ServoCalibration
from hardware.sim.hands import act, look_at
from hardware.sim.servo import CAREFUL, JUST_BUILT, Tolerances
from hardware.sim.world import World
from vision.capture.turned import as_hung
from vision.sim.camera import SimulatedCamera


def open_simulated_table(
    box: Box,
    *,
    seed: int,
    faults: Sequence[str] = (),
    store: Path | None = None,
    calibration: CameraCalibration | None = None,
    servos: ServoCalibration | None = None,
    claims: str | None = None,
    built: Box | None = None,
) -> AbstractAsyncContextManager[Table]:
    """Open a simulated box with these faults. Raises `BadFault` at once, before it is entered.

    store: the file with the state of its tiles. built: its profile as it was built, if it is driven by another.
    claims: the picture on the jokers of its dice for Fleet! and Flash! (boat, bolt); None: it has no such dice.
    """
    check_faults(built or box, faults)  # a generator would raise only when it is entered
    opening = open_simulated_world(
        box,
        seed=seed,
        store=store,
        calibration=calibration,
        servos=servos,
        claims=claims,
        prepare=lambda world: apply_faults(world, faults),
        built=built,
    )

    @asynccontextmanager
    async def open_locked() -> AsyncIterator[Table]:
        with lock_tiles(store):
            async with opening as (table, _):
                await log_camera_drift(table, calibration)
                # Without a calibration its servos are mounted with a gauge, exactly as the profile says.
                yield replace(table, found=find_uncalibrated(box, servos) if servos is not None else ())

    return open_locked()


@asynccontextmanager
async def open_simulated_world(
    box: Box,
    *,
    seed: int,
    store: Path | None = None,
    calibration: CameraCalibration | None = None,
    servos: ServoCalibration | None = None,
    prepare: Callable[[World], None] | None = None,
    tolerances: Tolerances | None = None,
    claims: str | None = None,
    built: Box | None = None,
) -> AsyncIterator[tuple[Table, World]]:
    """Open a simulated box together with its world, for callers that throw dice, break parts and compare.

    servos: their calibration; the box then has inexact servos, the same as when it was calibrated.
    prepare: changes the world before the box is opened.
    tolerances: of the mechanics, instead of those above. claims, built: as for `open_simulated_table`.
    """
    mounted = tolerances or (JUST_BUILT if servos is not None else CAREFUL)
    world = World(built or box, asyncio.get_running_loop().time, seed, store, mounted)
    if prepare is not None:
        prepare(world)
    calibrated = servos.apply_to(box) if servos is not None else box
    async with open_table_on(world, calibrated, calibration, claims) as table:
        yield replace(table, luck=random.Random(f"{seed}/luck")), world


@asynccontextmanager
async def open_table_on(
    world: World, box: Box, calibration: CameraCalibration | None = None, claims: str | None = None
) -> AsyncIterator[Table]:
    """Open the table of an existing simulated box, as a restarted daemon does while the boards stay powered.

    box: its pulses and wires may differ from those of the box that `world` was built from. claims: as for
    `open_simulated_table`.
    """
    camera = as_hung(SimulatedCamera(world, world.box), box.camera)
    known = simulated_claim_dice(claims) if claims is not None else None
    world.joker = claims or world.joker
    async with (
        open_simulated_firmware(box, world) as firmware,
        open_table(box, firmware, camera, world.throw_dice, calibration, claims=known) as table,
    ):
        hands = Hands(world.box, partial(reach_world, world))
        await hands.look()  # so that `hands.broken` has the faults of the start
        yield replace(table, hands=hands)


async def reach_world(world: World, do: str, words: Mapping[str, Any]) -> Mapping[str, Any]:
    """Do something with hands, or only look, and return what eyes see then. Raises `BadDeed`."""
    try:
        if do != "look":
            act(world, do, words)
        return look_at(world)
    except ValueError as error:
        raise BadDeed(str(error)) from error


@asynccontextmanager
async def open_simulated_firmware(box: Box, world: World) -> AsyncIterator[Firmware]:
    """Open the electronics of a simulated box. box: may have other pulses than the one `world` was built from."""
    with SimulatedWorker(lambda: world.bus_hang_s is not None) as worker:
        async with open_firmware(
            box,
            open_i2c=lambda: open_i2c(world, worker.pause),
            open_pins=lambda: open_pin_factory(world),
            executor=worker,
            computer=SimulatedComputer(world),
            open_alarm=lambda ring: WorldAlarm(world, ring),
            open_lines=lambda: WorldBusLines(world),
        ) as firmware:
            yield firmware
