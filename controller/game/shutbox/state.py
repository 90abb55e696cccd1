"""The state of a game: players, whose turn it is, board, scores of the round, phase. One game is one match of rounds.

What runs on over the rounds stands in its `Match`. `controller.game.shutbox.decide` says what follows from a command,
`controller.game.shutbox.evolve` what an event changes.
"""

from dataclasses import dataclass
from typing import ClassVar

from controller.game.core.phases import Ended, Halted, Held, Moving, Parked, PhaseName, TileMismatch
from controller.game.core.players import Player
from controller.game.shutbox import match as matches
from controller.game.shutbox.match import Match, RoundResult, Scores
from controller.rules.board import Board
from controller.rules.shutbox.ruleset import Ruleset
from controller.rules.throw import Throw


@dataclass(frozen=True, slots=True)
class AwaitingThrow:
    """The player at turn throws the dice, for a move or to decide who begins."""

    word: ClassVar[PhaseName] = "awaiting_throw"


@dataclass(frozen=True, slots=True)
class Choosing:
    """The player at turn chooses a set of tiles that meets `throw`."""

    word: ClassVar[PhaseName] = "choosing"
    throw: Throw


@dataclass(frozen=True, slots=True)
class TurnLost:
    """No set meets `throw`. Until somebody confirms, a wrong reading can still be corrected."""

    word: ClassVar[PhaseName] = "turn_lost"
    throw: Throw


@dataclass(frozen=True, slots=True)
class TurnDone:
    """The turn ends with the tiles that have just been shut, or passes to the next player."""

    word: ClassVar[PhaseName] = "turn_done"


Resting = AwaitingThrow | Choosing | TurnLost | TurnDone | Ended
Phase = Resting | Held[Resting]


@dataclass(frozen=True, slots=True)
class Game:
    """One game: who plays, whose turn it is (a seat, from 0), the board, the scores of the round, and the phase.

    The board is what the tiles must show; in `Moving` they are on their way there. `match` is what carries over from
    round to round. `believed` are the tiles that somebody says are where they should be, whatever their sensors say.
    `earlier` is the game before the last choice, which can be taken back until the next throw comes to rest;
    `undone` is how often each seat has taken something back.
    """

    rules: Ruleset
    players: tuple[Player, ...]
    turn: int
    board: Board
    scores: Scores
    throws: int
    phase: Phase
    match: Match
    believed: frozenset[str] = frozenset()
    earlier: "Game | None" = None
    undone: tuple[int, ...] = ()

    @property
    def player(self) -> Player:
        """The player at turn."""
        return self.players[self.turn]

    @property
    def signs(self) -> tuple[str, ...]:
        """The tiles that the box moves only to show players something: none in Shut the Box."""
        return ()

    @property
    def is_over(self) -> bool:
        """True if nothing more can happen in this game."""
        return isinstance(self.phase, Ended)

    @property
    def resting(self) -> Resting:
        """The phase that it is in once its tiles are in place and no fault, pause or question holds it."""
        phase = self.phase
        return phase.then if isinstance(phase, Moving | Halted | Parked | TileMismatch) else phase

    @property
    def tells_odds(self) -> bool:
        """False while it is on and nobody may be told its odds, as agreed: neither what comes nor what was."""
        return self.is_over or self.rules.terms.allows_hints

    @property
    def active(self) -> tuple[int, ...]:
        """The seats that are still in the match."""
        return self.match.active

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return self.match.round

    @property
    def standing(self) -> tuple[int, ...]:
        """Per seat the totals or points of several rounds; empty for a single round."""
        if self.rules.terms.match == "single":
            return ()
        return self.match.totals if self.rules.terms.has_running_totals else self.match.points

    @property
    def turn_scores(self) -> Scores:
        """The scores that turns are played for now: those of a play-off, else those of the round."""
        return self.match.play_off or self.scores

    @property
    def dice_allowed(self) -> frozenset[int]:
        """The numbers of dice that the next throw may be made with."""
        if self.match.rolling:
            return frozenset({self.rules.terms.first_dice})
        return self.rules.dice_allowed(self.board)


def is_shared(game: Game) -> bool:
    """True if the game is played at two boxes, each of which throws and chooses for its own players."""
    return any(player.remote for player in game.players)


