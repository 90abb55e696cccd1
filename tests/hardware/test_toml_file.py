"""The validator's complaints are said in our own words, each kind of them."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from hardware.toml_file import describe_mistake
from tests.support.together import together


class Coin(BaseModel):
    model_config = ConfigDict(extra="forbid")

    face: str


def refuse(value: object) -> object:
    raise ValueError(f"no {value} is taken here")


Whole = Annotated[int, Field(gt=0, lt=9)]
KINDS: list[tuple[Any, object, str]] = [
    (Coin, {}, "is missing"),
    (Coin, {"face": "sun", "edge": 1}, "is not known here"),
    (Coin, 3, "must be a table"),
    (dict[str, int], [], "must be a table"),
    (list[int], 3, "must be a list"),
    (tuple[int, ...], 3, "must be a list"),
    (str, 3, "must be a text"),
    (Annotated[str, Field(min_length=2)], "a", "must have 2 characters or more"),
    (Annotated[str, Field(max_length=2)], "abc", "must have 2 characters at most"),
    (Annotated[str, Field(pattern="^a$")], "b", "has another form than it must have"),
    (Annotated[list[int], Field(min_length=2)], [1], "must hold at least 2"),
    (Annotated[list[int], Field(max_length=1)], [1, 2], "must hold at most 1"),
    (int, "x", "must be a whole number"),
    (int, 1.5, "must be a whole number"),
    (int, None, "must be a whole number"),
    (float, "x", "must be a number"),
    (bool, "perhaps", "must be true or false"),
    (Whole, 0, "must be more than 0"),
    (Whole, 9, "must be less than 9"),
    (Annotated[int, Field(ge=1)], 0, "must be at least 1"),
    (Annotated[int, Field(le=1)], 2, "must be at most 1"),
    (Annotated[float, Field(allow_inf_nan=False)], float("nan"), "must be a number with an end"),
    (Literal["a", "b"], "c", "must be 'a' or 'b'"),
    (Annotated[str, AfterValidator(refuse)], "{braces}", "no {braces} is taken here"),
    (bytes, 3, "is not what it must be"),  # a kind that has no words
]


@together(("kind", "value", "says"), KINDS)
def test_each_kind_has_our_words(kind: Any, value: object, says: str) -> None:
    with pytest.raises(ValidationError) as refused:
        TypeAdapter(kind).validate_python(value)
    assert describe_mistake(refused.value.errors()[0], "a table") == says
