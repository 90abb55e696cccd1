"""The phases of a race: what is due next. What may hold it, and its end, are those of every game."""

from dataclasses import dataclass
from typing import ClassVar

from controller.game.phases import Ended, Held, PhaseName


@dataclass(frozen=True, slots=True)
class RollingOff:
    """The players throw for who names first."""

    word: ClassVar[PhaseName] = "rolling_off"


@dataclass(frozen=True, slots=True)
class Naming:
    """The players, or the one whose turn that is, name what the round is for."""

    word: ClassVar[PhaseName] = "naming"


@dataclass(frozen=True, slots=True)
class Ready:
    """All is named; somebody says that everybody is ready."""

    word: ClassVar[PhaseName] = "ready"


@dataclass(frozen=True, slots=True)
class Counting:
    """The box counts 1-2-3."""

    word: ClassVar[PhaseName] = "counting"


@dataclass(frozen=True, slots=True)
class Racing:
    """Everybody throws, keeps and shouts."""

    word: ClassVar[PhaseName] = "racing"


RaceResting = RollingOff | Naming | Ready | Counting | Racing | Ended
RacePhase = RaceResting | Held[RaceResting]
