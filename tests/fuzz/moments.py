"""Games at moments of every kind, for what is said to a game: none, tiles that move, a throw due, a choice, a fault."""

from controller.game.commands import Command, ConfirmTiles, ReportFault, StartGame, TakeThrow
from controller.game.evolve import evolve_box_game as evolve
from controller.game.families import decide
from controller.game.players import Player
from controller.game.state import Game
from hardware.errors import Fault

_FAULT = Fault("H-301", "front-7", "SHUT", "OPEN", "Look at the tile.")
_ANN = (Player("Ann"),)


def _after(*commands: Command) -> Game:
    game: Game | None = None
    for command in commands:
        for event in decide(game, command):
            game = evolve(game, event)
    if game is None:
        raise ValueError("nothing was begun")
    return game


def _moments_of(name: str, dice: tuple[int, ...]) -> tuple[Game, ...]:
    moving = (StartGame(_ANN, name),)
    due = (*moving, ConfirmTiles())
    choosing = (*due, TakeThrow(dice))
    halted = (*choosing, ReportFault(_FAULT))
    return tuple(_after(*commands) for commands in (moving, due, choosing, halted))


MOMENTS: tuple[Game | None, ...] = (None, *_moments_of("two-level", (5, 3)), *_moments_of("pub", (5, 3)))
