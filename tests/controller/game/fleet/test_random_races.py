"""Races by chance, with every option: the books agree, the journal tells it all, and nothing is ever out of words.

A second bookkeeper hears every event. Every race is replayed at its end from events that went through JSON; every
fifth is compared with its replay, read back, and put into snapshots and sentences at each event.
"""

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from controller.errors import NotNow
from controller.game.core.commands import (
    Abandon,
    Believe,
    Command,
    ConfirmTiles,
    GoOn,
    Park,
    PutRight,
    ReportFault,
    ReportTiles,
    StartGame,
    TryAgain,
    Undo,
)
from controller.game.core.events import GameEvent, GameStarted
from controller.game.core.message import CATALOGUE
from controller.game.core.phases import FoundTile, Halted, Moving, Parked, TileMismatch
from controller.game.core.players import Player
from controller.game.core.sight import SnapshotContext
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
from controller.game.fleet.messages import describe_race_due
from controller.game.fleet.state import Counting, Naming, Race, Racing, Ready, RollingOff
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectGame, EndTurn, TakeThrow
from controller.game.table.engines import actions_of, decide, describe_moment, digest_of, evolve, news_of, replay
from controller.game.table.snapshot import SNAPSHOT, snapshot_of
from controller.game.table.wire import EVENT
from controller.rules.errors import IllegalMove, InvalidNotation, InvalidOption
from controller.rules.fleet.cards import CARDS, CHOICES
from controller.rules.fleet.dice import FACES, Dice
from hardware.errors import Fault
from hardware.tiles import Position
from tests.campaigns.races.books import RaceBooks
from tests.support.long import long_but_every
from tests.support.races import NAMES, RIGHT, WRONG

if TYPE_CHECKING:
    from controller.game.core.engine import AnyGame

BATCHES, BATCH = 50, 10
FEW = {"timer": (0, 5), "stake": (0, 1, 2, 5)}
JAM = Fault("H-301", "front-1", "SHUT", "OPEN", "Free the tile.")
BLIND = Fault("V-101", "camera", "a picture", "none", "See to the camera.")
KNOWN_ERRORS = (NotNow, IllegalMove, InvalidNotation, InvalidOption)


def start_of(chance: random.Random) -> StartGame:
    options = {choice.name: chance.choice(FEW.get(choice.name, choice.allowed)) for choice in CHOICES}
    players = [Player(name, house=chance.random() < 0.2) for name in NAMES[: chance.randint(2, 6)]]
    return StartGame(tuple(players), chance.choice(list(CARDS)), options)


def dice_of(chance: random.Random, race: Race, seat: int) -> tuple[int | str, ...]:
    cry = race.cry_of(seat)
    name = (cry.combination if cry else None) or race.named[seat]
    if name and chance.random() < 0.8:
        return RIGHT[name]
    return chance.choice([WRONG, tuple(Dice(tuple(chance.choice(FACES) for _ in range(6))).plain)])


def anything(chance: random.Random, race: Race) -> Command:
    """Any command at all, for this moment or not."""
    name = chance.choice([None, "Zoe", *NAMES])
    commands: list[Command] = [
        NameCombination(chance.choice([*RIGHT, "nonsense"]), name),
        CallGo(),
        CountDown(),
        Shout(chance.choice([None, *RIGHT, "nonsense"]), name, at_ms=chance.randint(0, 300)),
        WithdrawShout(name),
        Claim(dice_of(chance, race, chance.randrange(len(race.players))), name),
        Claim(chance.choice([(2,) * 5, ("anchor",) * 6, (1,) * 6]), name),
        PassSecond(),
        EndRound(),
        Undo(vouched=chance.random() < 0.5),
        TakeThrow((5, 3)),
        Choose(("front-1",)),
        AcceptLoss(),
        EndTurn(),
        CorrectGame(),
        GoOn(),
        TryAgain(),
        Believe(),
        PutRight(),
        ConfirmTiles(),
        Park(),
        ReportFault(JAM),
        StartGame((Player("Ann"), Player("Bob")), "fleet"),
        ReportTiles((FoundTile("front-1", Position.SHUT, Position.OPEN),)),
    ]
    return chance.choice(commands)


def due(chance: random.Random, race: Race, now_ms: int) -> Command:
    """What is due, or now and then something else that may happen at a table."""
    if chance.random() < 0.03:
        return anything(chance, race)
    if chance.random() < 0.0005:
        return Abandon()
    if race.earlier is not None and chance.random() < 0.1:
        return Undo(vouched=True)
    match race.phase:
        case RollingOff():
            seat = next(seat for seat in race.rolling if race.rolls[seat] is None)
            return Claim(tuple(chance.choice((5, 6, "joker")) for _ in range(6)), race.players[seat].name)
        case Naming():
            seat = next(iter(race.due_to_name))
            return NameCombination(chance.choice(race.left(seat)), race.players[seat].name)
        case Ready():
            return CallGo()
        case Counting():
            return CountDown()
        case Moving() if chance.random() < 0.6 or not isinstance(race.resting, Racing):
            return ConfirmTiles()
        case Racing() | Moving():
            return racing(chance, race, now_ms)
        case Halted():
            return TryAgain() if chance.random() < 0.5 else ConfirmTiles()
        case Parked():
            return GoOn()
        case TileMismatch():
            return PutRight() if chance.random() < 0.5 else ConfirmTiles()
    raise AssertionError(f"what is due in {race.phase}?")


