"""The games that can be played, with their options and the box that each needs."""

from fastapi import APIRouter

from controller.box.compatibility import EVERY_GAME, GameEntry, GameOption
from controller.errors import NotThere
from controller.web.api.examples import Example, example
from controller.web.dependencies import TheLookups
from controller.web.lookups import describe_one_game, list_every_game
from controller.web.security.principal import AuthorizedRoute

router = APIRouter(route_class=AuthorizedRoute)


def _pub_game() -> GameEntry:
    tiles = GameOption(9, tuple(range(1, 13)), "tiles in the row")
    summary = "One row. When 7, 8 and 9 are shut, you may throw one die."
    return GameEntry("pub", "S001", summary, "two-level-9", {"tiles": tiles})


@router.get("/api/games")
@example(lambda: Example(answer=[_pub_game()]))
async def games(lookups: TheLookups) -> tuple[GameEntry, ...]:
    """Every game: its document, its summary, the smallest box that can show it, and its options by name."""
    return await lookups.recall(list_every_game)


@router.get("/api/games/{game}")
@example(lambda: Example({"game": "pub"}, answer=_pub_game()))
async def game(game: str, lookups: TheLookups) -> GameEntry:
    """One game, by its name."""
    if game not in EVERY_GAME:
        raise NotThere(f"there is no such game; the games are {', '.join(EVERY_GAME)}")
    return await lookups.recall(describe_one_game, game)
