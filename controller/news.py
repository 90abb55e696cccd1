"""What just happened, in a sentence or two: for the page, the terminal and the loudspeaker."""

from collections.abc import Sequence

from controller.events import (
    FirstRolled,
    GameEnded,
    GameEvent,
    MoveChosen,
    RoundEnded,
    RoundTied,
    TurnEnded,
)
from controller.game import Game
from controller.match import running_totals


def news_of(before: Game | None, events: Sequence[GameEvent], after: Game) -> str:
    """What `events`, which led from one game to the other, mean to the players."""
    told = (_told(before, event, after) for event in events)
    return " ".join(sentence for sentence in told if sentence)


def _told(before: Game | None, event: GameEvent, after: Game) -> str:
    match event:
        case MoveChosen(why=why):
            return why
        case FirstRolled():
            return _rolled(event, after)
        case TurnEnded(player, score, lost):
            name = after.players[player].name
            end = "loses on the first throw" if lost else f"ends with {score}"
            return f"{name} {end}." if len(after.players) > 1 else ""
        case RoundTied(players):
            return f"{_names(after, players)} are level and play another turn for the round."
        case RoundEnded(winners):
            return _round(before, winners, after)
        case GameEnded():
            return _coins(after)
    return ""


def _rolled(event: FirstRolled, after: Game) -> str:
    rolled = f"{after.players[event.player].name} threw {sum(event.dice)}."
    if not after.match.rolling:
        return f"{rolled} {after.player.name} begins."
    again = all(after.match.rolls[seat] is None for seat in after.match.rolling)
    return f"{rolled} {_names(after, after.match.rolling)} are level and throw again." if again else rolled


def _round(before: Game | None, winners: tuple[int, ...], after: Game) -> str:
    """The end of a round, where it is not the end of everything."""
    if before is None or (after.is_over and after.rules.terms.match == "single"):
        return ""
    won = f"{_names(after, winners)} {'win' if len(winners) > 1 else 'wins'}" if winners else "nobody wins"
    coins = "" if after.is_over else _coins(after, " ")
    return f"Round {before.match.round}: {won}.{_standing(after)}{coins}"


def _standing(game: Game) -> str:
    if game.rules.terms.match == "single":
        return ""
    running = running_totals(game.rules.terms)
    values = game.match.totals if running else game.match.points
    told = ", ".join(f"{player.name} {value}" for player, value in zip(game.players, values, strict=True))
    out = [seat for seat in range(len(game.players)) if seat not in game.match.active]
    gone = f" Out: {_names(game, out)}." if out and running else ""
    return f" {'Totals' if running else 'Points'}: {told}.{gone}"


def _coins(game: Game, lead: str = "") -> str:
    if not game.rules.terms.stake:
        return ""
    balances = zip(game.players, game.match.ledger.balances, strict=True)
    told = ", ".join(f"{player.name} {coins:+d}" for player, coins in balances)
    return f"{lead}Coins: {told}."


def _names(game: Game, seats: Sequence[int]) -> str:
    names = [game.players[seat].name for seat in seats]
    return " and ".join((*((", ".join(names[:-1]),) if names[:-1] else ()), names[-1]))
