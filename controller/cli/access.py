"""`shutbox code`: the code by which phones join today, and the page that asks for it."""

import asyncio
import sys
from dataclasses import asdict
from getpass import getpass
from typing import Annotated

import typer

from controller.access.pin import PinView
from controller.access.state import DeviceView
from controller.cli.options import Installation, Json
from controller.cli.play.page import draw_qr
from controller.errors import NoPairing
from controller.game.core.english import count, join_and
from controller.runtime.home import Home
from controller.runtime.output import Exit, print_json
from controller.runtime.terminal import answers, say
from controller.runtime.tokens import JoinCode
from controller.web.access_client import reach_access
from controller.web.client import Refused
from controller.web.network import join_link, page_addresses


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
    answers.print(f"Today's code: {found.typed[:3]} {found.typed[3:]}", markup=False)
    answers.print(f"For links and programs: {found.link}", markup=False)
    if not network.on:
        off = "Nobody can say it yet: phones are let in with on = true under [web] in the settings."
        answers.print(off, markup=False)
    for link in links:
        answers.print(f"Page: {link}", markup=False)
    if links and answers.is_terminal:
        answers.print(draw_qr(links[0]), markup=False, end="")


def devices(
    revoke: Annotated[
        str | None,
        typer.Option("--revoke", metavar="NAME|all", help="Take this device, or all of them, from the operators."),
    ] = None,
    json: Json = False,
) -> None:

    async def do(home: Home) -> tuple[DeviceView, ...]:
        async with reach_access(home) as access:
            if revoke == "all":
                await access.revoke_all()
            elif revoke is not None:
                known = await access.devices()
                numbers = [device.number for device in known if device.name.casefold() == revoke.casefold()]
                if not numbers:
                    there = f"there are {join_and([device.name for device in known])}" if known else "there is none"
                    raise typer.BadParameter(f"no device is called {revoke}; {there}")
                await access.revoke(numbers[0])
            return await access.devices()

    found = asyncio.run(do(Installation().home))
    for device in found:
        given, used = device.given.isoformat(), device.used.isoformat()
        if json:
            print_json({"number": device.number, "name": device.name, "given": given, "used": used})
        else:
            answers.print(f"{device.number:>3}  {device.name:<28}since {given}, used {used}", markup=False)
    if not found and not json:
        answers.print("No device is an operator's; the box's own terminal always is.")


def pair(
    number: Annotated[str, typer.Argument(help="The number that the device shows for a minute.")], json: Json = False
) -> None:
    if not number.isdecimal():
        raise typer.BadParameter(f"{number!r} is no number; the device shows one for a minute")
    try:
        name = asyncio.run(confirm_pairing(Installation().home, number))
    except (NoPairing, Refused) as error:
        say(str(error))
        raise typer.Exit(Exit.NO) from error
    if json:
        print_json({"name": name})
    else:
        answers.print(f"{name} is an operator's device now; `shutbox devices` lists them.", markup=False)


async def confirm_pairing(home: Home, number: str) -> str:
    """Confirm a pairing; return the name of the device. Raises `NoPairing`, `Refused` or `DaemonGone`."""
    async with reach_access(home) as access:
        return await access.confirm_pairing(number)


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
