"""Reading TOML files: from a pydantic complaint to one line a person can act on, with the line of the file."""

import re
from tomllib import TOMLDecodeError, loads
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

_TABLE = re.compile(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(#.*)?")
_KEY = re.compile(r"""\s*["']?([A-Za-z0-9_.-]+)["']?\s*=""")

Path = tuple[str, ...]
File = TypeVar("File", bound=BaseModel)


class FileProblem(ValueError):
    """Why a text is not the file it should be; `line` counts from 1. The message says what is allowed."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(problem)
        self.line = line


def parse_toml(text: str, model: type[File]) -> File:
    """A TOML text as `model`. Raises `FileProblem`."""
    try:
        return model.model_validate(loads(text))
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
    said = first["msg"].removeprefix("Value error, ")
    value = first["input"]
    seen = f", not {value!r}" if isinstance(value, str | int | float) else ""
    return path, f"{name}: {said[0].lower()}{said[1:]}{seen}"


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
