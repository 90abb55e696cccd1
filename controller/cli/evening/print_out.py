"""An evening in a terminal, and its results as CSV."""

import csv
from collections.abc import Mapping
from typing import TextIO

from controller.game.evening.evening import Evening
from controller.game.evening.events import How
from controller.game.evening.view import EveningView, Pair, view_of
from controller.runtime.terminal import answers

_HOW: Mapping[How, str] = {"played": "", "said": "by somebody's word", "walkover": "without playing"}
_COLUMNS = ("round", "match", "first", "second", "winners", "how", "first_score", "second_score", "box", "game")


def write_results(evening: Evening, file: TextIO) -> None:
    """Write every match and bye as a row of CSV, under a row of names."""
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for at, pairs in enumerate(view_of(evening).rounds, 1):
        for pair in pairs:
            result = None if pair.number is None else evening.result(evening.match(pair.number))
            game_id = "" if result is None or not result.game_id else result.game_id
            score = ("" if each is None else each for each in pair.score)
            how = "bye" if pair.number is None else pair.how or ""
            names = (pair.first or "", pair.second or "", " and ".join(pair.winners))
            rows.writerow((at, pair.number or "", *names, how, *score, pair.box, game_id))


def print_evening(view: EveningView) -> None:
    """Print an evening: its rounds, its table, and who plays next."""
    for at, pairs in enumerate(view.rounds, 1):
        answers.print(f"Round {at}", markup=False)
        for pair in pairs:
            if pair.first is not None or pair.second is not None:
                answers.print(f"  {_line(pair)}", markup=False)
    answers.print("Table", markup=False)
    for row in view.table:
        gone = ", has gone home" if row.withdrawn else ""
        counts = f"{row.points} points, {row.wins} won, {row.ties} tied, {row.losses} lost"
        answers.print(f"  {row.rank}. {row.name}: {counts}{gone}", markup=False)
    if view.is_over:
        first = [row.name for row in view.table if row.rank == 1]
        answers.print(
            f"The evening is over: {' and '.join(first)} {'share the first place' if len(first) > 1 else 'won'}."
        )
    elif view.soon:
        answers.print(f"Next: {', '.join(f'{pair.first} against {pair.second}' for pair in view.soon)}", markup=False)


def _line(pair: Pair) -> str:
    if pair.number is None:
        return f"{pair.first or pair.second} has a bye"
    told = f"{pair.number}. {pair.first} against {pair.second}"
    if pair.state == "on":
        return f"{told}: being played at {pair.box}"
    if pair.state != "done":
        return told
    score = " to ".join(str(each) for each in pair.score if each is not None)
    won = (
        f"{pair.winners[0]} won" if len(pair.winners) == 1 else "a tie" if pair.how != "walkover" else "both have gone"
    )
    notes = ", ".join(note for note in (score, _HOW[pair.how] if pair.how else "") if note)
    return f"{told}: {won} ({notes})" if notes else f"{told}: {won}"
