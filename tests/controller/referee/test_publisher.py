"""What everybody is told besides the game: how long each of it stands, and that whoever watches sees all of it."""

from controller.game.core.message import Message, Messages, compose
from controller.game.table.snapshot import Snapshot
from controller.referee.publisher import Notices, SnapshotPublisher

LOST = compose("journal.lost", game_id=1, events=2)
UNREAD = compose("error", code="unread")
THINKING = compose("error", code="thinking")


def draw(notices: Notices) -> Snapshot:
    return Snapshot(notices.number, "wood", "", messages=(*notices.found, *notices.notice, *notices.news))


def open_publisher(*found: Message) -> SnapshotPublisher:
    publisher = SnapshotPublisher(draw, notice=(), found=found)
    publisher.start()
    return publisher


def said(publisher: SnapshotPublisher) -> Messages:
    return publisher.snapshot.messages


async def test_each_snapshot_has_a_number_of_its_own_and_goes_to_all_who_watch() -> None:
    publisher = open_publisher()
    async with publisher.watch() as early:
        publisher.publish((UNREAD,))
        async with publisher.watch() as late:
            assert publisher.watchers == 2
            publisher.note_news((THINKING,))
            publisher.refresh()
            assert [early.get_nowait().number for _ in range(3)] == [0, 1, 2]
            assert [late.get_nowait().number for _ in range(2)] == [1, 2]
    assert publisher.watchers == 0


async def test_what_has_changed_nothing_is_not_sent_unless_it_is_said_again() -> None:
    publisher = open_publisher()
    async with publisher.watch() as watching:
        publisher.refresh()
        assert watching.qsize() == 1
        publisher.publish()
        assert [watching.get_nowait().number for _ in range(2)] == [0, 1]


def test_a_notice_stands_until_another_takes_its_place() -> None:
    publisher = open_publisher()
    publisher.publish((UNREAD,))
    publisher.refresh()
    assert said(publisher) == (UNREAD,)
    publisher.publish()
    assert said(publisher) == ()


def test_what_is_amiss_with_the_journal_outlasts_notices_and_goes_when_somebody_goes_on() -> None:
    publisher = open_publisher(LOST)
    publisher.note_found((UNREAD,))
    publisher.publish()
    assert said(publisher) == (LOST, UNREAD)
    publisher.drop_found()
    publisher.refresh()
    assert said(publisher) == ()


def test_news_are_told_with_the_next_snapshot_and_outlast_notices() -> None:
    publisher = open_publisher()
    publisher.note_news((THINKING,))
    assert said(publisher) == ()
    publisher.publish((UNREAD,))
    publisher.publish()
    assert said(publisher) == (THINKING,)


def test_after_a_job_stands_what_stood_before_it_unless_something_else_was_said() -> None:
    publisher = open_publisher()
    publisher.publish((UNREAD,))
    publisher.say_meanwhile(THINKING)
    assert said(publisher) == (THINKING,)
    publisher.end_meanwhile()
    assert said(publisher) == (UNREAD,)
    publisher.say_meanwhile(THINKING)
    publisher.publish((LOST,))
    publisher.end_meanwhile()
    assert said(publisher) == (LOST,)
