"""The events of a race. Players by their seat, combinations by name, dice by their faces, a joker being 7."""

from dataclasses import dataclass
from typing import Literal

from controller.game.core.events import GameEvent
from controller.game.core.players import Source


@dataclass(frozen=True, slots=True)
class RaceRolled(GameEvent):
    """A player threw his dice for who names first."""

    player: int
    dice: tuple[int, ...]
    source: Source
    kind: Literal["race_rolled"] = "race_rolled"


@dataclass(frozen=True, slots=True)
class CombinationNamed(GameEvent):
    """A player named the combination of his next round, or of everybody's."""

    player: int
    combination: str
    kind: Literal["combination_named"] = "combination_named"


@dataclass(frozen=True, slots=True)
class GoCalled(GameEvent):
    """Everybody is ready: the box counts."""

    kind: Literal["go_called"] = "go_called"


@dataclass(frozen=True, slots=True)
class RoundBegan(GameEvent):
    """GO: everybody throws."""

    kind: Literal["round_began"] = "round_began"


@dataclass(frozen=True, slots=True)
class Shouted(GameEvent):
    """A player says that he has it, or somebody by the box's button: whose dice come on the baize tells who.

    at_ms: when it was heard, for shouts at the same time.
    """

    player: int | None
    combination: str | None
    at_ms: int
    kind: Literal["shouted"] = "shouted"


@dataclass(frozen=True, slots=True)
class ShoutWithdrawn(GameEvent):
    """A shout was none."""

    player: int | None
    kind: Literal["shout_withdrawn"] = "shout_withdrawn"


@dataclass(frozen=True, slots=True)
class ClaimRefused(GameEvent):
    """The dice are not the combination. `costs`: the player takes no chip in this round, as agreed."""

    player: int
    combination: str
    dice: tuple[int, ...]
    source: Source
    costs: bool = False
    kind: Literal["claim_refused"] = "claim_refused"


@dataclass(frozen=True, slots=True)
class ClaimHeld(GameEvent):
    """The dice are the combination, and those of somebody who shouted before, or at the same time, are to be seen."""

    player: int
    combination: str
    dice: tuple[int, ...]
    source: Source
    kind: Literal["claim_held"] = "claim_held"


@dataclass(frozen=True, slots=True)
class ChipTaken(GameEvent):
    """A player takes a chip, by its tile; `dice` is empty for the last one, who need not finish.

    Several who shouted at the same time may take one together.
    """

    players: tuple[int, ...]
    combinations: tuple[str | None, ...]
    tile: str
    dice: tuple[tuple[int, ...], ...]
    source: Source
    kind: Literal["chip_taken"] = "chip_taken"


@dataclass(frozen=True, slots=True)
class ShoutsVoided(GameEvent):
    """These shouted at the same time, and rightly; as agreed, none counts."""

    players: tuple[int, ...]
    kind: Literal["shouts_voided"] = "shouts_voided"


@dataclass(frozen=True, slots=True)
class SecondPassed(GameEvent):
    """The last player has a second less."""

    kind: Literal["second_passed"] = "second_passed"


@dataclass(frozen=True, slots=True)
class RaceEnded(GameEvent):
    """A round of the race is over. `unfinished`: who still raced, and takes no chip; `by_time`: his time was up."""

    unfinished: tuple[int, ...]
    by_time: bool = False
    kind: Literal["race_ended"] = "race_ended"


@dataclass(frozen=True, slots=True)
class ChipReturned(GameEvent):
    """The chip that was handed out last is put back: it was a mistake."""

    players: tuple[int, ...]
    tile: str
    kind: Literal["chip_returned"] = "chip_returned"


RaceEvent = (
    RaceRolled
    | CombinationNamed
    | GoCalled
    | RoundBegan
    | Shouted
    | ShoutWithdrawn
    | ClaimRefused
    | ClaimHeld
    | ChipTaken
    | ShoutsVoided
    | SecondPassed
    | RaceEnded
    | ChipReturned
)
