"""The part that every command of a client has: for which moment it is meant, and that it is done once."""

from dataclasses import dataclass
from typing import Annotated, NoReturn, TypeVar

from pydantic import BeforeValidator, ConfigDict, Field, StrictInt
from pydantic_core import PydanticKnownError

T = TypeVar("T")

EventNumber = Annotated[StrictInt, Field(ge=0)]
Key = Annotated[str, Field(min_length=8, max_length=64)]


def _refuse(_given: object) -> NoReturn:
    raise PydanticKnownError("extra_forbidden")


# A field that only the box itself sets: JSON has no such field, neither in nor out.
Own = Annotated[T, Field(exclude=True), BeforeValidator(_refuse)]


@dataclass(frozen=True, slots=True, kw_only=True)
class FromClient:
    """A command that a client may give. Unknown fields are refused: a misspelt one must not pass for one left out.

    game_id, event: those of the snapshot that it was meant for; after another event it comes too late and is refused.
    key: made up by the client, another for each thing that it wants done: repeated, also after a restart, the command
    is not carried out again. None: it is meant for any moment, or done each time.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    game_id: EventNumber | None = None
    event: EventNumber | None = None
    key: Key | None = None
