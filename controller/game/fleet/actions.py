"""What can be done in a race now, and by whom. Its players race at once, so most of it is several players'."""

from collections.abc import Iterator

from controller.game.core.actions import (
    LABELS,
    Action,
    ActionKind,
    actions_at_end,
    phase_for_eyes,
    refuse,
    roles_of,
    who_may_give_up,
)
from controller.game.core.engine import moved_tiles
from controller.game.core.phases import Ended, Halted, Moving, Parked, TileMismatch
from controller.game.fleet.messages import describe_race_due
from controller.game.fleet.state import Naming, Race, Racing, Ready, RollingOff
from controller.rules.fleet.dice import SET_SIZE

_EVERYBODY: frozenset[ActionKind] = frozenset(
    {"go", "end_round", "undo", "go_on", "try_again", "believe", "put_right", "park"}
)
_WITH_DICE = ("claim", "throw")


def actions_of_race(race: Race, *, can_throw: bool = True) -> tuple[Action, ...]:
    """Everything that a person can do now. can_throw: people have dice that the box throws for them."""
    if isinstance(race.phase, Ended):
        return actions_at_end(race.phase, race.players)
    found = []
    for kind in _kinds(race):
        # What a player does for himself is for those who are no house's; the rest for everybody at the table.
        players = [race.players[seat] for seat in seats_of_kind(race, kind)]
        names = tuple(player.name for player in players if kind in _EVERYBODY or not player.house)
        if kind == "abandon":
            names = who_may_give_up(players)
        if names and (can_throw or kind != "throw"):
            counts = (SET_SIZE,) if kind in _WITH_DICE else ()
            vouched = vouched_chips(race) if kind == "undo" else ()
            found.append(Action(kind, LABELS[kind], names, counts, vouched, roles=roles_of(kind)))
    return tuple(found)


def check_can_race(race: Race, kind: ActionKind) -> None:
    """Raise `NotNow`, which says what can be done instead, if no such action is possible now, for anybody."""
    if kind not in set(_kinds(race)):
        raise refuse(kind, describe_race_due(race), actions_of_race(race))


def seats_of_kind(race: Race, kind: ActionKind) -> tuple[int, ...]:
    """The seats that can do something now, those that the house plays among them."""
    phase = phase_for_eyes(race.phase)
    match kind:
        case "name" if race.rules.terms.challenge == "announced":
            return tuple(range(len(race.players)))
        case "name":
            return (race.namer,)
        case "claim" | "throw" if isinstance(phase, RollingOff):
            return tuple(seat for seat in race.rolling if race.rolls[seat] is None)
        case "claim" | "withdraw" if any(cry.seat is None for cry in race.cries):
            # The button was pressed by any of those whose dice have not been seen.
            seen = {cry.seat for cry in race.cries if cry.dice is not None}
            return tuple(seat for seat in race.racing if seat not in seen)
        case "claim" | "withdraw":
            return tuple(cry.seat for cry in race.cries if cry.seat is not None and cry.dice is None)
        case "shout" | "throw":
            return tuple(seat for seat in race.racing if race.cry_of(seat) is None)
    return tuple(range(len(race.players)))


def _kinds(race: Race) -> Iterator[ActionKind]:
    match race.phase:
        case Naming():
            yield "name"
        case Ready():
            yield "go"
        case Parked():
            yield "go_on"
        case Halted(fault):
            yield "try_again"
            if fault.kind == "motion":
                yield "believe"
        case TileMismatch():
            yield "put_right"
    # What follows goes on while the tile of a chip is on its way, too.
    phase = phase_for_eyes(race.phase)
    if isinstance(phase, RollingOff):
        yield "throw"
        yield "claim"
    if isinstance(phase, Racing) or (isinstance(phase, Moving) and isinstance(phase.then, Racing)):
        if seats_of_kind(race, "shout"):
            yield "shout"
            yield "throw"
        if seats_of_kind(race, "claim"):
            yield "claim"
            yield "withdraw"
        yield "end_round"
    is_held = isinstance(race.phase, Parked | TileMismatch)
    if race.earlier is not None and race.rules.terms.undo == "anybody" and not is_held:
        yield "undo"
    if not isinstance(race.phase, Parked):
        yield "park"
    yield "abandon"


def vouched_chips(race: Race) -> tuple[str, ...]:
    """The tiles that move when the last chip is put back, and that somebody vouched for."""
    moved = frozenset[str]() if race.earlier is None else moved_tiles(race, race.earlier)
    return tuple(name for name in race.board.layout.by_name if name in moved & race.believed)
