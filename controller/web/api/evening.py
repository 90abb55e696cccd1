"""The evening of many matches that this box shows: a notice that somebody else writes, and that a restart forgets."""

from fastapi import APIRouter, Request

from controller.errors import NotThere
from controller.game.evening.table import Row
from controller.game.evening.view import EveningView, Pair
from controller.web.api.examples import Example, example
from controller.web.security.principal import AuthorizedRoute

router = APIRouter(route_class=AuthorizedRoute)


def _example() -> EveningView:
    final = Pair("Ann", "Bea", 1, "next")
    rows = tuple(Row(1, name, 0, 0, 0, 0, 0, 1, withdrawn=False) for name in ("Ann", "Bea"))
    return EveningView("autumn", "knock-out", "pub", False, ((final,),), rows, (final,))


@router.get("/api/evening")
@example(lambda: Example(answer=_example()))
async def evening(request: Request) -> EveningView:
    """The evening of many matches that this box shows: rounds, table, who plays next. 404 if it shows none."""
    found: EveningView | None = request.app.state.evening
    if found is None:
        raise NotThere("there is no evening of many matches here; `shutbox evening` begins one")
    return found


@router.put("/api/evening")
@example(lambda: Example(request=_example(), answer=_example()))
async def show_evening(shown: EveningView, request: Request) -> EveningView:
    """Have this box show how an evening stands, in place of what it has shown. The box itself does nothing about it."""
    request.app.state.evening = shown
    return shown
