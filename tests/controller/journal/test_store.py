"""The journal: what was committed is there, and what was tampered with is noticed."""

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from controller.errors import JournalDamaged, JournalDiffers, JournalFormat, JournalUnwritable
from controller.game.core.commands import Command, ConfirmTiles, StartGame
from controller.game.core.events import GameEvent, GameStarted
from controller.game.core.phases import Ended
from controller.game.core.players import Player
from controller.game.shutbox.commands import Choose, TakeThrow
from controller.game.shutbox.events import TurnEnded
from controller.game.shutbox.evolve import evolve_box_game as evolve
from controller.game.shutbox.state import Choosing, Game
from controller.game.table.engines import decide, digest_of
from controller.journal.records import records_of
from controller.journal.replay import games_of, replay_all, replay_checked
from controller.journal.store import Entry, Journal
from controller.journal.tables import FORMAT
from controller.rules.shutbox.ruleset import rules_of
from controller.rules.throw import Throw

STORY: tuple[Command, ...] = (
    StartGame((Player("Ann"), Player("Bob")), options={"first": "chosen"}),
    ConfirmTiles(),
    TakeThrow((5, 3), "camera"),
    Choose(("front-8",)),
)


def write_story(path: Path) -> Game:
    game: Game | None = None
    number = 0
    with Journal(path) as journal:
        game_id = journal.next_game_id()
        for command in STORY:
            for event in decide(game, command):
                game, number = evolve(game, event), number + 1
                journal.append(game_id, "two-level-9", [Entry(number, "2026-01-01T00:00:00", event, digest_of(game))])
    assert game is not None
    return game


def write_damaged(path: Path, sql: str) -> None:
    """The story, of which a flaw of the disk has changed one event."""
    write_story(path)
    with closing(sqlite3.connect(path)) as db, db:
        assert db.execute(sql).rowcount == 1


def test_a_journal_replays_to_the_game_that_wrote_it(tmp_path: Path) -> None:
    game = write_story(tmp_path / "journal.sqlite3")

    [replayed] = replay_all(tmp_path / "journal.sqlite3")

    assert (replayed.game, replayed.events, replayed.problem) == (game, 4, "")


def test_every_commit_is_synced_to_the_disk(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite3") as journal:
        assert journal._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)


def test_an_uncommitted_game_leaves_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal:
        journal.next_game_id()
    with Journal(path) as journal:
        assert journal.game_ids() == []


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("UPDATE event SET body = replace(body, 'front-8', 'front-5') WHERE number = 4", "event 4"),
        ("UPDATE event SET body = replace(body, '3,5', '4,5') WHERE number = 3", "another state"),
        ("DELETE FROM event WHERE number = 2", "event 2 is missing"),
    ],
)
def test_a_changed_event_is_noticed(tmp_path: Path, sql: str, says: str) -> None:
    path = tmp_path / "journal.sqlite3"
    write_damaged(path, sql)

    with Journal(path, read_only=True) as journal, pytest.raises(JournalDiffers, match=says):
        replay_checked(journal.entries(1))


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("UPDATE event SET body = replace(body, 'front-8', 'front-17') WHERE number = 4", r"event 4 \(move_chosen\)"),
        ("DELETE FROM event WHERE number = 1", r"event 2 \(tiles_confirmed\)"),
    ],
)
def test_a_game_that_fits_no_rules_is_told_to_who_counts_them(tmp_path: Path, sql: str, says: str) -> None:
    path = tmp_path / "journal.sqlite3"
    write_damaged(path, sql)

    with Journal(path, read_only=True) as journal, pytest.raises(JournalDiffers, match=f"game 1, {says}"):
        list(games_of(journal))


