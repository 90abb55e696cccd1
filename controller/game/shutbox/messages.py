"""The messages of a game to its players, in which all its words stand: the same on the page, in the terminal, spoken.

Pure functions of the game; a sentence is made together with its key and arguments. Who reads or hears it sits at the
box: short sentences, with all that is needed to go on.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import assert_never

from controller.game.core.english import count, join_and, plural
from controller.game.core.events import GameEnded, GameEvent
from controller.game.core.message import Datum, Message, MessageKey, Messages, compose
from controller.game.core.phases import Differing, Ended, FoundTile, Halted, Moving, Parked
from controller.game.core.trouble import describe_trouble, name_part
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
    explain,
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
from controller.rules import Board, Ruleset, Throw
from hardware.tiles import Position

_NUMBERS: Mapping[int, str] = {2: "two", 3: "three", 4: "four"}
# A tile, and several of them, as the sensors see it.
_FOUND: Mapping[Position, tuple[str, str]] = {
    Position.OPEN: ("is up", "are up"),
    Position.SHUT: ("is down", "are down"),
    Position.BETWEEN: ("is half way", "are half way"),
    Position.UNKNOWN: ("has sensors that contradict each other", "have sensors that contradict each other"),
}


def describe_phase(game: Game, dice_wanted: int | None = None, *, is_asked: bool = True) -> Message:
    """The message for this moment: whose turn it is, what now, what the box waits for.

    dice_wanted: with how many dice a house player wants its throw, where it may choose. is_asked: False where nobody
    asks it, because people type what they have thrown.
    """
    name = game.player.name
    match game.phase:
        case AwaitingThrow():
            return _describe_awaited(game, dice_wanted, is_asked=is_asked)
        case Choosing(throw):
            if game.player.house:
                return _describe_thrown("choice.pondered", game, throw, f"{name} is thinking")
            return _describe_thrown("choice.due", game, throw, "choose tiles that make it")
        case TurnLost(throw):
            return _describe_miss(game, throw)
        case TurnDone():
            return compose("turn.done", f"The turn of {name} is over.", player=name)
        case Moving(Ended()) | Moving(AwaitingThrow()) | Moving(TurnDone()):
            return compose("tiles.moving", "The box sets its tiles: hands off.", player=name)
        case Moving():
            return compose("tiles.restoring", "The box puts its tiles right: hands off.")
        case Halted(fault):
            return compose("game.halted", describe_trouble(fault, game.board.layout), **asdict(fault))
        case Parked():
            return compose("game.paused", "Paused. The tiles stay as they are.")
        case Differing(found):
            return _describe_differing(game, found)
        case Ended(given_up=True):
            return compose("game.given_up", "The game was given up.")
        case Ended(winners):
            return _describe_end(game, winners)
        case _:
            assert_never(game.phase)


def describe_due(game: Game) -> str:
    """The thing that the game waits for, in a few words that end a refusal."""
    match game.phase:
        case AwaitingThrow() if game.match.rolling:
            return f"{game.player.name} is to throw for who begins"
        case AwaitingThrow():
            return f"{game.player.name} is to throw"
        case Choosing(throw):
            return f"{game.player.name} is to choose tiles for {say_dice(game, throw)}"
        case TurnLost(throw):
            return f"nothing can be shut with {say_dice(game, throw)}"
        case TurnDone():
            return f"the turn of {game.player.name} ends"
        case Moving():
            return "the tiles are moving"
        case Halted(fault):
            return f"{name_part(fault.part, game.board.layout)} needs help"
        case Parked():
            return "the game is paused"
        case Differing():
            return "tiles were moved while the box was off"
        case Ended():
            return "the game is over"
        case _:
            assert_never(game.phase)


def say_dice(game: Game, throw: Throw) -> str:
    """A throw as one says it: `3 and 5`; a comma between two faces would read like a decimal."""
    return join_and(_faces_of(game, throw))


def news_of_box_game(before: Game | None, events: Sequence[GameEvent], after: Game, by: int | None = None) -> Messages:
    """The news in `events`, which led from one game to the other; empty where they are nothing to the players.

    by: the seat whose doing it was; None where it was nobody's in particular.
    """
    return tuple(message for event in events for message in _describe_event(before, event, after, by))


def describe_stalemate(game: Game) -> Messages:
    """The notice, when a game is made, that nobody can ever win it; empty where somebody can."""
    if can_be_decided(game.rules, len(game.players)):
        return ()
    text = "Nobody can ever win this: no throw shuts a tile, and all stay level. Give it up; take other tiles or ties."
    return (compose("game.undecidable", text),)


def describe_unreadable(rules: Ruleset) -> Message:
    """The notice for players whose dice the camera cannot read."""
    text = (
        f"The camera cannot read a die of {rules.sides} sides: throw it and type what it shows, or teach it with "
        f"shutbox calibrate dice --sides {rules.sides}."
    )
    return compose("dice.unreadable", text, sides=rules.sides)


def describe_layout(rules: Ruleset, box_rows: int) -> Messages:
    """The notice for a game that leaves some of the `box_rows` idle; empty where every tile has its part."""
    rows, tail = rules.layout.rows, "numbers that come to light behind do not count."
    if rows == box_rows:
        return ()
    if rows == 1:
        return (compose("layout.front_row", f"Only the front row plays: {tail}"),)
    return (compose("layout.rows", f"Only the first {rows} rows play: {tail}", rows=rows),)


def describe_meaning(game: Game, meant: Meaning) -> Messages:
    """The notice about the tiles that a hand tipped; empty where there is nothing to say."""
    match meant:
        case Unclear(tile, Position.BETWEEN):
            text = f"{tile} is half way: tip it all the way down, or put it up again."
            return (compose("hand.half_way", text, tile=str(tile)),)
        case Incomplete(tiles):
            text = f"{_describe_lying(tiles)}: tip the rest of a move, or put {_them(tiles)} up again."
            return (compose("hand.incomplete", text, tiles=tiles),)
        case Wrong(tiles):
            names = tuple(map(str, tiles))
            fits = plural(len(tiles), "fits", "together fit")
            throw = game.phase.throw if isinstance(game.phase, Choosing) else None
            made = say_dice(game, throw) if throw else ""
            text = f"{join_and(names)} {fits} no move for {made}. Hands off: the box puts {_them(tiles)} back."
            return (compose("hand.wrong", text, tiles=names, dice=throw.dice if throw else ()),)
    return ()


def describe_countdown(meant: Complete, left_s: int) -> Message:
    """The notice while a move made by hand can still be taken back, `left_s` whole seconds more."""
    lying, until = _describe_lying(meant.tiles), count(left_s, "second")
    text = f"{lying}: that counts as your move in {until}, unless you put {_them(meant.tiles)} up again."
    return compose("hand.countdown", text, tiles=meant.tiles, seconds=left_s)


def _describe_awaited(game: Game, dice_wanted: int | None, *, is_asked: bool) -> Message:
    name, counts = game.player.name, _list_dice_counts(game)
    args: dict[str, Datum] = {
        "player": name,
        "thrower": thrower_of(game) or "",
        "counts": tuple(sorted(game.dice_allowed)),
        "sides": game.rules.sides,
    }
    if game.match.rolling:
        first = game.rules.terms.first
        text = f"{_ask_to_throw(game, counts)}; the {first} begins."
        return compose("throw.for_start", text, **args, first=first)
    if dice_wanted:
        wished = f"{_ask_to_throw(game, _count_dice(game, dice_wanted))}."
        return compose("throw.wished", wished, **args, wanted=dice_wanted)
    if is_asked and game.player.house and len(game.dice_allowed) > 1:
        return compose("throw.pondered", f"{name} is choosing how many dice are thrown.", **args)
    return compose("throw.awaited", f"{_ask_to_throw(game, counts)}.", **args)


def _ask_to_throw(game: Game, dice: str) -> str:
    """Who is to throw: a player himself, for the house the person who sat before it."""
    name, thrower = game.player.name, thrower_of(game)
    if not game.player.house:
        return f"{name}: throw {dice}"
    return f"{thrower}: throw {dice} for {name}" if thrower else f"Throw {dice} for {name}"


def _describe_thrown(key: MessageKey, game: Game, throw: Throw, tail: str, **more: Datum) -> Message:
    """The message of a throw that lies: its faces as they are marked, and what they make together; `tail`: what now."""
    name, faces = game.player.name, _faces_of(game, throw)
    total = "" if len(faces) == 1 and not game.rules.marks.faces else f", total {throw.total}"
    text = f"{name} threw {join_and(faces)}{total}: {tail}."
    return compose(key, text, player=name, dice=throw.dice, faces=faces, total=throw.total, **more)


def _describe_differing(game: Game, found: Sequence[FoundTile]) -> Message:
    """The question what becomes of tiles that were moved: every answer that there is."""
    key: MessageKey = "tiles.differing"
    args: Mapping[str, Datum] = {}
    them = _them(found)
    answers = f"Put {them} right by hand, and the game goes on by itself; or let the box do it, hands off."
    if can_correct_game(game):
        key = "tiles.differing_choice" if move_found(game) else "tiles.differing_game"
        then = f"{plural(len(found), 'it is', 'they are')} then the move"
        if not move_found(game):
            args = _changed_tiles(game.board, corrected_board(game))
            then = _describe_counting(game.board, corrected_board(game), "then")
        answers = f"{answers[:-1]}; or leave {them} so: {then}."
    return compose(
        key,
        f"While the box was off something moved: {_describe_found(found)}. {answers}",
        tiles=tuple(tile.name for tile in found),
        seen=tuple(str(tile.seen) for tile in found),
        expected=tuple(str(tile.expected) for tile in found),
        **args,
    )


def _describe_found(found: Sequence[FoundTile]) -> str:
    """Every tile, those together that were found alike."""
    alike: dict[tuple[Position, Position], list[str]] = {}
    for tile in found:
        alike.setdefault((tile.seen, tile.expected), []).append(tile.name)
    parts = []
    for (seen, expected), names in alike.items():
        should = "up" if expected is Position.OPEN else "down"
        parts.append(f"{join_and(names)} {plural(len(names), *_FOUND[seen])} and should be {should}")
    return "; ".join(parts)


def _list_dice_counts(game: Game) -> str:
    return " or ".join(_count_dice(game, number) for number in sorted(game.dice_allowed))


def _count_dice(game: Game, number: int) -> str:
    kind = f"{game.rules.sides}-sided " if game.rules.sides != 6 else ""
    return plural(number, f"one {kind}die", f"{_NUMBERS.get(number, number)} {kind}dice")


def _faces_of(game: Game, throw: Throw) -> tuple[str, ...]:
    """The faces of a throw as they are marked."""
    marked = game.rules.marks.faces
    return tuple(marked[face - 1] if marked else str(face) for face in throw.dice)


def _describe_miss(game: Game, throw: Throw) -> Message:
    """The message of a throw that shuts nothing."""
    rules = game.rules
    if rules.terms.race == "rotation" and len(game.match.order) > 1:
        return _describe_thrown("turn.missed", game, throw, "nothing can be shut, the next one throws")
    left = rules.score(game.board)
    tail = count(left, "point")
    if not rules.meets(throw):
        if ends_round(game, throw):
            return _describe_thrown("round.lost_by_seven", game, throw, f"a 7 ends the round. {tail}", points=left)
        return _describe_thrown("turn.lost_by_seven", game, throw, f"a 7 ends the turn. {tail}", points=left)
    number = rules.first_move_key
    if number is not None and rules.terms.lost != "turn" and game.board == rules.start():
        what = f"no set with the {number}, and that loses. {tail}"
        return _describe_thrown("turn.lost_at_first", game, throw, what, points=left, number=number)
    what = f"nothing can be shut, and the turn is over with {tail}"
    return _describe_thrown("turn.lost", game, throw, what, points=left)


def _describe_end(game: Game, winners: tuple[int, ...]) -> Message:
    if not winners:
        return compose("game.unwon", "The game is over, and nobody wins.")
    names = tuple(game.players[seat].name for seat in winners)
    shown, said = _describe_score(game, winners[0])
    args: dict[str, Datum] = {"score": shown, "rounds": game.match.round, "match": game.rules.terms.match}
    if len(game.players) == 1 and game.rules.terms.match == "single" and not game.board.is_shut:
        return compose("game.finished", f"{names[0]} ends with {said}.", player=names[0], **args)
    if len(names) > 1:
        return compose("game.shared", f"{' and '.join(names)} share the win with {said}.", players=names, **args)
    if game.board.is_shut and winners == (game.turn,):
        return compose("game.shut", f"{names[0]} shuts the box and wins with {said}.", player=names[0], **args)
    return compose("game.won", f"{names[0]} wins with {said}.", player=names[0], **args)


def _describe_score(game: Game, winner: int) -> tuple[int, str]:
    """What a winner has come to, as a number and in words."""
    rounds = count(game.match.round, "round")
    if game.rules.terms.match == "points":
        points = game.match.points[winner]
        return points, f"{points} of {rounds}"
    if game.rules.terms.has_running_totals:
        total = game.match.totals[winner]
        return total, f"{total} in all after {rounds}"
    score = game.turn_scores[winner] or 0
    return score, count(score, "point")


def _describe_event(before: Game | None, event: GameEvent, after: Game, by: int | None) -> Iterator[Message]:
    match event:
        case ThrowCorrected(read, dice):
            yield _describe_correction(after, Throw(read), Throw(dice), by)
        case MoveChosen(tiles, Motive() as why) if before is not None and isinstance(before.phase, Choosing):
            name, throw = before.player.name, before.phase.throw
            text = f"{name} chooses {join_and(tiles)}{explain(why)}."
            args: dict[str, Datum] = {"dice": throw.dice, "faces": _faces_of(before, throw), **asdict(why)}
            yield compose("choice.explained", text, player=name, tiles=tiles, **args)
        case MoveChosen(tiles) if before is not None:
            name = before.player.name
            yield compose("choice.made", f"{name} chooses {join_and(tiles)}.", player=name, tiles=tiles)
        case ChoiceUndone(player, tiles):
            name = after.players[player if by is None else by].name
            if tiles and before is not None and before.turn == player:
                yield compose(
                    "choice.undone", f"{name} takes the choice of {join_and(tiles)} back.", player=name, tiles=tiles
                )
            else:
                yield compose("turn.undone", f"{name} takes that back.", player=name)
        case FirstRolled():
            yield from _describe_roll(event, after)
        case BoardCorrected() if before is not None:
            counting = _describe_counting(before.board, after.board, "now")
            yield compose("board.corrected", f"{counting}.", **_changed_tiles(before.board, after.board))
        case TurnEnded(player, score, lost) if len(after.players) > 1:
            name = after.players[player].name
            if lost:
                yield compose("turn.forfeited", f"{name} loses on the first throw.", player=name)
            else:
                yield compose("turn.ended", f"{name} ends with {count(score, 'point')}.", player=name, score=score)
        case RoundTied(players):
            names = _names(after, players)
            text = f"{join_and(names)} are level and play another turn for the round."
            yield compose("round.tied", text, players=names)
        case RoundEnded(winners):
            yield from _describe_round(before, winners, after)
        case GameEnded():
            yield from _describe_coins(after)


def _describe_correction(game: Game, read: Throw, throw: Throw, by: int | None) -> Message:
    was, faces = _faces_of(game, read), _faces_of(game, throw)
    args: dict[str, Datum] = {"read": read.dice, "dice": throw.dice, "faces_read": was, "faces": faces}
    what = f"corrects {join_and(was)} to {join_and(faces)}."
    if by is None:
        return compose("throw.corrected", f"Somebody {what}", **args)
    name = game.players[by].name
    return compose("throw.corrected_by", f"{name} {what}", player=name, **args)


def _describe_roll(event: FirstRolled, after: Game) -> Iterator[Message]:
    name, total = after.players[event.player].name, sum(event.dice)
    yield compose("start.thrown", f"{name} threw {total}.", player=name, dice=event.dice, total=total)
    rolling = after.match.rolling
    if not rolling:
        yield compose("start.decided", f"{after.player.name} begins.", player=after.player.name)
    elif all(after.match.rolls[seat] is None for seat in rolling):
        names = _names(after, rolling)
        yield compose("start.level", f"{join_and(names)} are level and throw again.", players=names)


def _describe_round(before: Game | None, winners: tuple[int, ...], after: Game) -> Iterator[Message]:
    """The end of a round, where it is not the end of everything."""
    if before is None or (after.is_over and after.rules.terms.match == "single"):
        return
    number, names = before.match.round, _names(after, winners)
    if names:
        won = f"{join_and(names)} {plural(len(names), 'wins', 'win')}"
        yield compose("round.won", f"Round {number}: {won}.", round=number, players=names)
    else:
        yield compose("round.unwon", f"Round {number}: nobody wins.", round=number)
    if after.rules.terms.match != "single":
        yield from _describe_standing(after)
    if not after.is_over:
        yield from _describe_coins(after)
        if not after.match.rolling:
            name, round_ = after.player.name, after.match.round
            yield compose("round.begun", f"{name} begins round {round_}.", player=name, round=round_)


def _describe_standing(game: Game) -> Iterator[Message]:
    names = _names(game, range(len(game.players)))
    if not game.rules.terms.has_running_totals:
        points = dict(zip(names, game.match.points, strict=True))
        yield compose("match.points", f"Won so far: {_list_numbers(points)}.", points=points)
        if game.rules.terms.lost != "game":
            return
    else:
        totals = dict(zip(names, game.match.totals, strict=True))
        yield compose("match.totals", f"Points in all: {_list_numbers(totals)}.", totals=totals)
    out = tuple(name for seat, name in enumerate(names) if seat not in game.match.active)
    if out:
        yield compose("match.out", f"Out: {join_and(out)}.", players=out)


def _describe_coins(game: Game) -> Iterator[Message]:
    if game.rules.terms.stake:
        names = _names(game, range(len(game.players)))
        coins = dict(zip(names, game.match.ledger.balances, strict=True))
        yield compose("match.coins", f"Coins: {_list_numbers(coins, '+d')}.", coins=coins)


def _list_numbers(numbers: Mapping[str, int], form: str = "d") -> str:
    return ", ".join(f"{name} {number:{form}}" for name, number in numbers.items())


def _names(game: Game, seats: Sequence[int]) -> tuple[str, ...]:
    return tuple(game.players[seat].name for seat in seats)


def _describe_counting(before: Board, after: Board, when: str) -> str:
    """What becomes of the tiles in which two boards differ."""
    return "; ".join(
        f"{join_and(names)} {when} {plural(len(names), 'counts', 'count')} as {state}"
        for state, names in _changed_tiles(before, after).items()
        if names
    )


def _changed_tiles(before: Board, after: Board) -> dict[str, tuple[str, ...]]:
    """The tiles in which two boards differ, by what they are in the second one."""
    tiles = before.layout.by_name.items()
    return {
        state: tuple(name for name, tile in tiles if before.stands(tile) == stood != after.stands(tile))
        for state, stood in (("shut", True), ("up", False))
    }


def _describe_lying(tiles: Sequence[str]) -> str:
    return f"{join_and(tiles)} {plural(len(tiles), 'is down', 'are down')}"


def _them(tiles: Sequence[object]) -> str:
    return plural(len(tiles), "it", "them")
