"""A game as its replay shows it: turn by turn and throw by throw, with the state of the game after each. Pure.

Undone choices are left out, and a corrected throw appears as corrected.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from controller.game.core.events import GameEvent
from controller.game.shutbox.events import BoardCorrected, DiceThrown, MoveChosen, ThrowCorrected, TurnEnded
from controller.game.shutbox.evolve import evolve_box_game
from controller.game.shutbox.state import Game
from controller.opponents.lookback import as_played
from controller.rules.shutbox.ruleset import Move


@dataclass(frozen=True, slots=True)
class Step:
    """One throw and its choice."""

    number: int  # from 1, through the whole game
    player: int  # the seat that threw
    dice: tuple[int, ...]
    game: Game  # after the choice
    move: Move = ()  # the tiles that were shut; empty if none could be, or if nobody has chosen yet


@dataclass(frozen=True, slots=True)
class Turn:
    """The throws of one turn; if players throw once each in rotation, of a whole round, and `player` is None."""

    round: int
    player: int | None
    steps: tuple[Step, ...] = ()
    score: int | None = None  # of the turn; None if it has not ended, or if several players have a score of their own

    def with_last(self, step: Step) -> "Turn":
        """Return the turn with its last throw replaced."""
        return replace(self, steps=(*self.steps[:-1], step))


def turns_of(events: Iterable[GameEvent]) -> tuple[Turn, ...]:
    """Return the turns of a game, from its first event on; the last one may be under way."""
    turns: list[Turn] = []
    game: Game | None = None
    for event in as_played(events):
        after = evolve_box_game(game, event)
        if game is not None and isinstance(event, DiceThrown):
            if (
                not turns
                or turns[-1].round != game.match.round
                or turns[-1].score is not None
                or turns[-1].player not in (None, game.turn)
            ):
                in_rotation = game.rules.terms.alternate or game.rules.terms.race == "rotation"
                turns.append(Turn(game.match.round, None if in_rotation else game.turn))
            number = sum(len(turn.steps) for turn in turns) + 1
            turns[-1] = replace(turns[-1], steps=(*turns[-1].steps, Step(number, game.turn, event.dice, after)))
        elif game is not None and turns and turns[-1].score is None:
            step = turns[-1].steps[-1]
            match event:
                case ThrowCorrected(_, dice):
                    turns[-1] = turns[-1].with_last(replace(step, dice=dice, game=after))
                case MoveChosen(tiles):
                    turns[-1] = turns[-1].with_last(replace(step, move=game.rules.move(tiles), game=after))
                case BoardCorrected():
                    turns[-1] = turns[-1].with_last(replace(step, game=after))
                case TurnEnded(player, score) if player == turns[-1].player:
                    turns[-1] = replace(turns[-1], score=score)
        game = after
    return tuple(turns)
