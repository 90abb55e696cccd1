"""`shutbox pin`: the PIN by which a phone in the network becomes an operator's device."""

import asyncio
import sys
from getpass import getpass
from typing import Annotated

import typer

from controller.access.throttle import PinView
from controller.cli.options import Installation, Json
from controller.game.core.english import count
from controller.process.output import print_json
from controller.process.terminal import answers
from controller.settings import Home
from controller.web.access_client import reach_access


def pin(
    forget: Annotated[
        bool, typer.Option("--forget", help="Delete the PIN, so that nobody becomes an operator by it.")
    ] = False,
    unlock: Annotated[bool, typer.Option("--unlock", help="Allow new tries after too many wrong ones.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Only show whether there is one, and wrong tries.")] = False,
    json: Json = False,
) -> None:
    if forget + unlock + show > 1:
        raise typer.BadParameter("say one of --forget, --unlock and --show")
    digits = ""
    if not (forget or unlock or show):
        # Never an argument, which other users could see: typed twice and unseen, or the first line of a pipe.
        if sys.stdin is None or not sys.stdin.isatty():
            digits = (sys.stdin.readline() if sys.stdin else "").strip()
        else:
            digits = getpass("New PIN, 6 to 12 digits: ")
            if digits != getpass("Once more: "):
                raise typer.BadParameter("these are two different PINs; nothing was changed")

    async def do(home: Home) -> PinView:
        async with reach_access(home) as access:
            if forget:
                await access.forget_pin()
            elif unlock:
                await access.unlock_pin()
            elif not show:
                await access.set_pin(digits)
            return await access.pin()

    view = asyncio.run(do(Installation().home))
    if json:
        print_json({"set": view.is_set, "wrong": view.wrong, "wait_s": view.wait_s})
    elif not view.is_set:
        answers.print("There is no PIN: devices become operators' by pairing alone (`shutbox pair`).", markup=False)
    else:
        told = ["A PIN is set."]
        if view.wrong:
            told.append(f"{count(view.wrong, 'wrong one')} in a row.")
        if view.wait_s is None:
            told.append("It is locked: `shutbox pin --unlock` opens it.")
        elif view.wait_s:
            told.append(f"The next try is looked at in {view.wait_s} seconds.")
        answers.print(" ".join(told), markup=False)
