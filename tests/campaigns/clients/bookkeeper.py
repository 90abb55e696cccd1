"""A second bookkeeper: what was sent by whom, and what was answered; it compares the journal with that."""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from controller.errors import ShutboxError
from controller.game.core.actions import OF_TURN
from controller.game.core.commands import GoOn, Park, PutRight, StartGame, TryAgain, Undo
from controller.game.core.engine import AnyGame
from controller.game.core.events import GameEvent
from controller.game.core.players import Door, Origin
from controller.game.fleet.commands import (
    OF_ONE,
    CallGo,
    Claim,
    EndRound,
    NameCombination,
    Shout,
    ThrowOwnDice,
    WithdrawShout,
)
from controller.game.fleet.events import RaceRolled, Shouted
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectThrow, TakeThrow
from controller.game.shutbox.events import ChoiceUndone
from controller.game.shutbox.state import Game
from controller.game.table.engines import decide, evolve
from controller.journal.keys import CommandKey, short_digest
from controller.journal.store import Entry
from controller.rules.errors import RulesError

# What the clients of a campaign ask for.
Order = (
    StartGame
    | TakeThrow
    | CorrectThrow
    | Choose
    | Undo
    | AcceptLoss
    | Park
    | GoOn
    | TryAgain
    | PutRight
    | NameCombination
    | CallGo
    | ThrowOwnDice
    | Shout
    | Claim
    | WithdrawShout
    | EndRound
)

DONE = 200  # the status of an answer to what was done
# The doors through which clients speak to a table; all others are the box's own.
_OF_CLIENTS: tuple[Door, ...] = ("terminal", "page", "script")


@dataclass(frozen=True, slots=True)
class Sitter:
    """Whoever sends commands: the seat that it holds, if any, and its door."""

    name: str | None
    door: Door


@dataclass(slots=True)
class Sent:
    """A command, who sent it, and what became of it as far as its sender knows.

    status: that of the last answer; 0 while there is none. event: how far the game was when it was first told as done.
    """

    command: Order
    sender: Sitter
    status: int = 0
    event: int = 0

    @property
    def is_done(self) -> bool:
        """True if it was answered as done."""
        return self.status == DONE


@dataclass(slots=True)
class Bookkeeper:
    """What was sent, by key, by people of whom some hold seats (`held`, by name).

    waited_s: for the answer to each command. problems: what an answer alone shows to be wrong.
    """

    held: frozenset[str]
    sent: dict[str, Sent] = field(default_factory=dict)
    waited_s: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def note(self, key: str, status: int, event: int) -> None:
        """Note an answer. What was done once is answered as done ever after."""
        sent = self.sent[key]
        if sent.is_done and status != DONE:
            self.problems.append(f"{sent.command} was done, and is answered with {status} later")
        if status == DONE:
            sent.event = min(sent.event or event, event)
            sent.status = DONE
        elif not sent.is_done:
            sent.status = status

    def differences(self, path: Path, entries: Sequence[Entry]) -> Iterator[str]:
        """What the journal at `path`, with the `entries` of its one game, has otherwise."""
        yield from self.problems
        last_of = self._read_keys(path)
        for key, sent in self.sent.items():
            if not sent.status:
                yield f"{sent.command} was never answered"
            if sent.is_done and key not in last_of:
                yield f"{sent.command} was answered as done, and is not there"
            if not sent.is_done and key in last_of:
                yield f"{sent.command} was refused with {sent.status}, and is there"
        yield from (f"the key {key} is there, and nobody sent it" for key in last_of.keys() - self.sent.keys())
        ending_at: dict[int, list[Sent]] = {}
        for key, last in last_of.items():
            if key in self.sent:
                ending_at.setdefault(last, []).append(self.sent[key])
        yield from _replay(entries, ending_at, self.held)

    def _read_keys(self, path: Path) -> dict[str, int]:
        """The keys in the journal's file, each with the last event of its command; read beside the journal."""
        sent = {short_digest(key): key for key in self.sent}
        sql = "SELECT key, number FROM event WHERE key IS NOT NULL UNION ALL SELECT key, event FROM lone_key"
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
            found = ((CommandKey.read(stored).key, event) for stored, event in db.execute(sql))
            return {sent.get(key, key.hex()): event for key, event in found}


