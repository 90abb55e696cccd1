"""Commands decided in a race: which events follow from a command in this phase, or why it is refused.

It knows nothing of time, metal or disk, and changes nothing: the events do, once they are in the journal.
"""

from collections.abc import Mapping, Sequence
from functools import reduce

from controller.errors import BadPlayers, NotNow
from controller.game.actions import ActionKind
from controller.game.commands import Command, ConfirmTiles, StartGame, Undo
from controller.game.english import join_and
from controller.game.events import GameEnded, GameEvent, GameStarted, TilesConfirmed
from controller.game.fleet.actions import check_can_race, seats_of_kind
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
from controller.game.fleet.narration import describe_race_due
from controller.game.fleet.phases import Counting, Racing, RollingOff
from controller.game.fleet.state import Cry, Race
from controller.game.from_client import FromClient
from controller.game.interruption import decide_interruption
from controller.game.phases import Differing, Halted, Moving
from controller.game.players import Source, check_players
from controller.rules import NO_MARKS, InvalidOption, Marks
from controller.rules.fleet import MOST_RACERS, Dice, FleetRules, fleet_rules_of


def start_race(command: StartGame) -> tuple[GameEvent, ...]:
    """The beginning of a race. Raises `BadPlayers`, `InvalidNotation` or `InvalidOption`."""
    check_players(command.players)
    if not 2 <= len(command.players) <= MOST_RACERS:
        raise BadPlayers(f"{command.game} is raced by 2 to {MOST_RACERS} players, not {len(command.players)}")
    rules = race_rules(command.game, command.options, command.marks)
    return (GameStarted(command.game, rules.chosen, command.players),)


def race_rules(game: str, options: Mapping[str, object], marks: Marks = NO_MARKS) -> FleetRules:
    """The rules of a race, whose chips bear no marks. Raises `InvalidOption`."""
    if marks != NO_MARKS:
        raise InvalidOption(f"{game} has chips and no marks; leave out the marks")
    return fleet_rules_of(game, options)


def decide_race(race: Race, command: Command) -> tuple[GameEvent, ...]:
    """The events that follow from `command`; none if nothing changes. Raises `NotNow` or `InvalidNotation`."""
    if isinstance(command, FromClient):
        check_can_race(race, command.do)
    due = describe_race_due(race)
    held = decide_interruption(race, command, due)
    if held is not None:
        return held
    match command:
        case ConfirmTiles():
            return _confirm_tiles(race, due)
        case NameCombination():
            return _name(race, command)
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
            return _end_round(race, race.racing)
        case Undo():
            return _undo(race, vouched=command.vouched)
    raise NotNow(f"nothing of that kind is done in a race: {due}")


def seat_of(race: Race, kind: ActionKind, player: str | None) -> int:
    """The seat that a command is about. Raises `NotNow` where that cannot be told, or it cannot do this now."""
    able = seats_of_kind(race, kind)
    names = [race.players[seat].name for seat in able]
    if player is None:
        if len(able) != 1:
            raise NotNow(f"say whose it is: {join_and(names)}")
        return able[0]
    if player not in names:
        known = [each.name for each in race.players]
        who = f"{player} cannot do that now" if player in known else f"nobody here is called {player!r}"
        raise NotNow(f"{who}; it is for {join_and(names) or 'nobody'}")
    return able[names.index(player)]


def _name(race: Race, command: NameCombination) -> tuple[GameEvent, ...]:
    seat = seat_of(race, "name", command.player)
    name = _left_combination(race, seat, command.combination)
    return () if race.named[seat] == name else (CombinationNamed(seat, name),)


def _left_combination(race: Race, seat: int, name: str) -> str:
    """A combination that a seat has not used up. Raises `InvalidNotation` or `NotNow`."""
    race.rules.combination(name)
    left = race.left(seat)
    if name not in left:
        raise NotNow(f"{race.players[seat].name} has {name} no more; there are {', '.join(left)}")
    return name


def _shout(race: Race, command: Shout) -> tuple[GameEvent, ...]:
    if command.player is None and len(race.players) == len(race.racing) == 2:
        # The button of the box: whose dice come on the baize says who has pressed it.
        if any(cry.seat is None for cry in race.cries):
            return ()
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
    if player is None and any(cry.seat is None for cry in race.cries):
        return (ShoutWithdrawn(None),)
    seat = seat_of(race, "withdraw", player)
    # Of who has not shouted himself it is the press of the button that is meant.
    return _go_on(race, (ShoutWithdrawn(None if race.cry_of(seat) is None else seat),))


def _claim(race: Race, command: Claim) -> tuple[GameEvent, ...]:
    dice = Dice.of_words(command.dice, race.rules.card.joker)
    race.rules.check_throw(dice)
    if isinstance(race.phase, RollingOff):
        return (RaceRolled(seat_of(race, "claim", command.player), dice.faces, command.source),)
    seat = _claimant(race, command.player)
    cry = race.cry_of(seat) or next(each for each in race.cries if each.seat is None)
    name = _name_claimed(race, seat, cry, dice)
    if not race.rules.has(dice, race.rules.combination(name)):
        costs = race.rules.terms.wrong_shout == "no_chip"
        refused = ClaimRefused(seat, name, dice.faces, command.source, costs)
        return _go_on(race, (refused,))
    return _accept(race, cry, seat, name, dice, command.source)


