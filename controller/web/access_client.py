"""The client for who may do what at a box, and the way to it from the box's own terminal, daemon or none."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from pydantic import TypeAdapter

from controller.access import Access, DeviceView, JoinCode, PinView, open_access
from controller.journal import Journal
from controller.process import as_owner, lock
from controller.settings import Home
from controller.web.client import Client
from controller.web.sockets import daemon_runs, find_socket

_PIN = TypeAdapter(PinView)
_DEVICES = TypeAdapter(tuple[DeviceView, ...])
_CODE = TypeAdapter(JoinCode)


class AccessClient(Client):
    """What `Access` does, done by the daemon behind one socket. Everything raises `Refused` or `DaemonGone`.

    Lifetime, concurrency: as of a `Client`.
    """

    async def pin(self) -> PinView:
        """Whether there is a PIN, and what was tried."""
        return _PIN.validate_json((await self._request("GET", "/api/access/pin")).content)

    async def set_pin(self, pin: str) -> None:
        """Set the PIN."""
        await self._request("PUT", "/api/access/pin", json.dumps({"pin": pin}).encode())

    async def forget_pin(self) -> None:
        """Have no PIN."""
        await self._request("DELETE", "/api/access/pin")

    async def unlock_pin(self) -> None:
        """Forgive the wrong PINs."""
        await self._request("DELETE", "/api/access/pin/tries")

    async def confirm_pairing(self, number: str) -> str:
        """Say yes to the device that shows this number; its name."""
        body = json.dumps({"number": number}).encode()
        return str((await self._request("POST", "/api/access/pairings/confirmed", body)).json()["name"])

    async def devices(self) -> tuple[DeviceView, ...]:
        """The operators' devices."""
        return _DEVICES.validate_json((await self._request("GET", "/api/access/devices")).content)

    async def revoke(self, number: int) -> None:
        """Have a device be no operator's any more."""
        await self._request("DELETE", f"/api/access/devices/{number}")

    async def revoke_all(self) -> None:
        """Have no device be an operator's any more."""
        await self._request("DELETE", "/api/access/devices")

    async def code(self) -> JoinCode:
        """The code by which players join this game."""
        return _CODE.validate_json((await self._request("GET", "/api/access/code")).content)

    async def renew_code(self) -> JoinCode:
        """A new code, in place of one that is too well known."""
        return _CODE.validate_json((await self._request("DELETE", "/api/access/code")).content)


@asynccontextmanager
async def reach_access(home: Home) -> AsyncIterator[Access | AccessClient]:
    """Who may do what at this box: asked of its daemon; where none runs, the file itself under the lock of the home.

    Raises `DaemonRuns` while a daemon starts, `SettingsError` for a home that is not for this user.
    """
    home.make()
    if daemon_runs(home):
        async with AccessClient(find_socket(home)) as client:
            yield client
    else:
        with as_owner(home.data), lock(home.lock), open_access(home.access, partial(_next_game_id, home)) as access:
            yield access


def _next_game_id(home: Home) -> int:
    if not home.journal.exists():
        return 1
    with Journal(home.journal, read_only=True) as journal:
        return journal.next_game_id()
