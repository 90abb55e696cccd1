"""The sentences of a game to its players, in which all its words stand: the same on the page, in the terminal, spoken.

Pure functions of the game. Who reads or hears it sits at the box: short sentences, with all that is needed to go on.
"""

from collections.abc import Mapping, Sequence
from typing import assert_never

from controller.game.differences import can_correct_game, move_found
from controller.game.english import count, join_and, plural
from controller.game.events import (
    BoardCorrected,
    ChoiceUndone,
    FirstRolled,
    GameEnded,
    GameEvent,
    MoveChosen,
    RoundEnded,
    RoundTied,
    ThrowCorrected,
    TurnEnded,
)
from controller.game.hands import Complete, Incomplete, Meaning, Unclear, Wrong
from controller.game.match import can_be_decided, has_running_totals
from controller.game.phases import (
    AwaitingThrow,
    Choosing,
    Differing,
    Ended,
    FoundTile,
    Halted,
    Moving,
    Parked,
    TurnDone,
    TurnLost,
)
from controller.game.state import Game
from controller.rules import Throw
from hardware.tiles import Position

# A tile, and several of them, as the sensors see it.
_FOUND: Mapping[Position, tuple[str, str]] = {
    Position.OPEN: ("stands", "stand"),
    Position.SHUT: ("lies", "lie"),
    Position.BETWEEN: ("is half way", "are half way"),
    Position.UNKNOWN: ("has sensors that contradict each other", "have sensors that contradict each other"),
}


def describe_phase(game: Game, dice_wanted: int | None = None) -> str:
    """The line for this moment: whose turn it is, what now, what the box waits for.

    dice_wanted: with how many dice a house player wants its throw, where it may choose.
    """
    name = game.player.name
    match game.phase:
        case AwaitingThrow() if game.match.rolling:
            return f"{name}: throw for who begins ({_list_dice_counts(game)}); the {game.rules.terms.first} begins."
        case AwaitingThrow():
            wish = f" {name} wants {_count_dice(game, dice_wanted)}." if dice_wanted else ""
            return f"{name}: throw the dice ({_list_dice_counts(game)}).{wish}"
        case Choosing(throw):
            tail = f"{name} is thinking" if game.player.house else "choose tiles that make it"
            return f"{name} threw {_describe_throw(game, throw)}: {tail}."
        case TurnLost(throw):
            return f"{name} threw {_describe_throw(game, throw)}: {_describe_miss(game, throw)}; confirm."
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
        case Differing(found):
            return f"Something moved while the box was off: {_describe_found(found)}. {_describe_choice(game)}"
        case Ended(given_up=True):
            return "The game was given up."
        case Ended(winners):
            return _describe_end(game, winners)
        case _:
            assert_never(game.phase)


def describe_due(game: Game) -> str:
    """The thing that the game waits for, in a few words that end a refusal."""
    match game.phase:
        case AwaitingThrow() if game.match.rolling:
            return f"{game.player.name} throws for who begins"
        case AwaitingThrow():
            return f"{game.player.name} throws"
        case Choosing(throw):
            return f"{game.player.name} chooses tiles for {throw}"
        case TurnLost(throw):
            return f"nothing can be shut with {throw}"
        case TurnDone():
            return f"the turn of {game.player.name} ends"
        case Moving():
            return "the tiles are moving"
        case Halted(fault):
            return f"{fault.part} needs help"
        case Parked():
            return "the game is paused"
        case Differing():
            return "tiles were moved while the box was off"
        case Ended():
            return "the game is over"
        case _:
            assert_never(game.phase)


def news_of(before: Game | None, events: Sequence[GameEvent], after: Game, by: int | None = None) -> str:
    """The news in `events`, which led from one game to the other; empty where they are nothing to the players.

    by: the seat whose doing it was; None where it was nobody's in particular.
    """
    sentences = (_describe_event(before, event, after, by) for event in events)
    return " ".join(filter(None, sentences))


