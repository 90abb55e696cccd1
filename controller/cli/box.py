"""`shutbox park` and `shutbox mock-box`: release every servo; a simulated box in a process of its own."""

import asyncio
import secrets
from collections.abc import Sequence
from typing import Annotated

import typer

from controller.box.faults import parse_faults
from controller.box.real_firmware import switch_off
from controller.box.remote_simulated import serve_mock_box
from controller.box.simulated_actions import arguments_of, ask_mock_box, parse_action
from controller.box.start import settings_at_start
from controller.cli.options import AnySeed, BoxName, Faults, Installation, Json
from controller.cli.play.play import refuse_options
from controller.game.core.commands import Park
from controller.runtime.home import Home
from controller.runtime.output import print_json
from controller.runtime.terminal import answers, say
from controller.web.client import Client
from controller.web.network import daemon_runs, find_socket
from hardware.box import load_box


def park(box: BoxName = None) -> None:
    installation = Installation(box)
    home = installation.home

    async def park_daemon() -> None:
        async with Client(find_socket(home)) as client:
            await client.send(Park())

    if daemon_runs(home):
        asyncio.run(park_daemon())
        return
    settings = settings_at_start(home).known
    asyncio.run(switch_off(load_box(box or settings.box), settings, home))


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
        refuse_options("the mock-box runs already", {"box": box, "faults": faults, "seed": seed})
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
