"""`shutbox mock-box`: serve a simulated box, or reach into the one that runs; and joining it, for other subcommands."""

import secrets
from typing import Annotated

import typer

from controller.cli_words import AnySeed, BoxName, Faults, Json, Setup
from controller.errors import NoBox
from controller.fault_catalogue import fault_names
from controller.mock_box import reach_in
from controller.mock_wiring import JoinedBox, join_mock_box, serve_mock_box
from controller.output import say
from controller.settings import Home


def mock_box(
    deed: Annotated[
        list[str] | None, typer.Argument(help="A hand at the mock-box that runs: `look`, `tip front-7 SHUT`, ...")
    ] = None,
    box: BoxName = None,
    faults: Faults = None,
    seed: AnySeed = None,
    json: Json = False,
) -> None:
    """A simulated box in a process of its own, for daemons to join; with words, a hand that reaches into it."""
    setup = Setup.find(box)
    if deed:
        _refuse("the mock-box runs already", box=box, faults=faults, seed=seed)
        reach_in(setup.home, deed, as_json=json)
        return
    chance = secrets.randbits(32) if seed is None else seed
    serve_mock_box(setup.load_box(), setup.home, seed=chance, faults=fault_names(faults), announce=say)


def joined_box(home: Home, *, mock: bool, **options: object) -> JoinedBox:
    """The mock-box of this home; it has its own profile, faults and chance. Raises `NoBox`."""
    _refuse("a mock-box was started with its own", mock=mock or None, **options)
    return join_mock_box(home)


def _refuse(why: str, **options: object) -> None:
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise NoBox(f"{why}; leave out {', '.join(given)}")
