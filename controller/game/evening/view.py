"""An evening as it is shown, on the wall, on phones and in a terminal: plain values that need no rules. Pure."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from controller.game.evening.decide import is_over
from controller.game.evening.evening import Evening, pairs_of, waiting
from controller.game.evening.events import MOST_PLAYERS, MOST_ROUNDS, Form, How, Name, Number
from controller.game.evening.table import Row, table

MatchState = Literal["waits", "next", "on", "done"]
Title = Annotated[str, Field(max_length=64)]
_SOON = 4  # matches that are announced


@dataclass(frozen=True, slots=True)
class Pair:
    """Two lines of a round. first, second: None where nobody stands. number: of their match; None for a bye.

    state: it waits, can be called next, is on, or is done. box: where it is or was. winners: both for a tie. score: of
    each player, as the game counts; None where nothing was counted.
    """

    first: Name | None
    second: Name | None
    number: Number | None = None
    state: MatchState = "done"
    box: Title = ""
    winners: Annotated[tuple[Name, ...], Field(max_length=2)] = ()
    how: How | None = None
    score: tuple[int | None, int | None] = (None, None)


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's place on the ladder: Glicko-2's rating and deviation, with how many matches it rests on."""

    name: Name
    rating: float
    deviation: float
    matches: Annotated[int, Field(ge=0)]


@dataclass(frozen=True, slots=True)
class EveningView:
    """An evening. title: its name. game: that each match is. soon: who plays next, in order. on: what is being played.

    rounds: as they were drawn. table: whoever leads first. ladder: over all evenings; empty where nobody keeps one.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    title: Title
    form: Form
    game: Title
    is_over: bool
    rounds: Annotated[
        tuple[Annotated[tuple[Pair, ...], Field(max_length=MOST_PLAYERS)], ...], Field(max_length=MOST_ROUNDS)
    ]
    table: Annotated[tuple[Row, ...], Field(max_length=MOST_PLAYERS)]
    soon: Annotated[tuple[Pair, ...], Field(max_length=_SOON)] = ()
    on: Annotated[tuple[Pair, ...], Field(max_length=MOST_PLAYERS)] = ()
    ladder: Annotated[tuple[Rating, ...], Field(max_length=MOST_PLAYERS)] = ()


EVENING: TypeAdapter[EveningView] = TypeAdapter(EveningView)


def view_of(evening: Evening, ladder: tuple[Rating, ...] = ()) -> EveningView:
    """Return an evening as it is shown. ladder: of those who are in it."""
    soon = {match.number for match in waiting(evening)}
    rounds = tuple(_pairs(evening, at, soon) for at in range(1, len(evening.rounds) + 1))
    matches = [pair for pairs in rounds for pair in pairs]
    return EveningView(
        title=evening.opened.name,
        form=evening.opened.form,
        game=evening.opened.game,
        is_over=is_over(evening),
        rounds=rounds,
        table=table(evening),
        soon=tuple(pair for pair in matches if pair.state == "next")[:_SOON],
        on=tuple(pair for pair in matches if pair.state == "on"),
        ladder=ladder,
    )


def _pairs(evening: Evening, number: int, soon: set[int]) -> tuple[Pair, ...]:
    slots = evening.rounds[number - 1]
    matches = {match.players: match for match in evening.matches if match.round == number}
    found = []
    for first, second in pairs_of(slots):
        match = matches.get((first, second)) if first is not None and second is not None else None
        if match is None:
            found.append(Pair(first, second))
            continue
        result = evening.result(match)
        state: MatchState = "next" if match.number in soon else "waits"
        if result is not None:
            state = "done"
        elif match.called is not None:
            state = "on"
        box = match.called.box if match.called is not None else "" if result is None else result.box
        scores = result.scores if result is not None else {}
        score = (scores.get(match.players[0]), scores.get(match.players[1]))
        winners, how = ((), None) if result is None else (result.winners, result.how)
        found.append(Pair(first, second, match.number, state, box, winners, how, score))
    return tuple(found)
