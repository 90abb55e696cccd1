"""The messages of a race to its players: this moment, the news, and what is wrong with dice that are shown.

Pure functions of the race; the sentence of each key stands in `controller.messages`.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import assert_never

from controller.game.core.english import join_and, plural
from controller.game.core.events import GameEnded, GameEvent
from controller.game.core.interruption import describe_interruption, due_while_held, found_args
from controller.game.core.message import Datum, Message, MessageKey, Messages, compose
from controller.game.core.phases import Ended, Halted, Moving, Parked, TileMismatch
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
from controller.rules.fleet.dice import ClaimFault, Dice

_MOST_WAYS = 5  # a player does not want to hear more ways to complete a combination


def describe_race(race: Race, *, dice_lie: bool) -> Message:
    """Return the message for this moment: what now, and what the box waits for.

    dice_lie: nobody has to lay dice for a claim, as at a simulated box.
    """
    at = _round_args(race)
    match race.phase:
        case RollingOff():
            names = _names(race, [seat for seat in race.rolling if race.rolls[seat] is None])
            return compose("race.rolling_off", players=names, first=race.rules.terms.first)
        case Naming() if race.rules.terms.challenge == "in_turn":
            return compose("race.naming_for_all", player=race.players[race.namer].name, **at)
        case Naming():
            return compose("race.naming", players=_names(race, race.due_to_name), **at)
        case Ready():
            name = race.named[0]
            if race.rules.terms.same_for_all and name is not None:
                return compose("race.ready_for", **_called(race, name), **at)
            return compose("race.ready", **at)
        case Counting():
            return compose("race.counting", **at)
        case Racing():
            return _describe_racing(race, dice_lie=dice_lie)
        case Moving(Racing()):
            return compose("race.tiles")
        case Moving():
            return compose("tiles.restoring")
        case Halted() | Parked():
            return describe_interruption(race.phase)
        case TileMismatch(found):
            return compose("tiles.differing", **found_args(found))
        case Ended(given_up=True):
            return compose("game.given_up")
        case Ended(winners):
            names = _names(race, winners)
            args: dict[str, Datum] = {"score": race.totals[winners[0]], "rounds": race.rounds, "match": "single"}
            if len(names) > 1:
                return compose("game.shared", players=names, **args)
            return compose("game.won", player=names[0], **args)
        case _:
            assert_never(race.phase)


def describe_thrown_anew(race: Race, thrown: Container[str]) -> Messages:
    """Return what is said where a box throws for people and no longer knows how the dice of this round lay.

    thrown: the names of those who have thrown again; empty once all have whom it stops.
    """
    seats = [seat for seat in race.racing if race.cry_of(seat) is None and not race.players[seat].house]
    names = tuple(name for name in _names(race, seats) if name not in thrown)
    return (compose("race.thrown_anew", players=names),) if race.is_on and names else ()


def describe_race_due(race: Race) -> str:
    """Return what the race waits for, in a few words that end a refusal."""
    match race.phase:
        case RollingOff():
            return "the players throw for who names first"
        case Naming():
            return f"{join_and(due := _names(race, race.due_to_name))} {plural(len(due), 'has', 'have')} yet to name"
        case Ready():
            return "somebody has to say that everybody is ready"
        case Counting():
            return "the box is counting"
        case Racing() | Moving(Racing()):
            return f"round {race.round} is on"
    return due_while_held(race.phase, race.board.layout)


def race_news_of(before: Race | None, events: Sequence[GameEvent], after: Race) -> Messages:
    """Return the news in `events`, which led from one race to the other; empty where players need none."""
    return tuple(message for event in events for message in _describe_event(before, event, after))


def describe_claim_fault(fault: ClaimFault, player: str) -> Message:
    """Return the notice that what lies on the baize is not the claim of a player, and what to do."""
    (colour, number), *others = fault.counts
    match fault.kind:
        case "not_laid":
            return compose("claim.missing", player=player, colour=colour)
        case "too_few":
            return compose("claim.too_few", player=player, colour=colour, seen=number)
        case "too_many":
            return compose("claim.too_many", colour=colour, seen=number)
        case "mixed":
            other, among = others[0]
            return compose("claim.mixed", colour=colour, other=other, seen=among)
        case "stranger":
            return compose("claim.stranger", other=colour)


def describe_several_sets() -> Message:
    """Return the notice that nobody knows whose claim lies on the baize, after a press of the button."""
    return compose("claim.several")


def _describe_racing(race: Race, *, dice_lie: bool) -> Message:
    cry = next((each for each in race.cries if each.dice is None), None)
    if cry is not None and cry.seat is None:
        return compose("race.pressed")
    if cry is not None and cry.seat is not None and cry.combination is not None:
        called = _called(race, cry.combination)
        return compose("race.shouted", player=race.players[cry.seat].name, dice_lie=dice_lie, **called)
    racing = _names(race, race.racing)
    if race.left_s is not None and len(racing) == 1:
        return compose("race.last", player=racing[0], seconds=race.rules.terms.timer)
    return compose("race.running", players=racing, **_round_args(race))


def _describe_event(before: Race | None, event: GameEvent, after: Race) -> Iterator[Message]:
    match event:
        case RaceRolled(player, dice):
            total, due = after.rules.total_for_first(Dice(dice)), after.rolling
            yield compose("race.rolled", player=after.players[player].name, dice=dice, total=total)
            if not due:
                yield compose("race.namer", player=after.players[after.namer].name)
            elif all(after.rolls[seat] is None for seat in due):
                yield compose("race.level", players=_names(after, due))
        case CombinationNamed(player, combination):
            name = after.players[player].name
            if after.rules.terms.same_for_all:
                yield compose("race.named_for_all", player=name, **_called(after, combination))
            else:
                yield compose("race.named", player=name)
                if after.round > 1:  # the news of the last round are told until all have named
                    yield compose("race.round_ended", round=after.round - 1, points=_by_name(after, after.totals))
        case RoundBegan():
            yield compose("race.go", **_round_args(after))
        case Shouted(int() as player, str() as combination):
            yield compose("race.shout", player=after.players[player].name, **_called(after, combination))
        case ShoutWithdrawn(player):
            yield compose("race.withdrawn", player="" if player is None else after.players[player].name)
        case ClaimRefused(player, combination, dice, _, costs):
            claimed: dict[str, Datum] = {"player": after.players[player].name, "dice": dice}
            key: MessageKey = "race.refused_no_chip" if costs else "race.refused"
            yield compose(key, **claimed, **_called(after, combination), **_lacking(after, combination, dice))
        case ChipTaken():
            yield _describe_chip(after, event)
        case ShoutsVoided(players):
            yield compose("race.voided", players=_names(after, players))
        case ChipReturned(players) if before is not None:
            points = before.last[0].points if before.last else 0
            yield compose("race.returned", players=_names(after, players), points=points)
        case RaceEnded(unfinished, by_time) if before is not None:
            yield from _describe_round(after, unfinished, by_time=by_time)
        case GameEnded() if after.rules.terms.stake:
            yield compose("match.coins", coins=_by_name(after, after.ledger.balances))


def _lacking(race: Race, combination: str, dice: tuple[int, ...]) -> dict[str, Datum]:
    """Return what dice lack to be a combination: each way to complete it, if a player wants to hear so many."""
    ways = race.rules.missing(Dice(dice), race.rules.combination(combination))
    is_short = len(ways) == 1 or (len(ways) <= _MOST_WAYS and all(len(set(way.faces)) == 1 for way in ways))
    return {"missing": tuple(way.faces for way in ways if is_short), "short": len(ways[0]) if ways else 0}


def _describe_chip(race: Race, event: ChipTaken) -> Message:
    names, points = _names(race, event.players), race.worth(event.tile)
    if not event.dice:
        return compose("race.last_chip", player=names[0], points=points)
    if len(names) > 1:
        return compose("race.shared", players=names, points=points)
    called = _called(race, event.combinations[0] or "")
    typed = int(event.source == "typed" and not race.players[event.players[0]].house)
    return compose("race.taken", player=names[0], dice=event.dice[0], points=points, typed=typed, **called)


def _describe_round(after: Race, unfinished: tuple[int, ...], *, by_time: bool) -> Iterator[Message]:
    names = _names(after, unfinished)
    if by_time and names:
        yield compose("race.time_up", player=names[0])
    elif names:
        yield compose("race.unfinished", players=names)
    # A chip that was put back may have been that of a round before, which has now ended once more.
    ended = after.round if after.is_over else after.round - 1
    yield compose("race.round_ended", round=ended, points=_by_name(after, after.totals))


def _round_args(race: Race) -> dict[str, Datum]:
    return {"round": race.round, "rounds": race.rounds}


def _called(race: Race, combination: str) -> dict[str, Datum]:
    """A combination, and the picture of the joker that is needed to say it."""
    return {"combination": combination, "joker": race.rules.card.joker}


def _by_name(race: Race, values: Sequence[int]) -> dict[str, int]:
    return dict(zip(_names(race, race.active), values, strict=True))


def _names(race: Race, seats: Iterable[int]) -> tuple[str, ...]:
    return tuple(race.players[seat].name for seat in seats)
