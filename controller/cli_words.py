"""The words that several subcommands share, and how they are read."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from controller.variants import DEFAULT_GAME, GameChoice, load_marks, load_variant


class FieldChoice(StrEnum):
    """Where the field is: found by its markers, or the whole picture."""

    AUTO = "auto"
    WHOLE = "whole"


Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Mock = Annotated[bool, typer.Option("--mock", help="Use the simulated box.")]
MockBox = Annotated[
    bool, typer.Option("--mock-box", help="Join the simulated box of this home that `shutbox mock-box` runs.")
]
BoxName = Annotated[str | None, typer.Option("--box", help="Box profile: a name, or a file.")]
Faults = Annotated[
    str | None, typer.Option("--faults", help="Break the simulated box: NAME:PART,... (see `shutbox faults`).")
]
GameName = Annotated[
    str | None, typer.Option("--game", help=f"The game (see `shutbox games`); {DEFAULT_GAME} if none.")
]
Set = Annotated[list[str] | None, typer.Option("--set", help="An option of the game: NAME=VALUE (again for more).")]
Variant = Annotated[Path | None, typer.Option("--variant", help="A file with a game and its options, in its place.")]
MarksFile = Annotated[Path | None, typer.Option("--marks", help="A file of marks instead of numbers.")]
Match = Annotated[str | None, typer.Option("--match", help="single, tournament, drop-out or points.")]
FieldWord = Annotated[FieldChoice, typer.Option("--field", help="By the markers, or all.")]
Batch = Annotated[str | None, typer.Option("--batch", help="Questions as JSON Lines; - for standard input.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="The chance of the simulated box.")]


def choose_game(
    game: str | None, options: list[str] | None, variant: Path | None, marks: Path | None, match: str | None = None
) -> GameChoice:
    """The game that was asked for; what is said on the command line goes before what stands in a file.

    Raises `VariantError` or `InvalidOption`.
    """
    from controller.questions import parse_settings

    if variant is not None and game is not None:
        raise typer.BadParameter("--variant names its game itself; leave out --game")
    chosen = load_variant(variant) if variant else GameChoice(game or DEFAULT_GAME)
    given = {**chosen.options, **parse_settings(options or []), **({"match": match} if match else {})}
    return GameChoice(chosen.game, given, load_marks(marks) if marks else chosen.marks)


@contextmanager
def lines_of(file: str) -> Iterator[Iterable[str]]:
    """The lines of a batch file, or of standard input for `-`."""
    if file == "-":
        yield sys.stdin
        return
    with ExitStack() as stack:
        try:
            lines = stack.enter_context(open(file, encoding="utf-8", errors="replace"))
        except OSError as error:
            raise typer.BadParameter(f"--batch {file}: {error.strerror}") from error
        yield lines


def refuse_with_batch(**words: object) -> None:
    """Raise if words are given that a batch has in its lines."""
    given = [name for name, value in words.items() if value is not None and value is not False]
    if given:
        raise typer.BadParameter(f"--batch asks every question itself; leave out {', '.join(given)}")
