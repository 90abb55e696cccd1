"""Games at moments of every kind, for what is said to a game: none, tiles that move, a throw due, a choice, a
fault; and races of every kind.
"""

from collections.abc import Mapping

from controller.game.core.commands import Command, ConfirmTiles, ReportFault, StartGame
from controller.game.core.engine import AnyGame
from controller.game.core.players import Player
from controller.game.fleet.commands import CallGo, CountDown, NameCombination, Shout
from controller.game.shutbox.commands import TakeThrow
from controller.game.table.engines import decide, evolve
from hardware.errors import Fault

_FAULT = Fault("H-301", "front-7", "SHUT", "OPEN", "Look at the tile.")
_ANN = (Player("Ann"),)


def _after(*commands: Command) -> AnyGame:
    game: AnyGame | None = None
    for command in commands:
        for event in decide(game, command):
            game = evolve(game, event)
    if game is None:
        raise ValueError("nothing was begun")
    return game


def _moments_of(name: str, dice: tuple[int, ...]) -> tuple[AnyGame, ...]:
    moving = (StartGame(_ANN, name),)
    due = (*moving, ConfirmTiles())
    choosing = (*due, TakeThrow(dice))
    halted = (*choosing, ReportFault(_FAULT))
    return tuple(_after(*commands) for commands in (moving, due, choosing, halted))


def _moments_of_race(name: str, challenge: str) -> tuple[AnyGame, ...]:
    begun = (StartGame((Player("Ann"), Player("Bob")), name, {"challenge": challenge}), ConfirmTiles())
    return tuple(_after(*begun, *commands) for commands in _RACES[challenge])


_RACING = (CallGo(), CountDown())
_SHOUTED = (*_RACING, Shout("straight", "Ann"))
_NAMED = (NameCombination("straight", "Ann"), NameCombination("straight", "Bob"))
# What happens after the start of a race, by who says what a round is for.
_RACES: Mapping[str, tuple[tuple[Command, ...], ...]] = {
    "announced": ((), _NAMED[:1], _NAMED, (*_NAMED, *_RACING)),
    "unannounced": (_RACING, _SHOUTED, (*_RACING, Shout())),
    "in_turn": ((),),
}

MOMENTS: tuple[AnyGame | None, ...] = (
    None,
    *_moments_of("two-level", (5, 3)),
    *_moments_of("pub", (5, 3)),
    *_moments_of_race("fleet", "announced"),
    *_moments_of_race("flash", "unannounced"),
    *_moments_of_race("flash", "in_turn"),
)
