"""Access control of this box: the only place that checks PINs, pairings, tokens and join codes, and stores them.

The box's own terminal needs none of them: the permissions of the socket and the home protect it.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from ipaddress import ip_address
from math import ceil
from pathlib import Path

from controller.access.pin import PinView, Throttle, digest_pin
from controller.access.state import AccessState, DeviceView, read_state, write_state
from controller.errors import AccessError, NoPairing, WrongPin
from controller.game.core.message import Message, Messages, compose
from controller.game.core.players import NAMES_ARE, is_name
from controller.runtime.threads import BackgroundThread
from controller.runtime.tokens import (
    CodeGate,
    Endings,
    JoinCode,
    check_signature,
    digest_of,
    home_link,
    is_link,
    is_same,
    join_code,
    new_token,
    sign,
)

PAIRING_S = 60.0
_NUMBERS = 10_000


@dataclass(frozen=True, slots=True)
class PairingView:
    """A device that waits: its name, the number that it shows, and the whole seconds that it still waits."""

    name: str
    number: str
    wait_s: int


@dataclass(frozen=True, slots=True)
class Pairing:
    """A device that waits for confirmation, with the digest of the token that then becomes valid."""

    name: str
    number: str
    digest: str
    until_s: float

    @property
    def begun_s(self) -> float:
        """The time at which it began to wait."""
        return self.until_s - PAIRING_S

    def view(self, now_s: float) -> PairingView:
        """Return the public view of this pairing."""
        return PairingView(self.name, self.number, ceil(self.until_s - now_s))


def begin(name: str, digest: str, now_s: float) -> Pairing:
    """Return a pairing that begins now. Its number distinguishes devices for the person at the box; it is no secret."""
    return Pairing(name, f"{secrets.randbelow(_NUMBERS):04}", digest, now_s + PAIRING_S)


_log = logging.getLogger(__name__)


_MORNING = timedelta(hours=5)


def day_of(time: datetime) -> date:
    """Return the day to which a time belongs: evenings go on after midnight, so a day lasts until five."""
    return (time - _MORNING).date()


def _today() -> date:
    return day_of(datetime.now().astimezone())


class Access:
    """Operators, the PIN and the join code of one box. Every change is on the disk before it takes effect.

    announce: called with messages for the people at the table.
    endings: notifies clients that hold a token when some tokens have ended.
    Lifetime: `open_access`. Concurrency: one event loop, and one process per file, which holds the lock of the home.
    """

    def __init__(
        self,
        path: Path | None = None,
        state: AccessState | None = None,
        *,
        now_s: Callable[[], float] = time.monotonic,
        today: Callable[[], date] = _today,
        found: Messages = (),
    ) -> None:
        """Create it with the state that is kept at `path`; None: nowhere, for a table without a home.

        now_s: a monotonic clock.
        today: returns the date, which determines the join code.
        found: messages about the file.
        """
        self._path = path
        self._state = state or AccessState()
        self._now_s = now_s
        self._today = today
        self.found = found
        self.announce: Callable[[Message], None] = lambda _message: None
        self.endings = Endings()
        self._throttle = Throttle(self._state.tries, now_s)
        self._gate = CodeGate(now_s)
        self._pairing: Pairing | None = None
        self._agreed: Pairing | None = None  # does not expire while it is being written
        self._thread = BackgroundThread()
        self._one_by_one = asyncio.Lock()

    async def enter_pin(self, pin: str, name: str) -> str:
        """Make the device `name`, at which this PIN was typed, an operator's device; return its token.

        Raises `WrongPin`, `TooManyTries`, `UnknownDevice` if there is no room, or `AccessError`.
        """
        _check_name(name)
        async with self._one_by_one:
            kept = self._state.pin
            if kept is None:
                raise WrongPin("this box has no PIN; set one there with `shutbox pin`, or pair this device")
            self._throttle.count_try()
            await self._keep(self._state)  # so that a power cut now does not return the try
            if not await self._thread.run(kept.fits, pin):
                wrong = self._throttle.tries.wrong
                _log.warning("wrong PIN tried in_a_row=%d", wrong)
                self.announce(compose("access.guessed", wrong=wrong))
                raise WrongPin("that is not the PIN of this box; a forgotten one is set anew there: `shutbox pin`")
            self._throttle.forgive_try()
            token = new_token()
            given = await self._let_in(name, digest_of(token))
        self._tell_of_operator(given)
        return token

    async def set_pin(self, pin: str) -> None:
        """Set or replace the PIN; wrong tries are forgotten. Raises `BadPin` or `AccessError`."""
        made = await self._thread.run(digest_pin, pin)
        async with self._one_by_one:
            self._throttle.unlock()
            await self._keep(self._state.model_copy(update={"pin": made}))

    async def forget_pin(self) -> None:
        """Remove the PIN; existing operators stay operators. Raises `AccessError`."""
        async with self._one_by_one:
            await self._keep(self._state.model_copy(update={"pin": None}))

    async def unlock_pin(self) -> None:
        """Allow the PIN to be tried again after too many wrong tries. Raises `AccessError`."""
        async with self._one_by_one:
            self._throttle.unlock()
            await self._keep(self._state)

    async def pin(self) -> PinView:
        return PinView(self._state.pin is not None, self._throttle.tries.wrong, self._throttle.wait_s)

    def begin_pairing(self, name: str) -> tuple[str, PairingView]:
        """Begin to pair a device; return its token, which is valid once somebody at the box confirms, and its number.

        Raises `NoPairing` while another device waits, `UnknownDevice` if there is no room, or `AccessError`.
        """
        _check_name(name)
        self._state.check_room()
        if (waiting := self.waiting) is not None:
            raise NoPairing(f"{waiting.name} waits to be paired; try again in {waiting.wait_s} seconds")
        token = new_token()
        self._pairing = pairing = begin(name, digest_of(token), self._now_s())
        asyncio.get_running_loop().call_later(PAIRING_S, self._end_pairing, pairing)
        view = pairing.view(self._now_s())
        self.announce(compose("access.pairing", name=name, number=view.number))
        return token, view

    def _end_pairing(self, pairing: Pairing) -> None:
        """End a pairing that nobody has confirmed in time."""
        if self._pairing is pairing and self._agreed is not pairing:
            self._pairing = None
            self.endings.tell()
            self.announce(compose("access.not_given", name=pairing.name))

    @property
    def waiting(self) -> PairingView | None:
        """The device that waits to be paired, if any."""
        now_s = self._now_s()
        if self._pairing is None or self._pairing.until_s <= now_s:
            return None
        return self._pairing.view(now_s)

    def pairing_of(self, token: str) -> PairingView | None:
        """Return the pairing that the holder of this token is waiting for, or None."""
        waiting = self.waiting
        if waiting is None or self._pairing is None or not is_same(self._pairing.digest, digest_of(token)):
            return None
        return waiting

    async def confirm_pairing(self, number: str) -> str:
        """Confirm, from the box, the device that shows this number; return its name.

        A person at the box is not guessing, so wrong PINs are forgotten. Raises `NoPairing`, `UnknownDevice` if there
        is no room, or `AccessError`.
        """
        return await self._confirm(
            lambda pairing: pairing.number == number, f"no device with the number {number} waits to be paired"
        )

    async def confirm_held(self, held_s: float) -> str:
        """Confirm, by a button held for `held_s` seconds until now, the device that waited the whole time.

        A device that has asked in the meantime was not meant. Returns its name; raises as `confirm_pairing`.
        """
        since_s = self._now_s() - held_s
        return await self._confirm(lambda pairing: pairing.begun_s <= since_s, "no device waits to be paired")

    async def _confirm(self, is_meant: Callable[[Pairing], bool], nobody: str) -> str:
        async with self._one_by_one:
            pairing = self._pairing
            if pairing is None or self.waiting is None or not is_meant(pairing):
                raise NoPairing(nobody)
            self._throttle.unlock()
            self._agreed = pairing
            try:
                name = await self._let_in(pairing.name, pairing.digest)
                if self._pairing is pairing:
                    self._pairing = None
            finally:
                self._agreed = None
                if pairing.until_s <= self._now_s():
                    self._end_pairing(pairing)
        self._tell_of_operator(name)
        return name

    async def _let_in(self, name: str, digest: str) -> str:
        """Store one more device; return its unique name. Raises `UnknownDevice` or `AccessError`."""
        after = self._state.with_device(name, digest, self._today())
        await self._keep(after)
        return after.devices[-1].name

    def device_of(self, token: str) -> DeviceView | None:
        """Return the operator's device with this token. The date of use is stored with the next change."""
        device = self._state.device_of(token)
        if device is None:
            return None
        if device.used != self._today():
            self._state = self._state.with_use(device.number, self._today())
        return device.view

    def has_device(self, number: int) -> bool:
        """Return whether the device with this number is an operator's."""
        return any(device.number == number for device in self._state.devices)

    async def devices(self) -> tuple[DeviceView, ...]:
        """Return the operators' devices, oldest first."""
        return tuple(device.view for device in self._state.devices)

    async def revoke(self, number: int) -> None:
        """Revoke one operator's device. Raises `UnknownDevice` or `AccessError`."""
        async with self._one_by_one:
            await self._keep(self._state.without_device(number))
        self.endings.tell()

    async def revoke_all(self) -> None:
        """Revoke all operators' devices. Raises `AccessError`."""
        async with self._one_by_one:
            await self._keep(self._state.without_devices())
        self.endings.tell()

    async def code(self) -> JoinCode:
        """Return the code with which players join today; a day ends at five in the morning."""
        return join_code(self._state.secret, self._today())

    async def home_link(self) -> str:
        """Return the code of a link that stays valid from day to day, for browsers of this computer only."""
        return home_link(self._state.secret)

    async def renew_code(self) -> JoinCode:
        """Invalidate all codes so far, and return the new code. Raises `AccessError`."""
        async with self._one_by_one:
            await self._keep(self._state.with_new_secret())
        return await self.code()

    async def check_code(self, said: str, address: str) -> None:
        """Raise `WrongCode`, or `TooManyTries`, unless this is today's code, or that of a valid link.

        address: of the client.
        """
        if not await self.opens(said, address):
            self._gate.check(said, await self.code(), address)

    async def opens(self, said: str, address: str) -> bool:
        """True if this is the code of today's link or, from this computer, of its own link; not counted as a try."""
        if is_link(said, (await self.code()).link):
            return True
        return _is_this_computer(address) and is_link(said, await self.home_link())

    def seal(self, shown: str) -> str:
        """Sign a text shown to devices, so that it can be verified on return, until all codes are invalidated."""
        return sign(self._state.secret, shown)

    def unseal(self, sealed: str) -> str | None:
        """Return the text that was sealed; None if this box has not sealed it."""
        return check_signature(self._state.secret, sealed)

    def close(self) -> None:
        # The dates of use are hints: losing them does no harm.
        if self._path is not None and self._state.devices:
            with suppress(AccessError):
                write_state(self._path, self._state)

    async def _keep(self, state: AccessState) -> None:
        """Write a change to the disk, then apply it. Raises `AccessError`."""
        state = state.model_copy(update={"tries": self._throttle.tries})
        if self._path is not None:
            await self._thread.run(lambda path: write_state(path, state), self._path)
        self._state = state

    def _tell_of_operator(self, name: str) -> None:
        _log.info("operator's device added name=%s", name)
        self.announce(compose("access.given", name=name))


@contextmanager
def open_access(path: Path) -> Iterator[Access]:
    """Open the access control of the box of this home, stored at `path`; the caller holds the lock of the home."""
    state, problem = read_state(path, _today())
    found: Messages = ()
    if problem:
        _log.warning("access file unreadable, moved aside path=%s problem=%s", path, problem)
        found = (compose("access.damaged"),)
    if not path.exists():
        # The secret of the join codes must be the same after a restart.
        with suppress(AccessError):
            write_state(path, state)
    access = Access(path, state, found=found)
    try:
        yield access
    finally:
        access.close()


def _is_this_computer(address: str) -> bool:
    """Return whether only programs of this computer can have this address; an IPv4 one may be written as IPv6."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return (getattr(parsed, "ipv4_mapped", None) or parsed).is_loopback


def _check_name(name: str) -> None:
    """Raise `AccessError` unless a device can have this name."""
    if not is_name(name):
        raise AccessError(f"a device has a name of {NAMES_ARE}")
