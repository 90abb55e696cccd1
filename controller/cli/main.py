"""The command line: the table of its subcommands, and how a call ends. Each subcommand is loaded when it is called."""

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
from typer.core import TyperGroup

from controller.cli.lazy import Subcommand, make_group
from controller.errors import ShutboxError
from controller.rules.errors import RulesError
from controller.runtime.output import Exit, first_of
from hardware.errors import BoxError, BoxFault
from vision.errors import VisionError

# The first help. Commands for the box itself and for repair are not in it.
SECTIONS = {
    "Play": ("play", "games", "demo", "scores", "replay", "code"),
    "Ask": ("moves", "odds", "simulate", "read", "dice", "export"),
    "Look after": ("run", "settings", "pin", "pair", "devices", "backup", "restore", "install", "update"),
    "Repair": ("bringup", "selftest", "calibrate", "wiring", "parts", "doctor"),
}
# The help of every command.
SUBCOMMANDS = {
    "play": Subcommand(
        "play.play:play",
        "Play in this terminal: join the running daemon, or start one.",
        "play --mock --game pub --players Ann,House:perfect",
    ),
    "games": Subcommand("games:games", "List the games, or all options of one of them.", "games pub"),
    "demo": Subcommand(
        "demo:demo", "Let the house play whole games on the simulated box, in fast motion.", "demo --game pub --seed 1"
    ),
    "scores": Subcommand("history:scores", "Show everybody's games, wins, scores, luck and mistakes.", "scores --all"),
    "replay": Subcommand("replay:replay", "Check every recorded game, or show one move by move.", "replay --check"),
    "code": Subcommand("access:code", "Show the code with which phones in the network join today.", "code"),
    "moves": Subcommand("games:moves", "List every legal set of tiles for a board and a throw.", "moves --throw 5,3"),
    "odds": Subcommand(
        "odds:odds",
        "Work out exact odds: expected score, or chance to shut or win.",
        "odds --game pub --throw 5,3",
        more="For fleet and flash: the expected number of throws for a combination, and which dice to keep.",
    ),
    "simulate": Subcommand(
        "simulate:simulate",
        "Play many random turns or games to check the odds.",
        "simulate --game thai --turns 1000",
    ),
    "arena": Subcommand(
        "engines.arena:arena",
        "Let engines and houses play one another, and say how sure the outcome is.",
        "arena house:perfect house:casual --game pub --games 20",
        more="An engine is a program that follows docs/reference/engine.md.",
    ),
    "engine": Subcommand(
        "engines.engine:engine",
        "Be an engine: the house, asked over standard input; or seat one at the table.",
        "engine --strength perfect",
        more="With --seat a program plays for that player, at the daemon that runs.",
    ),
    "evening": Subcommand("evening.group:group", "Play many matches: round robin, Swiss or knock-out; with a ladder."),
    "read": Subcommand("read:read", "Read the dice in pictures.", "read docs/samples/two_dice.jpg"),
    "dice": Subcommand("history:dice", "Say whether the dice are fair, and how often misread.", "dice"),
    "export": Subcommand(
        "export:export",
        "Export throws, choices and scores as rows, or games as text.",
        "export --stn",
        more="`shutbox import` reads such games.",
    ),
    "import": Subcommand(
        "export:import_games",
        "Read games from text into a journal of guests.",
        "import docs/samples/evening.stn",
        more="They were played elsewhere, and count for nobody's scores here.",
    ),
    "run": Subcommand(
        "run:run",
        "Run the daemon: referee, tiles, camera and API.",
        "run --mock",
        more="For systemd or a terminal.",
        also=(Exit.AGAIN,),
    ),
    "settings": Subcommand(
        "doctor:settings", "Show every setting with its value, its default and its meaning.", "settings"
    ),
    "pin": Subcommand(
        "access:pin",
        "Set the PIN with which phones become operators' devices.",
        "pin --show",
        more="It is typed, or read from a pipe, and has 6 to 12 digits. Devices that are operators' already stay so.",
    ),
    "pair": Subcommand(
        "access:pair",
        "Make the device that shows this number an operator's device.",
        "pair 4711",
        more="Holding the button of the box for five seconds does the same.",
    ),
    "devices": Subcommand(
        "access:devices",
        "List or revoke the operators' phones and programs.",
        "devices",
        more="The dates are as good as the clock of the box, which may be wrong without a network.",
    ),
    "backup": Subcommand(
        "backup:backup",
        "Save games, settings, calibration, dice and wear in one file.",
        "backup",
        more="A game may be running.",
    ),
    "restore": Subcommand(
        "backup:restore",
        "Restore a backup, and put aside what it replaces.",
        "restore shutbox-two-level-9-2026-11-24.tar.gz",
        more="All of it is checked before anything changes.",
    ),
    "install": Subcommand(
        "install:install",
        "Install program, units and user; running it twice changes nothing.",
        "install dist/shutbox.tar --dry-run",
    ),
    "update": Subcommand(
        "install:update",
        "Try a new version; if it does not come up, the old one returns.",
        "update dist/shutbox.tar",
        more="It has a minute to come up.",
    ),
    "bringup": Subcommand(
        "bringup:bringup",
        "Find out how a new box is wired, and write that down.",
        "bringup --mock --faults swapped:front-3 --yes",
        more="Chips, servos, sensors and camera. What differs from the profile is shown before it is written.",
    ),
    "selftest": Subcommand(
        "job:selftest", "Test every chip, tile and sensor, the camera and the markers.", "selftest --mock"
    ),
    "calibrate": Subcommand("calibrate:group", "Measure this box: its servos, its camera, and dice without pips."),
    "wiring": Subcommand(
        "wiring:wiring", "Show wires, parts and first power-up of this box, or draw them.", "wiring --checklist"
    ),
    "parts": Subcommand(
        "parts:parts",
        "List the parts of this box, or write the files to build it.",
        "parts --box classic-9",
        more="The box in wood: one or two rows of up to 12 numbers. Needs the extra `cad`.",
    ),
    "doctor": Subcommand("doctor:doctor", "Report versions, settings, health and log, for getting help.", "doctor"),
    "guard": Subcommand(
        "run:guard",
        "Own the /OE line, and cut all pulses when the daemon is silent for half a second.",
        "guard --mock-box",
    ),
    "speak": Subcommand(
        "speak:speak",
        "Say aloud what happens at the table, by espeak-ng.",
        "speak --text",
        more="In the language of the settings, until it is stopped. The daemon that runs is heard, or the next one.",
    ),
    "bridge": Subcommand(
        "bridge.bridge:bridge",
        "Tell an MQTT broker, and webhooks, what happens at the table.",
        "bridge --if-on",
        more="By [bridge] of the settings, until it is stopped. Home Assistant finds the box by itself.",
    ),
    "together": Subcommand(
        "together.together:together",
        "Play one match at two boxes, over a broker; each for its own players.",
        "together --help",
        more="As in: together friday --players Ann,Bea --here Ann; at the other box --here Bea. By [bridge].",
    ),
    "park": Subcommand(
        "box:park",
        "Switch the pulses off and leave the tiles as they are.",
        "park",
        more="Through the daemon if one runs, or else directly at the box.",
    ),
    "faults": Subcommand("faults:faults", "List the ways to break the simulated box on purpose.", "faults"),
    "mock-box": Subcommand(
        "box:mock_box",
        "Run a simulated box for daemons to join; with words, reach into it by hand.",
        "mock-box --faults jam:front-7",
    ),
    "api": Subcommand(
        "doctor:api", "Print the API of the daemon as an OpenAPI 3.1 document; no daemon has to run.", "api"
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
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Print the version.")
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


group = make_group(SUBCOMMANDS, shutbox, sections=SECTIONS)


def main(commands: TyperGroup = group) -> None:
    """Run one subcommand and leave with its status. A wrong call is one line, never a traceback."""
    # Started with closed streams, Python has none; what is printed then goes nowhere.
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
        # Names of files and players may hold characters that the terminal cannot show: they are escaped.
        sys.stdout.reconfigure(errors="backslashreplace")
    if _COMPLETING in os.environ:
        get_completion_inspect_parameters()  # makes Typer know the shells, as its own options would
    try:
        status = _run(commands)
    except typer.TyperException as error:
        _leave(Exit.WRONG_CALL, _in_words(error))
    except (RulesError, BoxError, ShutboxError, VisionError) as error:
        _leave(Exit.WRONG_CALL, str(error))
    except BoxFault as error:
        _leave(Exit.NO, str(error))
    except BrokenPipeError:
        # The reader of the answers has enough.
        _forget_output()
        sys.exit(Exit.DONE)
    except OSError as error:
        _forget_output()
        _leave(Exit.WRONG_CALL, f"{error.filename or 'output'}: {error.strerror or error}")
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(Exit.STOPPED)
    sys.exit(status or Exit.DONE)


def _run(commands: TyperGroup) -> int | None:
    """Run the subcommand; if several tasks failed, raise the first error, which says why."""
    try:
        found: int | None = commands.main(standalone_mode=False)
    except ExceptionGroup as several:
        raise first_of(several) from several
    except SystemExit as left:
        # Typer exits by itself, as if it had failed, when nobody reads on.
        if isinstance(left.__context__, BrokenPipeError):
            raise left.__context__ from left
        raise
    return found


def _forget_output() -> None:
    """Drop unflushed output, which cannot be written: Python would complain about it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _leave(status: Exit, line: str) -> NoReturn:
    # Not by the consoles: most wrong calls need none, and loading them takes time.
    told = f"shutbox: {' '.join(line.split())}"
    if sys.stderr.isatty():
        told = textwrap.fill(told, shutil.get_terminal_size().columns, break_on_hyphens=False)
    with suppress(OSError):
        print(told, file=sys.stderr)
    sys.exit(status)


# The complaints of Typer and pydantic, as a person says them.
_PLAIN = (
    ("Input should be a valid integer, unable to parse string as an integer", "say a whole number"),
    ("Input should be a valid number, unable to parse string as a number", "say a number"),
    ("Input should be greater than or equal to ", "say at least "),
    ("Input should be less than or equal to ", "say at most "),
    ("Value error, ", ""),
    ("Got unexpected extra argument(s)", "leave out what does not belong here:"),
    ("Invalid value: ", ""),
)


def _in_words(error: typer.TyperException) -> str:
    problem, context = error.format_message(), getattr(error, "ctx", None)
    for theirs, ours in _PLAIN:
        problem = problem.replace(theirs, ours)
    if context is None or "command" not in problem.lower() or not hasattr(context.command, "list_commands"):
        return problem
    names = context.command.list_commands(context)
    return f"{problem.rstrip('.')}; say one of {', '.join(names)} (each has --help)"
