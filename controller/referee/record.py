"""The game of a box as far as the journal has it: what is true, and what becomes true with the events of an action."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self

from controller.game import BY_THE_BOX, AnyGame, GameEvent, LeftOff, Origin, digest_of, evolve
from controller.journal import Entry


@dataclass(frozen=True, slots=True)
class Record:
    """A game, if there is one: its id, its number of events, whose doing the last of them was.

    left_off: the tiles that need no question after a start; None once they were compared with the game.
    """

    game: AnyGame | None = None
    game_id: int = 0
    events: int = 0
    left_off: LeftOff | None = None
    origin: Origin = BY_THE_BOX

    @property
    def is_on(self) -> bool:
        """True while the game is played, or paused."""
        return self.game is not None and not self.game.is_over

    @property
    def is_comparing(self) -> bool:
        """True after a start, until the tiles were looked at; not where people have just answered what they showed."""
        return self.left_off is not None and not self.left_off.told

    def after(
        self, events: Sequence[GameEvent], origin: Origin, wall_clock: Callable[[], str]
    ) -> tuple[Self, list[Entry]]:
        """The record with the events of one action, and the entries by which the journal keeps them."""
        game, number, left_off = self.game, self.events, self.left_off
        entries = []
        for event in events:
            last, game, number = game, evolve(game, event), number + 1
            left_off = left_off.after(last, event, game) if left_off is not None else None
            entries.append(Entry(number, wall_clock(), event, digest_of(game), origin))
        return replace(self, game=game, events=number, left_off=left_off, origin=origin), entries
