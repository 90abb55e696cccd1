"""The client for who may do what at a box, and the way to it from the box's own terminal, daemon or none."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial

from pydantic import TypeAdapter

from controller.access import Access, DeviceView, JoinCode, PinView, open_access
from controller.errors import JournalError
from controller.journal import Journal, replay_checked
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

    async def home_link(self) -> str:
        """The code of the link by which this computer's own browsers come in, whatever game is on."""
        return str((await self._request("GET", "/api/access/link")).json()["link"])

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
        with as_owner(home.data), lock(home.lock), open_access(home.access, partial(_game_to_join, home)) as access:
            yield access


def _game_to_join(home: Home) -> int:
    """The number of the game that a daemon would take up here, or else of the next one."""
    if not home.journal.exists():
        return 1
    with Journal(home.journal, read_only=True) as journal:
        last = max(journal.game_ids(), default=0)
        return last if _is_on(journal, last) else last + 1


def _is_on(journal: Journal, game_id: int) -> bool:
    with suppress(JournalError):
        game = replay_checked(journal.entries(game_id))
        return game is not None and not game.is_over
    return False
