"""Reading TOML files: from a pydantic complaint to one line a person can act on, with the line of the file.

Here, and nowhere else, the validator's complaints become sentences of ours; whoever reads another format uses them.
"""

import re
from collections.abc import Mapping
from json import dumps
from tomllib import TOMLDecodeError, loads
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


_TABLE = re.compile(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(#.*)?")
_KEY = re.compile(r"""\s*["']?([A-Za-z0-9_.-]+)["']?\s*=""")
# By the kind of a complaint, with the limits that it brings. {group} is what holds named values.
_WORDS: Mapping[str, str] = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "string_type": "must be a text",
    "string_unicode": "must be a text in Unicode",
    "string_too_short": "must have {min_length} characters or more",
    "string_too_long": "must have {max_length} characters at most",
    "string_pattern_mismatch": "has another form than it must have",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "finite_number": "must be a number with an end",
    "bool_type": "must be true or false",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "list_type": "must be a list",
    "too_short": "must hold at least {min_length}",
    "too_long": "must hold at most {max_length}",
    "dict_type": "must be {group}",
    "literal_error": "must be {expected}",
    "union_tag_not_found": "{discriminator} is missing",
    "union_tag_invalid": "{discriminator} must be one of {expected_tags}",
    "value_error": "{error}",
    "json_invalid": "is no JSON that can be read",
}
# Complaints that mean the same to who reads them: he has never heard of tuples and of our classes.
_ALIKE: Mapping[str, str] = {
    "missing_argument": "missing",
    "missing_keyword_only_argument": "missing",
    "unexpected_keyword_argument": "extra_forbidden",
    "int_parsing": "int_type",
    "int_parsing_size": "int_type",
    "int_from_float": "int_type",
    "float_parsing": "float_type",
    "bool_parsing": "bool_type",
    "tuple_type": "list_type",
    "dataclass_type": "dict_type",
    "model_type": "dict_type",
    "model_attributes_type": "dict_type",
    "mapping_type": "dict_type",
}
_OTHERS = "is not what it must be"

Path = tuple[str, ...]
File = TypeVar("File", bound=BaseModel)


class FileProblem(ValueError):
    """Why a text is not the file it should be; `line` counts from 1. The message says what is allowed."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(problem)
        self.line = line


def parse_toml(text: str, model: type[File]) -> File:
    """A TOML text as `model`. Raises `FileProblem`.

    As strict as with JSON, which has lists for tuples and texts for names too: `true` is not the number 1.
    """
    try:
        return model.model_validate_json(dumps(loads(text), default=str), strict=True)
    except TOMLDecodeError as error:
        raise FileProblem(line_in(error), f"not TOML: {error}") from error
    except ValidationError as error:
        path, problem = problem_of(error, model)
        raise FileProblem(line_of(text, path), problem) from error
    except (RecursionError, ValueError) as error:
        # It is TOML, but more than Python reads.
        raise FileProblem(1, "a list or table is too deep, or a number too long") from error


def line_in(error: TOMLDecodeError) -> int:
    """The line a TOML complaint names; before Python 3.14 it stands in the message alone."""
    match = re.search(r"at line (\d+)", str(error))
    return int(match[1]) if match else 1


def line_of(text: str, path: Path) -> int:
    """The line (from 1) on which the longest known start of `path` stands; 1 if none does."""
    found, depth, table = 1, 0, Path()
    for number, line in enumerate(text.splitlines(), 1):
        header = _TABLE.fullmatch(line)
        key = None if header else _KEY.match(line)
        if header:
            table = tuple(header[1].replace('"', "").split("."))
        here = table + tuple(key[1].split(".")) if key else table
        if (header or key) and here == path[: len(here)] and len(here) > depth:
            found, depth = number, len(here)
    return found


def problem_of(error: ValidationError, model: type[BaseModel]) -> tuple[Path, str]:
    """The first complaint as a path of keys and a sentence that says what is allowed."""
    first = error.errors()[0]
    # pydantic marks a bad key of a mapping by a last part "[key]"; people think of the key itself.
    path = tuple(str(part) for part in first["loc"] if part != "[key]")
    name = ".".join(path) or "the file"
    if first["type"] == "extra_forbidden":
        allowed = ", ".join(_keys_beside(model, path))
        return path, f"{name}: unknown key; allowed are {allowed}"
    if first["type"] == "missing":
        return path[:-1], f"{name} is missing"
    value = first["input"]
    seen = f", not {_as_written(value)}" if isinstance(value, str | int | float) else ""
    return path, f"{name}: {describe_mistake(first, 'a table')}{seen}"


def _as_written(value: str | float) -> str:
    """A value as TOML writes it."""
    return dumps(value) if isinstance(value, bool) else repr(value)


def kind_of(mistake: "ErrorDetails") -> str:
    """The kind of a complaint of the validator's, by the first name of those that mean the same."""
    return _ALIKE.get(mistake["type"], mistake["type"])


def describe_mistake(mistake: "ErrorDetails", group: str = "an object") -> str:
    """What is wrong, to be said after the place: `must be at least 1`.

    What our own checks say is said as they say it; a kind that has no words here, in general ones. group: what holds
    named values, with its article.
    """
    return _WORDS.get(kind_of(mistake), _OTHERS).format(group=group, **mistake.get("ctx", {}))


def _keys_beside(model: type[BaseModel], path: Path) -> list[str]:
    """The keys allowed where the last part of `path` stands."""
    for part in path[:-1]:
        field = model.model_fields.get(part)
        if field is None:
            continue
        inner = _model_in(field.annotation)
        if inner is not None:
            model = inner
    return list(model.model_fields)


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The model a field holds, directly or as the values of a mapping."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    models = (_model_in(argument) for argument in get_args(annotation))
    return next((found for found in models if found is not None), None)
