"""The messages of a race to its players: a moment, what has happened, and what is due in a few words."""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import assert_never

from controller.game.core.english import count, join_and, plural
from controller.game.core.events import GameEnded, GameEvent
from controller.game.core.message import Datum, Message, Messages, compose
from controller.game.core.phases import Differing, Ended, FoundTile, Halted, Moving, Parked
from controller.game.core.trouble import describe_trouble, name_part
from controller.game.fleet.events import (
    ChipReturned,
    ChipTaken,
    ClaimRefused,
    CombinationNamed,
    RaceEnded,
    RaceRolled,
    RoundBegan,
    Shouted,
    ShoutsVoided,
    ShoutWithdrawn,
)
from controller.game.fleet.state import Counting, Naming, Race, Racing, Ready, RollingOff
from controller.rules.fleet import ClaimFault, Dice
from hardware.tiles import Position

_SEEN = {
    Position.OPEN: "is up",
    Position.SHUT: "is down",
    Position.BETWEEN: "is half way",
    Position.UNKNOWN: "has sensors that contradict each other",
}


def title_of(race: Race, combination: str) -> str:
    """A combination as the sheet calls it."""
    return race.rules.title(race.rules.combination(combination))


def describe_race(race: Race) -> Message:
    """The message for this moment: what now, and what the box waits for."""
    at: dict[str, Datum] = {"round": race.round, "rounds": race.rounds}
    head = f"Round {race.round} of {race.rounds}"
    match race.phase:
        case RollingOff():
            names = _names(race, [seat for seat in race.rolling if race.rolls[seat] is None])
            first = race.rules.terms.first
            text = f"Throw your six dice for who names first: {join_and(names)}; the {first} total does."
            return compose("race.rolling_off", text, players=names, first=first)
        case Naming() if race.rules.terms.challenge == "in_turn":
            name = race.players[race.namer].name
            text = f"{head}: {name} names a combination for all."
            return compose("race.naming_for_all", text, player=name, **at)
        case Naming():
            names = _names(race, race.due_to_name)
            return compose("race.naming", f"{head}: name a combination, {join_and(names)}.", players=names, **at)
        case Ready():
            return _describe_ready(race, head, at)
        case Counting():
            return compose("race.counting", f"{head}: 1, 2, 3 ...", **at)
        case Racing():
            return _describe_racing(race, head, at)
        case Moving(Racing()):
            return compose("race.tiles", "The box sets its tiles; play on.")
        case Moving():
            return compose("tiles.restoring", "The box sets its tiles: hands off.")
        case Halted(fault):
            return compose("game.halted", describe_trouble(fault, race.board.layout), **asdict(fault))
        case Parked():
            return compose("game.paused", "Paused. The tiles stay as they are, and so does the race.")
        case Differing(found):
            return _describe_differing(found)
        case Ended(given_up=True):
            return compose("game.given_up", "The game was given up.")
        case Ended(winners):
            return _describe_end(race, winners)
        case _:
            assert_never(race.phase)


def describe_thrown_anew(race: Race, thrown: Container[str]) -> Messages:
    """What is said where a box throws for people and knows no more how the dice of this round lay, unless all whom that
    stops have `thrown` again, by name.
    """
    seats = [seat for seat in race.racing if race.cry_of(seat) is None and not race.players[seat].house]
    names = tuple(name for name in _names(race, seats) if name not in thrown)
    if not race.is_on or not names:
        return ()
    throw = plural(len(names), "throws", "throw")
    text = f"How the dice lay is not known any more: {join_and(names)} {throw} all six again."
    return (compose("race.thrown_anew", text, players=names),)


def describe_race_due(race: Race) -> str:
    """The thing that the race waits for, in a few words that end a refusal."""
    match race.phase:
        case RollingOff():
            return "the players throw for who names first"
        case Naming():
            return f"{join_and(_names(race, race.due_to_name))} {plural(len([*race.due_to_name]), 'is', 'are')} to name"
        case Ready():
            return "somebody is to say that everybody is ready"
        case Counting():
            return "the box counts"
        case Racing() | Moving(Racing()):
            return f"round {race.round} is on"
        case Moving():
            return "the tiles are moving"
        case Halted(fault):
            return f"{name_part(fault.part, race.board.layout)} needs help"
        case Parked():
            return "the game is paused"
        case Differing():
            return "tiles were moved while the box was off"
        case Ended():
            return "the game is over"
        case _:
            assert_never(race.phase)


def race_news_of(before: Race | None, events: Sequence[GameEvent], after: Race) -> Messages:
    """The news in `events`, which led from one race to the other; empty where they are nothing to the players."""
    return tuple(message for event in events for message in _describe_event(before, event, after))