def _claimant(race: Race, player: str | None) -> int:
    """Whose claim it is: of who is named, or else of who shouted first and is still to show his dice."""
    if player is None:
        first = next(cry.seat for cry in race.cries if cry.dice is None)
        if first is None:
            raise NotNow(f"say whose dice these are: {join_and(each.name for each in race.players)}")
        return first
    return seat_of(race, "claim", player)


def _name_claimed(race: Race, seat: int, cry: Cry, dice: Dice) -> str:
    """The combination of a claim: what was said, or, of who pressed a button and said none, one that it is."""
    name = cry.combination or race.named[seat]
    if name is not None:
        return name
    left = race.left(seat)
    return next((each for each in left if race.rules.has(dice, race.rules.combination(each))), left[0])


def _accept(race: Race, cry: Cry, seat: int, name: str, dice: Dice, source: Source) -> tuple[GameEvent, ...]:
    """A claim that is right: the chip, or a wait for who shouted at the same time."""
    equals = race.equals(cry)
    if any(each.dice is None and each is not cry for each in equals):
        return (ClaimHeld(seat, name, dice.faces, source),)
    rivals = [(each.seat or 0, each.combination, each.dice or Dice()) for each in equals if each is not cry]
    return _go_on(race, _resolve(race, [*rivals, (seat, name, dice)], source))


def _resolve(race: Race, right: Sequence[tuple[int, str | None, Dice]], source: Source) -> tuple[GameEvent, ...]:
    """What becomes of claims that are right and were shouted at the same time; mostly it is one alone."""
    seats, names, dice = zip(*right, strict=True)
    if len(right) > 1 and race.rules.terms.equal_shouts == "again":
        return (ShoutsVoided(seats),)
    return (ChipTaken(seats, names, _chip_of_finisher(race), tuple(each.faces for each in dice), source),)


def _chip_of_finisher(race: Race) -> str:
    """The highest chip; to the last one, who has finished in his time, the lowest."""
    return race.chips[0] if race.left_s is not None else race.chips[-1]


def _go_on(race: Race, events: tuple[GameEvent, ...]) -> tuple[GameEvent, ...]:
    """These events, and what follows: claims that waited for a refused one, the last chip, the round's end."""
    after = reduce(evolve_race, events, race)
    waiting = [cry for cry in after.cries if cry.dice is not None]
    if waiting and not any(each.dice is None for each in after.equals(waiting[0])):
        held = [(cry.seat or 0, cry.combination, cry.dice or Dice()) for cry in after.equals(waiting[0])]
        return (*events, *_go_on(after, _resolve(after, held, "camera")))
    return (*events, *_end_if_decided(after))


def _end_if_decided(race: Race) -> tuple[GameEvent, ...]:
    """The last one's chip and the end of the round, once all the others are done."""
    racing = race.racing
    if len(racing) > 1 or (racing and race.left_s is not None):
        return ()
    if not racing:
        return _end_round(race, ())
    last = racing[0]
    chip = ChipTaken((last,), (race.named[last],), race.chips[0], (), "typed")
    return (chip, *_end_round(evolve_race(race, chip), ()))


def _pass_second(race: Race) -> tuple[GameEvent, ...]:
    if race.left_s is None or not isinstance(race.phase, Racing):
        return ()
    # A shout that came in time is looked at before the time is up.
    if race.left_s > 1 or race.cries:
        return (SecondPassed(),) if race.left_s > 1 else ()
    return (SecondPassed(), *_end_round(race, race.racing, by_time=True))


def _end_round(race: Race, unfinished: Sequence[int], *, by_time: bool = False) -> tuple[GameEvent, ...]:
    ended = RaceEnded((*unfinished, *sorted(race.out)), by_time)
    if race.round < race.rounds:
        return (ended,)
    totals = evolve_race(race, ended)
    points = [sum(box.points for box in sheet) for sheet in totals.sheets]
    return (ended, GameEnded(tuple(seat for seat, made in enumerate(points) if made == max(points))))


def _undo(race: Race, *, vouched: bool) -> tuple[GameEvent, ...]:
    if race.earlier is None:
        raise NotNow("no chip can be put back now")
    tile = race.last[0].tile
    if tile in race.believed and not vouched:
        raise NotNow(f"{tile}: somebody vouched for it, no sensor sees it move back; watch, and say that you do")
    return (ChipReturned(tuple(finish.seat for finish in race.last), tile),)


def _confirm_tiles(race: Race, due: str) -> tuple[GameEvent, ...]:
    if not isinstance(race.phase, Moving | Halted | Differing):
        raise NotNow(f"no tile is on its way: {due}")
    return (TilesConfirmed(),)
