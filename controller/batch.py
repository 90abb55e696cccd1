"""Questions as JSON Lines, with the words of the command line as keys; one answer a line, in order."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from controller.rules import RulesError

Question = TypeVar("Question", bound=BaseModel)
Answer = Mapping[str, Any]


def answer_lines(lines: Iterable[str], model: type[Question], answer: Callable[[Question], Answer]) -> Iterator[Answer]:
    """Answer every line; a bad one is answered by `{"error": one line}`. Blank lines have no answer."""
    return (_answer(line, model, answer) for line in lines if line.strip())


def _answer(line: str, model: type[Question], answer: Callable[[Question], Answer]) -> Answer:
    try:
        return answer(model.model_validate(json.loads(line)))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"][:2]))
        keys = ", ".join(model.model_fields)
        if not first["loc"]:
            return {"error": f"a line is one JSON object; its keys are {keys}"}
        # Of a key that may hold several kinds, each kind complains: the key alone says enough.
        problem = "no value of a kind that it takes" if len(first["loc"]) > 1 else first["msg"]
        return {"error": f"{where}: {problem}; keys are {keys}"}
    except RulesError as error:
        return {"error": str(error)}
    except OSError as error:
        return {"error": error.strerror or str(error)}
    except (ValueError, RecursionError) as error:
        return {"error": f"not JSON that can be used: {error}"}
