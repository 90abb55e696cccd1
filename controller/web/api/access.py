"""The client's role at this box, and the ways to become an operator: by the PIN, or by pairing at the box."""

from dataclasses import dataclass
from datetime import date
from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import ConfigDict, Field

from controller.access.access import PairingView
from controller.access.pin import PinView
from controller.access.state import DeviceView
from controller.game.core.actions import Role
from controller.game.core.players import LONGEST_NAME
from controller.runtime.tokens import JoinCode
from controller.web.api.examples import Example, example
from controller.web.dependencies import TheAccess, TheReferee
from controller.web.security.principal import OPERATOR, AuthorizedRoute, ThePrincipal, forget_cookie, set_cookie

router = APIRouter(route_class=AuthorizedRoute)

_DEVICE = DeviceView(3, "Ann's phone", date(2026, 11, 1), date(2026, 11, 24))
_CODE = JoinCode("H7K2MP", "vQ3mTn8fXr2bLk5cWd9hZg")

_MOST_SIGNS = 64
DeviceName = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Digits = Annotated[str, Field(min_length=1, max_length=_MOST_SIGNS)]


@dataclass(frozen=True, slots=True)
class Me:
    """The client. names: the seats that it holds. device: its operator's device; pairing: the one that it waits for."""

    role: Role
    is_local: bool
    names: tuple[str, ...]
    device: DeviceView | None
    pairing: PairingView | None


@dataclass(frozen=True, slots=True)
class Pin:
    """A PIN to be set."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    pin: Digits


@dataclass(frozen=True, slots=True)
class PinEntry:
    """The PIN of this box, and the name of the device on which it was typed."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    pin: Digits
    name: DeviceName


@dataclass(frozen=True, slots=True)
class PairingRequest:
    """The name of the device that wants to become an operator's."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    name: DeviceName


@dataclass(frozen=True, slots=True)
class PairingNumber:
    """The number that a device shows; four digits."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    number: Digits


@dataclass(frozen=True, slots=True)
class Token:
    """The token of an operator's device, sent as `Authorization: Bearer TOKEN`; pages keep it as a cookie."""

    token: str


@dataclass(frozen=True, slots=True)
class PairingBegun:
    """A token that becomes valid once somebody at the box has confirmed the device that shows this number."""

    token: str
    pairing: PairingView


@dataclass(frozen=True, slots=True)
class Paired:
    """The device that has become an operator's."""

    name: str


@dataclass(frozen=True, slots=True)
class HomeLink:
    """The code of the link for browsers of this computer. It stays valid from day to day."""

    link: str


@router.get("/api/access/me")
@example(lambda: Example(answer=Me("operator", False, (), _DEVICE, None)))
async def who_am_i(principal: ThePrincipal) -> Me:
    """The role, seats and pairing of the client."""
    names = tuple(sorted(principal.caller.seats))
    return Me(principal.role, principal.is_local, names, principal.device, principal.pairing)


@router.delete("/api/access/me", status_code=204)
async def log_out(principal: ThePrincipal, access: TheAccess, request: Request, response: Response) -> None:
    """Stop being an operator on this device."""
    if principal.device is not None:
        await access.revoke(principal.device.number)
    forget_cookie(request, response, OPERATOR)


@router.post("/api/access/pin")
@example(lambda: Example(request=PinEntry("274916", "Ann's phone"), answer=Token("the-token-of-this-device")))
async def enter_pin(entry: PinEntry, access: TheAccess, request: Request, response: Response) -> Token:
    """Become an operator by the PIN. 429: too many wrong ones; `Retry-After`: seconds to wait, if waiting helps."""
    token = await access.enter_pin(entry.pin, entry.name)
    set_cookie(request, response, OPERATOR, token)
    return Token(token)


@router.get("/api/access/pin")
@example(lambda: Example(answer=PinView(is_set=True, wrong=0, wait_s=0)))
async def pin(access: TheAccess) -> PinView:
    """Whether there is a PIN, and how many wrong ones were tried."""
    return await access.pin()


@router.put("/api/access/pin", status_code=204)
@example(lambda: Example(request=Pin("274916")))
async def set_pin(new: Pin, access: TheAccess) -> None:
    """Set the PIN, at the box's own terminal."""
    await access.set_pin(new.pin)


@router.delete("/api/access/pin", status_code=204)
async def forget_pin(access: TheAccess) -> None:
    """Remove the PIN, at the box's own terminal."""
    await access.forget_pin()


@router.delete("/api/access/pin/tries", status_code=204)
async def unlock_pin(access: TheAccess) -> None:
    """Reset the count of wrong PINs, at the box's own terminal."""
    await access.unlock_pin()


@router.post("/api/access/pairings")
@example(
    lambda: Example(
        request=PairingRequest("Ann's phone"),
        answer=PairingBegun("the-token-of-this-device", PairingView("Ann's phone", "0417", 60)),
    )
)
async def begin_pairing(asked: PairingRequest, access: TheAccess, request: Request, response: Response) -> PairingBegun:
    """Ask to become an operator by pairing. 409: another device is waiting. `GET /api/access/me` shows the result."""
    token, pairing = access.begin_pairing(asked.name)
    set_cookie(request, response, OPERATOR, token)
    return PairingBegun(token, pairing)


@router.post("/api/access/pairings/confirmed")
@example(lambda: Example(request=PairingNumber("0417"), answer=Paired("Ann's phone")))
async def confirm_pairing(said: PairingNumber, access: TheAccess) -> Paired:
    """Confirm the device that shows this number, at the box's own terminal."""
    return Paired(await access.confirm_pairing(said.number))


@router.get("/api/access/devices")
@example(lambda: Example(answer=[_DEVICE]))
async def devices(access: TheAccess) -> tuple[DeviceView, ...]:
    """The operators' devices."""
    return await access.devices()


@router.delete("/api/access/devices", status_code=204)
async def revoke_all(access: TheAccess, referee: TheReferee) -> None:
    """Revoke all operators' devices, this one included; their seats are given up."""
    await access.revoke_all()
    await referee.seating.shut_out_device()


@router.delete("/api/access/devices/{number}", status_code=204)
@example(lambda: Example({"number": 3}))
async def revoke(number: int, access: TheAccess, referee: TheReferee) -> None:
    """Revoke an operator's device; its seats are given up."""
    await access.revoke(number)
    await referee.seating.shut_out_device(number)


@router.get("/api/access/code")
@example(lambda: Example(answer=_CODE))
async def code(access: TheAccess) -> JoinCode:
    """The code by which players join today from the network."""
    return await access.code()


@router.get("/api/access/link")
@example(lambda: Example(answer=HomeLink(_CODE.link)))
async def home_link(access: TheAccess) -> HomeLink:
    """The code of a link for this computer's own browsers, valid every day; only for the box's own terminal."""
    return HomeLink(await access.home_link())


@router.delete("/api/access/code")
@example(lambda: Example(answer=_CODE))
async def renew_code(access: TheAccess, referee: TheReferee) -> JoinCode:
    """Replace the code; answers with the new one.

    Players who hold a seat by name stay; everybody else who came in by a code needs the new one.
    """
    code = await access.renew_code()
    await referee.seating.shut_out_guests()
    return code
