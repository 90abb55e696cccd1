"""Games by chance with all that may happen to them: corrections, thoughts had twice, faults, tiles moved by hand."""

import random
from contextlib import suppress
from dataclasses import replace
from typing import Literal

from controller.game.core.commands import (
    Abandon,
    Command,
    ConfirmTiles,
    GoOn,
    Park,
    PutRight,
    ReportFault,
    ReportTiles,
    StartGame,
    Undo,
)
from controller.game.core.events import GameEvent
from controller.game.core.phases import Ended, FoundTile, Halted, Parked, TileMismatch
from controller.game.core.players import BY_THE_BOX, DEFAULT_STRENGTH, Origin, Player
from controller.game.shutbox.commands import Choose, CorrectGame, CorrectThrow, EndTurn, TakeThrow
from controller.game.shutbox.state import Game
from controller.game.table.engines import decide, evolve
from controller.rules.fleet.cards import CARDS
from controller.rules.shutbox.games import GAMES
from controller.rules.shutbox.ruleset import Ruleset, rules_of
from hardware.errors import Fault
from hardware.tiles import Position
from tests.campaigns.any_game import draw_rules, next_by_chance
from tests.controller.game.fleet.test_random_races import KNOWN_ERRORS, played

KINDS = (*GAMES, *CARDS)
_MOST_STEPS = 3000  # then a match has been played long enough to be told unfinished
_JAM = Fault("H-301", "front-1", "SHUT", "OPEN", "Free the tile.")
_NAMES = ("Ann", "Bob", "Zoë [1]", 'Ö"x"', "五郎", "House")
_MOST_TILES = 24
Mode = Literal["published", "any", "troubled"]
Told = list[tuple[GameEvent, Origin]]


def told_by_chance(chance: random.Random, kind: str, mode: Mode) -> Told:
    """The events of one game of this kind, and where each came from; races are by chance in every way.

    mode: with the options of its document, with any, or with all that may go wrong at a table besides.
    """
    if kind in CARDS:
        return _race(chance)
    if mode == "published":
        return _tiles(chance, rules_of(kind), troubled=False)
    rules = draw_rules(chance, kind, lambda found: found.layout.rows * found.layout.columns <= _MOST_TILES)
    return _tiles(chance, rules, troubled=mode == "troubled")


def _race(chance: random.Random) -> Told:
    steps = [event for _, events, _ in played(chance) for event in events]
    kept = steps if chance.random() < 0.8 else steps[: chance.randint(1, len(steps))]
    return [(event, BY_THE_BOX) for event in kept]


def _tiles(chance: random.Random, rules: Ruleset, *, troubled: bool) -> Told:
    names = chance.sample(_NAMES, chance.randint(1, 4))
    seated = tuple(Player(name, True, DEFAULT_STRENGTH) if name == "House" else Player(name) for name in names)
    command: Command = StartGame(seated, rules.name, rules.chosen, rules.marks)
    steps = chance.randint(1, 60) if chance.random() < 0.1 else _MOST_STEPS
    told: Told = []
    game: Game | None = None
    for _ in range(steps):
        events: tuple[GameEvent, ...] = ()
        with suppress(*KNOWN_ERRORS):
            events = decide(game, command)
        for event in events:
            after = evolve(game, event)
            assert isinstance(after, Game)
            game = after
            is_by_hand = troubled and isinstance(command, Choose) and chance.random() < 0.2
            told.append((event, Origin("hands" if is_by_hand else "page", 0)))
        assert game is not None
        if isinstance(game.phase, Ended) and not (game.phase.given_up and chance.random() < 0.5):
            break
        command = (troubled and _trouble(chance, game)) or next_by_chance(game, chance)
        if troubled and isinstance(command, TakeThrow) and chance.random() < 0.2:
            command = replace(command, source="camera")
    return told


def _trouble(chance: random.Random, game: Game) -> Command | None:
    """What comes between, now and then; and what ends it."""
    match game.phase:
        case Ended():
            return Undo()
        case Halted():
            return chance.choice((EndTurn(), GoOn(), ConfirmTiles(), Park(), Undo(vouched=True)))
        case Parked():
            return GoOn()
        case TileMismatch():
            return chance.choice((CorrectGame(), PutRight()))
    roll = chance.random()
    if roll < 0.02:
        return ReportFault(_JAM)
    if roll < 0.03:
        return ReportTiles(_found(chance, game))
    if roll < 0.035:
        return Park()
    if roll < 0.0355:
        return Abandon()
    if roll < 0.06:
        return Undo(vouched=True)
    if roll < 0.10:
        dice = chance.choice(sorted(game.dice_allowed) or [1])
        return CorrectThrow(tuple(chance.randint(1, game.rules.sides) for _ in range(dice)))
    return None


def _found(chance: random.Random, game: Game) -> tuple[FoundTile, ...]:
    """A column of which one tile more, or one less, lies than the game has it."""
    column = chance.choice(game.board.layout.by_column)
    lie = [tile for tile in column if not game.board.stands(tile)]
    stand = [tile for tile in column if game.board.stands(tile)]
    if stand and (not lie or chance.random() < 0.5):
        return (FoundTile(stand[0].name, Position.OPEN, Position.SHUT),)
    return (FoundTile(lie[-1].name, Position.SHUT, Position.OPEN),)
