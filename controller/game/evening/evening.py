"""An evening as it stands: its rounds, its matches, and who has gone. Pure functions.

A match that two players tie is over in a league; in a knock-out it is played again until somebody has won it alone.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from controller.errors import EveningError
from controller.game.evening.events import AnyEvent, Called, Finished, Lapsed, Opened, Paired, Withdrew

Slots = tuple[str | None, ...]  # of a round: see `Paired`


def pairs_of(slots: Slots) -> Iterator[tuple[str | None, str | None]]:
    """Yield who stands beside whom in a round."""
    return zip(slots[::2], slots[1::2], strict=True)


@dataclass(frozen=True, slots=True)
class Match:
    """Two players of one round. number: from 1, through the evening.

    called: where it is being played; None while it waits, and once it is decided. calls: how often it was called.
    games: every game of it that came to an end, and every word on it, the last of which counts.
    """

    number: int
    round: int
    players: tuple[str, str]
    called: Called | None = None
    calls: int = 0
    games: tuple[Finished, ...] = ()


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening. rounds: each as it was drawn. matches: in the order of their numbers. withdrawn: who has gone."""

    opened: Opened
    rounds: tuple[Slots, ...] = ()
    matches: tuple[Match, ...] = ()
    withdrawn: tuple[str, ...] = ()

    @property
    def is_knock_out(self) -> bool:
        return self.opened.form == "knock-out"

    @property
    def players(self) -> tuple[str, ...]:
        """Return the names, in the order of the seeds."""
        return tuple(word.partition(":")[0] for word in self.opened.players)

    @property
    def present(self) -> tuple[str, ...]:
        """Return who has not gone, in the order of the seeds."""
        return tuple(name for name in self.players if name not in self.withdrawn)

    def result(self, match: Match) -> Finished | None:
        """Return what counts of a match; None while it is not decided."""
        last = match.games[-1] if match.games else None
        # In a knock-out somebody alone goes on, or nobody, where both have gone.
        is_tie = last is not None and len(last.winners) != 1 and last.how != "walkover"
        return None if is_tie and self.is_knock_out else last

    @property
    def open_matches(self) -> tuple[Match, ...]:
        """Return the matches that are not decided, in the order in which they are due."""
        return tuple(match for match in self.matches if self.result(match) is None)

    def match(self, number: int) -> Match:
        """Return a match. Raises `EveningError` for a number that none has."""
        if not 1 <= number <= len(self.matches):
            raise EveningError(f"there is no match {number}; they are 1 to {len(self.matches)}")
        return self.matches[number - 1]

    def byes(self) -> Iterator[tuple[int, str]]:
        """Yield who had nobody to meet, with the round (from 1)."""
        for number, slots in enumerate(self.rounds, 1):
            for first, second in pairs_of(slots):
                if (first is None) != (second is None):
                    yield number, first or second or ""


def waiting(evening: Evening) -> Iterator[Match]:
    """Yield the matches that can be called now, each to a box of its own: those whose players are free, in order."""
    busy = {name for match in evening.open_matches if match.called for name in match.players}
    for match in evening.open_matches:
        if match.called is None and not busy.intersection(match.players):
            busy.update(match.players)
            yield match


def evolve(evening: Evening | None, event: AnyEvent) -> Evening:
    """Return the evening after an event. Raises `EveningError` for one that cannot have happened."""
    if isinstance(event, Opened):
        if evening is not None:
            raise EveningError("an evening is opened once")
        return Evening(event)
    if evening is None:
        raise EveningError("an evening begins with its opening")
    match event:
        case Paired(number, slots):
            if number != len(evening.rounds) + 1 or len(slots) % 2:
                raise EveningError(f"round {number} does not follow")
            fresh = [(one, other) for one, other in pairs_of(slots) if one is not None and other is not None]
            matches = (Match(len(evening.matches) + at, number, pair) for at, pair in enumerate(fresh, 1))
            return replace(evening, rounds=(*evening.rounds, slots), matches=(*evening.matches, *matches))
        case Called(number):
            found = evening.match(number)
            return _with(evening, replace(found, called=event, calls=found.calls + 1))
        case Lapsed(number):
            return _with(evening, replace(evening.match(number), called=None))
        case Finished(number):
            found = evening.match(number)
            return _with(evening, replace(found, called=None, games=(*found.games, event)))
        case Withdrew(player):
            return replace(evening, withdrawn=(*evening.withdrawn, player))


def replay(events: Iterable[AnyEvent]) -> Evening:
    """Return the evening that these events made. Raises `EveningError`."""
    evening: Evening | None = None
    for event in events:
        evening = evolve(evening, event)
    if evening is None:
        raise EveningError("an evening begins with its opening")
    return evening


def _with(evening: Evening, match: Match) -> Evening:
    at = match.number - 1
    return replace(evening, matches=(*evening.matches[:at], match, *evening.matches[at + 1 :]))
