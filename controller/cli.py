"""The command line: every subcommand in one place, each a few lines that call the room that does the work.

Modules that only one subcommand needs are imported inside it, so that `shutbox moves` does not load a camera.
"""

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from controller import (
    cli_bench,
    cli_calibrate,
    cli_games,
    cli_mock_box,
    cli_selftest,
    cli_servos,
    cli_teach,
    cli_wiring,
)
from controller.cli_words import (
    Batch,
    BoxName,
    Faults,
    FieldChoice,
    FieldWord,
    GameName,
    Json,
    MarksFile,
    Match,
    Mock,
    MockBox,
    Seed,
    Set,
    Variant,
    choose_game,
    lines_of,
    refuse_with_batch,
)
from controller.errors import DaemonRuns, NoBox, ShutboxError
from controller.output import Exit, answers, print_json, say
from controller.rules import RulesError, rules_of
from hardware.errors import BoxError, BoxFault
from vision.errors import VisionError

app = typer.Typer(add_completion=False, rich_markup_mode=None)

for _command in (cli_games.games, cli_games.moves, cli_games.odds, cli_games.simulate, cli_games.scores):
    app.command()(_command)
app.command()(cli_mock_box.guard)
app.command("mock-box")(cli_mock_box.mock_box)
app.add_typer(cli_bench.app, name="bench")
cli_calibrate.app.command()(cli_servos.servos)
cli_calibrate.app.command()(cli_teach.dice)
app.add_typer(cli_calibrate.app, name="calibrate")
app.command()(cli_wiring.wiring)


@app.command()
def play(
    mock: Mock = False,
    mock_box: MockBox = False,
    box: BoxName = None,
    game: GameName = None,
    options: Set = None,
    variant: Variant = None,
    marks: MarksFile = None,
    match: Match = None,
    players: Annotated[
        str | None, typer.Option("--players", help="Names by commas, in the order of their seats; House:perfect.")
    ] = None,
    faults: Faults = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="The chance of the simulated box.")] = None,
) -> None:
    """Take a seat in this terminal; joins a daemon that runs, or brings its own."""
    from controller import play as playing
    from controller.choose import choose_table
    from controller.fault_catalogue import fault_names
    from controller.settings import find_home, load_settings
    from controller.table import check_box, known_boxes
    from hardware.box import load_box

    home = find_home()
    settings = load_settings(home.settings)
    choice = choose_game(game, options, variant, marks, match)
    new_game = playing.new_game(choice, players, settings)
    if playing.daemon_runs(home):
        _refuse_with_daemon(box=box, faults=faults)
        asyncio.run(playing.join(home, new_game))
        return
    if mock_box:
        joined = cli_mock_box.joined_box(home, mock=mock, box=box, faults=faults, seed=seed)
        opening, profile = joined.opening, joined.box
    else:
        opening = choose_table(box or settings.box, settings, home, mock=mock, faults=fault_names(faults), seed=seed)
        profile = load_box(box or settings.box)
    if game or variant:
        # A game that was asked for by name is refused before anything is opened.
        check_box(rules_of(choice.game, choice.options, choice.marks), profile, known_boxes())
    try:
        asyncio.run(playing.play_here(opening, home, settings, new_game))
    except DaemonRuns:
        asyncio.run(playing.wait_for_daemon(home))
        _refuse_with_daemon(box=box, faults=faults)
        asyncio.run(playing.join(home, new_game))


@app.command()
def run(
    mock: Mock = False,
    mock_box: MockBox = False,
    box: BoxName = None,
    faults: Faults = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="The chance of the simulated box.")] = None,
) -> None:
    """Run the daemon: referee, tiles, camera and API; for systemd or a terminal."""
    import logging

    from controller.choose import choose_table
    from controller.daemon import run_until_stopped
    from controller.fault_catalogue import fault_names
    from controller.settings import find_home, load_settings

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    home = find_home()
    settings = load_settings(home.settings)
    if mock_box:
        opening = cli_mock_box.joined_box(home, mock=mock, box=box, faults=faults, seed=seed).opening
    else:
        opening = choose_table(box or settings.box, settings, home, mock=mock, faults=fault_names(faults), seed=seed)
    asyncio.run(run_until_stopped(opening, home, settings.pace))


@app.command()
def demo(
    seed: Seed = 1,
    games: Annotated[int, typer.Option("--games", min=1, max=10_000, help="How many games.")] = 1,
    game: GameName = None,
    options: Set = None,
    variant: Variant = None,
    marks: MarksFile = None,
    match: Match = None,
    players: Annotated[
        str, typer.Option("--players", help="How many house players, or their names; Ann:perfect,Bea:careless.")
    ] = "2",
    strength: Annotated[
        str, typer.Option("--strength", help="How well they play: careless, casual, steady, skilled or perfect.")
    ] = "steady",
    box: BoxName = None,
    faults: Faults = None,
    json: Json = False,
) -> None:
    """The house plays whole games on the simulated box, on a clock that jumps."""
    from controller.commands import StartGame
    from controller.demo_report import DemoOrder, run_demo
    from controller.fault_catalogue import fault_names
    from controller.players import default_players
    from controller.settings import find_home
    from controller.table import default_box_for
    from hardware.box import load_box

    choice = choose_game(game, options, variant, marks, match)
    start = StartGame(default_players(players, strength), choice.game, choice.options, choice.marks)
    profile = load_box(box) if box else default_box_for(rules_of(start.game, start.options, start.marks))
    order = DemoOrder(profile, start, games, seed, fault_names(faults))
    raise typer.Exit(run_demo(find_home(), order, as_json=json))


