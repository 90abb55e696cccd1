"""Secrets that devices bring back: tokens with their stored digests, signed texts, and the codes to join."""

import asyncio
import base64
import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from controller.errors import TooManyTries, WrongCode

_BYTES = 32


def new_token() -> str:
    """Return a random token that nobody can guess: 256 bits, in 43 characters for a URL."""
    return secrets.token_urlsafe(_BYTES)


def digest_of(token: str) -> str:
    """Return the stored form of a token, from which the token cannot be recovered.

    One SHA-256 is enough. Slow digests such as scrypt protect what people choose, which can be guessed; 256 random bits
    cannot be guessed in the life of the universe, however fast each guess is checked.
    """
    return hashlib.sha256(token.encode()).hexdigest()


def is_same(digest: str, other: str) -> bool:
    """Return whether two digests are equal, in a time that does not reveal how much of them is."""
    return secrets.compare_digest(digest, other)


_PURPOSE = b"seen "
_SEAL_BYTES = 12
_BETWEEN = "."


def sign(secret: str, shown: str) -> str:
    """Return `shown` with the signature of this box appended. secret: of the box, in hexadecimal digits."""
    return f"{shown}{_BETWEEN}{_make(secret, shown)}"


def check_signature(secret: str, sealed: str) -> str | None:
    """Return the text without its signature; None if it is not this box's. Compares in constant time."""
    shown, _, found = sealed.rpartition(_BETWEEN)
    is_ours = hmac.compare_digest(found.encode(), _make(secret, shown).encode())
    return shown if is_ours else None


def _make(secret: str, shown: str) -> str:
    made = hmac.digest(bytes.fromhex(secret), _PURPOSE + shown.encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(made[:_SEAL_BYTES]).decode()


_SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without 0 and O, 1, I and L, which people confuse
_LENGTH = 6
_LINK_BYTES = 16
_AT_ONCE = 60
_EVERY_S = 2.0
_MOST_ADDRESSES = 1000


@dataclass(frozen=True, slots=True)
class JoinCode:
    """The code of one day: six characters to be typed, and 22 that stand in the QR code and in links."""

    typed: str
    link: str


def join_code(secret: str, day: date) -> JoinCode:
    """Return the code of a day. secret: of this box, in hexadecimal digits.

    It is derived from the secret and the date, so it changes every day, stays the same after a restart, and need not
    be stored.
    """
    key = bytes.fromhex(secret)
    number = int.from_bytes(_derive(key, f"typed {day}"))
    typed = "".join(_SIGNS[number // len(_SIGNS) ** place % len(_SIGNS)] for place in range(_LENGTH))
    return JoinCode(typed, _in_link(_derive(key, f"link {day}")))


def home_link(secret: str) -> str:
    """Return the code of the link for this computer's own browsers, on any day. secret: in hexadecimal digits."""
    return _in_link(_derive(bytes.fromhex(secret), "link home"))


def is_link(said: str, link: str) -> bool:
    """Return whether this is the code of a link. Nobody can guess one, so tries are not limited."""
    return _is_same_text(said.strip(), link)


def _in_link(derived: bytes) -> str:
    return base64.urlsafe_b64encode(derived[:_LINK_BYTES]).decode().rstrip("=")


def _derive(key: bytes, purpose: str) -> bytes:
    return hmac.digest(key, purpose.encode(), hashlib.sha256)


class CodeGate:
    """Admits players with today's code, and limits the number of wrong codes.

    Guessers at all addresses together get sixty tries, one more every two seconds, and one for each of the first
    thousand addresses that have not been wrong yet: some 6,500 in a game of three hours, of 887 million codes. A player
    who types the right code at the first try is admitted even while somebody guesses; and the link, which nobody can
    guess, always works.

    now_s: a monotonic clock, in seconds. Concurrency: one event loop.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._left = float(_AT_ONCE)
        self._since_s = now_s()
        self._wrong_from: set[str] = set()

    def check(self, said: str, code: JoinCode, address: str) -> None:
        """Raise `WrongCode` for any other code, or `TooManyTries` without checking it."""
        if is_link(said, code.link):
            return
        now_s = self._now_s()
        self._left = min(self._left + (now_s - self._since_s) / _EVERY_S, _AT_ONCE)
        self._since_s = now_s
        is_new = address not in self._wrong_from and len(self._wrong_from) < _MOST_ADDRESSES
        if self._left < 1 and not is_new:
            raise TooManyTries("somebody guesses codes: scan the QR code at the box, or try again later", 2)
        typed = "".join(said.upper().replace("-", " ").split())
        if not _is_same_text(typed, code.typed):
            if is_new:
                self._wrong_from.add(address)
            else:
                self._left -= 1
            raise WrongCode("that is not today's code; look at the box: it changes every morning")


def _is_same_text(said: str, wanted: str) -> bool:
    return is_same(digest_of(said), digest_of(wanted))


class Endings:
    """Notifies all waiting clients that tokens have ended, without saying which; `controller.access` judges tokens.

    Concurrency: one event loop.
    """

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    def tell(self) -> None:
        """Notify the waiting clients that some tokens have just ended."""
        for each in self._waiting:
            if not each.done():
                each.set_result(None)

    async def wait(self) -> None:
        """Return once tokens have ended after this call."""
        ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(ended)
        try:
            await ended
        finally:
            self._waiting.discard(ended)
