"""`shutbox run`: choose the box and run the daemon on it."""

import asyncio
import logging
import os
import sys

import typer

from controller.box.choose import choose_box
from controller.box.faults import parse_faults
from controller.cli.daemon import run_until_stopped
from controller.cli.options import AnySeed, Anyway, BoxName, Faults, Installation, Mock, MockBox
from controller.rules.errors import RulesError
from controller.runtime.log import start_log
from controller.runtime.output import TROUBLES, Exit
from controller.runtime.systemd import find_stale_units
from vision.errors import VisionError


def guard(mock_box: MockBox = False, box: BoxName = None) -> None:
    words = ["--mock-box"] * mock_box + (["--box", box] if box else [])
    # A guard stays small: it leaves the rest of this program behind.
    os.execv(sys.executable, [sys.executable, "-P", "-m", "controller.box.guard", *words])  # noqa: S606


_log = logging.getLogger(__name__)

_FAILED = (
    "the program of the box has failed and ends; the game is saved. `shutbox doctor` makes a report for getting help"
)


def run(
    mock: Mock = False,
    mock_box: MockBox = False,
    box: BoxName = None,
    faults: Faults = None,
    seed: AnySeed = None,
    anyway: Anyway = False,
) -> None:
    start_log()
    for line in find_stale_units():
        _log.warning("%s", line)
    installation = Installation(box, mock or mock_box)
    home, settings = installation.home, installation.settings
    if mock_box:
        # A box of metal needs no simulated one in memory.
        from controller.cli.play.play import find_mock_box

        chosen = find_mock_box(installation, anyway=anyway, mock=mock, box=box, faults=faults, seed=seed)
    else:
        chosen = choose_box(
            installation.box, settings, home, mock=mock, faults=parse_faults(faults), seed=seed, anyway=anyway
        )
    try:
        asyncio.run(run_until_stopped(chosen, home, settings))
    except (*TROUBLES, RulesError, VisionError):
        # These say themselves what is wrong.
        raise
    except Exception as error:
        _log.error(_FAILED, exc_info=error)
        raise typer.Exit(Exit.NO) from None
