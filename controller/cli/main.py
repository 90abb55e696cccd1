"""The command line: which subcommands there are, and how a call ends. What a subcommand needs is loaded with it."""

import os
import shutil
import sys
import textwrap
from contextlib import suppress
from importlib.metadata import version
from io import TextIOWrapper
from typing import Annotated, NoReturn

import typer
from typer.completion import get_completion_inspect_parameters, get_completion_script  # type: ignore[attr-defined]

from controller.cli.lazy import Subcommand, make_group
from controller.errors import ShutboxError
from controller.process import Exit, first_of
from controller.rules import RulesError
from hardware.errors import BoxError, BoxFault
from vision.errors import VisionError

SUBCOMMANDS = {
    "games": Subcommand(
        "controller.cli.games",
        "games",
        "List the games; one that is named with its options and what they mean.",
        "games pub",
    ),
    "moves": Subcommand(
        "controller.cli.moves", "moves", "Every legal set of tiles for a board and a throw.", "moves --throw 5,3"
    ),
    "odds": Subcommand(
        "controller.cli.odds",
        "odds",
        "The exact odds: least expected score, greatest chance to shut, of at most N points, or to win.",
        "odds --game pub --throw 5,3",
    ),
    "simulate": Subcommand(
        "controller.cli.simulate",
        "simulate",
        "Play many turns or games by chance: the check of the odds, and of the strengths of the house.",
        "simulate --game thai --turns 1000",
    ),
    "scores": Subcommand(
        "controller.cli.scores",
        "scores",
        "What everybody has played: games, wins, scores, and what dice and choices cost by the odds.",
        "scores --all",
    ),
    "dice": Subcommand(
        "controller.cli.dice", "dice", "Say whether the dice are fair, by every throw of every game.", "dice"
    ),
    "guard": Subcommand(
        "controller.cli.guard",
        "guard",
        "The owner of /OE in a process of its own: no pulse passes once the daemon is silent for half a second.",
        "guard --mock-box",
    ),
    "mock-box": Subcommand(
        "controller.cli.mock_box",
        "mock_box",
        "A simulated box in a process of its own, for daemons to join; with words, a hand that reaches into it.",
        "mock-box --faults jam:front-7",
    ),
    "wiring": Subcommand(
        "controller.cli.wiring",
        "wiring",
        "How this box is wired: every wire, the parts list and the first power-up; or all of it as a drawing.",
        "wiring --checklist",
    ),
    "parts": Subcommand(
        "controller.cli.wiring",
        "buy_list",
        "What this box is built of: the parts list of its wiring.",
        "parts --box classic-9",
    ),
    "play": Subcommand(
        "controller.cli.play",
        "play",
        "Take a seat in this terminal; joins a daemon that runs, or brings its own.",
        "play --mock --game pub --players Ann,House:perfect",
    ),
    "run": Subcommand(
        "controller.cli.run",
        "run",
        "Run the daemon: referee, tiles, camera and API; for systemd or a terminal.",
        "run --mock",
    ),
    "demo": Subcommand(
        "controller.cli.demo",
        "demo",
        "The house plays whole games on the simulated box, on a clock that jumps.",
        "demo --game pub --seed 1",
    ),
    "read": Subcommand(
        "controller.cli.read", "read", "Read the dice in pictures.", "read docs/samples/two_dice.jpg --field whole"
    ),
    "replay": Subcommand(
        "controller.cli.replay",
        "replay",
        "Play journals again and check every state on the way; with a number, tell that game move by move.",
        "replay --check",
    ),
    "settings": Subcommand(
        "controller.cli.settings",
        "settings",
        "Every setting with its value, its default and its meaning, and the file in which they are set.",
        "settings",
    ),
    "pin": Subcommand(
        "controller.cli.pin",
        "pin",
        "Set the PIN by which phones become operators' devices; it is asked for, or read from a pipe.",
        "pin --show",
    ),
    "pair": Subcommand(
        "controller.cli.pair",
        "pair",
        "Say yes to the device that shows this number: it is an operator's from now on.",
        "pair 4711",
    ),
    "devices": Subcommand(
        "controller.cli.devices",
        "devices",
        "The phones and programs that are operators here, since when, and when they were used last.",
        "devices",
    ),
    "code": Subcommand(
        "controller.cli.code",
        "code",
        "The code by which players join this game from the network; it is another with each game.",
        "code",
    ),
    "backup": Subcommand(
        "controller.cli.backup",
        "backup",
        "Save journal, settings, calibration, dice and wear in one file, also while the box is played on.",
        "backup",
    ),
    "restore": Subcommand(
        "controller.cli.restore",
        "restore",
        "Bring back what a backup holds; it is checked whole first, and what it replaces is put aside.",
        "restore shutbox-two-level-9-2026-11-24.tar.gz",
    ),
    "export": Subcommand(
        "controller.cli.export",
        "export",
        "Every game, throw, choice, score and claim as rows, for spreadsheets and programs of your own.",
        "export throws --csv",
    ),
    "api": Subcommand(
        "controller.cli.api",
        "api",
        "The API of the daemon as an OpenAPI 3.1 document; no daemon has to run.",
        "api",
    ),
    "selftest": Subcommand(
        "controller.cli.selftest",
        "selftest",
        "Test every chip, tile, sensor, the camera and the markers.",
        "selftest --mock",
    ),
    "doctor": Subcommand(
        "controller.cli.doctor",
        "doctor",
        "A report for whoever helps: versions, settings, health, last events, last lines of the log.",
        "doctor",
    ),
    "install": Subcommand(
        "controller.cli.install",
        "install",
        "Put program, units, user and folders on this machine; said again, it changes nothing.",
        "install dist/shutbox.tar --dry-run",
    ),
    "update": Subcommand(
        "controller.cli.update",
        "update",
        "Try a new version: it stays if it comes up within a minute, else the old one is back.",
        "update dist/shutbox.tar",
    ),
    "park": Subcommand(
        "controller.cli.park",
        "park",
        "Pulses off, tiles as they are: through the daemon if one runs, else straight at the box.",
        "park",
    ),
    "faults": Subcommand(
        "controller.cli.faults", "faults", "The ways to break the simulated box on purpose.", "faults"
    ),
    "bench": Subcommand(
        "controller.cli.bench",
        "group",
        "Measure: vision, claims, motion, wire, faults, halts, cuts, clients, undo, luck, selftest and others.",
    ),
    "calibrate": Subcommand(
        "controller.cli.calibrate",
        "group",
        "Measure this box: its servos, its camera, and dice that bear no pips.",
    ),
}


