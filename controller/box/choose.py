"""Which table is played on: the real box, or a simulated one in this process. Nothing above asks which one it got."""

import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace

from controller.box.checks import calibration_missing, real_calibration, simulated_calibration
from controller.box.dice import load_dice
from controller.box.real import real_table
from controller.box.servos import real_servos, simulated_servos
from controller.box.simulated import simulated_table
from controller.box.table import Table
from controller.errors import BadFault
from controller.process import require_pi
from controller.settings import Home, Settings
from firmware.selftest import WearFile
from hardware.box import load_box
from hardware.errors import Fault


def choose_table(
    box_name: str,
    settings: Settings,
    home: Home,
    *,
    mock: bool,
    faults: Sequence[str],
    seed: int | None,
    keep_tiles: bool = True,
) -> AbstractAsyncContextManager[Table]:
    """The table asked for, not yet opened. Raises `NoBox` off a Pi without `mock`, `BoxProfileError`, `BadFault`,
    `BadDice` for dice that were not taught.

    A simulated box keeps its tiles in the home folder, as wood would, unless `keep_tiles` is off.
    """
    box = load_box(box_name)
    if mock:
        home.make()
        store = home.simulated_tiles(box.name) if keep_tiles else None
        chance = secrets.randbits(32) if seed is None else seed
        calibration = simulated_calibration(home.data, box, chance)
        servos = simulated_servos(home.data, box, chance)
        table = simulated_table(box, seed=chance, faults=faults, store=store, calibration=calibration, servos=servos)
        return _with_wear(table, WearFile(home.wear(box.name, mock=True), box.name))
    if faults:
        raise BadFault("--faults breaks the simulated box only; say --mock too")
    require_pi()
    home.make()
    taught = load_dice(home, settings.dice)
    sets = () if taught is None else (taught,)
    servos = real_servos(home.data, box)
    calibrated = servos.apply_to(box) if servos is not None else box
    table = real_table(calibrated, settings, home, real_calibration(home.data, box), sets)
    checks = () if servos is not None else (calibration_missing(box.name),)
    return _with_wear(table, WearFile(home.wear(box.name, mock=False), box.name), checks)


@asynccontextmanager
async def _with_wear(
    opening: AbstractAsyncContextManager[Table], wear: WearFile, checks: tuple[Fault, ...] = ()
) -> AsyncIterator[Table]:
    """The table with the book of its tiles, and with what `checks` found; the book is kept at the end."""
    async with opening as table:
        try:
            yield replace(table, wear=wear, checks=(*table.checks, *checks))
        finally:
            if wear.book.tiles:
                wear.write()
