"""`shutbox engine`: the house as an engine, or an engine at a seat of the daemon that runs."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.engines.seat import EngineSeat
from controller.cli.options import EngineLog
from controller.game.core.players import DEFAULT_STRENGTH
from controller.opponents.engines.house_engine import serve
from controller.opponents.engines.minds import house_strength
from controller.runtime.home import find_box_home, find_home
from controller.runtime.output import Exit
from controller.runtime.terminal import words
from controller.runtime.threads import cancel_on_signal


def engine(
    command: Annotated[
        str | None, typer.Argument(metavar="PROGRAM", help="With --seat: the engine, a command in quotes.")
    ] = None,
    seat: Annotated[
        str | None, typer.Option("--seat", help="Play for this player at the daemon that runs, by PROGRAM.")
    ] = None,
    strength: Annotated[
        str, typer.Option("--strength", help="How well the house plays: careless, casual, steady, skilled, perfect.")
    ] = DEFAULT_STRENGTH,
    log: EngineLog = None,
) -> None:
    if log is not None and seat is None:
        raise typer.BadParameter("--log is of an engine at a seat: say --seat NAME and its program too")
    if (seat is None) != (command is None):
        raise typer.BadParameter("say both --seat NAME and a program, or neither to be an engine")
    if seat is None or command is None:
        serve(house_strength(strength), find_home().odds)
        return
    raise typer.Exit(asyncio.run(_sit(command, seat, log)))


async def _sit(command: str, name: str, log: Path | None) -> Exit:
    """Play for a seat until a signal ends it, or the engine fails."""
    async with cancel_on_signal():
        await EngineSeat(name, command, find_box_home(), lambda line: words.print(line, markup=False), log).run()
    return Exit.NO