def _replay(entries: Sequence[Entry], ending_at: Mapping[int, Sequence[Sent]], held: frozenset[str]) -> Iterator[str]:
    """Do once more what was done, at its place between the doings of the box: the same must come of it.

    ending_at: by the number of an event, the commands that were done then: the one that fits made it, the others
    changed nothing.
    """
    game: AnyGame | None = None
    batch: list[Entry] = []
    for entry in entries:
        if entry.origin.door not in _OF_CLIENTS:
            yield from _nobody_sent(batch)
            batch, game = [], evolve(game, entry.event)
        else:
            batch.append(entry)
        done = [*ending_at.get(entry.number, ())]
        if batch and done:
            at_odds = [[*_compare(game, sent, batch, held)] for sent in done]
            made = at_odds.index(min(at_odds, key=len))
            yield from at_odds[made]
            del done[made]
            for each in batch:
                game = evolve(game, each.event)
            batch = []
        yield from (
            f"{sent.command} changed nothing at event {entry.number}" for sent in done if _events_of(game, sent)
        )
    yield from _nobody_sent(batch)


def _nobody_sent(batch: Sequence[Entry]) -> Iterator[str]:
    if batch:
        yield f"nobody sent {', '.join(entry.event.kind for entry in batch)} at event {batch[0].number}"


def _events_of(game: AnyGame | None, sent: Sent, first: GameEvent | None = None) -> list[GameEvent]:
    """What the rules make of a command; nothing where they refuse it. first: of the events that came of it.

    How dice fall and when a shout is heard no command says.
    """
    command = sent.command
    if isinstance(command, OF_ONE) and command.player is None:
        command = replace(command, player=sent.sender.name)
    if isinstance(command, Shout) and isinstance(first, Shouted):
        command = replace(command, at_ms=first.at_ms)
    if isinstance(command, ThrowOwnDice):
        return [first] if isinstance(first, RaceRolled) else []
    try:
        return [*decide(game, command)]
    except (RulesError, ShutboxError):
        return []


def _compare(game: AnyGame | None, sent: Sent, batch: Sequence[Entry], held: frozenset[str]) -> Iterator[str]:
    """What the entries of a command are otherwise than the rules, its sender and its answer make them."""
    command = sent.command
    at = batch[0].number
    if not 0 < batch[-1].number <= sent.event:
        yield f"{command} is event {batch[-1].number}, and was answered with event {sent.event}"
    if command.event not in (None, at - 1):
        yield f"{command} became event {at}"
    events = _events_of(game, sent, batch[0].event)
    if [entry.event for entry in batch] != events:
        yield f"{command} became {', '.join(entry.event.kind for entry in batch)} at event {at}"
    seat = _seat_of(game, sent, events)
    if game is not None and seat is not None and game.players[seat].name in held - {sent.sender.name}:
        yield f"{command} at event {at} is not for {sent.sender}"
    wanted = Origin(sent.sender.door, seat)
    if any(entry.origin != wanted for entry in batch):
        yield f"{command} of {sent.sender} stands there as {batch[0].origin}"


def _seat_of(game: AnyGame | None, sent: Sent, events: Sequence[GameEvent]) -> int | None:
    """The seat whose doing it is: that whose choice is taken back, that of the turn, or the sender's own.

    In a race each command says whose it is, where that is another's.
    """
    if game is None:
        return None
    names = [player.name for player in game.players]
    if isinstance(sent.command, OF_ONE) and sent.command.player in names:
        return names.index(sent.command.player)
    for event in events:
        if isinstance(event, ChoiceUndone):
            return event.player
    if isinstance(game, Game) and sent.command.do in OF_TURN:
        return game.turn
    return names.index(sent.sender.name) if sent.sender.name in names else None


def count_outcomes(sent: dict[str, Sent]) -> tuple[Counter[str], Counter[str]]:
    """How many commands of each kind were done, and how many were refused with which status."""
    done = Counter(str(each.command.do) for each in sent.values() if each.is_done)
    return done, Counter(str(each.status) for each in sent.values() if not each.is_done)
