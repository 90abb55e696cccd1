"""`shutbox mock-box`: serve a simulated box that other commands join, or reach into the one that runs."""

import secrets
from collections.abc import Sequence
from typing import Annotated

import typer

from controller.box.deeds import arguments_of, parse_action
from controller.box.faults import parse_faults
from controller.box.mock_box import serve_mock_box
from controller.box.mock_link import ask_mock_box
from controller.cli.joined import refuse_options
from controller.cli.options import AnySeed, BoxName, Faults, Installation, Json
from controller.process.output import print_json
from controller.process.terminal import answers, say
from controller.settings import Home


def mock_box(
    deed: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DEED", help="Reach into the mock-box that runs: `look`, `tip front-7 SHUT` and others."
        ),
    ] = None,
    box: BoxName = None,
    faults: Faults = None,
    seed: AnySeed = None,
    json: Json = False,
) -> None:
    installation = Installation(box, mock=True)
    if deed:
        refuse_options("the mock-box runs already", box=box, faults=faults, seed=seed)
        reach_in(installation.home, deed, as_json=json)
        return
    chance = secrets.randbits(32) if seed is None else seed
    serve_mock_box(installation.load_box(), installation.home, seed=chance, faults=parse_faults(faults), announce=say)


def reach_in(home: Home, deed: Sequence[str], *, as_json: bool) -> None:
    """Do one deed, and print the box afterwards. Raises `BadDeed` with the possible deeds, and `NoBox`."""
    asked = parse_action(deed)
    if asked.do != "look":
        ask_mock_box(home, asked.do, **arguments_of(asked))
    seen = ask_mock_box(home, "look")
    if as_json:
        print_json(seen)
        return
    at: dict[str, list[str]] = {}
    for tile, position in seen["tiles"].items():
        at.setdefault(position, []).append(tile)
    for position, tiles in sorted(at.items()):
        answers.print(f"{position}: {', '.join(tiles)}", markup=False)
    pulses = ", ".join(f"{tile} {pulse_us} us" for tile, pulse_us in seen["pulses_us"].items()) or "none"
    answers.print(f"pulses: {pulses}; current: {seen['current_a']:.2f} A", markup=False)
    dice = ", ".join(map(str, seen["dice"])) or "none"
    faults = ", ".join(seen["faults"]) or "none"
    answers.print(f"lid: {seen['lid']}; dice: {dice}; faults: {faults}", markup=False)
