"""The seats at the table: who has taken which, by which token, who is there now, and for whom a caller may act.

Tokens are kept as digests: whoever reads the journal cannot sit down with what stands in it.
"""

import asyncio
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from controller.access import digest_of, new_token
from controller.errors import SeatTaken, UnknownSeat
from controller.game import MOST_PLAYERS, AnyGame, Caller, Door, Holding, Role, is_name, join_and
from controller.journal import HeldSeat, JournalWriter
from controller.settings import Share

# Who has said nothing for so long, and is not connected, is away: another may have his seat.
AWAY_S = 30.0
# Who has said nothing for so long has gone home: an evening's breaks are shorter, and last week was longer ago.
GONE_S = 12 * 3600.0
_SEVERAL = 2
# Phones that are lost sit on; more than this are a program that sits down again and again.
MOST_AT_TABLE = 500


@dataclass(slots=True)
class _Holder:
    """Somebody at the table: the digest of his token, his door, his seats, and when he was last heard of.

    by_code: he was let in by a code, which may be made void. device: the number of the operators' device that he was
    let in for, which may be revoked; None after a restart, too.
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
    """What somebody gets who sits down: the token to show with every command, his role, and the seats he holds."""

    token: str
    role: Role
    names: tuple[str, ...] = ()


class Seating:
    """Who sits where at one table.

    A seat that somebody has taken by name is his until he gives it back, or has been away for a while and another takes
    it. A seat that nobody has taken is for everybody as long as one terminal sits at the table; with several, for the
    first of those without a name, or else for the one that came first. The players may agree otherwise (`share`): such
    a seat is for all who are here, or none. Who has not been heard of for `GONE_S` is at the table no more.

    Lifetime: as the referee; seats that are held outlast a restart. Concurrency: one event loop. `token_ended` is
    called when a token is nobody's any more.
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
        """`held`: who sits here since before. `game_now`: the game at this table, when it is asked.

        `tell` is called when somebody sits down, leaves, comes or goes.
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
            self._restore(seat)

    async def sit(
        self,
        names: Sequence[str],
        door: Door,
        role: Role,
        token: str | None = None,
        *,
        by_code: bool = False,
        device: int | None = None,
    ) -> Ticket:
        """Sit down, with the seats of these players; with a `token` that was given before, at these in place of others.

        by_code: who has no such token was let in by a code. device: the number of the operators' device by which he
        asks. Raises `SeatTaken`, `UnknownSeat` or `JournalUnwritable`; then nobody has moved.
        """
        async with self._one_by_one:
            known = None if token is None else self._holder(token)
            if names and role != "player":
                raise SeatTaken(f"a seat is for a player; who comes as {role} takes none")
            fresh = token or new_token()
            if known is not None:
                by_code, device = by_code or known.by_code, known.device if device is None else device
            holder = _Holder(digest_of(fresh), door, role, tuple(names), by_code, device, self._now_s())
            await self._keep(self._seated(self._game_now(), holder, known))
            # People come and go while it is written.
            try:
                seated = self._seated(self._game_now(), holder, known)
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
        """Codes were made void: whoever came in by one and holds no seat is at the table no more."""
        async with self._one_by_one:
            self._holders = [each for each in self._at_table if each.names or not each.by_code]
        self.token_ended()
        self._tell()

    async def shut_out_device(self, number: int | None = None) -> None:
        """An operators' device was revoked, or all were: who sits here by it is at the table no more.

        Raises `JournalUnwritable`: he is gone all the same, but may be back with the seats of his name after a restart.
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
        """Be there as long as the block lasts. Raises `UnknownSeat`."""
        self._holder(token).connections += 1
        self._tell()
        try:
            yield
        finally:
            # He may have sat down elsewhere meanwhile, or given his seats back.
            for holder in self._holders:
                if holder.token == digest_of(token):
                    holder.connections -= 1
                    holder.heard_s = self._now_s()
            self._tell()

    def caller(self, token: str | None) -> Caller:
        """Who shows this token; None: somebody at this computer who has not sat down. Raises `UnknownSeat`."""
        if token is None:
            return self._seen_from(None, Caller("script"))
        holder = self._holder(token)
        holder.heard_s = self._now_s()
        return self._seen_from(holder, Caller(holder.door, holder.role, frozenset(holder.names)))

    def holdings(self) -> dict[str, Holding]:
        """By the name of the seat: through which door it is held, and whether its holder is there."""
        return {name: Holding(each.door, self._is_here(each)) for each in self._at_table for name in each.names}

    @property
    def is_shared(self) -> bool:
        """True if whoever sits at a terminal here may act for every seat that nobody has taken."""
        return self._share == "yes" or (self._share == "auto" and len(self._terminals()) < _SEVERAL)

    @property
    def newcomer_shares(self) -> bool:
        """True if who sits down next may act for the seats that nobody has taken, and needs none of his own.

        Where others are, whoever comes is asked to take one, even if all of them sit by name.
        """
        return self._share == "yes" or (self._share == "auto" and not self._terminals())

    def _seen_from(self, holder: _Holder | None, caller: Caller) -> Caller:
        """The caller that this holder is, with what he and the others may do at the seats that he does not hold."""
        others = (each for each in self._terminals() if each is not holder)
        return replace(
            caller,
            shares=self._shares(holder),
            taken=self._taken(holder),
            others_share=any(map(self._shares, others)),
        )

    def _taken(self, holder: _Holder | None) -> frozenset[str]:
        """The seats that others hold: nobody else acts for these, whatever was agreed on the others."""
        return frozenset(name for each in self._at_table if each is not holder for name in each.names)

    def _shares(self, holder: _Holder | None) -> bool:
        """True if the seats that nobody holds are for this one."""
        terminals = self._terminals()
        if self._share != "auto" or len(terminals) < _SEVERAL:
            return self._share != "no"
        return holder is next((each for each in terminals if not each.names), terminals[0])

    @property
    def _at_table(self) -> list[_Holder]:
        """All but those who have gone home."""
        heard_s = self._now_s() - GONE_S
        return [each for each in self._holders if each.connections or each.heard_s > heard_s]

    def _terminals(self) -> list[_Holder]:
        return [each for each in self._holders if each.connections and each.role == "player"]

    def _is_here(self, holder: _Holder) -> bool:
        return bool(holder.connections) or self._now_s() - holder.heard_s < AWAY_S

    def _holder(self, token: str) -> _Holder:
        """Compared in a time that does not depend on how much of it is right."""
        wanted = digest_of(token)
        for each in self._at_table:
            if secrets.compare_digest(each.token, wanted):
                return each
        raise UnknownSeat("nobody sits here with that token; take your seat again")

    def _check_free(self, game: AnyGame | None, names: Sequence[str], known: _Holder | None) -> None:
        """Raise `SeatTaken` unless each of these seats is there, and nobody else sits in it."""
        for name in names:
            self._check_free_one(game, name, known)

    def _check_free_one(self, game: AnyGame | None, name: str, known: _Holder | None) -> None:
        if not is_name(name):
            raise SeatTaken("nobody can sit down under that name; a name is short and seen, without comma or colon")
        people = _people_in(game)
        if people is not None and name not in people:
            seats = f"the seats are those of {join_and(people)}" if people else "the box plays them all"
            raise SeatTaken(f"nobody can sit down as {name} in this game; {seats}")
        other = next((each for each in self._at_table if name in each.names and each is not known), None)
        if other is not None and self._is_here(other):
            raise SeatTaken(f"{name} plays at another {other.door} already")

    def _seated(self, game: AnyGame | None, holder: _Holder, known: _Holder | None) -> list[_Holder]:
        """All at the table once this one sits there, in place of the `known`. Raises `SeatTaken` if that cannot be."""
        self._check_free(game, holder.names, known)
        return self._with_room(self._with(holder, known), holder, game)

    def _with_room(self, seated: list[_Holder], holder: _Holder, game: AnyGame | None) -> list[_Holder]:
        """The same with no more seats than can be played for: others lose theirs, who was heard of last the last.

        Raises `SeatTaken` where that is not enough.
        """
        for each in sorted((each for each in seated if each is not holder), key=lambda each: each.heard_s):
            if _count_seats(seated) <= MOST_PLAYERS:
                break
            spare = self._spare_seats(each, game)
            seated = [_without(other, spare) if other is each else other for other in seated]
        if _count_seats(seated) > MOST_PLAYERS:
            raise SeatTaken(f"{MOST_PLAYERS} wait to play already, and no more can; wait until somebody leaves")
        return seated

    def _spare_seats(self, holder: _Holder, game: AnyGame | None) -> Sequence[str]:
        """The seats that make room: in a game those that it has not, before one those of who is away."""
        people = _people_in(game)
        if people is not None:
            return [name for name in holder.names if name not in people]
        return () if self._is_here(holder) else holder.names

    def _with(self, holder: _Holder, known: _Holder | None) -> list[_Holder]:
        """The holders with this one in place of the `known`, or as the last; the seats that it takes are no other's."""
        if known is not None:
            return [holder if each is known else _without(each, holder.names) for each in self._at_table]
        gone = self._superfluous()
        return [*(_without(each, holder.names) for each in self._at_table if each is not gone), holder]

    def _superfluous(self) -> _Holder | None:
        """Who goes if one more comes: away for longest, without a seat first. Raises `SeatTaken` if all are here."""
        if len(self._at_table) < MOST_AT_TABLE:
            return None
        away = [each for each in self._at_table if not self._is_here(each)]
        if not away:
            raise SeatTaken("so many sit at this table that there is no room for one more")
        return min(away, key=lambda each: (bool(each.names), each.heard_s))

    async def _keep(self, holders: Iterable[_Holder]) -> None:
        seats = [HeldSeat(name, each.token, each.door) for each in holders for name in each.names]
        await self._writer.keep_seats(seats)

    def _restore(self, seat: HeldSeat) -> None:
        for each in self._holders:
            if each.token == seat.token:
                each.names = (*each.names, seat.name)
                return
        # How he was let in is not kept: what is known of him is his seat.
        self._holders.append(_Holder(seat.token, seat.door, "player", (seat.name,), True, None, self._now_s()))


def _people_in(game: AnyGame | None) -> list[str] | None:
    """Who plays in the game that is on, without the house; None where none is."""
    if game is None or game.is_over:
        return None
    return [player.name for player in game.players if not player.house]


def _count_seats(holders: Iterable[_Holder]) -> int:
    return sum(len(each.names) for each in holders)


def _without(holder: _Holder, names: Sequence[str]) -> _Holder:
    """The holder without the seats that another takes, or that make room for another's."""
    return replace(holder, names=tuple(name for name in holder.names if name not in names))
