"""`shutbox run`: choose the box and run the daemon on it."""

import asyncio
import logging
from collections.abc import Coroutine

import typer

from controller.box import choose_box, parse_faults
from controller.cli.options import AnySeed, BoxName, Faults, Installation, Mock, MockBox
from controller.daemon import run_until_stopped
from controller.process import TROUBLES, Exit, find_stale_units, start_log
from controller.rules import RulesError
from vision.errors import VisionError

_log = logging.getLogger(__name__)

_FAILED = (
    "the program of the box has failed and ends; the game is kept. `shutbox doctor` makes a report for whoever helps"
)


def run(
    mock: Mock = False,
    mock_box: MockBox = False,
    box: BoxName = None,
    faults: Faults = None,
    seed: AnySeed = None,
) -> None:
    """Run the daemon: referee, tiles, camera and API; for systemd or a terminal."""
    start_log()
    for line in find_stale_units():
        _log.warning("%s", line)
    installation = Installation(box, mock or mock_box)
    home, settings = installation.home, installation.settings
    if mock_box:
        # Whoever has a box of metal shall not carry a simulated one about.
        from controller.cli.joined import find_mock_box

        chosen = find_mock_box(installation, mock=mock, box=box, faults=faults, seed=seed)
    else:
        chosen = choose_box(installation.box, settings, home, mock=mock, faults=parse_faults(faults), seed=seed)
    _serve(run_until_stopped(chosen, home, settings))


def _serve(serving: Coroutine[None, None, None]) -> None:
    """Serve to the end. What nobody has foreseen is told in a line; what has words of its own is the caller's."""
    try:
        asyncio.run(serving)
    except (*TROUBLES, RulesError, VisionError):
        raise
    except Exception as error:
        _log.error(_FAILED, exc_info=error)
        raise typer.Exit(Exit.NO) from None
