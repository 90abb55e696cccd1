"""Misreadings of the camera on this table: how often somebody corrected a throw that it had read."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from controller.game.core.events import GameEvent
from controller.game.shutbox.events import DiceThrown, FirstRolled, ThrowCorrected

_SURE = 0.95  # confidence of the bound
_HALVINGS = 60

Dice = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Misreadings:
    """The throws that the camera read and the game counted, and those of them that somebody corrected.

    corrected: what was read, what the dice showed, and how often; the commonest first.
    """

    throws: int
    corrected: tuple[tuple[Dice, Dice, int], ...]

    @property
    def wrong(self) -> int:
        return sum(times for *_, times in self.corrected)

    @property
    def most(self) -> float:
        """The part of all throws, 0..1, that is read wrongly at most, if people notice what is; see `most_of`."""
        return most_of(self.wrong, self.throws)


def misreadings_of(games: Iterable[Sequence[GameEvent]]) -> Misreadings:
    """Count the throws of these games, each from its first event on."""
    throws, wrong = 0, Counter[tuple[Dice, Dice]]()
    for events in games:
        pairs: list[tuple[Dice, Dice]] = []  # what the camera read, and what holds
        by_camera = False
        for event in events:
            match event:
                case DiceThrown(dice, source) | FirstRolled(_, dice, source):
                    by_camera = source == "camera"
                    if by_camera:
                        pairs.append((dice, dice))
                case ThrowCorrected(_, dice) if by_camera:
                    pairs[-1] = pairs[-1][0], dice
        throws += len(pairs)
        wrong.update(pair for pair in pairs if pair[0] != pair[1])
    return Misreadings(throws, tuple((read, dice, times) for (read, dice), times in wrong.most_common()))


def most_of(count: int, trials: int) -> float:
    """Return the upper bound, 0..1, of the part of trials in which something happens that was seen `count` times.

    Its confidence is 95 %. The upper bound of a Poisson count: the mean at which so few or fewer occur in one of twenty
    runs. Of n trials without it the bound is 3 / n (Hanley and Lippman-Hand 1983).
    """
    low, high = 0.0, count + 10 * math.sqrt(count + 1)
    for _ in range(_HALVINGS):
        mean = (low + high) / 2
        chance = sum(math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(count + 1))
        low, high = (mean, high) if chance > 1 - _SURE else (low, mean)
    return min(1.0, high / max(1, trials))
