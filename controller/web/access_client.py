"""The client for access rights of a box, and the way to them from the box's own terminal, with or without a daemon."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pydantic import TypeAdapter

from controller.access.access import Access, open_access
from controller.access.pin import PinView
from controller.access.state import DeviceView
from controller.runtime.home import Home
from controller.runtime.locks import lock
from controller.runtime.tokens import JoinCode
from controller.web.client import Client
from controller.web.network import daemon_runs, find_socket

_PIN = TypeAdapter(PinView)
_DEVICES = TypeAdapter(tuple[DeviceView, ...])
_CODE = TypeAdapter(JoinCode)


class AccessClient(Client):
    """The methods of `Access`, carried out by the daemon behind one socket. Each raises `Refused` or `DaemonGone`.

    Lifetime, concurrency: as for `Client`.
    """

    async def pin(self) -> PinView:
        return _PIN.validate_json((await self._request("GET", "/api/access/pin")).content)

    async def set_pin(self, pin: str) -> None:
        await self._request("PUT", "/api/access/pin", json.dumps({"pin": pin}).encode())

    async def forget_pin(self) -> None:
        await self._request("DELETE", "/api/access/pin")

    async def unlock_pin(self) -> None:
        """Reset the count of wrong PINs."""
        await self._request("DELETE", "/api/access/pin/tries")

    async def confirm_pairing(self, number: str) -> str:
        """Pair the device that shows this number; return its name."""
        body = json.dumps({"number": number}).encode()
        return str((await self._request("POST", "/api/access/pairings/confirmed", body)).json()["name"])

    async def devices(self) -> tuple[DeviceView, ...]:
        """Return the operators' devices."""
        return _DEVICES.validate_json((await self._request("GET", "/api/access/devices")).content)

    async def revoke(self, number: int) -> None:
        """Withdraw the operator's rights of one device."""
        await self._request("DELETE", f"/api/access/devices/{number}")

    async def revoke_all(self) -> None:
        await self._request("DELETE", "/api/access/devices")

    async def code(self) -> JoinCode:
        """Return the code by which players join today."""
        return _CODE.validate_json((await self._request("GET", "/api/access/code")).content)

    async def home_link(self) -> str:
        """Return the code of the link for this computer's own browsers, which holds every day."""
        return str((await self._request("GET", "/api/access/link")).json()["link"])

    async def renew_code(self) -> JoinCode:
        """Replace the join code, for example when too many people know it; return the new one."""
        return _CODE.validate_json((await self._request("DELETE", "/api/access/code")).content)


@asynccontextmanager
async def reach_access(home: Home) -> AsyncIterator[Access | AccessClient]:
    """Give access to the access rights of this box: through its daemon, or through their file if no daemon runs.

    The file is opened under the lock of the home. Raises `DaemonRuns` while a daemon is starting, and `SettingsError`
    for a home that this user may not use.
    """
    home.make()
    if daemon_runs(home):
        async with AccessClient(find_socket(home)) as client:
            yield client
    else:
        with lock(home.lock), open_access(home.access) as access:
            yield access
