"""`shutbox calibrate servos` and `shutbox calibrate --show`: the end points of the servos."""

import asyncio
from collections.abc import Iterable
from typing import Annotated

import typer

from controller.box import Rigs, ServoOrder, parse_faults, previous_servos
from controller.calibrate import (
    describe_missing,
    draw_servos,
    jog_servos,
    run_at_terminal,
    servo_session,
    versions_json,
)
from controller.cli.job import join_job
from controller.cli.options import BoxName, Faults, Installation, Json, Mock, Seed
from controller.process import Exit, key_by_key, lock, print_json, print_part, run_jumping, say, typed_keys, typed_lines
from hardware.calibration import load_calibration
from hardware.tiles import TileId

_LEAST, _MOST = 0.9, 1.1


def servos(
    mock: Mock = False,
    box: BoxName = None,
    tile: Annotated[list[str] | None, typer.Option("--tile", help="Only this tile (again for more).")] = None,
    manual: Annotated[bool, typer.Option("--manual", help="Move tiles by keys, and mark their ends.")] = False,
    clock: Annotated[
        list[str] | None,
        typer.Option("--clock", help="A measured board: ADDRESS=FACTOR, pulse measured by pulse asked for."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing; save what is not poor.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Only show what is saved, and what changed.")] = False,
    faults: Faults = None,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Find the end points of every tile's servo."""
    if show:
        raise typer.Exit(show_servos(Installation(box, mock), as_json=json))
    if manual and yes:
        raise typer.BadParameter("--manual asks before it saves; leave out --yes")
    installation = Installation(box, mock)
    order = ServoOrder(tiles_of(tile or ()), clocks_of(clock or ()), ask=not yes)
    if not manual:
        joined = join_job(installation, order, typed_lines(), waits=order.ask, as_json=json, box=box, faults=faults)
        if joined is not None:
            raise typer.Exit(joined.status)
    raise typer.Exit(_calibrate_here(installation, order, faults, seed, by_keys=manual, as_json=json))


def _calibrate_here(
    installation: Installation, order: ServoOrder, faults: str | None, seed: int, *, by_keys: bool, as_json: bool
) -> Exit:
    home, mock = installation.home, installation.mock
    rigs = Rigs(installation.box, installation.settings, home, seed if mock else None, parse_faults(faults))
    before, open_rig = rigs.servos(order)
    home.make()
    with lock(home.lock):
        if by_keys:
            with key_by_key():
                jogging = jog_servos(open_rig, home.data, before, order, typed_keys(), as_json=as_json)
                return run_jumping(jogging) if mock else asyncio.run(jogging)
        session = servo_session(open_rig, home.data, before, order)
        work = run_at_terminal(session, typed_lines(), waits=order.ask, as_json=as_json)
        return (run_jumping(work) if mock else asyncio.run(work)).status


def show_servos(installation: Installation, *, as_json: bool) -> Exit:
    """The servos as they were saved, and what changed since the version before. NO where nothing was saved."""
    home, profile = installation.home, installation.load_box()
    now = load_calibration(home.data, profile.name).servos
    if now is None:
        say(f"The servos of {profile.name} were not calibrated: the profile's pulses are used.")
        if as_json:
            print_json({})
        return Exit.NO
    before = previous_servos(home.data, now)
    if as_json:
        print_json(versions_json(now, before))
    else:
        for part in draw_servos(now, before, profile.name, profile.tile_ids):
            print_part(part)
        if missing := describe_missing(now, profile.tile_ids):
            print_part(missing)
    return Exit.DONE


def tiles_of(names: Iterable[str]) -> tuple[TileId, ...]:
    """Tiles by their names. Raises `typer.BadParameter`."""
    try:
        return tuple(dict.fromkeys(map(TileId.parse, names)))
    except ValueError as error:
        raise typer.BadParameter(f"--tile: {error}") from error


def clocks_of(words: Iterable[str]) -> dict[str, float]:
    """Measured boards as `0x40=1.03`. Raises `typer.BadParameter`."""
    clocks: dict[str, float] = {}
    for word in words:
        board, _, number = word.partition("=")
        try:
            factor = float(number)
        except ValueError:
            factor = 0.0
        if not _LEAST <= factor <= _MOST:
            raise typer.BadParameter(f"--clock is ADDRESS=FACTOR with {_LEAST} to {_MOST}, not {word!r}")
        if clocks.setdefault(board, factor) != factor:
            raise typer.BadParameter(f"--clock {board} is given twice: {clocks[board]:g} and {factor:g}")
    return clocks
