"""The engine of the games in which tiles are shut."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from controller.game.core.actions import Action
from controller.game.core.commands import Command, StartGame
from controller.game.core.engine import AnyGame, Engine
from controller.game.core.events import GameEvent
from controller.game.core.message import Message, Messages
from controller.game.core.phases import Ended, Halted, Moving, Parked, TileMismatch, phase_name
from controller.game.core.players import by_name
from controller.game.core.sight import DieView, SnapshotContext
from controller.game.shutbox.actions import actions_of_box_game
from controller.game.shutbox.decide import decide_box_game, start_box_game
from controller.game.shutbox.evolve import evolve_box_game
from controller.game.shutbox.match import Match
from controller.game.shutbox.messages import describe_due, describe_phase, news_of_box_game
from controller.game.shutbox.state import Choosing, Game, Phase, TurnLost
from controller.rules.shutbox.games import GAMES
from controller.rules.shutbox.ruleset import Ruleset, rules_of
from controller.rules.throw import Throw
from controller.rules.tiles import Marks


def _phase_facts(phase: Phase) -> dict[str, Any]:
    found: dict[str, Any] = {"name": phase_name(phase)}
    match phase:
        case Choosing(throw) | TurnLost(throw):
            found["throw"] = list(throw.dice)
        case Ended(winners, given_up):
            found["winners"] = list(winners)
            if not winners and not given_up:
                found["nobody"] = True
        case Moving(then) | Parked(then):
            found["then"] = _phase_facts(then)
        case Halted(fault, then):
            found |= {"fault": asdict(fault), "then": _phase_facts(then)}
        case TileMismatch(tiles, then):
            found |= {"found": [asdict(tile) for tile in tiles], "then": _phase_facts(then)}
    return found


MOST_MOVES = 64  # in a snapshot; one throw may have 25,000 of them on a large box


def moves_of(game: AnyGame) -> tuple[tuple[str, ...], ...]:
    """All moves that may be chosen now, in the order of their numbers (from 1)."""
    if not isinstance(game, Game) or not isinstance(game.phase, Choosing):
        return ()
    found = game.rules.legal_moves(game.board, game.phase.throw)
    return tuple(tuple(tile.name for tile in move) for move in found)


def throw_of(phase: Phase) -> Throw | None:
    """The throw that a phase is about, if it is about one."""
    match phase:
        case Choosing(throw) | TurnLost(throw):
            return throw
        case Moving(then) | Halted(_, then) | Parked(then) | TileMismatch(_, then):
            return throw_of(then)
    return None


def dice_of(throw: Throw | None, seen: Sequence[DieView]) -> tuple[DieView, ...]:
    """The dice of a throw as they lie, where what was seen is this throw; else their faces alone."""
    if throw is None:
        return ()
    if sorted(die.face for die in seen) == sorted(throw.dice):
        return tuple(seen)
    return tuple(map(DieView, throw.dice))


class ShutboxEngine(Engine[Game]):
    """The games in which tiles are shut by throws."""

    games = GAMES
    state = Game

    def rules(self, game: str, options: Mapping[str, object], marks: Marks) -> Ruleset:
        return rules_of(game, options, marks)

    def start(self, command: StartGame) -> tuple[GameEvent, ...]:
        return start_box_game(command)

    def decide(self, game: Game, command: Command) -> tuple[GameEvent, ...]:
        return decide_box_game(game, command)

    def evolve(self, game: Game | None, event: GameEvent) -> Game:
        return evolve_box_game(game, event)

    def facts(self, game: Game) -> dict[str, Any]:
        # Its options stand in its first event; a later version may know more of them and their defaults.
        found = {
            "game": game.rules.preset.name,
            "players": [[player.name, player.house] for player in game.players],
            "turn": game.turn,
            "board": str(game.board),
            "scores": list(game.scores),
            "throws": game.throws,
            "phase": _phase_facts(game.phase),
        }
        if game.believed:
            found["believed"] = sorted(game.believed)
        if game.undone:
            found["undone"] = list(game.undone)
        # A match that is no more than one round without money has nothing to add: the digests of journals from before
        # there were matches are made so, and those of today's plain games too.
        plain = game.match == Match.plain(len(game.players))
        return found if plain else {**found, "match": {**asdict(game.match), "lost": sorted(game.match.lost)}}

    def actions(self, game: Game, *, can_throw: bool) -> tuple[Action, ...]:
        return actions_of_box_game(game, can_throw=can_throw)

    def due(self, game: Game) -> str:
        return describe_due(game)

    def describe(self, game: Game, dice_wanted: int | None, *, camera_reads: bool, house_throws: bool) -> Message:
        return describe_phase(game, dice_wanted, is_asked=camera_reads, house_throws=house_throws)

    def news(self, before: Game | None, events: Sequence[GameEvent], after: Game, by: int | None) -> Messages:
        return news_of_box_game(before, events, after, by)

    def show(self, game: Game, context: SnapshotContext) -> Mapping[str, Any]:
        throw, moves = throw_of(game.phase), moves_of(game)
        can_throw = context.camera_reads and not (context.reading or context.comparing)
        return {
            "marks": game.rules.marks,
            "scores": by_name(game.players, game.turn_scores),
            "score_now": game.rules.score(game.board),
            "turn": game.player.name,
            "house": game.player.house,
            "throw": throw.dice if throw else (),
            "moves": moves[:MOST_MOVES],
            "moves_count": len(moves),
            "dice": dice_of(throw, context.sight.dice),
            "dice_allowed": tuple(sorted(game.dice_allowed)),
            "dice_wanted": context.dice_wanted,
            "rolling": bool(game.match.rolling),
            "example": game.rules.example.replace(",", " "),
            "match": game.rules.terms.match,
            "coins": by_name(game.players, game.match.ledger.balances) if game.rules.terms.stake else {},
            "pool": game.match.ledger.pool,
            "actions": actions_of_box_game(game, can_throw=can_throw),
            "thinking": game.player.house and isinstance(game.phase, Choosing),
        }
