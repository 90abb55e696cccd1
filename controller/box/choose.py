"""Choose the box to open: the real one, or a simulated one in this process. No room above needs to know which it is.

Only the chosen one is imported, which keeps a daemon small and quick to start.
"""

import asyncio
import logging
import os
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from controller.box.dice import load_dice
from controller.box.faults import refuse_faults
from controller.box.start import StartSettings, unusable_file
from controller.box.stored_calibration import (
    calibrated_seed,
    find_uncalibrated,
    load_real_camera,
    load_real_servos,
    load_simulated_camera,
    load_simulated_servos,
)
from controller.box.table import Table, with_evidence
from controller.box.wood import note_wood, read_wood
from controller.errors import NoBox
from controller.runtime.home import Home
from controller.runtime.machine import require_pi
from controller.settings import Settings
from firmware.selftest.wear import WearFile
from hardware.box import Box, load_box
from hardware.calibration import ServoCalibration
from hardware.errors import BoxError, BoxProfileError, CalibrationError, Fault
from vision.errors import BadDice

if TYPE_CHECKING:
    from controller.box.choose_rigs import Rigs
    from controller.box.simulated_actions import Hands, Reach
    from vision.custom_dice.faces import DiceSet


@dataclass(frozen=True, slots=True)
class ChosenBox:
    """The ways to open one box, one at a time and as often as needed.

    open_table: for play, with the calibration saved by then; raises known problems before anything is opened.
    rigs: for calibration; raises `NoBox` for a box that cannot be calibrated.
    simulated: no metal moves.
    another: makes a simulated box with another profile, to replace this one; None for a box that cannot be replaced.
    rewired: makes this same box as another profile describes it; None for a box of which nothing is known.
    """

    box: Box
    open_table: Callable[[], AbstractAsyncContextManager[Table]]
    rigs: "Callable[[], Rigs]"
    simulated: bool
    another: "Callable[[str], ChosenBox] | None" = None
    rewired: "Callable[[str], ChosenBox] | None" = None


_log = logging.getLogger(__name__)

_IN_PLACE = "two-level-9"  # the simulated box in the place of one of which nothing is known


def choose_box_at_start(
    box_name: str | None,
    start: StartSettings,
    home: Home,
    *,
    mock: bool,
    faults: Sequence[str],
    seed: int | None,
    anyway: bool = False,
) -> ChosenBox:
    """Choose the box of a daemon that comes up whatever its files hold: what cannot be used is told at the table.

    A box of which nothing is known, since its profile or the settings that name it cannot be read, is not opened: in
    its place comes a simulated one that is not driven. box_name: that of a call; None: that of the settings.
    Raises as `choose_box` for what the call itself says wrongly.
    """
    settings, found = start.now, start.found
    try:
        if box_name is None and not mock and not start.is_known:
            raise BoxProfileError(str(home.settings), 0, "it would say which box this is")
        name = box_name or settings.box
        return choose_box(name, settings, home, mock=mock, faults=faults, seed=seed, anyway=anyway, found=found)
    except BoxProfileError as error:
        if box_name is not None:
            raise
        unread = unusable_file(home, error, "Correct it and start the box again; until then no tile moves.", error.code)
    _log.error("box not opened, a simulated one that is not driven takes its place fault=%s", unread)
    if not mock:
        refuse_faults(faults)
        require_pi()
    chosen = choose_box(_IN_PLACE, settings, home, mock=True, faults=faults, seed=seed, found=(*found, unread))

    def refuse_rigs() -> NoReturn:
        raise NoBox(str(unread))

    @asynccontextmanager
    async def open_table() -> AsyncIterator[Table]:
        async with chosen.open_table() as table:
            yield table if mock else replace(table, hands=None)

    return ChosenBox(chosen.box, open_table, refuse_rigs, simulated=mock)


