"""A race by hand, for tests: commands in a line, tiles in place at once, and dice that are each combination."""

from typing import Any

from controller.game.core.commands import Command, ConfirmTiles, StartGame
from controller.game.core.events import GameEvent
from controller.game.core.phases import Moving
from controller.game.core.players import Player
from controller.game.fleet.commands import CallGo, Claim, CountDown, NameCombination, PassSecond, Shout, WithdrawShout
from controller.game.fleet.events import ChipTaken
from controller.game.fleet.state import Naming, Race, Racing, Ready
from controller.game.table.engines import decide, evolve

NAMES = ("Ann", "Bob", "Cleo", "Dora", "Emil", "Fritz")
# Dice that are each combination, whatever was agreed.
RIGHT: dict[str, tuple[int | str, ...]] = {
    "all-twos": (2,) * 6,
    "all-threes": (3,) * 6,
    "all-fours": (4,) * 6,
    "all-fives": (5,) * 6,
    "all-sixes": (6,) * 6,
    "three-pairs": (2, 2, 3, 3, 4, 4),
    "pair-and-four": (2, 2, 3, 3, 3, 3),
    "two-threes": (2, 2, 2, 3, 3, 3),
    "straight": (2, 3, 4, 5, 6, "joker"),
    "all-jokers": ("joker",) * 6,
    "six-of-a-kind": (5,) * 6,
    "all-even": (2, 2, 4, 4, 6, 6),
    "all-odd": (3, 3, 3, 5, 5, 5),
}
# Dice that are none of them.
WRONG: tuple[int | str, ...] = (2, 3, 4, 5, 6, 6)


class RaceByHand:
    """A race of so many people, or of these players, its tiles in place after every command while it is not `slow`."""

    def __init__(self, players: int | tuple[Player, ...] = 2, *, game: str = "fleet", **options: Any) -> None:
        seats = tuple(map(Player, NAMES[:players])) if isinstance(players, int) else players
        self.events: list[GameEvent] = []
        self.slow = False
        self._race: Race | None = None
        self.do(StartGame(seats, game, options))

    @property
    def race(self) -> Race:
        """The race as it stands."""
        assert self._race is not None
        return self._race

    def do(self, *commands: Command) -> tuple[GameEvent, ...]:
        """Give commands, one after the other; what came of the last."""
        events: tuple[GameEvent, ...] = ()
        for command in commands:
            events = decide(self._race, command)
            self._enter(events)
            if not self.slow and isinstance(self.race.phase, Moving):
                self._enter(decide(self._race, ConfirmTiles()))
        return events

    def _enter(self, events: tuple[GameEvent, ...]) -> None:
        self.events += events
        for event in events:
            after = evolve(self._race, event)
            assert isinstance(after, Race)
            self._race = after

    def begin(self, *names: str) -> None:
        """Name for everybody, where that is due: the first that each has left, or these; then GO."""
        if isinstance(self.race.phase, Naming):
            for at, seat in enumerate(tuple(self.race.due_to_name)):
                name = names[at] if at < len(names) else self.race.left(seat)[0]
                self.do(NameCombination(name, self.race.players[seat].name))
        assert isinstance(self.race.phase, Ready)
        self.do(CallGo(), CountDown())
        assert isinstance(self.race.phase, Racing)

    def shout(self, *seats: int, at_ms: int = 0, combination: str | None = None) -> None:
        """Have these shout, all at this moment."""
        for seat in seats:
            self.do(Shout(combination or self._named(seat), NAMES[seat], at_ms=at_ms))

    def claim(self, seat: int, *, right: bool = True) -> tuple[GameEvent, ...]:
        """Have the dice of this one seen."""
        cry = self.race.cry_of(seat)
        name = (cry.combination if cry else None) or self._named(seat)
        return self.do(Claim(RIGHT[name] if right else WRONG, NAMES[seat]))

    def finish(self, *seats: int) -> None:
        """Have these shout, one after the other, and be right."""
        for seat in seats:
            self.shout(seat)
            self.claim(seat)

    def withdraw(self, seat: int) -> None:
        """Have this one take the shout back."""
        self.do(WithdrawShout(NAMES[seat]))

    def wait(self, seconds: int) -> None:
        """Let time pass."""
        self.do(*[PassSecond()] * seconds)

    def play_round(self, *order: int) -> None:
        """A round in which these finish in their order; all but the last one, where that is not said."""
        self.begin()
        self.finish(*(order or range(len(self.race.players) - 1)))

    def taken(self) -> list[tuple[tuple[int, ...], str]]:
        """The chips of all rounds: who took which tile."""
        return [(event.players, event.tile) for event in self.events if isinstance(event, ChipTaken)]

    def _named(self, seat: int) -> str:
        return self.race.named[seat] or self.race.left(seat)[0]
