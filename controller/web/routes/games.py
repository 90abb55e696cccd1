"""The games that can be played, with their options and the box that each needs."""

from fastapi import APIRouter

from controller.box import EVERY_GAME, GameEntry, describe_game, list_games
from controller.errors import NotThere
from controller.settings import Home
from controller.web.gate import GatedRoute
from controller.web.provided import TheLookups

router = APIRouter(route_class=GatedRoute)


@router.get("/api/games")
async def games(lookups: TheLookups) -> tuple[GameEntry, ...]:
    """Every game: its document, its summary, the smallest box that can show it, and its options by name."""
    return await lookups.recall(_list)


@router.get("/api/games/{game}")
async def game(game: str, lookups: TheLookups) -> GameEntry:
    """One game, by its name."""
    if game not in EVERY_GAME:
        raise NotThere(f"there is no such game; the games are {', '.join(EVERY_GAME)}")
    return await lookups.recall(_describe, game)


def _list(_home: Home) -> tuple[GameEntry, ...]:
    return list_games()


def _describe(_home: Home, game: str) -> GameEntry:
    return describe_game(game)
