"""`shutbox calibrate servos` and `shutbox calibrate --show`: the end points of the servos."""

import asyncio
from collections.abc import Iterable
from typing import Annotated

import typer

from controller.box import ServoOrder, choose_servo_rig, parse_faults, previous_servos
from controller.calibrate import calibrate_servos, jog_servos, tell_missing, tell_servos, versions_json
from controller.cli.options import BoxName, Faults, Installation, Json, Mock, Seed
from controller.process import Exit, key_by_key, lock, print_json, run_jumping, say, typed_keys, typed_lines
from hardware.box import Box
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
    home, settings = installation.home, installation.settings
    profile = installation.load_box()
    order = ServoOrder(tiles_of(tile or (), profile), clocks_of(clock or (), profile), ask=not yes)
    before, open_rig = choose_servo_rig(
        profile, settings, home, order.clocks, mock=mock, seed=seed, faults=parse_faults(faults)
    )
    home.make()
    with lock(home.lock):
        if manual:
            with key_by_key():
                work = jog_servos(open_rig, home.data, before, order, typed_keys(), as_json=json)
                raise typer.Exit(run_jumping(work) if mock else asyncio.run(work))
        work = calibrate_servos(open_rig, home.data, before, order, typed_lines(), as_json=json)
        raise typer.Exit(run_jumping(work) if mock else asyncio.run(work))


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
        tell_servos(now, before, profile.name, profile.tile_ids)
        tell_missing(now, profile.tile_ids)
    return Exit.DONE


def tiles_of(names: Iterable[str], box: Box) -> tuple[TileId, ...]:
    """Tiles by their names, in the order of the box. Raises `typer.BadParameter`."""
    wanted = set()
    for name in names:
        try:
            tile = TileId.parse(name)
        except ValueError as error:
            raise typer.BadParameter(f"--tile: {error}") from error
        if tile not in box.tiles:
            raise typer.BadParameter(f"--tile: {box.name} has no {name}; it has {', '.join(map(str, box.tile_ids))}")
        wanted.add(tile)
    return tuple(tile for tile in box.tile_ids if tile in wanted)


def clocks_of(words: Iterable[str], box: Box) -> dict[str, float]:
    """Measured boards as `0x40=1.03`. Raises `typer.BadParameter`."""
    boards = [f"0x{address:02x}" for address in box.servo_boards]
    clocks: dict[str, float] = {}
    for word in words:
        board, _, number = word.partition("=")
        try:
            factor = float(number)
        except ValueError:
            factor = 0.0
        if board not in boards or not _LEAST <= factor <= _MOST:
            raise typer.BadParameter(
                f"--clock is ADDRESS=FACTOR with one of {', '.join(boards)} and {_LEAST} to {_MOST}, not {word!r}"
            )
        if clocks.setdefault(board, factor) != factor:
            raise typer.BadParameter(f"--clock {board} is given twice: {clocks[board]:g} and {factor:g}")
    return clocks