def describe_claim_fault(fault: ClaimFault, player: str) -> Message:
    """The notice that what lies on the baize is not the claim of a player, and what to do."""
    (colour, number), *others = fault.counts
    seen, lie = _count_dice(number), plural(number, "lies", "lie")
    match fault.kind:
        case "not_laid":
            text = f"{player}: lay your six {colour} dice on the baize."
            return compose("claim.missing", text, player=player, colour=colour)
        case "too_few":
            text = f"{player}: {seen} of yours {lie} there; lay all six {colour} ones on the baize."
            return compose("claim.too_few", text, player=player, colour=colour, seen=number)
        case "too_many":
            text = f"{seen} in {colour} lie there: a set has six, take the others away."
            return compose("claim.too_many", text, colour=colour, seen=number)
        case "mixed":
            other, among = others[0]
            lie, them = plural(among, "lies", "lie"), plural(among, "it", "them")
            seen = _count_dice(among)
            text = f"Among the {colour} dice {seen} in {other} {lie}: take {them} away, or lay all six of them."
            return compose("claim.mixed", text, colour=colour, other=other, seen=among)
        case "stranger":
            text = f"A die in {colour} lies there, which is nobody's in this game: take it away."
            return compose("claim.stranger", text, other=colour)


def describe_several_sets() -> Message:
    """The notice that nobody knows whose claim lies on the baize, after a press of the button."""
    text = "Dice of more than one player lie there: leave only those of whoever pressed the button."
    return compose("claim.several", text)


def _count_dice(number: int) -> str:
    return "one die" if number == 1 else f"{number} dice"


def _describe_ready(race: Race, head: str, at: dict[str, Datum]) -> Message:
    name = race.named[0]
    if race.rules.terms.same_for_all and name is not None:
        text = f"{head}: all race for {title_of(race, name)}. Take your six dice, and say when all are ready."
        return compose("race.ready_for", text, **_called(race, name), **at)
    return compose("race.ready", f"{head}: take your six dice, and say when all are ready.", **at)


def _describe_racing(race: Race, head: str, at: dict[str, Datum]) -> Message:
    cry = next((each for each in race.cries if each.dice is None), None)
    if cry is not None and cry.seat is None:
        return compose("race.pressed", "Whoever pressed the button: lay your six dice on the baize.")
    if cry is not None and cry.seat is not None and cry.combination is not None:
        name = race.players[cry.seat].name
        text = f"{name} has {title_of(race, cry.combination)}: lay the six dice on the baize. The others play on."
        return compose("race.shouted", text, player=name, **_called(race, cry.combination))
    racing = _names(race, race.racing)
    if race.left_s is not None and len(racing) == 1:
        seconds = race.rules.terms.timer
        text = f"{racing[0]} is the last, and has {count(seconds, 'second')} in all."
        return compose("race.last", text, player=racing[0], seconds=seconds)
    text = f"{head} is on: {join_and(racing)}, shout when you have it."
    return compose("race.running", text, players=racing, **at)


def _describe_differing(found: Sequence[FoundTile]) -> Message:
    told = "; ".join(
        f"{tile.name} {_SEEN[tile.seen]} and should be {'up' if tile.expected is Position.OPEN else 'down'}"
        for tile in found
    )
    them = plural(len(found), "it", "them")
    return compose(
        "tiles.differing",
        f"While the box was off something moved: {told}. Put {them} right by hand, and the game goes on by itself; "
        "or let the box do it, hands off.",
        tiles=tuple(tile.name for tile in found),
        seen=tuple(str(tile.seen) for tile in found),
        expected=tuple(str(tile.expected) for tile in found),
    )


def _describe_end(race: Race, winners: tuple[int, ...]) -> Message:
    names, score = _names(race, winners), race.totals[winners[0]]
    args: dict[str, Datum] = {"score": score, "rounds": race.rounds, "match": "single"}
    said = count(score, "point")
    if len(names) > 1:
        return compose("game.shared", f"{join_and(names)} share the win with {said}.", players=names, **args)
    return compose("game.won", f"{names[0]} wins with {said}.", player=names[0], **args)


