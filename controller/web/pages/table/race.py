"""A race as a page shows it: runners, sheet, chips, and the hands for which this device throws and shouts."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields

from controller.game.core.actions import Action, ActionKind
from controller.game.fleet.engine import ColumnView, RaceView
from controller.game.table.snapshot import Snapshot
from controller.messages.names import combination_title
from controller.messages.words import Words
from controller.rules.fleet.cards import FleetOptions
from controller.rules.fleet.dice import JOKER, Dice
from controller.rules.fleet.ruleset import example_of, fleet_rules_of
from controller.web.pages.table.audience import Audience

# The actions that each player of a race takes for themselves.
_OWN: tuple[ActionKind, ...] = ("name", "throw", "shout", "claim", "withdraw")
# The phases in which nobody races: the page then shows the sheet instead of the runners.
_BETWEEN = ("naming", "ready", "rolling_off", "ended")
_VERDICTS = ("race.refused", "race.refused_no_chip", "race.taken", "race.shared", "race.voided")
_RESULTS = ("race.last_chip", "race.time_up", "race.unfinished", "race.round_ended")  # one is enough


@dataclass(frozen=True, slots=True)
class OwnDie:
    """A die in front of a player: its face, and whether it stays unless they pick it up."""

    face: int
    is_kept: bool = False


@dataclass(frozen=True, slots=True)
class Hand:
    """A player for whom this device acts."""

    name: str
    say: str  # the next thing to do, in a sentence; empty if it is the same for all
    colour: str
    actions: frozenset[ActionKind]  # the player's present actions
    choices: tuple[tuple[str, str], ...]  # the remaining combinations, name and title, when the player names one
    frozen: tuple[int, ...]  # the dice that stay for the round
    dice: tuple[OwnDie, ...]
    mark: str  # tells one throw from another
    question: str  # about the odds, in JSON; empty if odds are not told


@dataclass(frozen=True, slots=True)
class Runner:
    """One player as everybody sees them. does: their activity in a few words. chip: the points taken in this round."""

    name: str
    does: str
    combination: str
    chip: int | None
    total: int
    coins: int | None
    colour: str
    frozen: tuple[int, ...]
    dice: tuple[int, ...]
    spoken: tuple[str, ...]
    won: bool


@dataclass(frozen=True, slots=True)
class Box:
    """A box of the sheet: its points, None while it is open. is_now: the goal of this round."""

    points: int | None
    is_now: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the sheet."""

    title: str
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Chip:
    """A chip: the mark of its tile, its value, and the players who took it in this round."""

    tile: str
    points: int
    taken_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RaceTable:
    """A race as one audience sees it.

    joker, joker_said: the picture on the sixth face, and its name.
    examples: while combinations are named, six dice for each of them, by its name.
    verdict: what the box says of a shout, or of the last round, where there is no place for news: on the wall.
    """

    round: int
    rounds: int
    shout: str  # the word to shout
    joker: str
    joker_said: str
    count: int | None  # of the countdown 3-2-1; None outside it
    is_go: bool  # the round has just begun
    is_between: bool  # nobody races at present
    left_s: int | None
    may_go: bool
    lines: tuple[Line, ...]
    runners: tuple[Runner, ...]
    chips: tuple[Chip, ...]
    hands: tuple[Hand, ...]
    examples: Mapping[str, tuple[int, ...]]
    verdict: str

    @property
    def say(self) -> str:
        """What this device's player must do next.

        Empty if the device acts for several, or if everybody must do the same.
        """
        return self.hands[0].say if len(self.hands) == 1 else ""


def race_for(snapshot: Snapshot, audience: Audience, words: Words) -> RaceTable | None:
    """Return the race as this audience sees it; None in another game."""
    race = snapshot.race
    if race is None:
        return None
    titles = {row.name: combination_title(words, row.name, race.joker) for row in race.rows}
    marks = {tile.name: tile.mark for tile in snapshot.tiles}

    def box(column: ColumnView, row: str) -> Box:
        is_now = column.named == row and row not in column.boxes
        return Box(column.chip if is_now else column.boxes.get(row), is_now)

    # Nobody acts on the wall.
    hands: tuple[Hand, ...] = ()
    if audience.view not in ("wall", "start") and audience.caller.role == "player" and snapshot.is_game_on:
        theirs = {kind: audience.action(snapshot, kind) for kind in _OWN}
        people = {seat.name for seat in snapshot.seats if not seat.house and audience.caller.acts_for(seat.name)}
        mine = [column for column in race.columns if column.player in people]
        hands = tuple(_hand(column, snapshot, race, theirs, titles, words) for column in mine)
    return RaceTable(
        round=snapshot.round,
        rounds=race.rounds,
        shout=f"{(snapshot.game or '').title()}!",
        joker=race.joker,
        joker_said=say_joker(race.joker, words),
        count=snapshot.countdown_s if snapshot.phase == "counting" else None,
        is_go=any(message.key == "race.go" for message in snapshot.messages),
        is_between=snapshot.phase in _BETWEEN,
        left_s=race.left_s,
        may_go=audience.action(snapshot, "go") is not None,
        lines=tuple(Line(title, tuple(box(column, name) for column in race.columns)) for name, title in titles.items()),
        runners=tuple(_runner(column, snapshot, race, titles, words) for column in race.columns),
        chips=tuple(Chip(marks[chip.tile], chip.points, chip.taken_by) for chip in reversed(race.chips)),
        hands=hands,
        examples=_examples(snapshot) if snapshot.phase == "naming" else {},
        verdict=_say_verdict(snapshot, words) if audience.view == "wall" else "",
    )


