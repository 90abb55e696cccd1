"""A game as its replay shows it: turn by turn and throw by throw, with the game as it stood after each. Pure.

What was taken back is left out, and a throw that was corrected is told as corrected.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from controller.game import (
    BoardCorrected,
    DiceThrown,
    Game,
    GameEvent,
    MoveChosen,
    ThrowCorrected,
    TurnEnded,
    evolve_box_game,
)
from controller.rules import Move
from controller.strategy import as_played


@dataclass(frozen=True, slots=True)
class Step:
    """One throw, and what was made of it.

    number: from 1, through the whole game. player: the seat that threw. game: once the choice was made. move: the tiles
    that were shut; none where nothing could be, or where nobody has chosen yet.
    """

    number: int
    player: int
    dice: tuple[int, ...]
    game: Game
    move: Move = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """The throws of one turn; of a whole round where players throw once each, and `player` is None.

    score: what it ended on; None where it did not, or where several have a score of their own.
    """

    round: int
    player: int | None
    steps: tuple[Step, ...] = ()
    score: int | None = None

    def with_last(self, step: Step) -> "Turn":
        """The same with another last throw."""
        return replace(self, steps=(*self.steps[:-1], step))


def turns_of(events: Iterable[GameEvent]) -> tuple[Turn, ...]:
    """The turns of a game, from its first event on; the last one may be under way."""
    turns: list[Turn] = []
    game: Game | None = None
    for event in as_played(events):
        after = evolve_box_game(game, event)
        if game is not None:
            _tell(turns, game, event, after)
        game = after
    return tuple(turns)


def _tell(turns: list[Turn], game: Game, event: GameEvent, after: Game) -> None:
    """Take an event of `game` into its turns."""
    if isinstance(event, DiceThrown):
        if not turns or _begins_anew(turns[-1], game):
            turns.append(Turn(game.match.round, None if _throws_in_rotation(game) else game.turn))
        number = sum(len(turn.steps) for turn in turns) + 1
        turns[-1] = replace(turns[-1], steps=(*turns[-1].steps, Step(number, game.turn, event.dice, after)))
    elif turns and turns[-1].score is None:
        turns[-1] = _followed(turns[-1], game, event, after)


def _followed(turn: Turn, game: Game, event: GameEvent, after: Game) -> Turn:
    """A turn with what followed from its last throw."""
    step = turn.steps[-1]
    match event:
        case ThrowCorrected(_, dice):
            return turn.with_last(replace(step, dice=dice, game=after))
        case MoveChosen(tiles):
            return turn.with_last(replace(step, move=game.rules.move(tiles), game=after))
        case BoardCorrected():
            return turn.with_last(replace(step, game=after))
        case TurnEnded(player, score) if player == turn.player:
            return replace(turn, score=score)
    return turn


def _begins_anew(turn: Turn, game: Game) -> bool:
    """True if a throw in `game` is not one of `turn`."""
    if turn.round != game.match.round or turn.score is not None:
        return True
    return turn.player is not None and turn.player != game.turn


def _throws_in_rotation(game: Game) -> bool:
    return game.rules.terms.alternate or game.rules.terms.race == "rotation"
