"""What happens in an evening: its file is these, one after the other, and everything else follows from them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from controller.game.core.players import LONGEST_NAME
from controller.rules.options import Value

LEAST_PLAYERS, MOST_PLAYERS = 2, 24
MOST_ROUNDS = MOST_PLAYERS - 1
# Every player against every other; by score, as many rounds as agreed; who loses is out.
Form = Literal["round-robin", "swiss", "knock-out"]
# How a match was decided: on a box, by somebody's word, or because a player had gone.
How = Literal["played", "said", "walkover"]

Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Number = Annotated[int, Field(ge=1)]


class EveningEvent:
    """Anything that happened."""

    __slots__ = ()
    __pydantic_config__ = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Opened(EveningEvent):
    """The evening began. players: with the strength of those that the house plays (`House:perfect`), the best seeded
    first. rounds: of a Swiss evening; 0 for other forms. options: of the game that each match is, as a box takes them.
    """

    name: str
    at: str
    form: Form
    players: Annotated[tuple[str, ...], Field(min_length=LEAST_PLAYERS, max_length=MOST_PLAYERS)]
    game: str
    options: Mapping[str, Value] = field(default_factory=dict)
    rounds: Annotated[int, Field(ge=0, le=MOST_ROUNDS)] = 0
    kind: Literal["opened"] = "opened"


@dataclass(frozen=True, slots=True)
class Paired(EveningEvent):
    """A round was drawn. slots: the players, two of them a match; who has nobody beside them has a bye.

    In a knock-out these are the lines of the bracket: the winner of its first two comes first in the next round.
    """

    round: Number
    slots: tuple[Name | None, ...]
    kind: Literal["paired"] = "paired"


@dataclass(frozen=True, slots=True)
class Called(EveningEvent):
    """A match was called to a box. after: the last game there before it, by its number; 0: none."""

    match: Number
    box: str
    after: Annotated[int, Field(ge=0)]
    kind: Literal["called"] = "called"


@dataclass(frozen=True, slots=True)
class Lapsed(EveningEvent):
    """The game of a match was given up: it waits for a box again."""

    match: Number
    kind: Literal["lapsed"] = "lapsed"


@dataclass(frozen=True, slots=True)
class Finished(EveningEvent):
    """A match was decided, or decided otherwise. winners: both, or nobody, where the game ends so.

    scores: by player. box, game_id: where it was played, and its number there. record: the game as text (STN).
    """

    match: Number
    winners: Annotated[tuple[Name, ...], Field(max_length=2)]
    how: How
    at: str = ""
    scores: Mapping[str, int] = field(default_factory=dict)
    box: str = ""
    game_id: Annotated[int, Field(ge=0)] = 0
    record: str = ""
    kind: Literal["finished"] = "finished"


@dataclass(frozen=True, slots=True)
class Withdrew(EveningEvent):
    """A player has gone home."""

    player: Name
    kind: Literal["withdrew"] = "withdrew"


AnyEvent = Annotated[Opened | Paired | Called | Lapsed | Finished | Withdrew, Field(discriminator="kind")]
