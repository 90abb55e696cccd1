"""Reading files, whatever lies in their place, and TOML: a mistake becomes one line that a person can act on.

A start reads files that people and worn cards have had in their hands. Every one of them is read by `read_plain`, which
takes only a regular file of a bounded size: a FIFO would hold the program up for ever, and a device may have no end.

Only this module turns the validator's errors into our sentences; readers of other formats use it too.
"""

import errno
import os
import re
import stat
from collections.abc import Mapping
from datetime import date
from itertools import count
from json import dumps
from pathlib import Path
from tomllib import TOMLDecodeError, loads
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

_TABLE = re.compile(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(#.*)?")
_KEY = re.compile(r"""\s*["']?([A-Za-z0-9_.-]+)["']?\s*=""")
# The sentence for each kind of error, with the limits that it carries. {group} is a group of named values.
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
# Kinds of errors that mean the same to readers, who know nothing of tuples and our classes.
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

Keys = tuple[str, ...]
File = TypeVar("File", bound=BaseModel)


MOST_TEXT_BYTES = 1_000_000  # of a file that people write, or that the program keeps for itself


def read_plain(path: Path, most_bytes: int = MOST_TEXT_BYTES) -> bytes:
    """Return what is in a regular file of at most `most_bytes`.

    Raises `FileNotFoundError` if nothing is there, and `OSError`, whose `strerror` names the reason, for anything else
    that cannot be read: also for a link to nothing, which somebody has put there to be read.
    """
    try:
        # A FIFO without a writer opens at once this way.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except FileNotFoundError as error:
        if path.is_symlink():
            raise OSError(errno.ENOLINK, "a link to nothing", str(path)) from error
        raise
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "not a file", str(path))
        with open(handle, "rb", closefd=False) as file:
            data = file.read(most_bytes + 1)
    finally:
        os.close(handle)
    if len(data) > most_bytes:
        raise OSError(errno.EFBIG, f"larger than {most_bytes:,} bytes", str(path))
    return data


def read_plain_text(path: Path) -> str:
    """Return the text (UTF-8) of a file. Raises as `read_plain`, also for a file that is no text."""
    data = read_plain(path)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise OSError(errno.EILSEQ, f"not a text file, from line {line} on", str(path)) from error


def name_aside(path: Path, why: str, today: date) -> Path:
    """Return an unused name beside `path` for what can no longer be used there: `access.damaged-2026-03-01.json`."""
    names = (
        path.with_name(f"{path.stem}.{why}-{today}{f'-{number}' if number > 1 else ''}{path.suffix}")
        for number in count(1)
    )
    return next(name for name in names if not os.path.lexists(name))


class FileModel(BaseModel):
    """A part of a file, validated and immutable: no unknown key, no endless number."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class FileProblem(ValueError):
    """A text is not a valid file. `line` counts from 1; the message says what is allowed."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(problem)
        self.line = line


def parse_toml(text: str, model: type[File]) -> File:
    """Parse a TOML text into `model`. Raises `FileProblem`.

    Validation is strict as for JSON, which also has lists for tuples and strings for names: `true` is not the number 1.
    """
    try:
        return model.model_validate_json(dumps(loads(text), default=str), strict=True)
    except TOMLDecodeError as error:
        raise FileProblem(line_in(error), f"not TOML: {error}") from error
    except ValidationError as error:
        path, problem = problem_of(error, model)
        raise FileProblem(line_of(text, path), problem) from error
    except (RecursionError, ValueError) as error:
        # Valid TOML that Python cannot read.
        raise FileProblem(1, "a list or table is too deep, or a number too long") from error


def line_in(error: TOMLDecodeError) -> int:
    """Return the line that a TOML error names; before Python 3.14 only its message has it."""
    match = re.search(r"at line (\d+)", str(error))
    return int(match[1]) if match else 1


def line_of(text: str, path: Keys) -> int:
    """Return the line (from 1) that has the longest known start of `path`; 1 if none has."""
    found, depth, table = 1, 0, Keys()
    for number, line in enumerate(text.splitlines(), 1):
        header = _TABLE.fullmatch(line)
        key = None if header else _KEY.match(line)
        if header:
            table = tuple(header[1].replace('"', "").split("."))
        here = table + tuple(key[1].split(".")) if key else table
        if (header or key) and here == path[: len(here)] and len(here) > depth:
            found, depth = number, len(here)
    return found


def problem_of(error: ValidationError, model: type[BaseModel]) -> tuple[Keys, str]:
    first = error.errors()[0]
    # pydantic marks a bad key of a mapping by a last part "[key]"; people think of the key itself.
    path = tuple(str(part) for part in first["loc"] if part != "[key]")
    name = ".".join(path) or "the file"
    if first["type"] == "extra_forbidden":
        # The keys allowed beside the unknown one are those of the innermost model on its path.
        for part in path[:-1]:
            field = model.model_fields.get(part)
            model = (_model_in(field.annotation) if field is not None else None) or model
        allowed = ", ".join(model.model_fields)
        return path, f"{name}: unknown key; allowed are {allowed}"
    if first["type"] == "missing":
        return path[:-1], f"{name} is missing"
    value = first["input"]
    seen = ""
    if isinstance(value, str | int | float):
        seen = f", not {dumps(value) if isinstance(value, bool) else repr(value)}"
    return path, f"{name}: {describe_mistake(first, 'a table')}{seen}"


def kind_of(mistake: ErrorDetails) -> str:
    """Return the kind of a validation error; kinds that mean the same to readers are one."""
    return _ALIKE.get(mistake["type"], mistake["type"])


def describe_mistake(mistake: ErrorDetails, group: str = "an object") -> str:
    """Describe an error in words that follow the name of the place: `must be at least 1`.

    Messages of our own checks are kept; a kind without a sentence gets a general one. group: the word for a group of
    named values, with its article.
    """
    return _WORDS.get(kind_of(mistake), _OTHERS).format(group=group, **mistake.get("ctx", {}))


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """Return the model that a field holds, directly or as the values of a mapping."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    models = (_model_in(argument) for argument in get_args(annotation))
    return next((found for found in models if found is not None), None)
