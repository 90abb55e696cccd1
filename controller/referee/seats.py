"""The seats at the table: who holds which, by which token, who is present, and for whom a caller may act.

Tokens are kept as digests, so that nobody who reads the journal can sit down with them.
"""

import asyncio
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from controller.errors import SeatTaken, UnknownSeat, WrongName
from controller.game.core.actions import Role
from controller.game.core.engine import AnyGame
from controller.game.core.english import join_and
from controller.game.core.players import MOST_PLAYERS, NAMES_ARE, Door, Player, wrong_name
from controller.game.core.sight import Holding
from controller.game.table.caller import REMOTE_CLIENT, Caller
from controller.journal.store import HeldSeat
from controller.journal.writer import JournalWriter
from controller.runtime.tokens import digest_of, new_token
from controller.settings import Share

AWAY_S = 30.0  # a holder without a connection is away after this silence, and others may take the seat
GONE_S = 12 * 3600.0  # after this silence a holder has gone home: longer than a break, shorter than until next week
_SEVERAL = 2
MOST_AT_TABLE = 500  # lost phones keep their place; more than this must be a program that sits down again and again


@dataclass(slots=True)
class _Holder:
    """Somebody at the table.

    token: the digest of their token.
    names: of the seats they hold.
    by_code: let in by a code, which may be made void.
    device: the number of the operators' device that let them in, and may be revoked; None also after a restart.
    heard_s: when they were last heard of.
    """

    token: str
    door: Door
    role: Role
    names: tuple[str, ...]
    by_code: bool
    device: int | None
    heard_s: float
    connections: int = 0


@dataclass(frozen=True, slots=True)
class Ticket:
    """The answer to somebody who sits down: the token for every command, the role, and the seats they hold."""

    token: str
    role: Role
    names: tuple[str, ...] = ()


