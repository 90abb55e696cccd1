"""The legal moves of any position, and their value by the exact odds.

The box goes on playing meanwhile, so only questions that take seconds and little memory are answered here;
`shutbox odds` answers the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Discriminator, Tag

from controller.errors import NotNow
from controller.game.table.questions import FleetQuestion, Question, check_hints, legal_moves, question_now
from controller.rules.fleet.cards import CARDS
from controller.runtime.home import Home
from controller.web.api.examples import BOARD, Example, example
from controller.web.dependencies import TheLookups, TheReferee
from controller.web.security.principal import AuthorizedRoute

router = APIRouter(route_class=AuthorizedRoute)


def _family_of(asked: object) -> str:
    game = asked.get("game") if isinstance(asked, dict) else getattr(asked, "game", None)
    return "race" if game in CARDS else "tiles"


AnyQuestion = Annotated[
    Annotated[Question, Tag("tiles")] | Annotated[FleetQuestion, Tag("race")], Discriminator(_family_of)
]


@dataclass(frozen=True, slots=True)
class OddsAnswer:
    """The value of a position for `aim`: expected points, or a chance (0..1); in a race the expected number of throws,
    and no value if it can never be reached.

    dice: before a throw, the best number of dice. best: after a throw, every best move, by its tiles; in a race every
    best choice of dice to keep. at_once: the chance that the next throw of a race is enough. curve: the chance of
    at most 0, 1, 2 ... points. players, seats, gains: for winning before a game: the number of players, the chance by
    seat, and the gain in coins.
    """

    aim: str
    value: float | None = None
    dice: int | None = None
    best: Sequence[Sequence[str | int]] | None = None
    at_once: float | None = None
    curve: Sequence[float] | None = None
    players: int | None = None
    seats: Sequence[float] | None = None
    gains: Sequence[float] | None = None


@dataclass(frozen=True, slots=True)
class MovesAnswer:
    """Every legal move, by the names of its tiles; the turn is over if there is none."""

    moves: Sequence[Sequence[str]]
    turn_over: bool


def _pub_question() -> dict[str, Any]:
    return Question(game="pub", board=BOARD, throw=[5, 3]).model_dump(mode="json", exclude_defaults=True)


# Without the fields that are None, as the routes answer.
_ODDS = {"aim": "score", "value": 9.0406746918, "best": [["front-8"]]}
_RACE_ODDS = {"aim": "throws", "value": 5.0210526316, "best": [[2, 2, "joker"]]}


@router.get("/api/odds", response_model_exclude_none=True)
@example(lambda: Example(answer=_ODDS))
async def odds_now(referee: TheReferee, lookups: TheLookups) -> OddsAnswer:
    """The odds of this moment, for few points: the value of the turn before a throw, the best moves after it.

    409 in a game in which, as agreed, no odds are shown.
    """
    check_hints(are_told=referee.snapshot.hints)
    question = question_now(referee.snapshot)
    if question is None:
        raise NotNow("the odds are told before a throw and while tiles are chosen")
    return await lookups.ask(_answer, question)


@router.post("/api/odds", response_model_exclude_none=True)
@example(
    lambda: Example(
        request=_pub_question(),
        answer=_ODDS,
        about="tiles",
        more={
            "race": (
                FleetQuestion(game="fleet", combination="all-twos", throw=[2, 2, 3, 5, 6, "boat"]).model_dump(
                    mode="json", exclude_defaults=True
                ),
                _RACE_ODDS,
            )
        },
    )
)
async def odds(question: AnyQuestion, referee: TheReferee, lookups: TheLookups) -> OddsAnswer:
    """The odds of any position of any game, in the words of `shutbox odds --batch`.

    With `throw`, the best moves with it; `aim` is `score`, `shut`, `at-most:N` or `win` (with `players` and `scores`).
    For `fleet` and `flash` the question names a `combination`, with the dice `kept`, and `aim` is `throws`.
    409 while a game is on in which, as agreed, no odds are shown.
    """
    check_hints(are_told=referee.snapshot.hints)
    return await lookups.ask(_answer, question)


@router.post("/api/moves")
@example(
    lambda: Example(request=_pub_question(), answer=MovesAnswer([["front-8"], ["front-3", "front-5"]], turn_over=False))
)
async def moves_of(question: Question, lookups: TheLookups) -> MovesAnswer:
    """Every legal move of a board with a throw, of any game, in the words of `shutbox moves --batch`."""
    return await lookups.ask(lambda _home: MovesAnswer(**legal_moves(question)))


def _answer(home: Home, question: Question | FleetQuestion) -> OddsAnswer:
    from controller.opponents.hints import FleetBook, OddsBook

    if isinstance(question, FleetQuestion):
        return OddsAnswer(**FleetBook().answer(question))
    return OddsAnswer(**OddsBook(home.odds, quick=True).answer(question))
