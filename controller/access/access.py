"""Who may do what at this box: the one place that judges PINs, pairings, tokens and join codes, and keeps them.

The box's own terminal needs none of them: it is guarded by the rights of the socket and of the home.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime
from ipaddress import ip_address
from pathlib import Path

from controller.access.endings import Endings
from controller.access.join_code import CodeGate, JoinCode, home_link, is_link, join_code
from controller.access.pairing import PAIRING_S, Pairing, PairingView, begin
from controller.access.pin import digest_pin
from controller.access.seal import seal, unseal
from controller.access.state import AccessState, DeviceView, read_state, write_state
from controller.access.throttle import PinView, Throttle
from controller.access.tokens import digest_of, is_same, new_token
from controller.errors import AccessError, NoPairing, WrongPin
from controller.game import LONGEST_NAME, Message, Messages, compose, is_name
from controller.process import BackgroundThread

_log = logging.getLogger(__name__)


def _today() -> date:
    return datetime.now(UTC).date()


class Access:
    """Operators, the PIN and the join code of one box.

    Every change is on the disk before it counts. `announce` is called with what the people at the table are to hear;
    `endings` tells whoever listens with a token that some have ended.

    Lifetime: `open_access`. Concurrency: one event loop, and one process a file: it holds the lock of the home.
    """

    def __init__(
        self,
        path: Path | None = None,
        state: AccessState | None = None,
        *,
        game_to_join: Callable[[], int] = lambda: 1,
        now_s: Callable[[], float] = time.monotonic,
        today: Callable[[], date] = _today,
        found: Messages = (),
    ) -> None:
        """path: where it is kept; None: nowhere, at a table without a home. found: what must be said of the file.

        game_to_join: the number of the game that is on, or else of the next one, by which the join codes go. now_s: a
        clock that only rises.
        """
        self._path = path
        self._state = state or AccessState()
        self.game_to_join = game_to_join
        self._now_s = now_s
        self._today = today
        self.found = found
        self.announce: Callable[[Message], None] = lambda _message: None
        self.endings = Endings()
        self._throttle = Throttle(self._state.tries, now_s)
        self._gate = CodeGate(now_s)
        self._pairing: Pairing | None = None
        self._agreed: Pairing | None = None  # while it is written, its time does not end
        self._thread = BackgroundThread()
        self._one_by_one = asyncio.Lock()

    async def enter_pin(self, pin: str, name: str) -> str:
        """Make the device `name`, at which this PIN was typed, an operator's; its token.

        Raises `WrongPin`, `TooManyTries`, `UnknownDevice` for want of room, or `AccessError`.
        """
        _check_name(name)
        async with self._one_by_one:
            kept = self._state.pin
            if kept is None:
                raise WrongPin("this box has no PIN; set one there with `shutbox pin`, or pair this device")
            self._throttle.count_try()
            await self._keep(self._state)  # a power cut in the next moment gives no try back
            if not await self._thread.run(kept.fits, pin):
                self._tell_of_guess()
                raise WrongPin("that is not the PIN of this box; a forgotten one is set anew there: `shutbox pin`")
            self._throttle.forgive_try()
            token = new_token()
            given = await self._let_in(name, digest_of(token))
        self._tell_of_operator(given)
        return token

    async def set_pin(self, pin: str) -> None:
        """Set the PIN, in place of another; wrong tries are forgotten. Raises `BadPin` or `AccessError`."""
        made = await self._thread.run(digest_pin, pin)
        async with self._one_by_one:
            self._throttle.unlock()
            await self._keep(self._state.model_copy(update={"pin": made}))

    async def forget_pin(self) -> None:
        """From now on nobody becomes an operator by a PIN; who is one stays one. Raises `AccessError`."""
        async with self._one_by_one:
            await self._keep(self._state.model_copy(update={"pin": None}))

    async def unlock_pin(self) -> None:
        """Let the PIN be tried again after too many wrong ones. Raises `AccessError`."""
        async with self._one_by_one:
            self._throttle.unlock()
            await self._keep(self._state)

    async def pin(self) -> PinView:
        """Whether there is a PIN, and what was tried."""
        return PinView(self._state.pin is not None, self._throttle.tries.wrong, self._throttle.wait_s)

    def begin_pairing(self, name: str) -> tuple[str, PairingView]:
        """Have a device wait for somebody at the box; the token that is good once they have said yes, and its number.

        Raises `NoPairing` while another one waits, `UnknownDevice` for want of room, or `AccessError`.
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
        """Nobody has said yes in time: the people at the table are asked no more."""
        if self._pairing is pairing and self._agreed is not pairing:
            self._pairing = None
            self.endings.tell()
            self.announce(compose("access.not_given", name=pairing.name))

    @property
    def waiting(self) -> PairingView | None:
        """The device that waits to be paired, if one does."""
        now_s = self._now_s()
        if self._pairing is None or self._pairing.until_s <= now_s:
            return None
        return self._pairing.view(now_s)

    def pairing_of(self, token: str) -> PairingView | None:
        """The pairing that whoever shows this token waits for."""
        waiting = self.waiting
        if waiting is None or self._pairing is None or not is_same(self._pairing.digest, digest_of(token)):
            return None
        return waiting

    async def confirm_pairing(self, number: str) -> str:
        """Somebody at the box says yes to the device that shows this number; its name.

        Who stands there is no guesser either: wrong PINs are forgotten. Raises `NoPairing`, `UnknownDevice` for want of
        room, or `AccessError`.
        """
        return await self._confirm(
            lambda pairing: pairing.number == number, f"no device with the number {number} waits to be paired"
        )

    async def confirm_held(self, held_s: float) -> str:
        """Somebody has held the button for so many seconds until now: yes to the device that waited all the while.

        Whoever asks meanwhile is not who was meant. Its name; raises as `confirm_pairing`.
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
        """Keep one more device; its name, which no other has. Raises `UnknownDevice` or `AccessError`."""
        after = self._state.with_device(name, digest, self._today())
        await self._keep(after)
        return after.devices[-1].name

    def device_of(self, token: str) -> DeviceView | None:
        """The operator's device that shows this token. When it did so last is kept with the next change."""
        device = self._state.device_of(token)
        if device is None:
            return None
        if device.used != self._today():
            self._state = self._state.with_use(device.number, self._today())
        return device.view

    def has_device(self, number: int) -> bool:
        """True while the device of this number is an operator's."""
        return any(device.number == number for device in self._state.devices)

    async def devices(self) -> tuple[DeviceView, ...]:
        """The operators' devices, in the order in which they came."""
        return tuple(device.view for device in self._state.devices)

    async def revoke(self, number: int) -> None:
        """Have a device be no operator's any more. Raises `UnknownDevice` or `AccessError`."""
        async with self._one_by_one:
            await self._keep(self._state.without_device(number))
        self.endings.tell()

    async def revoke_all(self) -> None:
        """Have no device be an operator's any more. Raises `AccessError`."""
        async with self._one_by_one:
            await self._keep(self._state.without_devices())
        self.endings.tell()

    async def code(self) -> JoinCode:
        """The code by which players join the game that is on, or the next one."""
        return join_code(self._state.secret, self.game_to_join())

    async def home_link(self) -> str:
        """The code of a link that stays good from game to game, for browsers of this computer and no others."""
        return home_link(self._state.secret)

    async def renew_code(self) -> JoinCode:
        """The same after all codes that were told so far are void. Raises `AccessError`."""
        async with self._one_by_one:
            await self._keep(self._state.with_new_secret())
        return await self.code()

    async def check_code(self, said: str, address: str) -> None:
        """Raise `WrongCode`, or `TooManyTries`, unless this is the code of the game. address: where it came from.

        The code of a link that opens is as good.
        """
        if not await self.opens(said, address):
            self._gate.check(said, await self.code(), address)

    async def opens(self, said: str, address: str) -> bool:
        """True for the code of the game's link, and from this computer for that of its own link. Nothing is counted."""
        if is_link(said, (await self.code()).link):
            return True
        return _is_this_computer(address) and is_link(said, await self.home_link())

    def seal(self, shown: str) -> str:
        """What devices are shown, so that it is believed when they bring it back: until all codes are made void."""
        return seal(self._state.secret, shown)

    def unseal(self, sealed: str) -> str | None:
        """What was shown; None where nobody knows this for what this box has shown."""
        return unseal(self._state.secret, sealed)

    def close(self) -> None:
        """Keep when the devices were used last; a hint, and no loss."""
        if self._path is not None and self._state.devices:
            with suppress(AccessError):
                write_state(self._path, self._state)

    async def _keep(self, state: AccessState) -> None:
        """Have a change on the disk, and only then be true. Raises `AccessError`."""
        state = state.model_copy(update={"tries": self._throttle.tries})
        if self._path is not None:
            await self._thread.run(lambda path: write_state(path, state), self._path)
        self._state = state

    def _tell_of_guess(self) -> None:
        wrong = self._throttle.tries.wrong
        _log.warning("a wrong PIN was tried, %d in a row", wrong)
        self.announce(compose("access.guessed", wrong=wrong))

    def _tell_of_operator(self, name: str) -> None:
        _log.info("%s is an operator's device now", name)
        self.announce(compose("access.given", name=name))


@contextmanager
def open_access(path: Path, game_to_join: Callable[[], int]) -> Iterator[Access]:
    """Who may do what at the box of this home, as it is kept at `path`; the caller holds the lock of the home."""
    state, problem = read_state(path, _today())
    found: Messages = ()
    if problem:
        _log.warning("%s cannot be read (%s) and was put aside", path, problem)
        found = (compose("access.damaged"),)
    if not path.exists():
        # The secret of the join codes must be the same after a restart.
        with suppress(AccessError):
            write_state(path, state)
    access = Access(path, state, game_to_join=game_to_join, found=found)
    try:
        yield access
    finally:
        access.close()


def _is_this_computer(address: str) -> bool:
    """True for an address that only programs of this computer ask from; an IPv4 one may be written as one of IPv6."""
    try:
        asked = ip_address(address)
    except ValueError:
        return False
    return (getattr(asked, "ipv4_mapped", None) or asked).is_loopback


def _check_name(name: str) -> None:
    """Raise `AccessError` for a name that a device cannot have."""
    if not is_name(name):
        raise AccessError(
            f"a device has a name of 1 to {LONGEST_NAME} characters that are seen, without comma or colon"
        )
