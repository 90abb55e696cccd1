"""The messages of a game to its players: this moment, the news, and notices about tiles, rows and dice.

Pure functions of the game; the sentence of each key stands in `controller.messages`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import assert_never

from controller.game.core.english import join_and
from controller.game.core.events import GameEnded, GameEvent
from controller.game.core.interruption import describe_interruption, due_while_held, found_args
from controller.game.core.message import Datum, Message, MessageKey, Messages, compose
from controller.game.core.phases import Ended, FoundTile, Halted, Moving, Parked, TileMismatch
from controller.game.shutbox.events import (
    BoardCorrected,
    ChoiceUndone,
    FirstRolled,
    Motive,
    MoveChosen,
    RoundEnded,
    RoundTied,
    ThrowCorrected,
    TurnEnded,
)
from controller.game.shutbox.hands import (
    Complete,
    Incomplete,
    Meaning,
    Unclear,
    Wrong,
    can_correct_game,
    corrected_board,
    move_found,
)
from controller.game.shutbox.match import can_be_decided
from controller.game.shutbox.state import AwaitingThrow, Choosing, Game, TurnDone, TurnLost, ends_round, thrower_of
from controller.rules.board import Board
from controller.rules.shutbox.ruleset import Ruleset
from controller.rules.throw import Throw
from hardware.tiles import Position


def describe_phase(
    game: Game, dice_wanted: int | None = None, *, is_asked: bool = True, house_throws: bool = False
) -> Message:
    """Return the message for this moment: whose turn it is, what now, what the box waits for.

    dice_wanted: with how many dice a house player wants its throw, where it may choose. is_asked: False where nobody
    asks it, because people type what they have thrown. house_throws: it throws for itself.
    """
    name = game.player.name
    match game.phase:
        case AwaitingThrow():
            return _describe_awaited(game, dice_wanted, is_asked=is_asked, house_throws=house_throws)
        case Choosing(throw):
            key: MessageKey = "choice.pondered" if game.player.house else "choice.due"
            return compose(key, **_thrown_args(game, throw))
        case TurnLost(throw):
            return _describe_miss(game, throw)
        case TurnDone():
            return compose("turn.done", player=name)
        case Moving(Ended()) | Moving(AwaitingThrow()) | Moving(TurnDone()):
            return compose("tiles.moving", player=name)
        case Moving():
            return compose("tiles.restoring")
        case Halted() | Parked():
            return describe_interruption(game.phase)
        case TileMismatch(found):
            return _describe_differing(game, found)
        case Ended(given_up=True):
            return compose("game.given_up")
        case Ended(winners):
            return _describe_end(game, winners)
        case _:
            assert_never(game.phase)


def describe_due(game: Game) -> str:
    """Return what the game waits for, in a few words that end a refusal."""
    match game.phase:
        case AwaitingThrow() if game.match.rolling:
            return f"it is {game.player.name}'s turn to throw for who begins"
        case AwaitingThrow():
            return f"it is {game.player.name}'s turn to throw"
        case Choosing(throw):
            return f"it is {game.player.name}'s turn to choose tiles for {say_dice(game, throw)}"
        case TurnLost(throw):
            return f"nothing can be shut with {say_dice(game, throw)}"
        case TurnDone():
            return f"the turn of {game.player.name} ends"
    return due_while_held(game.phase, game.board.layout)


def say_dice(game: Game, throw: Throw) -> str:
    """Return a throw as one says it: `3 and 5`; a comma between two faces would read like a decimal."""
    return join_and(_faces_of(game, throw))


def news_of_box_game(before: Game | None, events: Sequence[GameEvent], after: Game, by: int | None = None) -> Messages:
    """Return the news in `events`, which led from one game to the other; empty where they are nothing to the players.

    by: the seat whose doing it was; None where it was nobody's in particular.
    """
    return tuple(message for event in events for message in _describe_event(before, event, after, by))


def describe_stalemate(game: Game) -> Messages:
    """Return the notice, when a game is made, that nobody can ever win it; empty where somebody can."""
    return () if can_be_decided(game.rules, len(game.players)) else (compose("game.undecidable"),)


def describe_unreadable(rules: Ruleset) -> Message:
    """Return the notice for players whose dice the camera cannot read."""
    return compose("dice.unreadable", sides=rules.sides)


def describe_layout(rules: Ruleset, box_rows: int) -> Messages:
    """Return the notice for a game that leaves some of the `box_rows` idle; empty where every tile has its part."""
    rows = rules.layout.rows
    if rows == box_rows:
        return ()
    return (compose("layout.front_row") if rows == 1 else compose("layout.rows", rows=rows),)


def describe_meaning(game: Game, meant: Meaning) -> Messages:
    """Return the notice about the tiles that a hand tipped; empty where there is nothing to say."""
    match meant:
        case Unclear(tile, Position.BETWEEN):
            return (compose("hand.half_way", tile=str(tile)),)
        case Incomplete(tiles):
            return (compose("hand.incomplete", tiles=tiles),)
        case Wrong(tiles):
            dice = game.phase.throw.dice if isinstance(game.phase, Choosing) else ()
            return (compose("hand.wrong", tiles=tuple(map(str, tiles)), dice=dice),)
    return ()


def describe_countdown(meant: Complete, left_s: int) -> Message:
    """Return the notice while a move made by hand can still be taken back, `left_s` whole seconds more."""
    return compose("hand.countdown", tiles=meant.tiles, seconds=left_s)


def _describe_awaited(game: Game, dice_wanted: int | None, *, is_asked: bool, house_throws: bool) -> Message:
    args: dict[str, Datum] = {
        "player": game.player.name,
        # Who throws for the house sat before it.
        "thrower": thrower_of(game) or "",
        "by_house": house_throws and game.player.house,
        "counts": tuple(sorted(game.dice_allowed)),
        "sides": game.rules.sides,
    }
    if game.match.rolling:
        return compose("throw.for_start", **args, first=game.rules.terms.first)
    if dice_wanted:
        return compose("throw.wished", **args, wanted=dice_wanted)
    if is_asked and game.player.house and len(game.dice_allowed) > 1:
        return compose("throw.pondered", **args)
    return compose("throw.awaited", **args)


def _thrown_args(game: Game, throw: Throw) -> dict[str, Datum]:
    """A throw that lies: its faces as they are marked, and what they make together."""
    return {
        "player": game.player.name,
        "dice": throw.dice,
        "faces": _faces_of(game, throw),
        "total": throw.total,
    }


def _describe_differing(game: Game, found: Sequence[FoundTile]) -> Message:
    """The question what becomes of tiles that were moved, with every answer that there is."""
    args = found_args(found)
    if not can_correct_game(game):
        return compose("tiles.differing", **args)
    if move_found(game):
        return compose("tiles.differing_choice", **args)
    return compose("tiles.differing_game", **args, **_changed_tiles(game.board, corrected_board(game)))


def _faces_of(game: Game, throw: Throw) -> tuple[str, ...]:
    """The faces of a throw as they are marked."""
    marked = game.rules.marks.faces
    return tuple(marked[face - 1] if marked else str(face) for face in throw.dice)


def _describe_miss(game: Game, throw: Throw) -> Message:
    """The message of a throw that shuts nothing."""
    rules, args = game.rules, _thrown_args(game, throw)
    if rules.terms.race == "rotation" and len(game.match.order) > 1:
        return compose("turn.missed", **args)
    left = rules.score(game.board)
    if not rules.meets(throw):
        key: MessageKey = "round.lost_by_seven" if ends_round(game, throw) else "turn.lost_by_seven"
        return compose(key, **args, points=left)
    number = rules.first_move_key
    if number is not None and rules.terms.lost != "turn" and game.board == rules.start():
        return compose("turn.lost_at_first", **args, points=left, number=number)
    return compose("turn.lost", **args, points=left)


def _describe_end(game: Game, winners: tuple[int, ...]) -> Message:
    if not winners:
        return compose("game.unwon")
    names, terms = _names(game, winners), game.rules.terms
    score = game.turn_scores[winners[0]] or 0
    if terms.match == "points":
        score = game.match.points[winners[0]]
    elif terms.has_running_totals:
        score = game.match.totals[winners[0]]
    args: dict[str, Datum] = {"score": score, "rounds": game.match.round, "match": terms.match}
    if len(game.players) == 1 and terms.match == "single" and not game.board.is_shut:
        return compose("game.finished", player=names[0], **args)
    if len(names) > 1:
        return compose("game.shared", players=names, **args)
    if game.board.is_shut and winners == (game.turn,):
        return compose("game.shut", player=names[0], **args)
    return compose("game.won", player=names[0], **args)


def _describe_event(before: Game | None, event: GameEvent, after: Game, by: int | None) -> Iterator[Message]:
    match event:
        case ThrowCorrected(read, dice):
            args: dict[str, Datum] = {
                "read": Throw(read).dice,
                "dice": Throw(dice).dice,
                "faces_read": _faces_of(after, Throw(read)),
                "faces": _faces_of(after, Throw(dice)),
            }
            if by is None:
                yield compose("throw.corrected", **args)
            else:
                yield compose("throw.corrected_by", player=after.players[by].name, **args)
        case MoveChosen(tiles, Motive() as why) if before is not None and isinstance(before.phase, Choosing):
            throw = before.phase.throw
            threw: dict[str, Datum] = {"dice": throw.dice, "faces": _faces_of(before, throw)}
            yield compose("choice.explained", player=before.player.name, **threw, tiles=tiles, **asdict(why))
        case MoveChosen(tiles) if before is not None:
            chosen: dict[str, Datum] = {"player": before.player.name, "tiles": tiles}
            points = after.rules.score(after.board)
            if points > before.rules.score(before.board):
                yield compose("choice.revealed", **chosen, points=points)
            else:
                yield compose("choice.made", **chosen)
        case ChoiceUndone(player, tiles):
            name = after.players[player if by is None else by].name
            if tiles and before is not None and before.turn == player:
                yield compose("choice.undone", player=name, tiles=tiles)
            else:
                yield compose("turn.undone", player=name)
        case FirstRolled():
            yield from _describe_roll(event, after)
        case BoardCorrected() if before is not None:
            yield compose("board.corrected", **_changed_tiles(before.board, after.board))
        case TurnEnded(player, score, lost) if len(after.players) > 1:
            name = after.players[player].name
            yield compose("turn.forfeited", player=name) if lost else compose("turn.ended", player=name, score=score)
        case RoundTied(players):
            yield compose("round.tied", players=_names(after, players))
        case RoundEnded(winners):
            yield from _describe_round(before, winners, after)
        case GameEnded():
            yield from _describe_coins(after)


def _describe_roll(event: FirstRolled, after: Game) -> Iterator[Message]:
    yield compose("start.thrown", player=after.players[event.player].name, dice=event.dice, total=sum(event.dice))
    rolling = after.match.rolling
    if not rolling:
        yield compose("start.decided", player=after.player.name)
    elif all(after.match.rolls[seat] is None for seat in rolling):
        yield compose("start.level", players=_names(after, rolling))


def _describe_round(before: Game | None, winners: tuple[int, ...], after: Game) -> Iterator[Message]:
    """The end of a round, where it is not the end of everything."""
    if before is None or (after.is_over and after.rules.terms.match == "single"):
        return
    number, names = before.match.round, _names(after, winners)
    yield compose("round.won", round=number, players=names) if names else compose("round.unwon", round=number)
    terms, everybody = after.rules.terms, _names(after, range(len(after.players)))
    if terms.match != "single":
        if terms.has_running_totals:
            yield compose("match.totals", totals=dict(zip(everybody, after.match.totals, strict=True)))
        else:
            yield compose("match.points", points=dict(zip(everybody, after.match.points, strict=True)))
        out = tuple(name for seat, name in enumerate(everybody) if seat not in after.match.active)
        if out and (terms.has_running_totals or terms.lost == "game"):
            yield compose("match.out", players=out)
    if not after.is_over:
        yield from _describe_coins(after)
        if not after.match.rolling:
            yield compose("round.begun", player=after.player.name, round=after.match.round)


def _describe_coins(game: Game) -> Iterator[Message]:
    if game.rules.terms.stake:
        names = _names(game, range(len(game.players)))
        yield compose("match.coins", coins=dict(zip(names, game.match.ledger.balances, strict=True)))


def _names(game: Game, seats: Sequence[int]) -> tuple[str, ...]:
    return tuple(game.players[seat].name for seat in seats)


def _changed_tiles(before: Board, after: Board) -> dict[str, tuple[str, ...]]:
    """The tiles in which two boards differ, by what they are in the second one."""
    tiles = before.layout.by_name.items()
    return {
        state: tuple(name for name, tile in tiles if before.stands(tile) == stood != after.stands(tile))
        for state, stood in (("shut", True), ("up", False))
    }
