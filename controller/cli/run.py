"""`shutbox run`: choose the box and run the daemon on it."""

import asyncio
import logging
import os
import sys
from threading import Event

import typer

from controller.box.choose import choose_box_at_start
from controller.box.faults import parse_faults
from controller.cli.daemon import run_until_stopped
from controller.cli.options import AnySeed, Anyway, BoxName, Faults, Installation, Mock, MockBox
from controller.rules.errors import RulesError
from controller.runtime.log import start_log
from controller.runtime.output import TROUBLES, Exit, describe_trouble
from controller.runtime.systemd import find_stale_units, notify_status, started_by_systemd
from vision.errors import VisionError


def guard(mock_box: MockBox = False, box: BoxName = None) -> None:
    words = ["--mock-box"] * mock_box + (["--box", box] if box else [])
    # A guard stays small: it leaves the rest of this program behind.
    os.execv(sys.executable, [sys.executable, "-P", "-m", "controller.box.guard", *words])  # noqa: S606


_log = logging.getLogger(__name__)

# How long a service that cannot start shows why, before systemd, which never gives up, starts it again.
_PAUSE_S = 5.0
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
    try:
        home, start = installation.home, installation.at_start
        if mock_box:
            # A box of metal needs no simulated one in memory.
            from controller.cli.play.play import find_mock_box

            chosen = find_mock_box(installation, anyway=anyway, mock=mock, box=box, faults=faults, seed=seed)
        else:
            broken = parse_faults(faults)
            chosen = choose_box_at_start(box, start, home, mock=mock, faults=broken, seed=seed, anyway=anyway)
        is_wanted_anew = asyncio.run(run_until_stopped(chosen, home, start.now))
    except (*TROUBLES, RulesError, VisionError) as trouble:
        # These say themselves what is wrong.
        if started_by_systemd():
            notify_status(f"Does not start: {describe_trouble(trouble)}")
            Event().wait(_PAUSE_S)
        raise
    except Exception as error:
        _log.error(_FAILED, exc_info=error)
        raise typer.Exit(Exit.NO) from None
    if is_wanted_anew:
        raise typer.Exit(Exit.AGAIN)
