"""The messages of two boxes that play one match. docs/reference/together.md lists them."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StrictInt, TypeAdapter, ValidationError

from controller.cli.together.sequence import Action, Start
from controller.game.core.players import LONGEST_MATCH_NAME, LONGEST_NAME, MOST_PLAYERS

MOST_BYTES = 3584  # with its topic, a packet has less than the 4 KB that are read
MOST_ACTIONS = 1_000_000  # of a match
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
Index = Annotated[StrictInt, Field(ge=0, le=MOST_ACTIONS)]
Word = Annotated[str, Field(min_length=1, max_length=LONGEST_MATCH_NAME)]
Names = Annotated[tuple[Annotated[str, Field(max_length=LONGEST_NAME)], ...], Field(max_length=MOST_PLAYERS)]
_STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Status:
    """How far a box is. here: its players. rungs: digests of its sequence, the last one first; none before the game."""

    __pydantic_config__ = _STRICT

    match: Word
    sender: Word
    here: Names
    start: Start
    rungs: Annotated[tuple[tuple[Index, Digest], ...], Field(max_length=40)] = ()
    over: bool = False
    kind: Literal["status"] = "status"


@dataclass(frozen=True, slots=True)
class Actions:
    """Actions from the index `first` on. before: the digest of the sequence before the first of them."""

    __pydantic_config__ = _STRICT

    match: Word
    sender: Word
    first: Index
    before: Digest
    actions: Annotated[tuple[Action, ...], Field(min_length=1, max_length=100)]
    kind: Literal["actions"] = "actions"


@dataclass(frozen=True, slots=True)
class Differ:
    """A box has found a difference: the first one, at the index `at`; None: it has no action there."""

    __pydantic_config__ = _STRICT

    match: Word
    sender: Word
    at: Index
    before: Digest
    action: Action | None = None
    kind: Literal["differ"] = "differ"


Message = Status | Actions | Differ
MESSAGE: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="kind")])


def encode(message: Message) -> bytes:
    """Return a message as bytes, in JSON. Raises `ValueError` for more than `MOST_BYTES`."""
    found = MESSAGE.dump_json(message)
    if len(found) > MOST_BYTES:
        raise ValueError(f"a message has {MOST_BYTES} bytes at most, not {len(found)}")
    return found


def decode(payload: object) -> Message | None:
    """Return what was received; None for anything that is no message."""
    if not isinstance(payload, bytes | bytearray) or len(payload) > MOST_BYTES:
        return None
    try:
        return MESSAGE.validate_json(payload)
    except ValidationError:
        return None