def describe_stalemate(game: Game) -> str:
    """The notice, when a game is made, that nobody can ever win it; empty where somebody can."""
    if can_be_decided(game.rules, len(game.players)):
        return ""
    return "Nobody can ever win this: no throw shuts a tile, and all stay level. Give it up; take other tiles or ties."


def describe_meaning(game: Game, meant: Meaning) -> str:
    """The notice about the tiles that a hand tipped; empty where there is nothing to say."""
    match meant:
        case Unclear(tile, Position.BETWEEN):
            return f"{tile} is half way: tip it all the way down, or up again."
        case Incomplete(tiles):
            return f"{_describe_lying(tiles)}: tip the rest of a move, or put {_them(tiles)} up again."
        case Wrong(tiles):
            part = plural(len(tiles), "is part", "together are part")
            throw = game.phase.throw if isinstance(game.phase, Choosing) else ""
            return f"{join_and(map(str, tiles))} {part} of no move for {throw}: the box puts {_them(tiles)} back."
    return ""


def describe_countdown(meant: Complete, left_s: int) -> str:
    """The notice while a move made by hand can still be taken back, `left_s` whole seconds more."""
    return f"{_describe_lying(meant.tiles)}: taken in {left_s} s, unless you put {_them(meant.tiles)} up again."


def describe_brought(tiles: Sequence[str]) -> str:
    """The notice after a power cut about the tiles that the box was moving."""
    were = plural(len(tiles), "was on its way", "were on their way")
    return f"{join_and(tiles)} {were} when the power went; the box brings {_them(tiles)} there."


def _describe_found(found: Sequence[FoundTile]) -> str:
    """Every tile, those together that were found alike."""
    alike: dict[tuple[Position, Position], list[str]] = {}
    for tile in found:
        alike.setdefault((tile.seen, tile.expected), []).append(tile.name)
    parts = []
    for (seen, expected), names in alike.items():
        should = "stand" if expected is Position.OPEN else "lie"
        parts.append(f"{join_and(names)} {plural(len(names), *_FOUND[seen])} and should {should}")
    return "; ".join(parts)


def _describe_choice(game: Game) -> str:
    """The answers that there are, and what becomes of a board that is said to be right."""
    by_hand = "Put the tiles right by hand"
    if not can_correct_game(game):
        return f"{by_hand}, or let the box do it (hands off)."
    what = "they are the choice" if move_found(game) else "the game is corrected"
    return f"{by_hand}, let the box do it (hands off), or say that they are right: then {what}."


def _list_dice_counts(game: Game) -> str:
    return " or ".join(_count_dice(game, number) for number in sorted(game.dice_allowed))


def _count_dice(game: Game, number: int) -> str:
    kind = f"{game.rules.sides}-sided " if game.rules.sides != 6 else ""
    return plural(number, f"one {kind}die", f"{number} {kind}dice")


def _describe_throw(game: Game, throw: Throw) -> str:
    """The faces as they are marked, and what they make together."""
    marks = _describe_faces(game, throw)
    return marks if len(throw.dice) == 1 and not game.rules.marks.faces else f"{marks}, total {throw.total}"


def _describe_faces(game: Game, throw: Throw) -> str:
    faces = game.rules.marks.faces
    return ",".join(faces[face - 1] for face in throw.dice) if faces else str(throw)


def _describe_miss(game: Game, throw: Throw) -> str:
    """The consequence of a throw that shuts nothing."""
    if game.rules.terms.race == "rotation" and len(game.match.order) > 1:
        return "nothing can be shut, the next one throws"
    rules = game.rules
    points = count(rules.score(game.board), "point")
    if not rules.meets(throw):
        return f"a 7 ends the {'round' if rules.ends_round(throw) else 'turn'}. {points}"
    if rules.first_move_key is not None and rules.terms.lost != "turn" and game.board == rules.start():
        return f"no set with the {rules.first_move_key}, and that loses. {points}"
    return f"nothing can be shut. {points}"


