"""A trial of `race`: six clients at a daemon that comes and goes, of whom two to six race for a whole card."""

import random
from collections.abc import Iterator, Sequence
from functools import reduce
from pathlib import Path

from controller.game.core.commands import StartGame
from controller.game.core.events import GameStarted
from controller.game.core.players import Door, Player
from controller.game.fleet.state import Race
from controller.game.table.engines import digest_of, evolve
from controller.journal.store import Entry
from controller.rules.fleet.cards import CARDS, CHOICES
from controller.rules.fleet.ruleset import fleet_rules_of
from tests.campaigns.clients.bookkeeper import Bookkeeper, Sitter
from tests.campaigns.clients.busy_table import BusyTable
from tests.campaigns.races.books import RaceBooks
from tests.campaigns.races.client import RaceClient

_NAMES = ("Ann", "Bob", "Cleo", "Dora", "Emil", "Fritz")
# Values that make short races; every other option takes any of its values.
_FEW = {"timer": (0, 5), "stake": (0, 1, 2, 5), "hints": ("always",)}


class RaceTable(BusyTable):
    """The table of one race, its daemons, one after the other, and its clients, all drawn from one seed."""

    runs, run_s = (2, 6), (1.0, 25.0)
    patience_s = 3600.0

    def choose_start(self, chance: random.Random) -> StartGame:
        """A race of as many as chance will have, with options at random."""
        options = {choice.name: chance.choice(_FEW.get(choice.name, choice.allowed)) for choice in CHOICES}
        players = tuple(map(Player, _NAMES[: chance.randint(2, len(_NAMES))]))
        return StartGame(players, chance.choice(list(CARDS)), options)

    def sitters(self, start: StartGame) -> Sequence[Sitter]:
        """Each player at a terminal or a page of his own; who does not race looks on."""
        doors: tuple[Door, ...] = ("terminal", "page", "terminal", "page", "terminal", "page")
        seats = len(start.players)
        return tuple(
            Sitter(name, door) if at < seats else Sitter(None, "script")
            for at, (name, door) in enumerate(zip(_NAMES, doors, strict=True))
        )

    def make_client(self, socket: Path, sitter: Sitter, books: Bookkeeper, chance: random.Random) -> RaceClient:
        """A client that races."""
        rules = fleet_rules_of(self.start.game, self.start.options)
        return RaceClient(socket, sitter, books, chance, rules)

    def is_over(self) -> bool:
        """True once somebody has seen the end of the race."""
        return any(isinstance(client, RaceClient) and client.has_seen_end for client in self.clients)

    def differences(self, entries: Sequence[Entry]) -> Iterator[str]:
        """What the books of the race, its digests and its end have otherwise."""
        first = entries[0].event
        race = evolve(None, first)
        if not isinstance(first, GameStarted) or not isinstance(race, Race):
            yield "no race was begun"
            return
        books = RaceBooks(first)
        for entry in entries[1:]:
            race = evolve(race, entry.event)
            books.hear(entry.event)
            if digest_of(race) != entry.digest:
                yield f"the digest of event {entry.number} is not that of its replay"
            if isinstance(race, Race):
                yield from (f"event {entry.number}: {told}" for told in (*books.problems, *books.differences(race)))
            books.problems.clear()
        if reduce(evolve, (entry.event for entry in entries), None) != race:
            yield "the replay leads to another race"
        self.outcome.counts["rounds"] += sum(entry.event.kind == "race_ended" for entry in entries)
        self.outcome.counts["chips"] += sum(entry.event.kind == "chip_taken" for entry in entries)
        if not race.is_over:
            yield f"the race is not over: {race.phase}"
