"""Short stories on the pure machine: boards are set and turns lost by decree, everything else is played."""

import random
from dataclasses import replace

from controller.game.core.actions import LABELS, Action, ActionKind
from controller.game.core.commands import Command, ConfirmTiles, ReportTiles, StartGame
from controller.game.core.engine import AnyGame
from controller.game.core.events import GameEvent
from controller.game.core.phases import FoundTile, Moving
from controller.game.core.players import Player
from controller.game.shutbox.commands import AcceptLoss, TakeThrow
from controller.game.shutbox.evolve import evolve_box_game as evolve
from controller.game.shutbox.messages import news_of_box_game as news_of
from controller.game.shutbox.state import AwaitingThrow, Game, TurnLost
from controller.game.table.engines import decide
from controller.rules.board import Board
from controller.rules.throw import Throw
from hardware.tiles import Position
from tests.support.said import text_of

NAMES = ("Ann", "Bob", "Cleo", "Dora")


def offers(*kinds: ActionKind) -> tuple[Action, ...]:
    """The actions of a snapshot that is made by hand."""
    return tuple(Action(kind, LABELS[kind]) for kind in kinds)


def play(game: Game | None, *commands: Command) -> Game:
    for command in commands:
        for event in decide(game, command):
            game = evolve(game, event)
    assert game is not None
    return game


def told(game: Game, command: Command) -> tuple[list[GameEvent], str, Game]:
    """What one command makes happen, what the news say of it, and the game after it."""
    events = decide(game, command)
    after = game
    for event in events:
        after = evolve(after, event)
    return list(events), text_of(news_of(game, events, after)), after


def table_of(seats: int, game: str = "golf", **options: object) -> Game:
    """A game that waits for its first throw; the first seat begins unless the options say otherwise."""
    players = tuple(map(Player, NAMES[:seats]))
    return play(None, StartGame(players, game, {"first": "chosen", **options}), ConfirmTiles())


def roll(game: Game, *throws: int) -> Game:
    """One die each for who begins."""
    return play(game, *(TakeThrow((face,)) for face in throws))


def with_board(game: Game, text: str) -> Game:
    return replace(game, board=game.rules.board(text), phase=AwaitingThrow())


def found(game: AnyGame, **seen: str) -> ReportTiles:
    """What the box says after a power cut; tiles as keywords: `front_8="SHUT"`."""
    tiles = {name.replace("_", "-"): Position(position) for name, position in seen.items()}
    return ReportTiles(tuple(FoundTile(name, expected(game, name), position) for name, position in tiles.items()))


def found_by_chance(chance: random.Random, game: Game) -> ReportTiles:
    """Any tiles of the game are elsewhere, also where wood does not let them be."""
    names = sorted(game.board.layout.by_name)
    tiles = chance.sample(names, chance.randint(1, min(3, len(names))))
    elsewhere = {name: [each for each in Position if each is not expected(game, name)] for name in tiles}
    return ReportTiles(tuple(FoundTile(name, expected(game, name), chance.choice(elsewhere[name])) for name in tiles))


def expected(game: AnyGame, name: str) -> Position:
    """Where the game has a tile."""
    return Position.OPEN if game.board.stands(game.board.layout.by_name[name]) else Position.SHUT


def lying_at(game: Game, points: int) -> Game:
    """A throw has just been lost with `points` left open in the front row; 45 are those of the start."""
    shut, left = [], points
    for tile in reversed(list(game.rules.layout.row(0))):
        stands = tile.value <= left
        left -= tile.value if stands else 0
        shut.append(0 if stands else game.rules.layout.rows)
    assert left == 0
    board = Board(game.rules.layout, tuple(reversed(shut)))
    return replace(game, board=board, phase=TurnLost(Throw((1, 2))))


def score(game: Game, *points: int) -> Game:
    """One turn after the other ends with these points; with 0 the box is shut."""
    for each in points:
        if each:
            game = play(lying_at(game, each), AcceptLoss())
        else:
            game = play(replace(lying_at(game, 0), phase=Moving(AwaitingThrow())), ConfirmTiles())
        if isinstance(game.phase, Moving):
            game = play(game, ConfirmTiles())
    return game


def winners(game: Game) -> tuple[int, ...] | None:
    """Who won; None while the game is on."""
    return getattr(game.phase, "winners", None)


def coins(game: Game) -> tuple[int, ...]:
    return game.match.ledger.balances
