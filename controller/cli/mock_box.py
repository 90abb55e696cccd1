"""`shutbox mock-box`: serve a simulated box, or reach with a hand into the one that runs; other subcommands join it."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from controller.box import ask_mock_box, parse_faults, read_deed, serve_mock_box, words_of
from controller.cli.joined import refuse_options
from controller.cli.options import AnySeed, BoxName, Faults, Installation, Json
from controller.process import answers, print_json, say
from controller.settings import Home


def mock_box(
    deed: Annotated[
        list[str] | None,
        typer.Argument(metavar="DEED", help="A hand at the mock-box that runs: `look`, `tip front-7 SHUT` and others."),
    ] = None,
    box: BoxName = None,
    faults: Faults = None,
    seed: AnySeed = None,
    json: Json = False,
) -> None:
    """A simulated box in a process of its own, for daemons to join; with words, a hand that reaches into it."""
    installation = Installation(box, mock=True)
    if deed:
        refuse_options("the mock-box runs already", box=box, faults=faults, seed=seed)
        reach_in(installation.home, deed, as_json=json)
        return
    chance = secrets.randbits(32) if seed is None else seed
    serve_mock_box(installation.load_box(), installation.home, seed=chance, faults=parse_faults(faults), announce=say)


def reach_in(home: Home, deed: Sequence[str], *, as_json: bool) -> None:
    """Do one deed and tell how the box is afterwards. Raises `BadDeed` that says what can be done, `NoBox`."""
    asked = read_deed(deed)
    if asked.do != "look":
        ask_mock_box(home, asked.do, **words_of(asked))
    seen = ask_mock_box(home, "look")
    if as_json:
        print_json(seen)
    else:
        _tell(seen)


def _tell(seen: Mapping[str, Any]) -> None:
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
