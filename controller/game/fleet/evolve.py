"""Events applied to a race: what each event changes. It never refuses, for what it is given has happened."""

from collections.abc import Iterable
from dataclasses import replace

from controller.game.core.engine import moved_tiles
from controller.game.core.events import GameAbandoned, GameEnded, GameEvent, GameStarted
from controller.game.core.interruption import evolve_interruption
from controller.game.core.ledger import Ledger
from controller.game.core.phases import Ended, Moving
from controller.game.fleet.events import (
    ChipReturned,
    ChipTaken,
    ClaimHeld,
    ClaimRefused,
    CombinationNamed,
    GoCalled,
    RaceEnded,
    RaceRolled,
    RoundBegan,
    SecondPassed,
    Shouted,
    ShoutsVoided,
    ShoutWithdrawn,
)
from controller.game.fleet.state import Box, Counting, Cry, Finish, Naming, Race, RaceResting, Racing, Ready, RollingOff
from controller.rules.board import Board
from controller.rules.fleet.dice import Dice
from controller.rules.fleet.ruleset import fleet_rules_of
from controller.rules.tiles import Layout


def evolve_race(race: Race | None, event: GameEvent) -> Race:
    """The race after `event`; without one before it, `event` must be `GameStarted`, else `ValueError` is raised."""
    if isinstance(event, GameStarted):
        return _start(event)
    if race is None:
        raise ValueError(f"a game cannot begin with {event.kind}")
    held = evolve_interruption(race, event)
    if held is not None:
        return held
    match event:
        case GameEnded(winners):
            odd = race.rules.terms.odd_coin
            ledger = race.ledger.pay_out(winners, odd) if winners else race.ledger.refund()
            return replace(race, ledger=ledger, phase=Ended(winners))
        case GameAbandoned():
            return replace(race, ledger=race.ledger.refund(), phase=Ended((), given_up=True, before=race))
    after = _apply(race, event)
    return after if after.board is race.board else replace(after, believed=after.believed - moved_tiles(race, after))


def _apply(race: Race, event: GameEvent) -> Race:
    match event:
        case RaceRolled(player, dice):
            return _roll(race, player, race.rules.total_for_first(Dice(dice)))
        case CombinationNamed(player, combination):
            named = set_name(race, player, combination)
            return replace(race, named=named, phase=Ready() if all(named) else Naming())
        case GoCalled():
            return replace(race, phase=Counting(), earlier=None)
        case RoundBegan():
            return replace(race, phase=Racing())
        case ShoutWithdrawn() | ClaimRefused() | ClaimHeld() | ShoutsVoided():
            # What becomes of the others' shouts stays so, whether or not the last chip is put back.
            earlier = None if race.earlier is None else _answer(race.earlier, event)
            return replace(_answer(race, event), earlier=earlier)
        case Shouted(player, combination, at_ms):
            return replace(race, cries=(*race.cries, Cry(player, combination, at_ms)), earlier=None)
        case ChipTaken():
            return _take_chip(race, event)
        case SecondPassed():
            return replace(race, left_s=max(0, (race.left_s or 0) - 1))
        case RaceEnded():
            return _end_round(race, event)
        case ChipReturned():
            before = race.earlier
            if before is None:
                raise ValueError("there is no chip to be put back")
            cries = _without_claims(before, [finish.seat for finish in race.last])
            # What was vouched for meanwhile still is.
            return replace(before, cries=cries, phase=Moving(Racing()), believed=race.believed)
    raise ValueError(f"{event.kind} does not happen in a race")


def _answer(race: Race, event: ShoutWithdrawn | ClaimRefused | ClaimHeld | ShoutsVoided) -> Race:
    """A shout is answered without a chip, or has to wait for one."""
    match event:
        case ShoutWithdrawn(player):
            return replace(race, cries=tuple(cry for cry in race.cries if cry.seat != player))
        case ClaimRefused(player, _, _, _, costs):
            out = race.out | {player} if costs else race.out
            return _start_timer(replace(race, cries=_without_claims(race, (player,)), out=out))
        case ClaimHeld(player, combination, dice, source):
            answered = _answered_by(race, player)
            seen = Cry(player, combination, answered.at_ms if answered else 0, Dice(dice), source)
            return replace(race, cries=tuple(seen if cry is answered else cry for cry in race.cries))
        case ShoutsVoided(players):
            return replace(race, cries=_without_claims(race, players))


def _start(event: GameStarted) -> Race:
    rules = fleet_rules_of(event.game, event.options)
    seats = len(event.players)
    rolls = rules.terms.challenge == "in_turn" and rules.terms.first != "chosen"
    fresh = Race(
        rules=rules,
        players=event.players,
        board=Board.start(Layout(1, seats)),
        round=1,
        sheets=((),) * seats,
        named=(None,) * seats,
        namer=0,
        phase=Moving(RollingOff()),
        ledger=Ledger.empty(seats).stake(range(seats), rules.terms.stake),
        rolling=tuple(range(seats)) if rolls else (),
        rolls=(None,) * seats if rolls else (),
    )
    return fresh if rolls else _begin_round(fresh)


