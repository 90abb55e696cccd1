"""What everybody is told besides the game: how long each of it stands, and that whoever watches sees all of it."""

from controller.game import Message, Messages, Snapshot, compose
from controller.referee.bulletin import Bulletin, Told

LOST = compose("journal.lost", game_id=1, events=2)
UNREAD = compose("error", code="unread")
THINKING = compose("error", code="thinking")


def draw(told: Told) -> Snapshot:
    return Snapshot(told.number, "wood", "", messages=(*told.found, *told.notice, *told.news))


def open_bulletin(*found: Message) -> Bulletin:
    return Bulletin(draw, notice=(), found=found)


def said(bulletin: Bulletin) -> Messages:
    return bulletin.snapshot.messages


async def test_each_snapshot_has_a_number_of_its_own_and_goes_to_all_who_watch() -> None:
    bulletin = open_bulletin()
    async with bulletin.watch() as early:
        bulletin.publish((UNREAD,))
        async with bulletin.watch() as late:
            assert bulletin.watchers == 2
            bulletin.tell()
            assert [early.get_nowait().number for _ in range(3)] == [0, 1, 2]
            assert [late.get_nowait().number for _ in range(2)] == [1, 2]
    assert bulletin.watchers == 0


def test_a_notice_stands_until_another_takes_its_place() -> None:
    bulletin = open_bulletin()
    bulletin.publish((UNREAD,))
    bulletin.tell()
    assert said(bulletin) == (UNREAD,)
    bulletin.publish()
    assert said(bulletin) == ()


def test_what_is_amiss_with_the_journal_outlasts_notices_and_goes_when_somebody_goes_on() -> None:
    bulletin = open_bulletin(LOST)
    bulletin.note_found((UNREAD,))
    bulletin.publish()
    assert said(bulletin) == (LOST, UNREAD)
    bulletin.drop_found()
    bulletin.tell()
    assert said(bulletin) == ()


def test_news_are_told_with_the_next_snapshot_and_outlast_notices() -> None:
    bulletin = open_bulletin()
    bulletin.note_news((THINKING,))
    assert said(bulletin) == ()
    bulletin.publish((UNREAD,))
    bulletin.publish()
    assert said(bulletin) == (THINKING,)


def test_after_a_job_stands_what_stood_before_it_unless_something_else_was_said() -> None:
    bulletin = open_bulletin()
    bulletin.publish((UNREAD,))
    bulletin.say_meanwhile(THINKING)
    assert said(bulletin) == (THINKING,)
    bulletin.end_meanwhile()
    assert said(bulletin) == (UNREAD,)
    bulletin.say_meanwhile(THINKING)
    bulletin.publish((LOST,))
    bulletin.end_meanwhile()
    assert said(bulletin) == (LOST,)