def thrower_of(game: Game) -> str | None:
    """The player who throws for the one at turn: himself, for a house player the person who sat before it.

    None where only the house plays.
    """
    seats = game.match.order
    at = seats.index(game.turn) if game.turn in seats else 0
    before = (game.players[seat] for seat in (*reversed(seats[: at + 1]), *reversed(seats[at + 1 :])))
    return next((player.name for player in before if not player.house), None)


def can_be_believed(game: Game) -> bool:
    """True if a single tile's fault halts the game: then a person may say that it is where it should be."""
    return isinstance(game.phase, Halted) and game.phase.fault.kind == "motion"


def can_end_turn(game: Game) -> bool:
    """True if a fault halts a turn that has begun: it may end with the tiles that are shut by now."""
    if not isinstance(game.phase, Halted) or game.match.rolling or is_shared(game):
        # At the other box nothing halts the game, and its turn could not end so.
        return False
    match game.phase.then:
        case Choosing() | TurnLost() | TurnDone():
            return True
        case AwaitingThrow():
            # Where the board is a player's own from the start of his turn, a tile that is shut was shut in this turn.
            terms = game.rules.terms
            shared = game.rules.options.carry_board or terms.alternate or terms.race == "rotation"
            return not shared and game.board != game.rules.start()
    return False


def points_at_end(game: Game) -> int | None:
    """The points that a turn ends with if it is ended in this halt; None where it ends without points, or goes on."""
    then = game.phase.then if isinstance(game.phase, Halted) else None
    terms = game.rules.terms
    rotates = terms.race == "rotation" and len(game.match.order) > 1
    passes = rotates if isinstance(then, TurnLost) else terms.alternate and not game.board.is_shut
    return None if passes or loses_at_first(game) else game.rules.score(game.board)


def loses_at_first(game: Game) -> bool:
    """True if a turn that ends now ends on its first throw, in a game that calls this losing (2-to-go).

    Nobody loses by a fault that ends his turn when something fitted.
    """
    first = game.rules.first_move_key is not None and isinstance(game.resting, TurnLost)
    return first and game.rules.terms.lost != "turn" and game.board == game.rules.start()


def can_undo(game: Game) -> bool:
    """True if what followed from the last throw can be taken back now."""
    terms, before = game.rules.terms, game.earlier
    if before is None or terms.undo == "nobody" or not isinstance(game.phase, AwaitingThrow | Moving | Halted):
        return False
    if is_shared(game) and has_gone_on(game, before):
        return False
    return not terms.undo_limit or times_undone(game, before.turn) < terms.undo_limit


def has_gone_on(game: Game, before: Game) -> bool:
    """True if the turn in which the last choice was made is over, or ends by itself: another box may be further."""
    return game.turn != before.turn or game.board.is_shut or not isinstance(game.resting, AwaitingThrow)


def ends_by_itself(game: Game) -> bool:
    """True if the turn is over as soon as the tiles are in place: the rules know already what comes of it."""
    return isinstance(game.resting, TurnDone) or (game.board.is_shut and isinstance(game.resting, AwaitingThrow))


def times_undone(game: Game, seat: int) -> int:
    """How often a seat has taken something back in this match."""
    return game.undone[seat] if game.undone else 0


def is_outright(game: Game) -> bool:
    """True if the box is shut and that decides the round; in a play-off the others still have their turn."""
    return game.board.is_shut and game.rules.terms.shut_wins and not game.match.play_off


def ends_round(game: Game, throw: Throw) -> bool:
    """True if this throw, a 7, ends the round for those to come; in a play-off each has his turn."""
    return game.rules.ends_round(throw) and not game.match.play_off


def is_cut_short(game: Game, scores: Scores) -> bool:
    """True if a lost turn ends the round for those to come too: a 7 (unlucky-7), or a total at the limit."""
    phase = game.resting
    seven = isinstance(phase, TurnLost) and ends_round(game, phase.throw)
    return seven or matches.limit_reached(game.rules.terms, game.match, scores)


def result_of(game: Game, winners: tuple[int, ...], *, outright: bool) -> RoundResult:
    """The result of a round whose turns are over, in favour of `winners`."""
    carried = not winners and bool(matches.leaders(game.match, game.turn_scores))
    return RoundResult(winners, outright, carried)


def match_after(game: Game, result: RoundResult) -> Match:
    """The match with what the round of `game` adds to it."""
    return matches.end_round(game.rules.terms, game.match, game.scores, result)
