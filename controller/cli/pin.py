"""`shutbox pin`: the PIN by which a phone in the network becomes an operator's."""

import asyncio
import sys
from getpass import getpass
from typing import Annotated, Literal

import typer

from controller.access import PinView
from controller.cli.options import Installation, Json
from controller.game import count
from controller.process import answers, print_json
from controller.settings import Home
from controller.web import reach_access

_Deed = Literal["set", "forget", "unlock", "show"]


def pin(
    forget: Annotated[bool, typer.Option("--forget", help="Have no PIN: nobody becomes an operator by one.")] = False,
    unlock: Annotated[bool, typer.Option("--unlock", help="Let it be tried again after too many wrong ones.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Say whether there is one, and what was tried.")] = False,
    json: Json = False,
) -> None:
    """Set the PIN by which phones become operators' devices; it is asked for, or read from a pipe.

    A PIN has 6 to 12 digits. Who is an operator already stays one: see `shutbox devices`.
    """
    if forget + unlock + show > 1:
        raise typer.BadParameter("say one of --forget, --unlock and --show")
    deed: _Deed = "forget" if forget else "unlock" if unlock else "show" if show else "set"
    digits = _ask_for_pin() if deed == "set" else ""
    view = asyncio.run(_do(deed, digits, Installation().home))
    if json:
        print_json({"set": view.is_set, "wrong": view.wrong, "wait_s": view.wait_s})
    else:
        answers.print(_in_words(view), markup=False)


def _ask_for_pin() -> str:
    """The PIN, typed twice without being seen; from a pipe, its first line. Never an argument: others see those."""
    if sys.stdin is None or not sys.stdin.isatty():
        return (sys.stdin.readline() if sys.stdin else "").strip()
    typed = getpass("New PIN, 6 to 12 digits: ")
    if typed != getpass("Once more: "):
        raise typer.BadParameter("these are two different PINs; nothing was changed")
    return typed


async def _do(deed: _Deed, digits: str, home: Home) -> PinView:
    async with reach_access(home) as access:
        match deed:
            case "set":
                await access.set_pin(digits)
            case "forget":
                await access.forget_pin()
            case "unlock":
                await access.unlock_pin()
            case "show":
                pass
        return await access.pin()


def _in_words(view: PinView) -> str:
    if not view.is_set:
        return "There is no PIN: devices become operators' by pairing alone (`shutbox pair`)."
    told = ["A PIN is set."]
    if view.wrong:
        told.append(f"{count(view.wrong, 'wrong one')} in a row.")
    if view.wait_s is None:
        told.append("It is locked: `shutbox pin --unlock` opens it.")
    elif view.wait_s:
        told.append(f"The next try is looked at in {view.wait_s} seconds.")
    return " ".join(told)