def _say_verdict(snapshot: Snapshot, words: Words) -> str:
    told = [each for each in snapshot.messages if each.key in _VERDICTS]
    return words.say_all(told or [each for each in snapshot.messages if each.key in _RESULTS][:1], snapshot.tiles)


def _examples(snapshot: Snapshot) -> dict[str, tuple[int, ...]]:
    rules = fleet_rules_of(snapshot.game or "", _options_of_dice(snapshot))
    return {name: example_of(rules, rules.combination(name)) for name in rules.card.combinations}


def _options_of_dice(snapshot: Snapshot) -> dict[str, object]:
    return {each.name: snapshot.options[each.name] for each in fields(FleetOptions)}


def say_joker(joker: str, words: Words) -> str:
    """Return the name of the sixth face of the dice."""
    _ = words.gettext
    return {"boat": _("boat"), "bolt": _("bolt")}[joker]


def _runner(column: ColumnView, snapshot: Snapshot, race: RaceView, titles: Mapping[str, str], words: Words) -> Runner:
    _, seat = words.gettext, next(seat for seat in snapshot.seats if seat.name == column.player)
    races = _is_on(snapshot) and column.chip is None and not column.out
    does = _("played by the box") if seat.house else ""
    if column.player in snapshot.winners:
        does = _("has won")
    elif races:
        does = _("shows the dice") if column.shouted else "" if column.named else _("races")
    elif column.out:
        does = _("no chip in this round")
    elif seat.held and not seat.here:
        does = _("away")
    elif snapshot.phase == "naming" and snapshot.options.get("challenge") != "in_turn":
        does = _("has named") if column.has_named else _("is naming")
    joker = say_joker(race.joker, words)
    return Runner(
        name=column.player,
        does=does,
        combination=titles.get(column.named or "", ""),
        chip=column.chip,
        total=column.total,
        coins=snapshot.coins.get(column.player),
        colour=column.colour,
        frozen=column.kept if races else (),
        dice=column.dice if races else (),
        spoken=tuple(joker if face == JOKER else str(face) for face in (*column.kept, *column.dice)),
        won=column.player in snapshot.winners,
    )


def _is_on(snapshot: Snapshot) -> bool:
    """Return True during a round, also while the tile of a chip is moving."""
    return snapshot.phase == "racing" or snapshot.can("end_round")


def _hand(
    column: ColumnView,
    snapshot: Snapshot,
    race: RaceView,
    theirs: Mapping[ActionKind, Action | None],
    titles: Mapping[str, str],
    words: Words,
) -> Hand:
    can = frozenset(kind for kind, action in theirs.items() if action is not None and column.player in action.by)
    is_frozen = snapshot.options.get("keeping") == "frozen"
    dice = [OwnDie(face) for face in column.dice]
    if not is_frozen:
        dice[:0] = [OwnDie(face, is_kept=True) for face in column.kept]
    names = column.named is None and ("name" in can or "shout" in can)
    question = ""
    if "shout" in can and column.named and snapshot.hints:
        # Which dice to keep, or how long it takes if the box does not know the player's dice.
        faces = {"throw": column.dice, "kept": column.kept} if is_frozen else {"throw": (*column.kept, *column.dice)}
        known = {name: Dice(shown).plain for name, shown in faces.items() if shown}
        question = json.dumps(
            {"game": snapshot.game, "set": _options_of_dice(snapshot), "combination": column.named, **known}
        )
    return Hand(
        name=column.player,
        say=_say_hand(column, snapshot, race, can, titles, words),
        colour=column.colour,
        actions=can,
        choices=tuple((name, title) for name, title in titles.items() if name not in column.boxes) if names else (),
        frozen=column.kept if is_frozen and "throw" in can else (),
        dice=tuple(dice) if "throw" in can else (),
        mark="".join(map(str, (*column.kept, "-", *column.dice))),
        question=question,
    )


def _say_hand(
    column: ColumnView,
    snapshot: Snapshot,
    race: RaceView,
    can: frozenset[ActionKind],
    titles: Mapping[str, str],
    words: Words,
) -> str:
    """Return the next thing to do, for one player; empty if it is the same for all."""
    _ = words.gettext
    given = {"combination": titles.get(column.named or "", ""), "round": snapshot.round, "rounds": race.rounds}
    given["chip"] = column.chip
    if snapshot.phase == "naming" and "name" in can:
        if race.namer is not None:
            return _("Round %(round)s of %(rounds)s: you name a combination for all.") % given
        if column.has_named:
            return _("You have named one. The others have not named theirs yet.")
        return _("Round %(round)s of %(rounds)s: name a combination.") % given
    if snapshot.phase == "ready" and column.named:
        if snapshot.simulated:
            return _("For you: %(combination)s. Your six dice come at GO.") % given
        return _("For you: %(combination)s. Take your six dice.") % given
    if not _is_on(snapshot) or snapshot.fault is not None:
        return ""
    if column.chip is not None:
        return _("You have the chip of %(chip)s. The others are still racing.") % given
    if column.out:
        return _("No chip for you in this round.")
    if column.shouted:
        if not snapshot.camera_reads:
            return _("Say what your dice show.")
        if not snapshot.simulated:
            return _("Lay your six dice on the baize.")
        if not (column.dice or column.kept):
            return _("The box sees none of your dice: type what they show, or keep playing.")
        return _("The box looks at your dice.")
    if race.left_s is not None:
        return _("You are last: hurry.")
    if column.named is None:
        return _("Go for any combination that you have left.")
    return _("Go for %(combination)s.") % given