def _describe_end(game: Game, winners: tuple[int, ...]) -> str:
    if not winners:
        return "The game is over, and nobody wins."
    names = " and ".join(game.players[seat].name for seat in winners)
    if len(game.players) == 1 and game.rules.terms.match == "single" and not game.board.is_shut:
        return f"{names} ends with {_describe_score(game, winners[0])}."
    how = "shuts the box and wins" if game.board.is_shut and winners == (game.turn,) else "wins"
    return f"{names} {how if len(winners) == 1 else 'share the win'} with {_describe_score(game, winners[0])}."


def _describe_score(game: Game, winner: int) -> str:
    rounds = count(game.match.round, "round")
    if game.rules.terms.match == "points":
        return f"{count(game.match.points[winner], 'point')} after {rounds}"
    if has_running_totals(game.rules.terms):
        return f"{game.match.totals[winner]} in all after {rounds}"
    return count(game.scores[winner] or 0, "point")


def _describe_event(before: Game | None, event: GameEvent, after: Game, by: int | None) -> str:
    match event:
        case ThrowCorrected(read, dice):
            who = "Somebody" if by is None else after.players[by].name
            return f"{who} corrects {_describe_faces(after, Throw(read))} to {_describe_faces(after, Throw(dice))}."
        case MoveChosen(why=why):
            return why
        case ChoiceUndone(player, tiles):
            what = join_and(tiles) if tiles and before is not None and before.turn == player else "that"
            return f"{after.players[player].name} takes {what} back."
        case FirstRolled():
            return _describe_roll(event, after)
        case BoardCorrected():
            return "The game has the tiles where they are."
        case TurnEnded(player, score, lost):
            name = after.players[player].name
            end = "loses on the first throw" if lost else f"ends with {score}"
            return f"{name} {end}." if len(after.players) > 1 else ""
        case RoundTied(players):
            return f"{_join_names(after, players)} are level and play another turn for the round."
        case RoundEnded(winners):
            return _describe_round(before, winners, after)
        case GameEnded():
            return _describe_coins(after)
    return ""


def _describe_roll(event: FirstRolled, after: Game) -> str:
    rolled = f"{after.players[event.player].name} threw {sum(event.dice)}."
    if not after.match.rolling:
        return f"{rolled} {after.player.name} begins."
    again = all(after.match.rolls[seat] is None for seat in after.match.rolling)
    return f"{rolled} {_join_names(after, after.match.rolling)} are level and throw again." if again else rolled


def _describe_round(before: Game | None, winners: tuple[int, ...], after: Game) -> str:
    """The end of a round, where it is not the end of everything."""
    if before is None or (after.is_over and after.rules.terms.match == "single"):
        return ""
    won = f"{_join_names(after, winners)} {plural(len(winners), 'wins', 'win')}" if winners else "nobody wins"
    coins = "" if after.is_over else _describe_coins(after, " ")
    return f"Round {before.match.round}: {won}.{_describe_standing(after)}{coins}"


def _describe_standing(game: Game) -> str:
    if game.rules.terms.match == "single":
        return ""
    running = has_running_totals(game.rules.terms)
    values = game.match.totals if running else game.match.points
    shown = ", ".join(f"{player.name} {value}" for player, value in zip(game.players, values, strict=True))
    out = [seat for seat in range(len(game.players)) if seat not in game.match.active]
    gone = f" Out: {_join_names(game, out)}." if out and running else ""
    return f" {'Totals' if running else 'Points'}: {shown}.{gone}"


def _describe_coins(game: Game, lead: str = "") -> str:
    if not game.rules.terms.stake:
        return ""
    balances = zip(game.players, game.match.ledger.balances, strict=True)
    shown = ", ".join(f"{player.name} {coins:+d}" for player, coins in balances)
    return f"{lead}Coins: {shown}."


def _join_names(game: Game, seats: Sequence[int]) -> str:
    return join_and(game.players[seat].name for seat in seats)


def _describe_lying(tiles: Sequence[str]) -> str:
    return f"{join_and(tiles)} {plural(len(tiles), 'lies', 'lie')}"


def _them(tiles: Sequence[object]) -> str:
    return plural(len(tiles), "it", "them")