class Seating:
    """The holders of seats at one table.

    A seat taken by name stays its holder's until they give it back, or are away and another takes it. A seat that
    nobody has taken is for everybody while only one terminal is at the table; with several, for the first terminal
    without a name, or else for the one that came first. `share` may decide otherwise: such a seat is then for all who
    are present, or for nobody. A holder not heard of for `GONE_S` is no longer at the table.

    token_ended: called when a token has become invalid.
    Lifetime: as the referee; held seats outlast a restart. Concurrency: one event loop.
    """

    def __init__(
        self,
        held: Iterable[HeldSeat],
        writer: JournalWriter,
        share: Share,
        game_now: Callable[[], AnyGame | None],
        now_s: Callable[[], float],
        tell: Callable[[], None],
    ) -> None:
        """held: the seats from before a restart. game_now: returns the present game. now_s: the loop's time.

        tell: called when somebody sits down, leaves, comes or goes.
        """
        self._writer = writer
        self._one_by_one = asyncio.Lock()
        self._share = share
        self._game_now = game_now
        self._now_s = now_s
        self._tell = tell
        self.token_ended: Callable[[], None] = lambda: None
        self._holders: list[_Holder] = []  # in the order in which they sat down
        for seat in held:
            known = next((each for each in self._holders if each.token == seat.token), None)
            if known is not None:
                known.names = (*known.names, seat.name)
            else:
                # The journal does not say how they were let in: by a code is the cautious guess.
                self._holders.append(_Holder(seat.token, seat.door, "player", (seat.name,), True, None, now_s()))

    async def sit(
        self,
        names: Sequence[str],
        door: Door,
        role: Role,
        token: str | None = None,
        *,
        next_game: bool = False,
        by_code: bool = False,
        device: int | None = None,
    ) -> Ticket:
        """Sit down on the seats of these players; with an earlier `token`, on these in place of its seats.

        next_game: the names are for the game after the one that is on, whose seats stay as they are. by_code: somebody
        without a token was let in by a code. device: the number of their operators' device. Raises `SeatTaken`,
        `UnknownSeat` or `JournalUnwritable`; then nothing has changed.
        """
        async with self._one_by_one:
            known = None if token is None else self._holder(token)
            if names and door == "remote":
                raise SeatTaken("the seats of the other box are those that its match has; name none")
            if names and role != "player":
                raise SeatTaken(f"a seat is for a player; who comes as {role} takes none")
            if next_game and not names:
                raise SeatTaken("say the name under which you play in the next game", WrongName("", "empty"))
            fresh = token or new_token()
            if known is not None:
                by_code, device = by_code or known.by_code, known.device if device is None else device
            holder = _Holder(digest_of(fresh), door, role, tuple(names), by_code, device, self._now_s())
            await self._keep(self._seated(self._game_now(), holder, known, next_game))
            try:
                # People may have come and gone during the write.
                seated = self._seated(self._game_now(), holder, known, next_game)
            except SeatTaken:
                await self._keep(self._at_table)
                raise
            holder.connections = 0 if known is None else known.connections
            before, self._holders = len(self._at_table), seated
        if known is None and len(self._holders) == before:
            self.token_ended()
        self._tell()
        return Ticket(fresh, role, tuple(names))

    async def leave(self, token: str) -> None:
        """Give the seats back. Raises `UnknownSeat` or `JournalUnwritable`."""
        async with self._one_by_one:
            gone = self._holder(token)
            await self._keep(each for each in self._at_table if each is not gone)
            self._holders.remove(gone)
        self.token_ended()
        self._tell()

    async def shut_out_guests(self) -> None:
        """Remove everybody who came in by a code and holds no seat, since the codes were made void."""
        async with self._one_by_one:
            self._holders = [each for each in self._at_table if each.names or not each.by_code]
        self.token_ended()
        self._tell()

    async def shut_out_device(self, number: int | None = None) -> None:
        """Remove everybody who sits here by an operators' device that was revoked; None: by any device.

        Raises `JournalUnwritable`: they are gone, but may have the seats of their names again after a restart.
        """
        async with self._one_by_one:
            out = [each for each in self._holders if each.device is not None and number in (None, each.device)]
            if not out:
                return
            self._holders = [each for each in self._holders if each not in out]
            self.token_ended()
            self._tell()
            await self._keep(self._at_table)

    @contextmanager
    def present(self, token: str) -> Iterator[None]:
        """Count as connected while the block lasts. Raises `UnknownSeat`."""
        self._holder(token).connections += 1
        self._tell()
        try:
            yield
        finally:
            # They may have taken other seats meanwhile, or given theirs back.
            for holder in self._holders:
                if holder.token == digest_of(token):
                    holder.connections -= 1
                    holder.heard_s = self._now_s()
            self._tell()

    def caller(self, token: str | None) -> Caller:
        """Return the caller with this token, and what they may do at seats that they do not hold.

        Without a token it is somebody at this computer who has not sat down. Raises `UnknownSeat`.
        """
        holder = None if token is None else self._holder(token)
        known = Caller("script")
        if holder is not None:
            holder.heard_s = self._now_s()
            known = Caller(holder.door, holder.role, frozenset(holder.names), client=holder.token)
        remote = frozenset(player.name for player in _players_in(self._game_now()) if player.remote)
        if known.door == "remote":
            # Its commands are the same whichever process gives them, before a restart or after it.
            return replace(known, seats=remote, shares=False, client=REMOTE_CLIENT)
        return replace(
            known,
            shares=self._shares(holder),
            taken=remote.union(name for each in self._at_table if each is not holder for name in each.names),
            others_share=any(self._shares(each) for each in self._terminals() if each is not holder),
        )

    def holdings(self) -> dict[str, Holding]:
        """Return by seat the door of its holder, and whether the holder is present."""
        held = {name: Holding(each.door, self._is_here(each)) for each in self._at_table for name in each.names}
        remote = (player.name for player in _players_in(self._game_now()) if player.remote)
        return held | {name: Holding("remote", here=True) for name in remote}

    @property
    def is_shared(self) -> bool:
        """True if everybody at a terminal here may act for the seats that nobody has taken."""
        return self._share == "yes" or (self._share == "auto" and len(self._terminals()) < _SEVERAL)

    @property
    def newcomer_shares(self) -> bool:
        """True if the next person to sit down may act for the seats that nobody has taken, and needs none of their own.

        At a table with others, newcomers are asked to take one, even if all of the others sit by name.
        """
        return self._share == "yes" or (self._share == "auto" and not self._terminals())

    def _shares(self, holder: _Holder | None) -> bool:
        """Return whether this holder may act for the seats that nobody holds."""
        terminals = self._terminals()
        if self._share != "auto" or len(terminals) < _SEVERAL:
            return self._share != "no"
        return holder is next((each for each in terminals if not each.names), terminals[0])

    @property
    def _at_table(self) -> list[_Holder]:
        """The holders who have not gone home."""
        heard_s = self._now_s() - GONE_S
        return [each for each in self._holders if each.connections or each.heard_s > heard_s]

    def _terminals(self) -> list[_Holder]:
        return [each for each in self._holders if each.connections and each.role == "player"]

    def _is_here(self, holder: _Holder) -> bool:
        return bool(holder.connections) or self._now_s() - holder.heard_s < AWAY_S

    def _holder(self, token: str) -> _Holder:
        # The comparison takes the same time however much of the token is right.
        wanted = digest_of(token)
        for each in self._at_table:
            if secrets.compare_digest(each.token, wanted):
                return each
        raise UnknownSeat("nobody sits here with that token; take your seat again")

    def _seated(self, game: AnyGame | None, holder: _Holder, known: _Holder | None, next_game: bool) -> list[_Holder]:
        """Return everybody at the table once this holder sits there, in place of `known`. Raises `SeatTaken`."""
        for name in holder.names:
            self._check_free(game, name, known, next_game)
        if known is not None:
            seated = [holder if each is known else _without(each, holder.names) for each in self._at_table]
        else:
            gone = None
            if len(self._at_table) >= MOST_AT_TABLE:
                # Without a seat first, then the longest away.
                away = [each for each in self._at_table if not self._is_here(each)]
                if not away:
                    raise SeatTaken("so many sit at this table that there is no room for one more")
                gone = min(away, key=lambda each: (bool(each.names), each.heard_s))
            seated = [*(_without(each, holder.names) for each in self._at_table if each is not gone), holder]
        players = _players_in(game)
        playing = [player.name for player in players]
        # Where there are more seats than players of a game, others lose theirs: those heard of least recently first.
        for each in sorted((each for each in seated if each is not holder), key=lambda each: each.heard_s):
            if _count_seats(seated) <= MOST_PLAYERS:
                break
            makes_room = not self._is_here(each) or (bool(players) and not next_game)
            spare = [name for name in each.names if name not in playing] if makes_room else []
            seated = [_without(other, spare) if other is each else other for other in seated]
        if _count_seats(seated) > MOST_PLAYERS:
            raise SeatTaken(f"{MOST_PLAYERS} wait to play already, and no more can; wait until somebody leaves")
        return seated

    def _check_free(self, game: AnyGame | None, name: str, known: _Holder | None, next_game: bool) -> None:
        """Raise `SeatTaken` unless this seat exists, or will in the next game, and nobody but `known` sits in it."""
        if (wrong := wrong_name(name)) is not None:
            raise SeatTaken(f"nobody can sit down under that name; a name has {NAMES_ARE}", wrong)
        players = _players_in(game)
        if next_game and name in [player.name for player in players]:
            raise SeatTaken(f"{name} plays in this game; say another name for the next one", WrongName(name, "twice"))
        people = [player.name for player in players if not player.house and not player.remote]
        is_new = next_game or not players
        if not is_new and name not in people:
            seats = f"the seats are those of {join_and(people)}" if people else "the box plays them all"
            raise SeatTaken(f"nobody can sit down as {name} in this game; {seats}")
        other = next((each for each in self._at_table if name in each.names and each is not known), None)
        if other is not None and self._is_here(other):
            called = WrongName(name, "twice") if is_new else None
            raise SeatTaken(f"{name} is already playing at another {other.door}", called)

    async def _keep(self, holders: Iterable[_Holder]) -> None:
        seats = [HeldSeat(name, each.token, each.door) for each in holders for name in each.names]
        await self._writer.keep_seats(seats)


def _players_in(game: AnyGame | None) -> Sequence[Player]:
    """Return the players of the game that is on; none without a game."""
    return () if game is None or game.is_over else game.players


def _count_seats(holders: Iterable[_Holder]) -> int:
    return sum(len(each.names) for each in holders)


def _without(holder: _Holder, names: Sequence[str]) -> _Holder:
    return replace(holder, names=tuple(name for name in holder.names if name not in names))
