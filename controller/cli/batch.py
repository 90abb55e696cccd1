"""Questions as JSON Lines with the words of the command line as keys; one answer a line, in order."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from io import TextIOWrapper
from typing import Any, TypeVar

import typer
from pydantic import BaseModel, ValidationError

from controller.cli.options import given_names
from controller.rules.errors import RulesError
from controller.runtime.output import print_json
from hardware.toml_file import describe_mistake

Question = TypeVar("Question", bound=BaseModel)
Answer = Mapping[str, Any]
NO_OTHERS: Mapping[str, Any] = {}


def answer_batch(
    file: str,
    model: type[Question],
    answer: Callable[[Question], Answer],
    by_game: Mapping[str, type[Question]] = NO_OTHERS,
) -> None:
    """Answer every line of a file, or of standard input for `-`. Raises `typer.BadParameter` if it cannot be opened.

    by_game: the models of lines about games that need another one.
    """
    with ExitStack() as stack:
        if file == "-":
            if isinstance(sys.stdin, TextIOWrapper):
                # Decode it like a file.
                sys.stdin.reconfigure(encoding="utf-8", errors="replace")
            lines: Iterable[str] = sys.stdin or ()
        else:
            try:
                lines = stack.enter_context(open(file, encoding="utf-8", errors="replace"))
            except OSError as error:
                raise typer.BadParameter(f"--batch {file}: {error.strerror}") from error
        for each in answer_lines(lines, model, answer, by_game):
            print_json(each)


def refuse_with_batch(**options: object) -> None:
    """Raise `typer.BadParameter` for options that belong into the lines of a batch."""
    if given := given_names(options):
        raise typer.BadParameter(f"--batch asks every question itself; leave out {', '.join(given)}")


def answer_lines(
    lines: Iterable[str],
    model: type[Question],
    answer: Callable[[Question], Answer],
    by_game: Mapping[str, type[Question]] = NO_OTHERS,
) -> Iterator[Answer]:
    """Answer every line that is not blank; a bad one by `{"error": one line}`."""
    for line in filter(str.strip, lines):
        asked_for = model
        try:
            asked = json.loads(line)
            game = asked.get("game") if isinstance(asked, dict) else None
            asked_for = by_game.get(game, model) if isinstance(game, str) else model
            found = answer(asked_for.model_validate(asked))
        except ValidationError as error:
            first = error.errors()[0]
            keys = ", ".join(asked_for.model_fields)
            if first["loc"]:
                where = ".".join(map(str, first["loc"][:2]))
                # Every kind that a key may hold complains: the key alone says enough.
                problem = "no value of a kind that it takes" if len(first["loc"]) > 1 else describe_mistake(first)
                found = {"error": f"{where}: {problem}; keys are {keys}"}
            else:
                found = {"error": f"a line is one JSON object; its keys are {keys}"}
        except RulesError as error:
            found = {"error": str(error)}
        except OSError as error:
            found = {"error": error.strerror or str(error)}
        except (ValueError, RecursionError) as error:
            found = {"error": f"not JSON that can be used: {error}"}
        yield found
