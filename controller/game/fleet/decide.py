"""Commands decided in a race: which events follow from a command in this phase, or why it is refused.

It knows nothing of time, metal or disk, and changes nothing: the events do, once they are in the journal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce

from controller.errors import BadPlayers, NotNow
from controller.game.core.actions import ActionKind
from controller.game.core.commands import ClientCommand, Command, ConfirmTiles, StartGame, Undo
from controller.game.core.english import join_and, join_or, plural
from controller.game.core.events import GameEnded, GameEvent, GameStarted, TilesConfirmed
from controller.game.core.interruption import decide_interruption
from controller.game.core.phases import Halted, Moving, TileMismatch
from controller.game.core.players import Source, check_players
from controller.game.fleet.actions import check_can_race, seats_of_kind, vouched_chips
from controller.game.fleet.commands import (
    CallGo,
    Claim,
    CountDown,
    EndRound,
    NameCombination,
    PassSecond,
    Shout,
    WithdrawShout,
)
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
from controller.game.fleet.evolve import evolve_race
from controller.game.fleet.messages import describe_race_due
from controller.game.fleet.state import Counting, Race, Racing, RollingOff
from controller.rules.errors import InvalidOption
from controller.rules.fleet.dice import Dice
from controller.rules.fleet.ruleset import MOST_RACERS, FleetRules, fleet_rules_of
from controller.rules.tiles import NO_MARKS, Marks

# The players of a race in which the button of the box is a shout.
_WITH_A_BUTTON = 2


def start_race(command: StartGame) -> tuple[GameEvent, ...]:
    """The beginning of a race. Raises `BadPlayers` or `InvalidOption`."""
    check_players(command.players)
    if not 2 <= len(command.players) <= MOST_RACERS:
        raise BadPlayers(f"{command.game} is raced by 2 to {MOST_RACERS} players, not {len(command.players)}")
    if any(player.remote for player in command.players):
        raise BadPlayers(f"{command.game}: all shout at once in a race, which two boxes cannot; choose another game")
    rules = race_rules(command.game, command.options, command.marks)
    return (GameStarted(command.game, rules.chosen, command.players),)


def race_rules(game: str, options: Mapping[str, object], marks: Marks = NO_MARKS) -> FleetRules:
    """The rules of a race, whose chips bear no marks. Raises `InvalidOption`."""
    if marks != NO_MARKS:
        raise InvalidOption(f"{game} has chips and no marks; leave out the marks")
    return fleet_rules_of(game, options)


def decide_race(race: Race, command: Command) -> tuple[GameEvent, ...]:
    """The events that follow from `command`; none if nothing changes. Raises `NotNow` or `InvalidNotation`."""
    if isinstance(command, ClientCommand):
        check_can_race(race, command.do)
    due = describe_race_due(race)
    held = decide_interruption(race, command, due)
    if held is not None:
        return held
    match command:
        case ConfirmTiles():
            if not isinstance(race.phase, Moving | Halted | TileMismatch):
                raise NotNow(f"no tile is on its way: {due}")
            return (TilesConfirmed(),)
        case NameCombination(combination, player):
            seat = seat_of(race, "name", player)
            name = _left_combination(race, seat, combination)
            return () if race.named[seat] == name else (CombinationNamed(seat, name),)
        case CallGo():
            return (GoCalled(),)
        case CountDown():
            return (RoundBegan(),) if isinstance(race.phase, Counting) else ()
        case Shout():
            return _shout(race, command)
        case WithdrawShout(player=player):
            return _withdraw(race, player)
        case Claim():
            return _claim(race, command)
        case PassSecond():
            return _pass_second(race)
        case EndRound():
            return _end_by_hand(race)
        case Undo():
            return _undo(race, vouched=command.vouched)
    raise NotNow(f"nothing of that kind is done in a race: {due}")


def seat_of(race: Race, kind: ActionKind, player: str | None) -> int:
    """The seat that a command is about. Raises `NotNow` where that cannot be told, or it cannot do this now."""
    able = seats_of_kind(race, kind)
    names = [race.players[seat].name for seat in able]
    if player is None:
        if len(able) != 1:
            raise NotNow(f"say which player: {join_or(names)}")
        return able[0]
    if player not in names:
        known = [each.name for each in race.players]
        who = f"{player} cannot do that now" if player in known else f"nobody here is called {player!r}"
        raise NotNow(f"{who}; {f'only {join_and(names)} can' if names else 'nobody can'}")
    return able[names.index(player)]


def _left_combination(race: Race, seat: int, name: str) -> str:
    """A combination that a seat has not used up. Raises `InvalidNotation` or `NotNow`."""
    race.rules.combination(name)
    left = race.left(seat)
    if name not in race.rules.card.combinations:
        raise NotNow(f"{name} is not on the sheet of {race.rules.name}; there are {', '.join(left)}")
    if name not in left:
        raise NotNow(f"{race.players[seat].name} has {name} no more; there are {', '.join(left)}")
    return name


def _shout(race: Race, command: Shout) -> tuple[GameEvent, ...]:
    if command.player is None and len(race.players) == _WITH_A_BUTTON:
        # The button of the box. The house presses none: if one person is left, it is his.
        if any(cry.seat is None for cry in race.cries):
            return ()
        people = [seat for seat in seats_of_kind(race, "shout") if not race.players[seat].house]
        if not people:
            raise NotNow("the house alone is still to shout, and it does so by itself")
        name = race.named[people[0]]
        if len(people) == 1 and name is not None:
            return (Shouted(people[0], name, command.at_ms),)
        # Whose dice come on the baize says who has pressed it, and they say what they are where nobody has.
        return (Shouted(None, None, command.at_ms),)
    seat = seat_of(race, "shout", command.player)
    name = race.named[seat]
    if name is not None and command.combination not in (None, name):
        raise NotNow(f"{race.players[seat].name} races for {name} in this round, not for {command.combination}")
    if name is None:
        if command.combination is None:
            raise NotNow(f"say which combination it is: {', '.join(race.left(seat))}")
        name = _left_combination(race, seat, command.combination)
    return (Shouted(seat, name, command.at_ms),)


def _withdraw(race: Race, player: str | None) -> tuple[GameEvent, ...]:
    is_pressed = any(cry.seat is None for cry in race.cries)
    seat = None if player is None and is_pressed else seat_of(race, "withdraw", player)
    if seat is not None and race.cry_of(seat) is None:
        seat = None  # of who has not shouted himself the press of the button is meant
    return _go_on(race, (ShoutWithdrawn(seat),))


def _claim(race: Race, command: Claim) -> tuple[GameEvent, ...]:
    dice = Dice.of_words(command.dice, race.rules.card.joker)
    race.rules.check_throw(dice)
    if isinstance(race.resting, RollingOff):
        return (RaceRolled(seat_of(race, "claim", command.player), dice.faces, command.source),)
    # It is the claim of who is named, or else of who shouted first and is still to show his dice.
    if command.player is not None:
        seat = seat_of(race, "claim", command.player)
    elif (first := next(cry.seat for cry in race.cries if cry.dice is None)) is not None:
        seat = first
    else:
        names = (race.players[each].name for each in seats_of_kind(race, "claim"))
        raise NotNow(f"say whose dice these are: {join_and(names)}")
    cry = race.cry_of(seat) or next(each for each in race.cries if each.seat is None)
    left = race.left(seat)
    # Of who pressed a button and said no combination, it is one that the dice are.
    fitting = (each for each in left if race.rules.has(dice, race.rules.combination(each)))
    name = cry.combination or race.named[seat] or next(fitting, left[0])
    if not race.rules.has(dice, race.rules.combination(name)):
        costs = race.rules.terms.wrong_shout == "no_chip"
        refused = ClaimRefused(seat, name, dice.faces, command.source, costs)
        return _go_on(race, (refused,))
    right = ClaimHeld(seat, name, dice.faces, command.source)
    after = evolve_race(race, right)
    # The chip, or a wait for those who shouted before, or at the same time.
    return _go_on(race, _resolve(after)) if _is_first_seen(after) else (right,)


def _is_first_seen(race: Race) -> bool:
    """True if the dice of those who shouted first are seen, and right."""
    return bool(race.cries) and all(cry.dice is not None for cry in race.foremost)


def _resolve(race: Race) -> tuple[GameEvent, ...]:
    """What becomes of the first claims, which are right: mostly it is one alone, else they were at the same time."""
    right = [(cry.seat, cry.combination, cry.dice.faces) for cry in race.foremost if cry.seat is not None and cry.dice]
    seats, names, dice = zip(*right, strict=True)
    if len(right) > 1 and race.rules.terms.equal_shouts == "again":
        return (ShoutsVoided(seats),)
    source: Source = "camera" if all(cry.source == "camera" for cry in race.foremost) else "typed"
    # The last one, who has finished in his time after others, has the lowest chip.
    chip = race.chips[0] if race.left_s is not None and race.finishes else race.chips[-1]
    return (ChipTaken(seats, names, chip, dice, source),)


def _go_on(race: Race, events: tuple[GameEvent, ...]) -> tuple[GameEvent, ...]:
    """These events, and what follows: right claims that waited, the last chip, the round's end."""
    after = reduce(evolve_race, events, race)
    if _is_first_seen(after):
        return (*events, *_go_on(after, _resolve(after)))
    racing = after.racing
    if len(racing) > 1 or (racing and after.left_s is not None):
        return events
    if not racing:
        return (*events, *_end_round(after, ()))
    if after.cries and not after.finishes:
        # The others are out of it: he may be the first to finish, not the last, as his dice will show.
        return events
    last = racing[0]
    is_open = after.rules.terms.unfinished == "open" and not after.rules.terms.same_for_all
    chip = ChipTaken((last,), (None if is_open else after.named[last],), after.chips[0], (), "typed")
    return (*events, chip, *_end_round(evolve_race(after, chip), ()))


