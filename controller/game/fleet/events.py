"""The events of a race. Players are given by seat, combinations by name, dice by their faces; a joker is 7."""

from dataclasses import dataclass
from typing import Literal

from controller.game.core.events import GameEvent
from controller.game.core.players import Source


@dataclass(frozen=True, slots=True)
class RaceRolled(GameEvent):
    """A player threw the dice to decide who names first."""

    player: int
    dice: tuple[int, ...]
    source: Source
    kind: Literal["race_rolled"] = "race_rolled"


@dataclass(frozen=True, slots=True)
class CombinationNamed(GameEvent):
    """A player named the combination of their next round, or of everybody's."""

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
    """A player says that they have it, or somebody presses the button: then the dice on the baize tell who shouted.

    at_ms: when the shout was heard, to find shouts at the same time.
    """

    player: int | None
    combination: str | None
    at_ms: int
    kind: Literal["shouted"] = "shouted"


@dataclass(frozen=True, slots=True)
class ShoutWithdrawn(GameEvent):
    """A shout is taken back."""

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
    """The dice are the combination, but those of another player, who shouted no later, must still be seen."""

    player: int
    combination: str
    dice: tuple[int, ...]
    source: Source
    kind: Literal["claim_held"] = "claim_held"


@dataclass(frozen=True, slots=True)
class ChipTaken(GameEvent):
    """A player takes the chip of a tile; `dice` is empty for the last player, who need not finish.

    Several players who shouted at the same time may take one chip together.
    """

    players: tuple[int, ...]
    combinations: tuple[str | None, ...]
    tile: str
    dice: tuple[tuple[int, ...], ...]
    source: Source
    kind: Literal["chip_taken"] = "chip_taken"


@dataclass(frozen=True, slots=True)
class ShoutsVoided(GameEvent):
    """These players shouted at the same time, all of them rightly; as agreed, no such shout counts."""

    players: tuple[int, ...]
    kind: Literal["shouts_voided"] = "shouts_voided"


@dataclass(frozen=True, slots=True)
class SecondPassed(GameEvent):
    """The last player has one second less."""

    kind: Literal["second_passed"] = "second_passed"


@dataclass(frozen=True, slots=True)
class RaceEnded(GameEvent):
    """A round is over. `unfinished`: the players who still raced and take no chip; `by_time`: True if time was up."""

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