def racing(chance: random.Random, race: Race, now_ms: int) -> Command:
    quiet = [seat for seat in race.racing if race.cry_of(seat) is None]
    waiting = [cry for cry in race.cries if cry.dice is None]
    if race.left_s is not None and chance.random() < 0.5:
        return PassSecond()
    if quiet and chance.random() < 0.45:
        seat = chance.choice(quiet)
        name = race.named[seat] or chance.choice(race.left(seat))
        player = None if len(race.players) == 2 and chance.random() < 0.4 else race.players[seat].name
        return Shout(name if player else None, player, at_ms=now_ms)
    if waiting:
        cry = chance.choice(waiting)
        seat = chance.choice(race.racing) if cry.seat is None else cry.seat
        if chance.random() < 0.15:
            return WithdrawShout(None if cry.seat is None else race.players[seat].name)
        return Claim(dice_of(chance, race, seat), race.players[seat].name)
    return EndRound() if chance.random() < 0.05 else PassSecond()


def played(chance: random.Random) -> Iterator[tuple[Race | None, tuple[GameEvent, ...], Race]]:
    """Every step of a race by chance: the race before it, its events, the race after it."""
    race: Race | None = None
    events = decide(None, start_of(chance))
    now_ms, steps = 0, 0
    while True:
        before = race
        for event in events:
            after = evolve(race, event)
            assert isinstance(after, Race)
            race = after
        assert race is not None
        if events:
            yield before, events, race
        steps += 1
        assert steps < 20_000, f"the race comes to no end: {race}"
        if race.is_over:
            return
        now_ms += chance.choice((0, 20, 90, 400))
        with suppress(*KNOWN_ERRORS):
            decide(race, anything(chance, race))
        try:
            events = decide(race, due(chance, race, now_ms))
        except KNOWN_ERRORS:
            events = ()


@pytest.mark.parametrize("batch", long_but_every(BATCHES, range(BATCHES)))
def test_races_by_chance_with_every_option(batch: int) -> None:
    for number in range(BATCH):
        chance = random.Random(f"{batch}/{number}/races")
        looks_close = number % 5 == 0
        history: list[GameEvent] = []
        books: RaceBooks | None = None
        race: Race | None = None
        for before, step, race in played(chance):
            history += step
            for event in step:
                if books is None:
                    assert isinstance(event, GameStarted)
                    books = RaceBooks(event)
                else:
                    books.hear(event)
            assert books is not None
            assert not books.problems, (number, history[-6:])
            assert not [*books.differences(race)], (number, history[-6:])
            assert actions_of(race), race.phase
            if looks_close:
                look_close(before, step, race)
                assert digest_of(race) == digest_of(evolved(before, step))
        assert race is not None
        assert race.is_over
        again = replay(EVENT.validate_json(EVENT.dump_json(event)) for event in history)
        assert again == race


def evolved(race: Race | None, events: tuple[GameEvent, ...]) -> Race:
    """The race after events that went through JSON."""
    after: AnyGame | None = race
    for event in events:
        after = evolve(after, EVENT.validate_json(EVENT.dump_json(event)))
    assert isinstance(after, Race)
    return after


def look_close(before: Race | None, events: tuple[GameEvent, ...], race: Race) -> None:
    """Snapshot, news and messages can be made, by the catalogue, and every action says whose it is."""
    snapshot = snapshot_of(race, SnapshotContext(1, 1, "two-level-9", news=news_of(before, events, race)))
    assert SNAPSHOT.validate_json(SNAPSHOT.dump_json(snapshot)) == snapshot
    for message in (*snapshot.messages, describe_moment(race)):
        assert set(CATALOGUE[message.key].args) == set(message.args), message
    assert describe_race_due(race)
    for action in actions_of(race):
        assert action.by or action.kind == "start"
        assert set(action.by) <= {player.name for player in race.players}
        assert race.is_over or action.kind != "start"
    view = snapshot.race
    assert view is not None
    assert [column.total for column in view.columns] == [*race.totals]
    taken = [chip for chip in view.chips if chip.taken_by]
    assert sorted(name for chip in taken for name in chip.taken_by) == sorted(
        race.players[finish.seat].name for finish in race.finishes
    )
