"""`shutbox calibrate ...`: measure servos and camera, and teach dice; the results are kept in the home folder.

What a calibration needs is loaded when it is called, so that the help of the group is quick.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

import typer

from controller.box.job_requests import LEAST_SHOTS, LEAST_VIEWS, LONGEST_LABEL, MOST_COLOURS, MOST_SHOTS, MOST_VIEWS
from controller.cli.lazy import Subcommand, make_group
from controller.cli.options import BoxName, Faults, Installation, Json, Mock, Seed
from controller.runtime.output import Exit
from hardware.tiles import TileId

SUBCOMMANDS = {
    "camera": Subcommand(
        "calibrate:camera",
        "Measure lens, place and exposure of the camera with a printed sheet.",
        "calibrate camera --mock --yes",
    ),
    "servos": Subcommand(
        "calibrate:servos", "Find the end points of every tile's servo.", "calibrate servos --mock --tile front-7 --yes"
    ),
    "dice": Subcommand(
        "calibrate:dice", "Teach the box dice without pips: numerals, symbols, twenty sides.", "calibrate dice --list"
    ),
}

_LEAST_CLOCK, _MOST_CLOCK = 0.9, 1.1

Labels = tuple[tuple[int, str], ...]


def calibrate(
    context: typer.Context,
    show: Annotated[bool, typer.Option("--show", help="Show the saved servos, and what changed.")] = False,
    box: BoxName = None,
    json: Json = False,
) -> None:
    if context.invoked_subcommand is not None:
        return
    if not show:
        raise typer.BadParameter("say one of servos, camera, dice, or --show")
    servos(show=True, box=box, json=json)


def servos(
    mock: Mock = False,
    box: BoxName = None,
    tile: Annotated[list[str] | None, typer.Option("--tile", help="Only this tile; repeat it for more.")] = None,
    manual: Annotated[bool, typer.Option("--manual", help="Move tiles by keys, and mark their ends.")] = False,
    clock: Annotated[
        list[str] | None,
        typer.Option("--clock", help="A measured board: ADDRESS=FACTOR, measured pulse by requested pulse."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing; save whatever is not poor.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Only show what is saved, and what changed.")] = False,
    faults: Faults = None,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    installation = Installation(box, mock)
    if show:
        raise typer.Exit(show_servos(installation, as_json=json))
    if manual and yes:
        raise typer.BadParameter("--manual asks before it saves; leave out --yes")

    import asyncio

    from controller.box.choose_rigs import Rigs
    from controller.box.faults import parse_faults
    from controller.box.job_requests import ServoOrder
    from controller.box.rigs import OpenServoRig
    from controller.cli.job import guide
    from controller.jobs.jog import jog_session
    from controller.jobs.servos import servo_session
    from controller.jobs.terminal import Terminal, run_session
    from controller.runtime.clock import run_jumping
    from controller.runtime.keyboard import key_by_key, typed_keys
    from controller.runtime.locks import lock
    from hardware.calibration import ServoCalibration

    order, home = (
        ServoOrder(tiles_of(tile or ()), clocks_of(clock or ()), ask=not yes, by_hand=manual),
        installation.home,
    )

    def choose() -> tuple[ServoCalibration | None, OpenServoRig]:
        rigs = Rigs(installation.box, installation.settings, home, seed if mock else None, parse_faults(faults))
        return rigs.servos(order)

    if manual:
        before, open_rig = choose()
        home.make()
        with lock(home.lock), key_by_key():
            # Here and not by a running daemon: each key moves its servo at once.
            terminal = Terminal(typed_keys(), waits=True, as_json=json, by_key=True)
            jogging = run_session(jog_session(open_rig, home.data, before, order), terminal)
            raise typer.Exit((run_jumping(jogging) if mock else asyncio.run(jogging)).status)
    done = guide(
        installation,
        order,
        choose,
        lambda chosen: servo_session(chosen[1], home.data, chosen[0], order),
        as_json=json,
        box=box,
        faults=faults,
    )
    raise typer.Exit(done.status)


def camera(
    mock: Mock = False,
    box: BoxName = None,
    views: Annotated[int, typer.Option("--views", min=LEAST_VIEWS, max=MOST_VIEWS, help="Views of the sheet.")] = 11,
    mains: Annotated[
        int, typer.Option("--mains", min=50, max=60, help="The frequency of the mains in hertz: 50 or 60.")
    ] = 50,
    sheets: Annotated[
        Path | None,
        typer.Option("--sheets", metavar="FOLDER", help="Only write the two sheets to print (PDF) into this folder."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing; save whatever is not poor.")] = False,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    installation = Installation(box, mock)
    if sheets is not None:
        from controller.runtime.output import print_json
        from controller.runtime.terminal import answers
        from vision.calibration.sheets import write_sheets

        profile = installation.load_box()
        sheets.mkdir(parents=True, exist_ok=True)
        files = [str(file) for file in write_sheets(sheets, profile)]
        if json:
            print_json({"files": files})
        else:
            for file in files:
                answers.print(file, markup=False)
        return
    if mains not in (50, 60):
        raise typer.BadParameter("--mains is 50 or 60 (hertz)")

    from controller.box.choose_rigs import Rigs
    from controller.box.job_requests import CameraOrder
    from controller.cli.job import guide
    from controller.jobs.camera import camera_session

    home, order = installation.home, CameraOrder(views, 60 if mains == 60 else 50, ask=not yes)
    done = guide(
        installation,
        order,
        lambda: Rigs(installation.box, installation.settings, home, seed if mock else None).camera(),
        lambda open_rig: camera_session(open_rig, home.data, order),
        as_json=json,
        box=box,
    )
    raise typer.Exit(done.status)


def dice(
    name: Annotated[str | None, typer.Option("--name", help="The name of the set.")] = None,
    sides: Annotated[int, typer.Option("--sides", help="6 or 20.")] = 6,
    faces: Annotated[
        str | None, typer.Option("--faces", help="Their faces: 1,2,3,4,5,6 or 2,3,4,5,6,boat (or boat=1).")
    ] = None,
    colours: Annotated[
        str | None, typer.Option("--colours", metavar="NAMES", help="The colours of the set, by commas: red,blue.")
    ] = None,
    shots: Annotated[int, typer.Option("--shots", min=LEAST_SHOTS, max=MOST_SHOTS, help="Shots of each face.")] = 5,
    mock: Mock = False,
    box: BoxName = None,
    listed: Annotated[bool, typer.Option("--list", help="Only list the sets.")] = False,
    forget: Annotated[str | None, typer.Option("--forget", help="Delete the set of this name.")] = None,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    from controller.box.choose_rigs import Rigs
    from controller.box.job_requests import DiceOrder
    from controller.cli.job import guide
    from controller.jobs.dice import dice_session, list_sets
    from controller.runtime.output import print_json
    from controller.runtime.terminal import say
    from vision.custom_dice.storage import DiceFolder

    installation = Installation(box, mock)
    home = installation.home
    folder = DiceFolder(home.data)
    if listed:
        raise typer.Exit(list_sets(folder, as_json=json))
    if forget is not None:
        folder.forget(forget)
        print_json({"name": forget, "forgotten": True}) if json else say(f"The dice {forget} are forgotten.")
        return
    if name is None:
        raise typer.BadParameter("say --name NAME, --list or --forget NAME")
    folder.path(name)
    kind = sides_of(sides)
    order = DiceOrder(name, kind, labels_of(faces, kind), colours_of(colours), shots, ask=not mock)
    done = guide(
        installation,
        order,
        lambda: Rigs(installation.box, installation.settings, home, seed if mock else None).dice(order),
        lambda open_rig: dice_session(open_rig, folder, order, home.settings),
        as_json=json,
        box=box,
    )
    raise typer.Exit(done.status)


def show_servos(installation: Installation, *, as_json: bool) -> Exit:
    """Show the saved servos, and what changed since the version before. NO if nothing was saved."""
    from controller.box.stored_calibration import previous_servos
    from controller.jobs.servos import describe_missing, draw_servos
    from controller.runtime.output import print_json
    from controller.runtime.terminal import print_part, say
    from hardware.calibration import load_calibration

    home, profile = installation.home, installation.load_box()
    now = load_calibration(home.data, profile.name).servos
    if now is None:
        say(f"The servos of {profile.name} were not calibrated: the profile's pulses are used.")
        if as_json:
            print_json({})
        return Exit.NO
    before = previous_servos(home.data, now)
    if as_json:
        print_json({**now.model_dump(mode="json"), "before": before.model_dump(mode="json") if before else None})
    else:
        for part in draw_servos(now, before, profile.name, profile.tile_ids):
            print_part(part)
        if missing := describe_missing(now, profile.tile_ids):
            print_part(missing)
    return Exit.DONE


def tiles_of(names: Iterable[str]) -> tuple[TileId, ...]:
    """Parse tiles by their names. Raises `typer.BadParameter`."""
    try:
        return tuple(dict.fromkeys(map(TileId.parse, names)))
    except ValueError as error:
        raise typer.BadParameter(f"--tile: {error}") from error


def clocks_of(words: Iterable[str]) -> dict[str, float]:
    """Parse measured boards, such as `0x40=1.03`. Raises `typer.BadParameter`."""
    clocks: dict[str, float] = {}
    for word in words:
        board, _, number = word.partition("=")
        try:
            factor = float(number)
        except ValueError:
            factor = 0.0
        if not _LEAST_CLOCK <= factor <= _MOST_CLOCK:
            raise typer.BadParameter(f"--clock is ADDRESS=FACTOR with {_LEAST_CLOCK} to {_MOST_CLOCK}, not {word!r}")
        if clocks.setdefault(board, factor) != factor:
            raise typer.BadParameter(f"--clock {board} is given twice: {clocks[board]:g} and {factor:g}")
    return clocks


def sides_of(sides: int) -> Literal[6, 20]:
    """Check that the box can be taught dice of this many sides. Raises `typer.BadParameter`."""
    if sides == 6:
        return 6
    if sides == 20:
        return 20
    raise typer.BadParameter(f"--sides is 6 or 20, not {sides}")


def labels_of(words: str | None, sides: int) -> Labels:
    """Parse the values and names of the faces; a name without a value gets the lowest one left.

    Raises `typer.BadParameter`.
    """
    if words is None:
        return tuple((value, str(value)) for value in range(1, sides + 1))
    named = [word.strip() for word in words.split(",")]
    pairs = [(word.partition("=")[0].strip(), word.partition("=")[2].strip()) for word in named]
    given = [value or label for label, value in pairs]
    values = [int(word) if word.isdecimal() and len(word) < 10 else None for word in given]
    free = iter(value for value in range(1, sides + 1) if value not in values)
    chosen = [next(free, 0) if value is None and not pairs[k][1] else value for k, value in enumerate(values)]
    labels = [label for label, _ in pairs]
    fits = all(value is not None and 1 <= value <= sides for value in chosen)
    if not fits or len(set(chosen)) != len(chosen) or len(set(labels)) != len(labels) or not all(map(_is_word, labels)):
        raise typer.BadParameter(
            f"--faces are up to {sides} names by commas, each with a value from 1 to {sides} of its own: 2,3,boat=1"
        )
    return tuple((value or 0, label) for value, label in zip(chosen, labels, strict=True))


def colours_of(words: str | None) -> tuple[str, ...]:
    """Parse colours by their names. Raises `typer.BadParameter`."""
    if words is None:
        return ()
    names = tuple(word.strip() for word in words.split(","))
    if not all(map(_is_word, names)) or len(set(names)) != len(names) or len(names) > MOST_COLOURS:
        raise typer.BadParameter(f"--colours are up to {MOST_COLOURS} names by commas: red,blue,white")
    return names


def _is_word(text: str) -> bool:
    return 0 < len(text) <= LONGEST_LABEL and text.isprintable()


group = make_group(SUBCOMMANDS, calibrate, alone=True)