def _describe_event(before: Race | None, event: GameEvent, after: Race) -> Iterator[Message]:
    match event:
        case RaceRolled(player, dice):
            yield from _describe_roll(after, player, dice)
        case CombinationNamed(player, combination):
            name = after.players[player].name
            if after.rules.terms.same_for_all:
                text = f"{name} names {title_of(after, combination)} for all."
                yield compose("race.named_for_all", text, player=name, **_called(after, combination))
            else:
                yield compose("race.named", f"{name} has named a combination.", player=name)
        case RoundBegan():
            yield compose("race.go", "GO!", round=after.round, rounds=after.rounds)
        case Shouted(int() as player, str() as combination):
            name = after.players[player].name
            shout = after.rules.name.title()
            yield compose("race.shout", f"{name}: {shout}!", player=name, **_called(after, combination))
        case ShoutWithdrawn(player):
            name = "Somebody" if player is None else after.players[player].name
            known = "" if player is None else name
            yield compose("race.withdrawn", f"{name} takes the shout back.", player=known)
        case ClaimRefused():
            yield _describe_refusal(after, event)
        case ChipTaken():
            yield _describe_chip(after, event)
        case ShoutsVoided(players):
            names = _names(after, players)
            text = f"{join_and(names)} shouted at once, and rightly: as agreed, all of them throw again."
            yield compose("race.voided", text, players=names)
        case ChipReturned(players) if before is not None:
            names, points = _names(after, players), before.last[0].points if before.last else 0
            text = f"The chip of {points} that {join_and(names)} took is put back."
            yield compose("race.returned", text, players=names, points=points)
        case RaceEnded(unfinished, by_time) if before is not None:
            yield from _describe_round(after, unfinished, by_time=by_time)
        case GameEnded() if after.rules.terms.stake:
            coins = dict(zip(_names(after, range(len(after.players))), after.ledger.balances, strict=True))
            told = ", ".join(f"{name} {coin:+d}" for name, coin in coins.items())
            yield compose("match.coins", f"Coins: {told}.", coins=coins)


def _describe_roll(after: Race, player: int, dice: tuple[int, ...]) -> Iterator[Message]:
    name, total = after.players[player].name, after.rules.total_for_first(Dice(dice))
    yield compose("race.rolled", f"{name} threw {total}.", player=name, dice=dice, total=total)
    if not after.rolling:
        namer = after.players[after.namer].name
        yield compose("race.namer", f"{namer} names first.", player=namer)
    elif all(after.rolls[seat] is None for seat in after.rolling):
        names = _names(after, after.rolling)
        yield compose("race.level", f"{join_and(names)} are level and throw again.", players=names)


def _describe_refusal(race: Race, event: ClaimRefused) -> Message:
    name, dice = race.players[event.player].name, Dice(event.dice)
    shortfall = race.rules.shortfall(dice, race.rules.combination(event.combination))
    why = shortfall.tell() if shortfall is not None else dice.tell(race.rules.card.joker)
    args: dict[str, Datum] = {"player": name, "dice": event.dice, **_called(race, event.combination)}
    if event.costs:
        return compose("race.refused_no_chip", f"{name}: {why}. That costs the chip of this round.", **args)
    return compose("race.refused", f"{name}: {why}. Play goes on.", **args)


def _describe_chip(race: Race, event: ChipTaken) -> Message:
    names, points = _names(race, event.players), race.worth(event.tile)
    if not event.dice:
        text = f"{names[0]} is the last and takes the chip of {points}."
        return compose("race.last_chip", text, player=names[0], points=points)
    if len(names) > 1:
        text = f"{join_and(names)} shouted at once, and rightly: they share the chip of {points}."
        return compose("race.shared", text, players=names, points=points)
    combination = event.combinations[0] or ""
    dice = Dice(event.dice[0]).tell(race.rules.card.joker)
    text = f"{names[0]} has {title_of(race, combination)} ({dice}) and takes the chip of {points}."
    called = _called(race, combination)
    return compose("race.taken", text, player=names[0], dice=event.dice[0], points=points, **called)


def _describe_round(after: Race, unfinished: tuple[int, ...], *, by_time: bool) -> Iterator[Message]:
    names = _names(after, unfinished)
    if by_time and names:
        yield compose("race.time_up", f"Time is up: {names[0]} takes no chip.", player=names[0])
    elif names:
        text = f"The round was ended: {join_and(names)} {plural(len(names), 'takes', 'take')} no chip."
        yield compose("race.unfinished", text, players=names)
    points = dict(zip(_names(after, range(len(after.players))), after.totals, strict=True))
    told = ", ".join(f"{name} {made}" for name, made in points.items())
    # A chip that was put back may have been that of a round before, which has now ended once more.
    ended = after.round if after.is_over else after.round - 1
    yield compose("race.round_ended", f"After round {ended}: {told}.", round=ended, points=points)


def _called(race: Race, combination: str) -> dict[str, Datum]:
    """A combination, and the picture of the joker that one needs to say it."""
    return {"combination": combination, "joker": race.rules.card.joker}


def _names(race: Race, seats: Iterable[int]) -> tuple[str, ...]:
    return tuple(race.players[seat].name for seat in seats)
