"""What is true of a game: the same whether its events come one by one or together, and each of them is kept."""

from itertools import count

from controller.game.core.commands import Command, ConfirmTiles, Park, StartGame
from controller.game.core.players import Origin, Player
from controller.game.shutbox.commands import Choose, TakeThrow
from controller.game.table.engines import decide, digest_of, replay
from controller.game.table.resume_point import ResumePoint, resume_point_of
from controller.journal.store import Entry
from controller.referee.jobs.turn import ROLL_S, Throwing
from controller.referee.recorder import Record

ANN = Origin("terminal", 0)
TILES = ("front-1", "front-3", "front-8", "back-1")
COMMANDS: tuple[Command, ...] = (
    StartGame((Player("Ann"),)),
    ConfirmTiles(),
    TakeThrow((5, 3)),
    Choose(("front-8",)),
    Park(),
)


def _played() -> tuple[Record, list[Entry]]:
    """A game of which every action was recorded by itself."""
    clock = count(1)
    record, kept = Record(game_id=7, resume_point=ResumePoint(frozenset(TILES))), list[Entry]()
    for command in COMMANDS:
        events = decide(record.game, command)
        record, entries = record.after(events, ANN, lambda: str(next(clock)))
        kept += entries
    return record, kept


def test_every_event_is_kept_with_its_number_its_time_and_what_the_game_became() -> None:
    record, kept = _played()
    assert record.game is not None
    assert [entry.number for entry in kept] == list(range(1, record.events + 1))
    assert [entry.at for entry in kept] == [str(number) for number in range(1, record.events + 1)]
    assert replay([entry.event for entry in kept]) == record.game
    assert kept[-1].digest == digest_of(record.game)
    assert {entry.origin for entry in kept} == {ANN} == {record.origin}


def test_events_that_come_together_lead_where_they_lead_one_by_one() -> None:
    record, kept = _played()
    events = [entry.event for entry in kept]
    together, _ = Record(game_id=7, resume_point=ResumePoint(frozenset(TILES))).after(events, ANN, str)
    assert together == record
    assert together.resume_point == resume_point_of(events, TILES)


def test_what_was_compared_stays_compared() -> None:
    _, kept = _played()
    record, _ = Record().after([entry.event for entry in kept], ANN, str)
    assert record.resume_point is None
    assert not record.is_comparing


def test_dice_roll_until_they_were_looked_at_or_have_had_their_time() -> None:
    thrown = Throwing(dice_wanted=1).begin(10.0)
    assert thrown.is_reading(10.0 + 2 * ROLL_S)  # nobody has looked yet
    still_rolling = thrown.unread(is_told=False)
    assert still_rolling.is_reading(10.0 + ROLL_S - 0.1)
    assert not still_rolling.is_reading(10.0 + ROLL_S + 0.1)
    assert not thrown.unread(is_told=True).is_reading(10.1)
    assert still_rolling.dice_wanted == 1


def test_nothing_is_read_before_a_throw() -> None:
    assert not Throwing().is_reading(0.0)
