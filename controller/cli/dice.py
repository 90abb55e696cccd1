"""`shutbox dice`: are the dice fair, by every throw in a journal?"""

from pathlib import Path
from typing import Annotated

import typer

from controller.cli.options import Json
from controller.game.core.english import percent
from controller.journal.checked import games_of
from controller.journal.journal import Journal
from controller.process.output import Exit, print_json
from controller.process.terminal import answers
from controller.settings import find_box_home
from controller.strategy.fairness import fairness_of
from controller.strategy.statistics import faces_by_sides

_BESIDE_BAR = 24  # characters of a row of dice besides its bar


def dice(
    file: Annotated[Path | None, typer.Argument(help="A journal; by default the home folder's.")] = None,
    json: Json = False,
) -> None:
    path = file or find_box_home().journal
    thrown: dict[int, list[int]] = {}
    if file is not None or path.exists():
        with Journal(path, read_only=True) as journal:
            thrown = faces_by_sides(games_of(journal))
    found = {sides: fairness_of(faces, sides) for sides, faces in thrown.items()}
    for sides, fairness in found.items():
        if json:
            counts = {str(face): count for face, count in enumerate(fairness.counts, 1)}
            told = {"sides": sides, "dice": fairness.dice, "counts": counts, "fair": not fairness.is_unfair}
            print_json({**told, "p": fairness.p, "face": fairness.face})
            continue
        # Bars with their difference from a fair share, and the verdict.
        most, share = max(fairness.counts), fairness.dice / sides
        room = max(10, min(answers.width, 80) - _BESIDE_BAR)
        answers.print(
            f"{fairness.dice} dice of {sides} sides; the last column is what lies above a fair share:", markup=False
        )
        for face, count in enumerate(fairness.counts, 1):
            bar = f"{'█' * round(room * count / most):<{room}}"
            answers.print(f"{face:>3}  {bar}  {count:>6}  {count - share:+8.1f}", markup=False)
        often = f"fair ones would look like this, or worse, with a chance of {percent(fairness.p)} at most"
        if fairness.p >= 1:
            often = "fair ones look like this"
        if fairness.is_unfair:
            much = "often" if fairness.counts[(fairness.face or 1) - 1] > share else "seldom"
            verdict = f"These dice are not fair: the {fairness.face} comes too {much}; {often}. Try others."
        else:
            verdict = f"These dice look fair: {often} at some moment of an evening."
        answers.print(verdict, markup=False)
    if not found and not json:
        answers.print("nobody has thrown any dice yet")
    raise typer.Exit(Exit.NO if any(fairness.is_unfair for fairness in found.values()) else Exit.DONE)
