"""What a game says to the players: one sentence, the same on the page, in the terminal and spoken."""

from typing import assert_never

from controller.game import Game
from controller.match import running_totals
from controller.phases import AwaitingThrow, Choosing, Ended, Halted, Moving, Parked, TurnDone, TurnLost
from controller.rules import Throw


def sentence(game: Game, dice_wanted: int | None = None) -> str:
    """Whose turn, what now, what the box waits for, and with how many dice a house player wants its throw."""
    name = game.player.name
    match game.phase:
        case AwaitingThrow() if game.match.rolling:
            return f"{name}: throw for who begins ({_dice(game)}); the {game.rules.terms.first} begins."
        case AwaitingThrow():
            wish = f" {name} wants {_so_many(game, dice_wanted)}." if dice_wanted else ""
            return f"{name}: throw the dice ({_dice(game)}).{wish}"
        case Choosing(throw):
            tail = f"{name} is thinking" if game.player.house else "choose tiles that make it"
            return f"{name} threw {_thrown(game, throw)}: {tail}."
        case TurnLost(throw):
            return f"{name} threw {_thrown(game, throw)}: {_lost(game, throw)}; confirm."
        case TurnDone():
            return f"The turn of {name} is over."
        case Moving(Ended()) | Moving(AwaitingThrow()) | Moving(TurnDone()):
            return f"The box moves its tiles for {name}."
        case Moving():
            return "The box puts its tiles back in place."
        case Halted(fault):
            return f"{fault.part}: expected {fault.expected}, seen {fault.seen}. {fault.cure}"
        case Parked():
            return "Paused. The tiles stay as they are; confirm to go on."
        case Ended(given_up=True):
            return "The game was given up."
        case Ended(winners):
            return _end(game, winners)
        case _:
            assert_never(game.phase)


def _dice(game: Game) -> str:
    return " or ".join(_so_many(game, count) for count in sorted(game.dice_allowed))


def _so_many(game: Game, count: int) -> str:
    kind = f"{game.rules.sides}-sided " if game.rules.sides != 6 else ""
    return f"one {kind}die" if count == 1 else f"{count} {kind}dice"


def _thrown(game: Game, throw: Throw) -> str:
    """The faces as they are marked, and what they make together."""
    faces = game.rules.marks.faces
    marks = ",".join(faces[face - 1] for face in throw.dice) if faces else str(throw)
    return marks if len(throw.dice) == 1 and not faces else f"{marks}, total {throw.total}"


def _lost(game: Game, throw: Throw) -> str:
    """What it means that nothing can be shut."""
    if game.rules.terms.race == "rotation" and len(game.match.order) > 1:
        return "nothing can be shut, the next one throws"
    rules = game.rules
    if not rules.meets(throw):
        return f"a 7 ends the {'round' if rules.ends_round(throw) else 'turn'}. {_points(rules.score(game.board))}"
    if rules.first_move_key is not None and rules.terms.lost != "turn" and game.board == rules.start():
        return f"no set with the {rules.first_move_key}, and that loses. {_points(rules.score(game.board))}"
    return f"nothing can be shut. {_points(rules.score(game.board))}"


def _points(score: int) -> str:
    return f"{score} point{'' if score == 1 else 's'}"


def _end(game: Game, winners: tuple[int, ...]) -> str:
    if not winners:
        return "The game is over, and nobody wins."
    names = " and ".join(game.players[seat].name for seat in winners)
    if len(game.players) == 1 and game.rules.terms.match == "single" and not game.board.is_shut:
        return f"{names} ends with {_won_with(game, winners[0])}."
    how = "shuts the box and wins" if game.board.is_shut and winners == (game.turn,) else "wins"
    return f"{names} {how if len(winners) == 1 else 'share the win'} with {_won_with(game, winners[0])}."


def _won_with(game: Game, winner: int) -> str:
    rounds = f"{game.match.round} round{'s' if game.match.round > 1 else ''}"
    if game.rules.terms.match == "points":
        return f"{_points(game.match.points[winner])} after {rounds}"
    if running_totals(game.rules.terms):
        return f"{game.match.totals[winner]} in all after {rounds}"
    return _points(game.scores[winner] or 0)
