"""Who leads: points, and what parts those who have as many. Pure functions."""

from dataclasses import dataclass, replace
from itertools import groupby

from controller.game.evening.evening import Evening, Match
from controller.game.evening.events import Finished

WIN, TIE = 2, 1  # points; a bye is worth a win


@dataclass(frozen=True, slots=True)
class Row:
    """One player in the table.

    rank: from 1; those whom nothing parts share it. points: two for a win or a bye, one for a tie. tie_break: of two
    with as many points the one with more is before the other: the points of all whom they met (Swiss), or of those whom
    they beat and half of those whom they tied (round robin), doubled; in a knock-out the rounds that they won.
    """

    rank: int
    name: str
    points: int
    wins: int
    ties: int
    losses: int
    byes: int
    tie_break: int
    withdrawn: bool


def table(evening: Evening) -> tuple[Row, ...]:
    """Return the table, whoever leads first. Who has gone keeps their place, unless too little counts of them.

    Source of the tie-breaks: FIDE Handbook C.07, Buchholz and Sonneborn-Berger.
    """
    counted = [(match, result) for match in evening.matches if (result := counting(evening, match)) is not None]
    byes = [name for _, name in evening.byes()]
    points = {name: WIN * byes.count(name) for name in evening.players}
    met: dict[str, list[tuple[str, int]]] = {name: [] for name in evening.players}
    for match, result in counted:
        for name, other in (match.players, match.players[::-1]):
            share = points_of(result, name)
            points[name] += share
            met[name].append((other, share))
    unranked = []
    for name in evening.players:
        won = [each for _, each in met[name]]
        unranked.append(
            Row(
                rank=0,
                name=name,
                points=points[name],
                wins=won.count(WIN),
                ties=won.count(TIE),
                losses=won.count(0),
                byes=byes.count(name),
                tie_break=_tie_break(evening, name, met[name], points),
                withdrawn=name in evening.withdrawn,
            )
        )
    return tuple(_ranked(unranked, evening))


def counting(evening: Evening, match: Match) -> Finished | None:
    """Return the result of a match, unless it does not count in the table.

    In a round robin, what a player has played who leaves before half of their matches counts for nobody.
    Source: FIDE Handbook C.06, "The conduct of the players", 4.
    """
    result = evening.result(match)
    if evening.opened.form != "round-robin" or result is None:
        return result
    return None if any(_left_early(evening, name) for name in match.players) else result


def _left_early(evening: Evening, name: str) -> bool:
    if name not in evening.withdrawn:
        return False
    theirs = [evening.result(match) for match in evening.matches if name in match.players]
    # Whoever won because the other one had gone has not left that match.
    done = sum(result is not None and (result.how != "walkover" or name in result.winners) for result in theirs)
    return 2 * done < len(theirs)


def points_of(result: Finished, name: str) -> int:
    """Return the points that a player has of a match that is decided."""
    if result.winners == (name,):
        return WIN
    is_tie = len(result.winners) != 1 and result.how != "walkover"
    return TIE if is_tie else 0


def _tie_break(evening: Evening, name: str, met: list[tuple[str, int]], points: dict[str, int]) -> int:
    match evening.opened.form:
        case "swiss":
            return sum(points[other] for other, _ in met)
        case "round-robin":
            return sum(won * points[other] for other, won in met)
        case "knock-out":
            return sum(name in slots for slots in evening.rounds)


def _ranked(rows: list[Row], evening: Evening) -> list[Row]:
    def key(row: Row) -> tuple[int, ...]:
        if evening.is_knock_out:
            return (-row.tie_break, row.losses)
        gone = row.withdrawn and evening.opened.form == "round-robin" and _left_early(evening, row.name)
        return (gone, -row.points, -row.tie_break, -row.wins)

    found: list[Row] = []
    for _, level in groupby(sorted(rows, key=key), key=key):
        rank = len(found) + 1
        found += [replace(row, rank=rank) for row in level]
    return found