def test_an_unreadable_event_is_named(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    write_story(path)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE event SET body = 'nonsense' WHERE number = 3")
    db.close()

    with Journal(path, read_only=True) as journal, pytest.raises(JournalDamaged, match="event 3 of game 1"):
        journal.entries(1)


def test_a_file_that_is_no_journal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    path.write_text("These are not the bytes of a database. " * 40)

    with pytest.raises(JournalDamaged, match=r"journal\.sqlite3"):
        Journal(path)


def test_a_journal_of_another_format_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE other (x)")
        db.execute("PRAGMA user_version = 99")
    db.close()
    before = path.read_bytes()

    with pytest.raises(JournalFormat, match="format 99"):
        Journal(path)
    assert path.read_bytes() == before


def test_a_missing_journal_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(JournalDamaged, match="cannot be opened"):
        list(replay_all(tmp_path / "nothing.sqlite3"))


def test_what_cannot_be_written_did_not_happen_and_the_journal_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    write_story(path)
    with Journal(path) as journal:
        before = journal.entries(1)
        journal._db.execute("PRAGMA max_page_count = 1")
        too_much = [replace(before[0], number=number) for number in range(5, 2000)]
        with pytest.raises(JournalUnwritable, match="make room"):
            journal.append(1, "two-level-9", too_much)
        assert journal.entries(1) == before
        journal._db.execute("PRAGMA max_page_count = 100000")
        journal.append(1, "two-level-9", too_much[:1])
        assert len(journal.entries(1)) == len(before) + 1


def test_a_journal_of_the_first_format_still_replays(tmp_path: Path) -> None:
    """`tests/data` keeps a journal of every format ever written: here a finished game and one that goes on."""
    path = tmp_path / "journal.sqlite3"
    shutil.copy(Path(__file__).parents[2] / "data" / "journal-format-1.sqlite3", path)

    finished, unfinished = replay_all(path)

    assert (finished.problem, unfinished.problem) == ("", "")
    assert isinstance(finished.game, Game)
    assert finished.game.is_over
    assert finished.game.scores == (7, 0)
    assert unfinished.game is not None
    assert str(unfinished.game.board) == "1 2 3 4 5 6 7 . 9/9 8 7 6 5 4 3 2 1"


def test_a_journal_of_the_second_format_still_replays(tmp_path: Path) -> None:
    """A match for points with stakes, a throw for who begins and a play-off; and a drop-out with marks that goes on."""
    path = tmp_path / "journal.sqlite3"
    shutil.copy(Path(__file__).parents[2] / "data" / "journal-format-2.sqlite3", path)

    finished, unfinished = replay_all(path)

    assert (finished.problem, unfinished.problem) == ("", "")
    assert isinstance(finished.game, Game)
    assert finished.game.phase == Ended((2,))
    assert (finished.game.match.round, finished.game.match.points) == (4, (1, 1, 2))
    assert finished.game.match.ledger.balances == (-6, 0, 6)
    assert isinstance(unfinished.game, Game)
    assert (unfinished.game.match.totals, unfinished.game.match.ledger.pool) == ((34, 11), 10)
    assert unfinished.game.phase == Choosing(Throw((4, 6)))
    assert str(unfinished.game.board) == "sun 2 3 4 5 6 7 8 9"


def test_a_journal_of_the_third_format_still_replays(tmp_path: Path) -> None:
    """A tile that was believed, a turn that was ended after a fault, and another tile that is believed now."""
    path = tmp_path / "journal.sqlite3"
    shutil.copy(Path(__file__).parents[2] / "data" / "journal-format-3.sqlite3", path)

    (unfinished,) = replay_all(path)

    assert unfinished.problem == ""
    assert isinstance(unfinished.game, Game)
    assert unfinished.game.believed == {"front-8"}
    assert unfinished.game.scores[1] is None
    assert str(unfinished.game.board) == "1 2 3 4 5 6 7 . 9/9 8 7 6 5 4 3 2 1"


@pytest.mark.parametrize("number", range(1, FORMAT))
def test_an_event_of_any_format_is_read_as_one_of_today(tmp_path: Path, number: int) -> None:
    """Also once the file says today's format, because a game was added; what was written stays as it was."""
    path = tmp_path / "journal.sqlite3"
    shutil.copy(Path(__file__).parents[2] / "data" / f"journal-format-{number}.sqlite3", path)
    before = bodies(path)

    game = write_story(path)

    *old, new = replay_all(path)
    assert [replayed.problem for replayed in old] == [""] * len(old)
    assert (new.game, new.problem) == (game, "")
    assert bodies(path)[: len(before)] == before
    with Journal(path, read_only=True) as journal:
        first = [journal.entries(each)[0].event for each in journal.game_ids()]
        began = [event for event in first if isinstance(event, GameStarted)]
        assert len(began) == len(old) + 1
        assert all(set(event.options) == set(rules_of(event.game).chosen) for event in began)


def test_who_played_alone_before_there_were_matches_goes_on_with_his_record(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    options = {"tiles": 9, "one_die": "high_covered", "one_die_limit": 6, "one_die_forced": False, "max_tiles": 0}
    players = [{"name": "Ann", "house": False}]
    began = {"game": "pub", "options": {**options, "shut": "immediate"}, "players": players, "kind": "game_started"}
    with Journal(path) as journal:
        write_turn(journal, GameStarted("pub", rules_of("pub").chosen, (Player("Ann"),)), 7)
        write_turn(journal, GameStarted("pub", rules_of("pub").chosen, (Player("Ann"),)), 12)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE event SET body = ? WHERE game = 1 AND number = 1", (json.dumps(began),))
    db.close()

    with Journal(path, read_only=True) as journal:
        [record] = records_of(journal)

    assert (record.scores, record.options) == ((7, 12), {})


def bodies(path: Path) -> list[tuple[str, str]]:
    with sqlite3.connect(path) as db:
        found = db.execute("SELECT body, digest FROM event ORDER BY game, number").fetchall()
    db.close()
    return found


def write_turn(journal: Journal, began: GameStarted, score: int) -> None:
    """A game whose only turn ended so; nobody replays it."""
    game_id = journal.next_game_id()
    events: tuple[GameEvent, ...] = (began, TurnEnded(0, score))
    journal.append(game_id, "classic-9", [Entry(number, "", event, "") for number, event in enumerate(events, 1)])