def _pass_second(race: Race) -> tuple[GameEvent, ...]:
    if race.left_s is None or not isinstance(race.phase, Racing):
        return ()
    # A shout that came in time is looked at before the time is up.
    if race.left_s > 1 or race.cries:
        return (SecondPassed(),) if race.left_s > 1 else ()
    return (SecondPassed(), *_end_round(race, race.racing, by_time=True))


def _end_by_hand(race: Race) -> tuple[GameEvent, ...]:
    """Nobody waits any more: claims that were right get their chips, the others take none."""
    seen = replace(race, cries=tuple(cry for cry in race.cries if cry.dice is not None))
    events = _go_on(seen, ())
    after = reduce(evolve_race, events, race)
    if after.is_over or after.round > race.round:
        return events
    return (*events, *_end_round(after, after.racing))


def _end_round(race: Race, unfinished: Sequence[int], *, by_time: bool = False) -> tuple[GameEvent, ...]:
    ended = RaceEnded(tuple(unfinished), by_time)
    if race.round < race.rounds:
        return (ended,)
    points = evolve_race(race, ended).totals
    return (ended, GameEnded(tuple(seat for seat, made in enumerate(points) if made == max(points))))


def _undo(race: Race, *, vouched: bool) -> tuple[GameEvent, ...]:
    asked = vouched_chips(race)
    if asked and not vouched:
        them = plural(len(asked), "it", "them")
        raise NotNow(
            f"{join_and(asked)}: somebody vouched for {them}, no sensor sees {them} move; watch, and say that you do"
        )
    last = race.last
    return _go_on(race, (ChipReturned(tuple(finish.seat for finish in last), last[0].tile),))