def choose_box(
    box_name: str,
    settings: Settings,
    home: Home,
    *,
    mock: bool,
    faults: Sequence[str],
    seed: int | None,
    anyway: bool = False,
    found: tuple[Fault, ...] = (),
    built: str | None = None,
) -> ChosenBox:
    """Choose the box of a daemon, which opens it as a table or as a rig whenever it needs. Raises as `choose_table`.

    It is the same box each time: a simulated one keeps its random seed (that of its saved calibration if there is one),
    and the faults that hands have made. Saved calibrations are read again each time, and a new one replaces what faults
    have spoiled.
    anyway: play even if servos were never calibrated. found: problems that were found before. built: name or file of
    the profile that a simulated box was built by, if another drives it.
    """
    box = load_box(box_name)
    if mock and built is None and box_name == str(home.profile(box.name)):
        kept_wood = read_wood(home, box.name)
        if kept_wood is not None:
            built, faults = kept_wood.built, tuple(dict.fromkeys((*kept_wood.mistakes, *faults)))
    wood_name = built or box_name
    wood = load_box(wood_name)
    hands: Hands | None = None
    # Drawn once, for every opening; a simulated box that was measured is the same one after a restart.
    kept = calibrated_seed(home.data, box) if mock and seed is None else seed
    chance = (secrets.randbits(32) if kept is None else kept) if mock else None

    def measured() -> ServoCalibration | None:
        with suppress(CalibrationError):  # told when the table is opened
            return load_simulated_servos(home.data, box, chance) if chance is not None else None
        return None

    spoiled = measured()

    def broken() -> Sequence[str]:
        now = faults if hands is None else hands.broken
        return now if measured() == spoiled else [name for name in now if not name.startswith("calibration:")]

    def open_table() -> AbstractAsyncContextManager[Table]:
        table = choose_table(box_name, settings, home, mock=mock, faults=broken(), seed=chance, built=wood)
        return keep_hands(with_evidence(table, settings, home))

    @asynccontextmanager
    async def keep_hands(opening: AbstractAsyncContextManager[Table]) -> AsyncIterator[Table]:
        nonlocal hands
        async with opening as table:
            hands = table.hands
            yield replace(table, anyway=anyway, found=(*found, *table.found))

    def lend_hands(reach: "Reach | None") -> None:
        if hands is not None:
            hands.elsewhere = reach

    open_table()  # refuses a wrong call at once; nothing is opened before the context is entered

    def make_rigs() -> "Rigs":
        # Imported here because most daemons never need it.
        from controller.box.choose_rigs import Rigs

        return Rigs(box_name, settings, home, chance, broken(), wood, lend_hands)

    def choose_another(name: str) -> ChosenBox:
        # Deliberate faults belong to the first box only.
        return choose_box(name, settings, home, mock=True, faults=(), seed=chance, anyway=anyway, found=found)

    def choose_rewired(name: str) -> ChosenBox:
        # The wood of a simulated box stays as it is, with all its faults: only what the program knows of it changes.
        kept = broken() if mock else ()
        if mock:
            note_wood(home, box.name, wood_name, kept)
        return choose_box(
            name, settings, home, mock=mock, faults=kept, seed=chance, anyway=anyway, found=found, built=wood_name
        )

    return ChosenBox(box, open_table, make_rigs, mock, choose_another if mock else None, choose_rewired)


def choose_table(
    box_name: str,
    settings: Settings,
    home: Home,
    *,
    mock: bool,
    faults: Sequence[str],
    seed: int | None,
    keep_tiles: bool = True,
    built: Box | None = None,
) -> AbstractAsyncContextManager[Table]:
    """Choose a table without opening it, so that a wrong call is refused before anything moves.

    A simulated box draws a random seed for None, and keeps the state of its tiles in the home folder, as real tiles
    would, unless `keep_tiles` is off. Files that cannot be used are findings of the open table: a calibration, for
    which no tile is driven, taught dice, wear, and the places of simulated tiles.
    built: as for `choose_box`. Raises `NoBox` off a Pi without `mock`, `BoxProfileError` and `BadFault`.
    """
    box = load_box(box_name)
    found: list[Fault] = []
    if mock:
        from controller.box.simulated import open_simulated_table

        _load_taught(home, settings, found)  # simulated dice always have pips, but a mistake is one here too
        home.make()
        store = _find_store(home, box, found) if keep_tiles else None
        chance = secrets.randbits(32) if seed is None else seed
        calibration, servos = None, None
        try:
            calibration = load_simulated_camera(home.data, box, chance)
            servos = load_simulated_servos(home.data, box, chance)
        except CalibrationError as error:
            found.append(unusable_file(home, error, error.cure, error.code))
        table = open_simulated_table(
            box,
            seed=chance,
            faults=faults,
            store=store,
            calibration=calibration,
            servos=servos,
            claims="boat",
            built=built,
        )
        return _with_wear(table, home, WearFile(home.wear(box.name, mock=True), box.name), found)
    from controller.box.real import open_real_table

    refuse_faults(faults)
    require_pi()
    home.make()
    taught = _load_taught(home, settings, found)
    sets = () if taught is None else (taught,)
    camera, servos = None, None
    try:
        camera, servos = load_real_camera(home.data, box), load_real_servos(home.data, box)
        found += find_uncalibrated(box, servos)
    except CalibrationError as error:
        found.append(unusable_file(home, error, error.cure, error.code))
    calibrated = servos.apply_to(box) if servos is not None else box
    table = open_real_table(calibrated, settings, home, camera, sets)
    return _with_wear(table, home, WearFile(home.wear(box.name, mock=False), box.name), found)


def _load_taught(home: Home, settings: Settings, found: list[Fault]) -> "DiceSet | None":
    """Return the taught dice of the settings; None for pips, and for dice that cannot be used, which are `found`."""
    try:
        return load_dice(home, settings.dice)
    except BadDice as error:
        found.append(unusable_file(home, error, "Until then the camera reads pips."))
        return None


def _find_store(home: Home, box: Box, found: list[Fault]) -> Path | None:
    """Return the file of the simulated tiles; None if it cannot be used, which is `found`, or not be written."""
    from hardware.sim.store import TileStore

    store = home.simulated_tiles(box.name)
    try:
        TileStore(store, box.name, box.tile_ids).load()
    except BoxError as error:
        found.append(unusable_file(home, error, "Until then all tiles stand at each start."))
        return None
    return store if os.access(home.data, os.W_OK) else None


@asynccontextmanager
async def _with_wear(
    opening: AbstractAsyncContextManager[Table], home: Home, wear: WearFile, found: list[Fault]
) -> AsyncIterator[Table]:
    """Open the table with its tiles' wear, which is saved at the end, and what was `found` about its files."""
    if wear.problem:
        cure = "It is put aside, and begun anew."
        found = [*found, unusable_file(home, wear.problem, cure)]
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
