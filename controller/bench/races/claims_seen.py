"""The claims of a race as they are looked at: how many, and how many were read otherwise than the dice lay."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from controller.game import ChipTaken, ClaimHeld, ClaimRefused, GameEvent, Race, ShoutsVoided
from controller.referee import Action, Words

# The dice of a claim; None where the event does not say them again.
_Seen = tuple[int, tuple[int, ...] | None]


@dataclass(slots=True)
class ClaimsSeen:
    """Hears of every action of a referee, as its subscriber.

    truth: by player what the dice show that the box has thrown for him. stopwatch: wall seconds. looks_s: the wall
    time of each look.
    """

    truth: Callable[[], Mapping[str, tuple[int, ...]]]
    stopwatch: Callable[[], float]
    looks_s: list[float] = field(default_factory=list)
    misreads: int = 0

    def __call__(self, action: Action) -> Words:
        """Count what was looked at."""
        before = action.before
        if isinstance(before, Race):
            truth = self.truth()
            for event in action.events:
                for seat, dice in _claims_in(event, before):
                    self.looks_s.append(self.stopwatch())
                    lay = truth.get(before.players[seat].name)
                    self.misreads += dice is not None and lay is not None and tuple(sorted(lay)) != tuple(sorted(dice))
        return Words()

    def forget(self) -> None:
        """Begin anew, for the next game."""
        self.looks_s, self.misreads = [], 0


def _claims_in(event: GameEvent, before: Race) -> Iterator[_Seen]:
    """The claims that this event tells of for the first time: those that waited were looked at before."""
    waited = {cry.seat for cry in before.cries if cry.dice is not None}
    match event:
        case ClaimRefused(player, _, dice) | ClaimHeld(player, _, dice):
            yield player, dice
        case ChipTaken(players, _, _, dice) if dice:
            yield from (pair for pair in zip(players, dice, strict=True) if pair[0] not in waited)
        case ShoutsVoided(players):
            yield from ((player, None) for player in players if player not in waited)