def _begin_round(race: Race) -> Race:
    """The race at the beginning of its round, its chips up."""
    card, seats = race.rules.card.combinations, len(race.players)
    then: RaceResting = Naming()
    named: tuple[str | None, ...] = (None,) * seats
    match race.rules.terms.challenge:
        case "in_order":
            named, then = (card[race.round - 1],) * seats, Ready()
        case "unannounced":
            then = Ready()
    board = Board.start(race.board.layout)
    return replace(
        race,
        board=board,
        named=named,
        cries=(),
        finishes=(),
        out=frozenset(),
        left_s=None,
        phase=Moving(then),
    )


def _roll(race: Race, seat: int, total: int) -> Race:
    """The best throw names first; the tied throw again."""
    rolls = (*race.rolls[:seat], total, *race.rolls[seat + 1 :])
    if any(rolls[each] is None for each in race.rolling):
        return replace(race, rolls=rolls)
    best = (max if race.rules.terms.first == "highest" else min)(rolls[each] or 0 for each in race.rolling)
    leading = tuple(each for each in race.rolling if rolls[each] == best)
    if len(leading) > 1:
        return replace(race, rolling=leading, rolls=(None,) * len(rolls))
    return replace(race, rolling=(), rolls=(), namer=leading[0], phase=Naming())


def set_name(race: Race, seat: int, combination: str) -> tuple[str | None, ...]:
    """What everybody races for once a seat has named this: for itself, or for all."""
    if race.rules.terms.same_for_all:
        return (combination,) * len(race.players)
    return tuple(combination if each == seat else name for each, name in enumerate(race.named))


def _take_chip(race: Race, event: ChipTaken) -> Race:
    """The chip is taken, and its tile goes down."""
    points = race.worth(event.tile)
    pairs = zip(event.players, event.combinations, strict=True)
    taken = tuple(Finish(seat, event.tile, points, name) for seat, name in pairs)
    board = race.board.without([race.board.layout.by_name[event.tile]])
    after = replace(race, board=board, finishes=(*race.finishes, *taken), phase=Moving(Racing()))
    if not event.dice:
        # The last one's, which follows from another: that one is put back, and this one with it.
        return after
    cries = _without_claims(race, event.players)
    if len(race.racing) == 1 and not race.rules.terms.timer:
        # He was the last already, whatever his dice: put back alone, the chip would be his again at once.
        return replace(after, cries=cries)
    earlier = replace(race, earlier=None, last=(), phase=race.resting)
    return _start_timer(replace(after, cries=cries, last=taken, earlier=earlier))


def _start_timer(race: Race) -> Race:
    """Once the last but one is done, the time of the last one runs, where one was agreed."""
    if race.rules.terms.timer and len(race.racing) == 1 and race.left_s is None:
        return replace(race, left_s=race.rules.terms.timer)
    return race


def _end_round(race: Race, event: RaceEnded) -> Race:
    """Fill in the boxes of the round; then the next one begins, unless `GameEnded` follows."""
    terms, sheets = race.rules.terms, [list(sheet) for sheet in race.sheets]
    for finish in race.finishes:
        if finish.combination is not None:
            sheets[finish.seat].append(Box(finish.combination, finish.points))
        elif finish.points:
            # The last one of a round for which nobody named anything: the points count, and no box is used up.
            sheets[finish.seat].append(Box("", finish.points))
    for seat in (*event.unfinished, *sorted(race.out)):
        name = race.named[seat]
        if name is not None and (terms.unfinished == "used_up" or terms.same_for_all):
            sheets[seat].append(Box(name, 0))
    ended = replace(race, sheets=tuple(map(tuple, sheets)))
    if race.round == race.rounds:
        return replace(ended, cries=(), finishes=(), left_s=None, last=(), earlier=None)
    namer = (race.namer + 1) % len(race.players)
    if terms.namer == "winner" and race.finishes:
        namer = race.finishes[0].seat
    return _begin_round(replace(ended, round=race.round + 1, namer=namer))


def _answered_by(race: Race, seat: int) -> Cry | None:
    """The shout that a claim of a seat answers: its own, or else one that is nobody's yet."""
    return race.cry_of(seat) or next((cry for cry in race.cries if cry.seat is None), None)


def _without_claims(race: Race, seats: Iterable[int]) -> tuple[Cry, ...]:
    answered = [_answered_by(race, seat) for seat in seats]
    return tuple(cry for cry in race.cries if not any(cry is each for each in answered))