@app.command()
def read(
    files: Annotated[list[str] | None, typer.Argument(help="Pictures.")] = None,
    field: FieldWord = FieldChoice.AUTO,
    dice: Annotated[int | None, typer.Option("--dice", min=1, max=12, help="How many dice must be there.")] = None,
    batch: Batch = None,
    box: BoxName = None,
    trace: Annotated[
        Path | None, typer.Option("--trace", help="Write the stages of the reading here (.png, .jpg).")
    ] = None,
    dice_set: Annotated[
        str | None, typer.Option("--dice-set", help="Dice that were taught (see `calibrate dice --list`), or pips.")
    ] = None,
    json: Json = False,
) -> None:
    """Read the dice in pictures."""
    from controller.batch import answer_lines
    from controller.reading import PictureQuestion, PictureReader
    from controller.settings import find_home, load_settings
    from controller.taught_dice import load_dice
    from hardware.box import load_box

    home = find_home()
    taught = load_dice(home, dice_set or load_settings(home.settings).dice)
    if taught is not None and field is FieldChoice.WHOLE:
        raise typer.BadParameter("--field whole reads pips only: taught dice need the markers")
    reader = PictureReader(load_box(box or "two-level-9"), field.value, time.perf_counter, taught)
    if batch is not None:
        refuse_with_batch(files=files, trace=trace, dice=dice)
        with lines_of(batch) as lines:
            for answer in answer_lines(lines, PictureQuestion, reader.answer):
                print_json(answer)
        return
    if not files:
        raise typer.BadParameter("name the pictures, or --batch FILE")
    if trace is not None:
        if len(files) != 1:
            raise typer.BadParameter(f"--trace takes exactly one picture; these are {len(files)}")
        try:
            reader.trace(files[0], dice, trace)
        except OSError as error:
            raise typer.BadParameter(f"--trace: {error.filename}: {error.strerror}") from error
    raise typer.Exit(reader.report(files, dice, as_json=json))


@app.command()
def replay(
    file: Annotated[Path | None, typer.Argument(help="A journal; by default every journal of the home folder.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Only say whether every game leads where it led.")] = False,
    json: Json = False,
) -> None:
    """Play journals again, without a box, and check every state on the way."""
    from controller.replay import report
    from controller.settings import find_home

    raise typer.Exit(report(find_home(), file, check=check, as_json=json))


app.command()(cli_selftest.selftest)


@app.command()
def park(box: BoxName = None) -> None:
    """Pulses off, tiles as they are: through the daemon if one runs, else straight at the box."""
    from controller import play as playing
    from controller.real import switch_off
    from controller.settings import find_home, load_settings
    from hardware.box import load_box

    home = find_home()
    settings = load_settings(home.settings)
    if playing.daemon_runs(home):
        asyncio.run(playing.park(home))
    else:
        asyncio.run(switch_off(load_box(box or settings.box), settings, home))


@app.command("faults")
def list_faults(json: Json = False) -> None:
    """The ways to break the simulated box on purpose."""
    from controller.fault_catalogue import fault_kinds

    for kind in fault_kinds():
        if json:
            print_json({"fault": kind.name, "part": kind.part, "code": kind.code, "what": kind.description})
        else:
            answers.print(f"{kind.name}:{kind.part}  {kind.description} ({kind.code})", markup=False)


def main() -> None:
    """Run one subcommand and leave with its status. A wrong call is one line, never a traceback."""
    # Started with closed streams, Python has none; what is said then goes nowhere.
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    try:
        status = app(standalone_mode=False)
    except typer.TyperException as error:
        _leave(Exit.WRONG_CALL, _with_commands(error))
    except (RulesError, BoxError, ShutboxError, VisionError) as error:
        _leave(Exit.WRONG_CALL, str(error))
    except BoxFault as error:
        _leave(Exit.NO, str(error))
    except BrokenPipeError:
        # Whoever read our answers has enough.
        _forget_output()
        sys.exit(Exit.DONE)
    except OSError as error:
        _forget_output()
        _leave(Exit.WRONG_CALL, f"{error.filename or 'output'}: {error.strerror or error}")
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(130)
    sys.exit(status or Exit.DONE)


def _forget_output() -> None:
    """Nothing that is still to be flushed can be written: let it go, or Python complains of it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _leave(status: Exit, line: str) -> NoReturn:
    say(f"shutbox: {' '.join(line.split())}")
    sys.exit(status)


def _with_commands(error: typer.TyperException) -> str:
    """A complaint about a subcommand says which there are."""
    problem, context = error.format_message(), getattr(error, "ctx", None)
    if context is None or "command" not in problem.lower() or not hasattr(context.command, "list_commands"):
        return problem
    names = context.command.list_commands(context)
    return f"{problem.rstrip('.')}; say one of {', '.join(names)} (each has --help)"


def _refuse_with_daemon(**words: object) -> None:
    given = [name for name, value in words.items() if value]
    if given:
        raise NoBox(f"a daemon runs already and has its own box; leave out {', '.join(given)} or stop it first")
