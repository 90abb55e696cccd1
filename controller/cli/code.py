"""`shutbox code`: the code by which phones join the game, and the page that asks for it."""

import asyncio
from dataclasses import asdict
from typing import Annotated

import typer

from controller.access.join_code import JoinCode
from controller.cli.options import Installation, Json
from controller.cli.page import draw_qr
from controller.process.output import print_json
from controller.process.terminal import answers
from controller.settings import Home
from controller.web.access_client import reach_access
from controller.web.invitation import join_link, page_addresses


def code(
    new: Annotated[bool, typer.Option("--new", help="Make another code; holders of seats by name stay.")] = False,
    json: Json = False,
) -> None:
    installation = Installation()

    async def ask(home: Home) -> JoinCode:
        async with reach_access(home) as access:
            return await access.renew_code() if new else await access.code()

    found = asyncio.run(ask(installation.home))
    network = installation.settings.web
    links = [join_link(page, found.link) for page in page_addresses(network)] if network.on else []
    if json:
        print_json({**asdict(found), "pages": links})
        return
    answers.print(f"Code of this game: {found.typed[:3]} {found.typed[3:]}", markup=False)
    answers.print(f"For links and programs: {found.link}", markup=False)
    if not network.on:
        off = "Nobody can say it yet: phones are let in with on = true under [web] in the settings."
        answers.print(off, markup=False)
    for link in links:
        answers.print(f"Page: {link}", markup=False)
    if links and answers.is_terminal:
        answers.print(draw_qr(links[0]), markup=False, end="")
