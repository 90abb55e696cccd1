"""What a snapshot says of a game in which tiles are shut, beside what it says of every game."""

from dataclasses import replace
from typing import TYPE_CHECKING

from controller.game.actions import actions_of
from controller.game.family import AnyGame
from controller.game.phases import Choosing, Differing, Halted, Moving, Parked, Phase, TurnLost
from controller.game.state import Game
from controller.game.views import by_name, dice_of
from controller.rules import Throw

if TYPE_CHECKING:
    from controller.game.snapshot import Snapshot, SnapshotContext

MOST_MOVES = 64  # in a snapshot; one throw may have 25,000 of them on a large box


def show_box_game(game: Game, told: "Snapshot", context: "SnapshotContext") -> "Snapshot":
    """The snapshot of a game, of which `told` is the part that all games have."""
    throw = throw_of(game.phase)
    moves = moves_of(game)
    can_throw = context.camera_reads and not (context.reading or context.comparing)
    return replace(
        told,
        marks=game.rules.marks,
        scores=by_name(game.players, game.turn_scores),
        score_now=game.rules.score(game.board),
        turn=game.player.name,
        house=game.player.house,
        throw=throw.dice if throw else (),
        moves=moves[:MOST_MOVES],
        moves_count=len(moves),
        dice=dice_of(throw, context.sight.dice),
        dice_allowed=tuple(sorted(game.dice_allowed)),
        dice_wanted=context.dice_wanted,
        rolling=bool(game.match.rolling),
        example=game.rules.example.replace(",", " "),
        match=game.rules.terms.match,
        coins=by_name(game.players, game.match.ledger.balances) if game.rules.terms.stake else {},
        pool=game.match.ledger.pool,
        actions=actions_of(game, can_throw=can_throw),
        thinking=game.player.house and isinstance(game.phase, Choosing),
    )


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
        case Moving(then) | Halted(_, then) | Parked(then) | Differing(_, then):
            return throw_of(then)
    return None