_SHELLS = ("bash", "zsh", "fish")
_COMPLETING = "_SHUTBOX_COMPLETE"  # in the environment when a shell asks how a line goes on


def _tell_version(asked: bool) -> None:
    if asked:
        print(f"shutbox {version('shutbox')}")
        raise typer.Exit


def _tell_completion(shell: str | None) -> None:
    if shell:
        if shell not in _SHELLS:
            raise typer.BadParameter(f"--completion is for {', '.join(_SHELLS)}, not {shell!r}")
        print(get_completion_script(prog_name="shutbox", complete_var=_COMPLETING, shell=shell))
        raise typer.Exit


def shutbox(
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Say which version this is.")
    ] = False,
    completion: Annotated[
        str | None,
        typer.Option(
            "--completion",
            metavar="SHELL",
            callback=_tell_completion,
            is_eager=True,
            help='Completion with Tab, for bash, zsh or fish: eval "$(shutbox --completion bash)".',
        ),
    ] = None,
) -> None:
    """Shut the Box on a box that moves its tiles: play, calibrate, test. `shutbox play --mock` begins without a box."""


group = make_group(SUBCOMMANDS, shutbox)


def main() -> None:
    """Run one subcommand and leave with its status. A wrong call is one line, never a traceback."""
    # Started with closed streams, Python has none; what is said then goes nowhere.
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    _write_whatever_is_said()
    if _COMPLETING in os.environ:
        get_completion_inspect_parameters()  # it has Typer know the shells, which it else does with its own options
    try:
        status = _run()
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


def _run() -> int | None:
    """Run the subcommand; of several tasks that ended it, the first one's error says why."""
    try:
        found: int | None = group.main(standalone_mode=False)
    except ExceptionGroup as several:
        raise first_of(several) from several
    except SystemExit as left:
        # The library of options ends the program by itself where nobody reads on, as if it had failed.
        if isinstance(left.__context__, BrokenPipeError):
            raise left.__context__ from left
        raise
    return found


def _write_whatever_is_said() -> None:
    """Names of files and players may hold what the terminal's encoding has no sign for: it is shown escaped."""
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


def _forget_output() -> None:
    """Nothing that is still to be flushed can be written: let it go, or Python complains of it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _leave(status: Exit, line: str) -> NoReturn:
    # Not by the consoles: most calls that are wrong need none.
    told = f"shutbox: {' '.join(line.split())}"
    if sys.stderr.isatty():
        told = textwrap.fill(told, shutil.get_terminal_size().columns, break_on_hyphens=False)
    with suppress(OSError):
        print(told, file=sys.stderr)
    sys.exit(status)


# What the library of options complains of, as a person says it.
_IN_WORDS = (
    ("Input should be a valid integer, unable to parse string as an integer", "say a whole number"),
    ("Input should be a valid number, unable to parse string as a number", "say a number"),
    ("Input should be greater than or equal to ", "say at least "),
    ("Input should be less than or equal to ", "say at most "),
    ("Value error, ", ""),
    ("Got unexpected extra argument(s)", "leave out what does not belong here:"),
    ("Invalid value: ", ""),
)


def _with_commands(error: typer.TyperException) -> str:
    """A complaint in words; one about a subcommand says which there are."""
    problem, context = error.format_message(), getattr(error, "ctx", None)
    for theirs, ours in _IN_WORDS:
        problem = problem.replace(theirs, ours)
    if context is None or "command" not in problem.lower() or not hasattr(context.command, "list_commands"):
        return problem
    names = context.command.list_commands(context)
    return f"{problem.rstrip('.')}; say one of {', '.join(names)} (each has --help)"
