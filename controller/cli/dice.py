"""`shutbox dice`: are the dice fair? By every throw in a journal."""

from pathlib import Path
from typing import Annotated

import typer

from controller.cli.options import Json
from controller.game import percent
from controller.journal import Journal, games_of
from controller.process import Exit, answers, print_json
from controller.settings import find_box_home
from controller.strategy import Fairness, faces_by_sides, fairness_of

_LABELS = 24  # characters of a row beside its bar


def dice(
    file: Annotated[Path | None, typer.Argument(help="A journal; by default the home folder's.")] = None,
    json: Json = False,
) -> None:
    """Say whether the dice are fair, by every throw of every game."""
    path = file or find_box_home().journal
    thrown = {} if file is None and not path.exists() else _faces(path)
    found = {sides: fairness_of(faces, sides) for sides, faces in thrown.items()}
    for sides, fairness in found.items():
        if json:
            print_json(_as_json(sides, fairness))
        else:
            answers.print(_in_words(sides, fairness), markup=False)
    if not found and not json:
        answers.print("nobody has thrown any dice yet")
    raise typer.Exit(Exit.NO if any(fairness.is_unfair for fairness in found.values()) else Exit.DONE)


def _faces(path: Path) -> dict[int, list[int]]:
    """Every face that was thrown, in order, by the sides of its die."""
    with Journal(path, read_only=True) as journal:
        return faces_by_sides(games_of(journal))


def _as_json(sides: int, fairness: Fairness) -> dict[str, object]:
    counts = {str(face): count for face, count in enumerate(fairness.counts, 1)}
    told = {"sides": sides, "dice": fairness.dice, "counts": counts, "fair": not fairness.is_unfair}
    return {**told, "p": fairness.p, "face": fairness.face}


def _in_words(sides: int, fairness: Fairness) -> str:
    """The faces as bars about their fair share, and the verdict."""
    most, share = max(fairness.counts), fairness.dice / sides
    room = max(10, min(answers.width, 80) - _LABELS)
    bars = [
        f"{face:>3}  {'█' * round(room * count / most):<{room}}  {count:>6}  {count - share:+8.1f}"
        for face, count in enumerate(fairness.counts, 1)
    ]
    head = f"{fairness.dice} dice of {sides} sides; the last column is what lies above a fair share:"
    return "\n".join([head, *bars, _verdict(fairness)])


def _verdict(fairness: Fairness) -> str:
    if not fairness.is_unfair:
        return f"These dice look fair: {_how_often(fairness.p)} at some moment of an evening."
    share = fairness.dice / len(fairness.counts)
    often = "often" if fairness.counts[(fairness.face or 1) - 1] > share else "seldom"
    return f"These dice are not fair: the {fairness.face} comes too {often}; {_how_often(fairness.p)}. Try others."


def _how_often(p: float) -> str:
    """With what chance fair dice would ever look as these do."""
    if p >= 1:
        return "fair ones look like this"
    return f"fair ones would look like this, or worse, with a chance of {percent(p)} at most"
