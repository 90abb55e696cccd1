"""Choose the box to open: the real one, or a simulated one in this process. No room above needs to know which it is.

Only the chosen one is imported, which keeps a daemon small and quick to start.
"""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from controller.box.dice import load_dice
from controller.box.faults import refuse_faults
from controller.box.stored_calibration import (
    find_uncalibrated,
    load_real_camera,
    load_real_servos,
    load_simulated_camera,
    load_simulated_servos,
)
from controller.box.table import Table, with_evidence
from controller.runtime.machine import require_pi
from controller.settings import Home, Settings
from firmware.selftest.wear import WearFile
from hardware.box import Box, load_box
from hardware.calibration import ServoCalibration
from hardware.errors import Fault

if TYPE_CHECKING:
    from controller.box.choose_rigs import Rigs
    from controller.box.simulated_actions import Hands


@dataclass(frozen=True, slots=True)
class ChosenBox:
    """The ways to open one box, one at a time and as often as needed.

    open_table: for play, with the calibration saved by then; raises known problems before anything is opened.
    rigs: for calibration; raises `NoBox` for a box that cannot be calibrated.
    simulated: no metal moves.
    another: makes a simulated box with another profile, to replace this one; None for a box that cannot be replaced.
    """

    box: Box
    open_table: Callable[[], AbstractAsyncContextManager[Table]]
    rigs: "Callable[[], Rigs]"
    simulated: bool
    another: "Callable[[str], ChosenBox] | None" = None


_log = logging.getLogger(__name__)


def choose_box(
    box_name: str,
    settings: Settings,
    home: Home,
    *,
    mock: bool,
    faults: Sequence[str],
    seed: int | None,
    anyway: bool = False,
) -> ChosenBox:
    """Choose the box of a daemon, which opens it as a table or as a rig whenever it needs. Raises as `choose_table`.

    It is the same box each time: a simulated one keeps its random seed and the faults that hands have made. Saved
    calibrations are read again each time, and a new one replaces what faults have spoiled.
    anyway: play even if servos were never calibrated.
    """
    box = load_box(box_name)
    hands: Hands | None = None
    chance = (secrets.randbits(32) if seed is None else seed) if mock else None  # drawn once, for every opening

    def measured() -> ServoCalibration | None:
        return load_simulated_servos(home.data, box, chance) if chance is not None else None

    spoiled = measured()

    def broken() -> Sequence[str]:
        now = faults if hands is None else hands.broken
        return now if measured() == spoiled else [name for name in now if not name.startswith("calibration:")]

    def open_table() -> AbstractAsyncContextManager[Table]:
        table = choose_table(box_name, settings, home, mock=mock, faults=broken(), seed=chance)
        return keep_hands(with_evidence(table, settings, home))

    @asynccontextmanager
    async def keep_hands(opening: AbstractAsyncContextManager[Table]) -> AsyncIterator[Table]:
        nonlocal hands
        async with opening as table:
            hands = table.hands
            yield replace(table, anyway=anyway)

    open_table()  # refuses a wrong call at once; nothing is opened before the context is entered

    def make_rigs() -> "Rigs":
        # Imported here because most daemons never need it.
        from controller.box.choose_rigs import Rigs

        return Rigs(box_name, settings, home, chance, broken())

    def choose_another(name: str) -> ChosenBox:
        # Deliberate faults belong to the first box only.
        return choose_box(name, settings, home, mock=True, faults=(), seed=chance, anyway=anyway)

    return ChosenBox(box, open_table, make_rigs, simulated=mock, another=choose_another if mock else None)


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
    """Choose a table without opening it, so that a wrong call is refused before anything moves.

    A simulated box draws a random seed for None, and keeps the state of its tiles in the home folder, as real tiles
    would, unless `keep_tiles` is off. Raises `NoBox` off a Pi without `mock`, `BoxProfileError`, `BadFault`,
    `CalibrationError`, and `BadDice` for dice that were not taught.
    """
    box = load_box(box_name)
    if mock:
        from controller.box.simulated import open_simulated_table

        # Simulated dice always have pips, but an unknown set in the settings is an error here too.
        load_dice(home, settings.dice)
        home.make()
        store = home.simulated_tiles(box.name) if keep_tiles else None
        chance = secrets.randbits(32) if seed is None else seed
        calibration = load_simulated_camera(home.data, box, chance)
        servos = load_simulated_servos(home.data, box, chance)
        table = open_simulated_table(
            box, seed=chance, faults=faults, store=store, calibration=calibration, servos=servos, claims="boat"
        )
        return _with_wear(table, WearFile(home.wear(box.name, mock=True), box.name))
    from controller.box.real import open_real_table

    refuse_faults(faults)
    require_pi()
    home.make()
    taught = load_dice(home, settings.dice)
    sets = () if taught is None else (taught,)
    servos = load_real_servos(home.data, box)
    calibrated = servos.apply_to(box) if servos is not None else box
    table = open_real_table(calibrated, settings, home, load_real_camera(home.data, box), sets)
    found = find_uncalibrated(box, servos)
    return _with_wear(table, WearFile(home.wear(box.name, mock=False), box.name), found)


@asynccontextmanager
async def _with_wear(
    opening: AbstractAsyncContextManager[Table], wear: WearFile, found: tuple[Fault, ...] = ()
) -> AsyncIterator[Table]:
    """Open the table with its tiles' wear, which is saved at the end, and what was `found` about its servos."""
    async with opening as table:
        try:
            yield replace(table, wear=wear, found=(*table.found, *found))
        finally:
            if wear.book.tiles:
                try:
                    await asyncio.to_thread(wear.write)
                except OSError as error:
                    # No game depends on the wear, and a table is closed for every job.
                    _log.warning("wear file not written error=%s", error)
