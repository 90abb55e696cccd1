"""`shutbox code`: what players say to join the game from their phones."""

import asyncio
from dataclasses import asdict
from typing import Annotated

import typer

from controller.access import JoinCode
from controller.cli.options import Installation, Json
from controller.process import answers, print_json
from controller.settings import Home
from controller.web import reach_access


def code(
    new: Annotated[bool, typer.Option("--new", help="Another code; who sits at the table stays.")] = False,
    json: Json = False,
) -> None:
    """The code by which players join this game from the network; it is another with each game."""
    found = asyncio.run(_ask(Installation().home, new=new))
    if json:
        print_json(asdict(found))
        return
    answers.print(f"Code of this game: {found.typed[:3]} {found.typed[3:]}", markup=False)
    answers.print(f"For links and programs: {found.link}", markup=False)


async def _ask(home: Home, *, new: bool) -> JoinCode:
    async with reach_access(home) as access:
        return await access.renew_code() if new else await access.code()
