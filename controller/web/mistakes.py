"""Description of what is wrong with a request, in one line: the place in the request, and what must stand there."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError

from hardware.toml_file import describe_mistake, kind_of

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


def describe_request(request: Request, error: RequestValidationError) -> str:
    """Return the first mistake with its place: `players.0.name: is missing`; `message` stands for the whole request.

    If a value may be of several kinds, each kind reports a mistake, and the line lists them all.
    """
    mistakes: list[ErrorDetails] = list(error.errors())
    part, *_ = mistakes[0]["loc"]
    sent = error.body if part == "body" else {**request.query_params, **request.path_params}
    place = _place_in(sent, mistakes[0])
    said = [describe_mistake(each) for each in mistakes if _place_in(sent, each) == place]
    return f"{'.'.join(place) or 'message'}: {', or '.join(dict.fromkeys(said))}"


def _place_in(sent: object, mistake: "ErrorDetails") -> tuple[str, ...]:
    """Return the path to the faulty value, without the validator's steps between its own types."""
    _part, *steps = mistake["loc"]
    ways = list(_ways(sent, steps))
    # The name of a type may also be that of a field: the right path is the one that leads to the value.
    way = next((way for way, value in ways if value == mistake["input"]), ways[0][0])
    if steps and kind_of(mistake) == "missing":
        return (*way, str(steps[-1]))
    return way


def _ways(sent: Any, steps: Sequence[int | str]) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield every path into the request by some of these steps, in their order, with its value; the longest first."""
    if not steps:
        yield (), sent
        return
    step, *later = steps
    has_step = step in sent if isinstance(sent, Mapping) else isinstance(sent, list) and step in range(len(sent))
    if has_step:
        for way, value in _ways(sent[step], later):
            yield (str(step), *way), value
    yield from _ways(sent, later)
