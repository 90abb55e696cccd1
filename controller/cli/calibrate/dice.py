"""`shutbox calibrate dice`: read which dice are to be taught; list or forget those that were."""

import asyncio
from typing import Annotated

import typer

from controller.box import LEAST_SHOTS, LONGEST_LABEL, MOST_COLOURS, MOST_SHOTS, DiceOrder, Rigs
from controller.calibrate import Result, dice_session, list_sets, run_at_terminal
from controller.cli.job import join_job
from controller.cli.options import BoxName, Installation, Json, Mock, Seed
from controller.process import Exit, lock, print_json, run_jumping, say, typed_lines
from vision.taught import DiceFolder, Sides

Labels = tuple[tuple[int, str], ...]


def dice(
    name: Annotated[str | None, typer.Option("--name", help="What the set is to be called.")] = None,
    sides: Annotated[int, typer.Option("--sides", help="6 or 20.")] = 6,
    faces: Annotated[
        str | None, typer.Option("--faces", help="What is on them: 1,2,3,4,5,6 or 2,3,4,5,6,boat (or boat=1).")
    ] = None,
    colours: Annotated[
        str | None, typer.Option("--colours", metavar="NAMES", help="Colours of the set, by commas: red,blue.")
    ] = None,
    shots: Annotated[int, typer.Option("--shots", min=LEAST_SHOTS, max=MOST_SHOTS, help="Shots of each face.")] = 5,
    mock: Mock = False,
    box: BoxName = None,
    listed: Annotated[bool, typer.Option("--list", help="Only tell which dice were taught.")] = False,
    forget: Annotated[str | None, typer.Option("--forget", help="Delete the set of this name.")] = None,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Teach the box dice that bear no pips: numerals, symbols, several colours, twenty sides."""
    installation = Installation(box, mock)
    home = installation.home
    folder = DiceFolder(home.data)
    if listed:
        raise typer.Exit(list_sets(folder, as_json=json))
    if forget is not None:
        folder.forget(forget)
        print_json({"name": forget, "forgotten": True}) if json else say(f"The dice {forget} are forgotten.")
        raise typer.Exit(Exit.DONE)
    if name is None:
        raise typer.BadParameter("say --name NAME, --list or --forget NAME")
    folder.path(name)
    kind = sides_of(sides)
    order = DiceOrder(name, kind, labels_of(faces, kind), colours_of(colours), shots, ask=not mock)
    joined = join_job(installation, order, typed_lines(), waits=order.ask, as_json=json, box=box)
    raise typer.Exit((joined or _teach_here(installation, order, seed, as_json=json)).status)


def _teach_here(installation: Installation, order: DiceOrder, seed: int, *, as_json: bool) -> Result:
    home, mock = installation.home, installation.mock
    open_rig = Rigs(installation.box, installation.settings, home, seed if mock else None).dice(order)
    home.make()
    with lock(home.lock):
        session = dice_session(open_rig, DiceFolder(home.data), order, home.settings)
        work = run_at_terminal(session, typed_lines(), waits=order.ask, as_json=as_json)
        return run_jumping(work) if mock else asyncio.run(work)


def sides_of(sides: int) -> Sides:
    """A number of sides that can be taught. Raises `typer.BadParameter`."""
    if sides == 6:
        return 6
    if sides == 20:
        return 20
    raise typer.BadParameter(f"--sides is 6 or 20, not {sides}")


def labels_of(words: str | None, sides: Sides) -> Labels:
    """The values and names of the faces; a name without a value gets the least one that is left.

    Raises `typer.BadParameter`.
    """
    if words is None:
        return tuple((value, str(value)) for value in range(1, sides + 1))
    named = [word.strip() for word in words.split(",")]
    pairs = [(word.partition("=")[0].strip(), word.partition("=")[2].strip()) for word in named]
    given = [value or label for label, value in pairs]
    values = [int(word) if word.isdecimal() and len(word) < 10 else None for word in given]
    free = iter(value for value in range(1, sides + 1) if value not in values)
    chosen = [next(free, 0) if value is None and not pairs[k][1] else value for k, value in enumerate(values)]
    labels = [label for label, _ in pairs]
    fits = all(value is not None and 1 <= value <= sides for value in chosen)
    if not fits or len(set(chosen)) != len(chosen) or len(set(labels)) != len(labels) or not all(map(_is_word, labels)):
        raise typer.BadParameter(
            f"--faces are up to {sides} names by commas, each with a value from 1 to {sides} of its own: 2,3,boat=1"
        )
    return tuple((value or 0, label) for value, label in zip(chosen, labels, strict=True))


def colours_of(words: str | None) -> tuple[str, ...]:
    """The colours by their names. Raises `typer.BadParameter`."""
    if words is None:
        return ()
    names = tuple(word.strip() for word in words.split(","))
    if not all(map(_is_word, names)) or len(set(names)) != len(names) or len(names) > MOST_COLOURS:
        raise typer.BadParameter(f"--colours are up to {MOST_COLOURS} names by commas: red,blue,white")
    return names


def _is_word(text: str) -> bool:
    return 0 < len(text) <= LONGEST_LABEL and text.isprintable()
