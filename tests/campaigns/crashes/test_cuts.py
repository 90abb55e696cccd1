"""Power cuts in short form, that the campaign is not blind, and what it says of a journal that lost something."""

import json
import random
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from controller.journal.high_water_mark import HighWaterMark
from controller.runtime.output import Exit
from tests.campaigns.crashes import cuts
from tests.campaigns.crashes.crashes import CrashOrder, bench_crashes
from tests.campaigns.crashes.cuts import Outcome, Trial, attempt_cut, report_cuts
from tests.campaigns.crashes.first_look import FirstLook
from tests.campaigns.crashes.journal_play import Play, find_losses, made_up_key, play_until_power_goes
from tests.support.cards import needs_card

HONEST, LYING = 1, 9  # seeds, by which a card keeps its word, and by which one does not and something is lost


@needs_card
def test_a_card_that_keeps_its_word_loses_nothing_and_without_syncs_much_is_lost() -> None:
    assert Trial(HONEST, synced=True).kind != "lying"
    synced, unsynced = (attempt_cut(Trial(HONEST, synced)) for synced in (True, False))

    assert (synced.lost, synced.problem) == (0, "")
    assert synced.events > 10
    assert unsynced.lost > 0


@needs_card
@pytest.mark.parametrize(
    ("look", "told"),
    [
        (FirstLook(), False),
        (FirstLook(told=("game.unreadable",)), True),
        (FirstLook(witnessed=True), False),
        (FirstLook(told=("game.unreadable",), problem="it does not start"), False),
    ],
)
def test_what_a_lying_card_has_lost_is_bad_unless_people_are_told(
    monkeypatch: pytest.MonkeyPatch, look: FirstLook, told: bool
) -> None:
    async def look_at(_data: Path, _seen: HighWaterMark | None) -> FirstLook:
        return look

    monkeypatch.setattr(cuts, "look_at_home", look_at)
    outcome = attempt_cut(Trial(LYING, synced=True))
    assert (outcome.trial.kind, outcome.lost > 0) == ("lying", True)
    assert outcome.told is told
    assert outcome.is_good is (told or look.witnessed)


@pytest.mark.long
@needs_card
def test_whoever_had_watched_has_a_lying_cards_loss_told() -> None:
    """By itself a card that has gone back to an earlier moment altogether shows nothing of it."""
    outcome = attempt_cut(Trial(LYING, synced=True))
    assert (outcome.trial.kind, outcome.lost > 0, outcome.told, outcome.witnessed) == ("lying", True, False, True)


@pytest.fixture
def played(tmp_path: Path) -> tuple[Path, Play]:
    path = tmp_path / "journal.sqlite3"
    return path, play_until_power_goes(path, random.Random(1), commits=40)


def test_a_journal_that_has_what_it_acknowledged_lacks_nothing(played: tuple[Path, Play]) -> None:
    path, play = played
    assert play.events > len(play.acknowledged) == 40
    assert find_losses(path, play).problem == ""
    last = play.acknowledged.pop()
    play.in_hand = last
    assert find_losses(path, play).problem == "", "a command in hand may be there as a whole"


def remove_last_event(play: Play) -> str:
    game, number = play.acknowledged[-1].game_id, play.acknowledged[-1].entries[-1].number
    return f"DELETE FROM event WHERE game = {game} AND number = {number}"  # noqa: S608


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        (remove_last_event, "^1 of .* acknowledged events are lost"),
        (lambda _: "UPDATE event SET key = NULL", "the key of the last command is lost"),
        (lambda _: "UPDATE event SET digest = 'x' WHERE game = 1 AND number = 2", "leads to another state"),
        (lambda _: "DROP TABLE event", "acknowledged events are lost"),
    ],
)
def test_what_is_lost_is_noticed(played: tuple[Path, Play], sql: Callable[[Play], str], says: str) -> None:
    path, play = played
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(sql(play))
    assert re.search(says, find_losses(path, play).problem)


def test_a_loss_that_is_told_and_is_none_is_noticed(played: tuple[Path, Play]) -> None:
    path, play = played
    path.with_suffix(".mark").unlink()
    assert "nothing is lost, and people are told" in find_losses(path, play).problem


def test_a_part_of_the_command_in_hand_is_noticed_and_so_is_what_nobody_wrote(played: tuple[Path, Play]) -> None:
    path, play = played
    last = play.acknowledged.pop()
    assert find_losses(path, play).problem == "there are events that nobody wrote"
    play.in_hand = replace(last, key=made_up_key("another one"))
    assert find_losses(path, play).problem == "a part of the command in hand is there"


GOOD = Outcome(Trial(7, synced=True), 20)
LOST = Outcome(Trial(7, synced=False), 20, 20, "20 of 20 acknowledged events are lost")


def test_a_campaign_that_sees_no_loss_where_nothing_is_synced_is_blind() -> None:
    kept = replace(LOST, lost=0)
    assert report_cuts([GOOD, *[kept] * 94, *[LOST] * 6], 1.0).passed
    [problem] = report_cuts([GOOD, *[kept] * 96, *[LOST] * 4], 1.0).problems
    assert "blind" in problem
    assert report_cuts([GOOD, kept], 1.0).passed, "of a few any may have lost nothing"


def test_a_loss_is_told_with_the_command_that_makes_it_again() -> None:
    report = report_cuts([replace(GOOD, lost=2, problem="2 of 20 acknowledged events are lost"), LOST], 1.0)
    assert [*report.problems] == [
        "python -m tests.campaigns crashes --cuts 1 --seed 7: lost: 2 of 20 acknowledged events are lost"
    ]
    assert not report.passed


@needs_card
def test_the_campaign_reports_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_crashes(CrashOrder(cuts=1), HONEST, 1, as_json=True) is Exit.DONE
    told = json.loads(capsys.readouterr().out)
    assert (told["mode"], told["cuts"], told["honest_lost"], told["unsynced_lost"]) == ("cuts", 1, 0, 1)
