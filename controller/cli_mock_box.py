"""The subcommands whose processes live beside the daemon: mock-box and guard; and joining a mock-box."""

import os
import secrets
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from controller.cli_words import BoxName, Faults, Json, MockBox
from controller.errors import NoBox
from controller.output import say

if TYPE_CHECKING:
    from controller.mock_wiring import JoinedBox
    from controller.settings import Home


def guard(mock_box: MockBox = False, box: BoxName = None) -> None:
    """The owner of /OE in a process of its own: no pulse passes once the daemon is silent for half a second."""
    words = ["--mock-box"] * mock_box + (["--box", box] if box else [])
    # A guard stays small: it leaves the rest of this program behind.
    os.execv(sys.executable, [sys.executable, "-P", "-m", "controller.guard_wiring", *words])  # noqa: S606


def mock_box(
    deed: Annotated[
        list[str] | None, typer.Argument(help="A hand at the mock-box that runs: `look`, `tip front-7 SHUT`, ...")
    ] = None,
    box: BoxName = None,
    faults: Faults = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="The chance of the simulated box.")] = None,
    json: Json = False,
) -> None:
    """A simulated box in a process of its own, for daemons to join; with words, a hand that reaches into it."""
    from controller.settings import find_home, load_settings

    home = find_home()
    if deed:
        from controller.mock_box import reach_in

        _refuse("the mock-box runs already", box=box, faults=faults, seed=seed)
        reach_in(home, deed, as_json=json)
        return
    from controller.fault_catalogue import fault_names
    from controller.mock_wiring import serve_mock_box
    from hardware.box import load_box

    profile = load_box(box or load_settings(home.settings).box)
    chance = secrets.randbits(32) if seed is None else seed
    serve_mock_box(profile, home, seed=chance, faults=fault_names(faults), announce=say)


def joined_box(home: "Home", *, mock: bool, **words: object) -> "JoinedBox":
    """The mock-box of this home; it has its own profile, faults and chance. Raises `NoBox`."""
    from controller.mock_wiring import join_mock_box

    _refuse("a mock-box was started with its own", mock=mock or None, **words)
    return join_mock_box(home)


def _refuse(why: str, **words: object) -> None:
    given = [name for name, value in words.items() if value is not None]
    if given:
        raise NoBox(f"{why}; leave out {', '.join(given)}")
