"""The keys of commands: which client used which key for which command, so that nothing is done twice, or left undone.

A key belongs to its client, as in the draft of the IETF on the Idempotency-Key header (httpapi, -07, section 2): used
again for another command it is refused. While the first is carried out, others wait in the referee's queue.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, Self

from controller.game.core.commands import ClientCommand, Command

_DIGEST_BYTES = 8
STORED_BYTES = 3 * _DIGEST_BYTES
GAMES_WITH_KEYS = 2  # no client repeats a command of an older game

# What became of a key: nothing yet; the command it is sent with was carried out; another command was.
KeyUse = Literal["new", "done", "taken"]


@dataclass(frozen=True, slots=True)
class CommandKey:
    """A key, the client that it belongs to, and the whole command, each as a digest of 8 bytes."""

    key: bytes
    client: bytes
    command: bytes

    @classmethod
    def read(cls, stored: bytes) -> Self:
        """Return the key that is stored as these `STORED_BYTES`."""
        return cls(*(stored[start : start + _DIGEST_BYTES] for start in range(0, STORED_BYTES, _DIGEST_BYTES)))

    @property
    def stored(self) -> bytes:
        """The form in the journal: its length does not depend on the client."""
        return self.key + self.client + self.command


def key_of(command: Command, client: str) -> CommandKey | None:
    """Return the key of a command as `client` sent it, before the box adds anything to it; None without a key."""
    if not isinstance(command, ClientCommand) or command.key is None:
        return None
    whole = repr(replace(command, key=None))
    return CommandKey(short_digest(command.key), short_digest(client), short_digest(whole))


def short_digest(text: str) -> bytes:
    """Return the digest by which a key, a client or a command is stored."""
    return hashlib.blake2b(text.encode(), digest_size=_DIGEST_BYTES).digest()


class UsedKeys:
    """The keys of the last two games.

    Concurrency: one thread at a time adds; any thread may ask meanwhile.
    """

    def __init__(self, found: Iterable[tuple[bytes, int]] = ()) -> None:
        """found: the keys from before the start in their stored form, each with its game."""
        self._by_game: Mapping[int, Mapping[bytes, tuple[CommandKey, ...]]] = {}
        self._lasting: frozenset[bytes] = frozenset()
        self._ownerless: frozenset[CommandKey] = frozenset()
        for stored, game_id in found:
            self.add(CommandKey.read(stored), game_id)

    def add(self, used: CommandKey, game_id: int) -> None:
        """Note that a command was carried out, and forget the keys of old games."""
        of_game = self._by_game.get(game_id, {})
        of_game = {**of_game, used.key: (*of_game.get(used.key, ()), used)}
        recent = {each: keys for each, keys in self._by_game.items() if each > game_id - GAMES_WITH_KEYS}
        self._by_game = {**recent, game_id: of_game}

    def outlive(self, clients: Collection[str]) -> None:
        """Note, after a start, which clients the box still knows.

        Any other has lost its token, comes under a new one, and may repeat what it sent before the start: the keys
        from then are anybody's who has come since.
        """
        self._lasting = frozenset(short_digest(each) for each in clients)
        found = (each for keys in self._by_game.values() for used in keys.values() for each in used)
        self._ownerless = frozenset(each for each in found if each.client not in self._lasting)

    def use_of(self, key: CommandKey) -> KeyUse:
        """Return what became of this key of this client."""
        used = [each for keys in self._by_game.values() for each in keys.get(key.key, ())]
        theirs = [each for each in used if each.client == key.client]
        if not theirs and key.client not in self._lasting:
            theirs = [each for each in used if each in self._ownerless]
        if not theirs:
            return "new"
        return "done" if any(each.command == key.command for each in theirs) else "taken"
