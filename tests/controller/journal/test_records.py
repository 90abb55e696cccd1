"""The records that are kept beside the events: the same that counting everything again would give, at no more work."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from controller.errors import JournalError
from controller.game.core.commands import StartGame
from controller.game.core.events import GameEnded, GameEvent
from controller.game.core.players import Player
from controller.game.shutbox.events import RoundEnded, TurnEnded
from controller.game.table.engines import decide
from controller.journal import record_table
from controller.journal.records import record_news, records_of
from controller.journal.replay import replay_all
from controller.journal.store import Entry, Journal
from controller.journal.tables import FORMAT
from controller.rules.tiles import Marks
from tests.controller.game.table.test_variants import alone, keep
from tests.support.said import text_of

TABLES = ("record_sums", "record_counted", "record_basis")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


def by_hand(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        for statement in statements:
            db.execute(statement)


def ask(path: Path, sql: str) -> object:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(sql).fetchone()[0]


def of_an_older_version(path: Path) -> None:
    by_hand(path, *(f"DROP TABLE {table}" for table in TABLES))


def sentences(path: Path, *, read_only: bool) -> list[str]:
    with Journal(path, read_only=read_only) as journal:
        return [text_of(record_news(journal, game_id)) for game_id in journal.game_ids()]


def append(journal: Journal, game_id: int, first: int, *events: GameEvent) -> None:
    entries = [Entry(number, "2026-01-01T00:00:00", event, "") for number, event in enumerate(events, first)]
    journal.append(game_id, "box", entries)


def play_many(path: Path, games: int, seed: int = 1) -> None:
    """Games of two players who play alone, by several rules; some are not finished, some only after a younger one."""
    chance = Random(seed)
    left: list[int] = []
    with Journal(path) as journal:
        for game_id in range(1, games + 1):
            options = chance.choice(({}, {"tiles": 10}, {"stake": 2}, {"match": "tournament"}))
            players = tuple(map(Player, chance.choice((["Ann"], ["Bob"], ["Ann", "Bob"]))))
            append(journal, game_id, 1, *decide(None, StartGame(players, "golf", options)))
            left.append(game_id)
            if chance.random() < 0.8:
                game = left.pop(chance.randrange(len(left)))
                append(journal, game, 2, TurnEnded(0, chance.randint(0, 9)), RoundEnded((0,)), GameEnded((0,)))


@pytest.mark.parametrize("seed", range(5))
def test_what_is_kept_is_what_the_events_say(path: Path, seed: int) -> None:
    play_many(path, 60, seed)

    assert sentences(path, read_only=False) == sentences(path, read_only=True)


@pytest.mark.parametrize("games", [2, 200])
def test_the_end_of_a_game_takes_the_same_work_however_many_games_there_are(path: Path, games: int) -> None:
    """The steps of SQLite's machine, one a callback, from the end of a turn to the sentence about it."""
    steps = [0]

    def step() -> int:
        steps[0] += 1
        return 0

    with Journal(path) as journal:
        start = decide(None, StartGame((Player("Ann"),), "golf"))
        for game_id in range(1, games + 1):
            append(journal, game_id, 1, *start, TurnEnded(0, 8 + game_id))
        append(journal, games + 1, 1, *start)
        journal._db.set_progress_handler(step, 1)
        append(journal, games + 1, 2, TurnEnded(0, 7))
        assert text_of(record_news(journal, games + 1)) == f"A new best: 7, after 9 in {games} games."

    assert steps[0] < 700


def test_a_journal_of_an_older_version_is_counted_when_it_is_opened(path: Path) -> None:
    play_many(path, 30)
    expected = sentences(path, read_only=False)
    of_an_older_version(path)

    assert sentences(path, read_only=True) == expected
    assert sentences(path, read_only=False) == expected


def test_what_an_older_version_wrote_meanwhile_is_counted_too(path: Path) -> None:
    with Journal(path) as journal:
        alone(journal, 20)
        append(journal, 2, 1, *decide(None, StartGame((Player("Ann"),), "golf")))
    ended = '{"player":0,"score":5,"lost":false,"kind":"turn_ended"}'
    by_hand(path, f"INSERT INTO event VALUES (2, 2, '2026-01-01T00:00:00', '{ended}', '', 'box', 1, NULL)")  # noqa: S608

    assert sentences(path, read_only=False)[-1] == "A new best: 5, after 20 in one game."


def test_counting_that_was_killed_goes_on_where_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play_many(path, 30)
    expected = sentences(path, read_only=True)
    of_an_older_version(path)
    count = record_table.RecordTable._count

    def killed_at_20(table: record_table.RecordTable, game_id: int) -> None:
        count(table, game_id)
        if game_id == 20:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(record_table, "_GAMES_A_COMMIT", 7)
        patched.setattr(record_table.RecordTable, "_count", killed_at_20)
        with pytest.raises(KeyboardInterrupt):
            Journal(path)

    assert ask(path, "SELECT max(game) FROM record_counted") == 14
    assert sentences(path, read_only=False) == expected


def test_other_rules_of_what_is_alike_count_all_anew(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Journal(path) as journal:
        alone(journal, 20)
        alone(journal, 10, stake=3)
    assert sentences(path, read_only=False)[-1] == "A new best: 10, after 20 in one game."
    monkeypatch.setattr("controller.journal.record_table._OF_THE_TABLE", frozenset())

    assert sentences(path, read_only=False)[-1] == "The first score of Ann on record in Golf: 10."


def test_scores_of_forty_digits_are_kept_too(path: Path) -> None:
    """The 300 scored by its digits: 24 tiles, more than half of them with two."""
    start = decide(None, StartGame((Player("Ann"),), "the-300", {"score": "digits"}))
    all_tiles = int("".join(map(str, range(1, 25))))
    with Journal(path) as journal:
        for game_id, score in enumerate((all_tiles, all_tiles - 1, all_tiles + 2), 1):
            append(journal, game_id, 1, *start, TurnEnded(0, score))

    kept = sentences(path, read_only=False)
    assert kept[-1].startswith(f"The best of 3 games is {all_tiles - 1}, ")
    assert kept == sentences(path, read_only=True)


def test_a_table_of_the_form_before_is_counted_anew(path: Path) -> None:
    play_many(path, 30)
    by_hand(path, "DELETE FROM record_sums", "UPDATE record_basis SET digest = substr(digest, 3)")

    assert sentences(path, read_only=False) == sentences(path, read_only=True)


def test_a_damaged_game_keeps_nobody_from_playing_and_the_record_says_so(path: Path) -> None:
    with Journal(path) as journal:
        alone(journal, 20, 10)
    of_an_older_version(path)
    by_hand(path, 'UPDATE event SET body = \'{"kind":"turn_ended"}\' WHERE game = 1 AND number = 2')

    with Journal(path) as journal:
        alone(journal, 9)
        with pytest.raises(JournalError, match="an event of game 1 cannot be read"):
            record_news(journal, 3)


def test_a_full_disk_keeps_nobody_from_opening_a_journal_without_tables(path: Path) -> None:
    with Journal(path) as journal:
        alone(journal, 20, 10)
    of_an_older_version(path)

    def refuse() -> str:
        """Fail where the tables are made."""
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(record_table, "basis_digest", refuse)
        with Journal(path) as journal:
            alone(journal, 7)
            with pytest.raises(JournalError, match="the disk is full"):
                record_news(journal, 3)
    assert sentences(path, read_only=False)[-1] == sentences(path, read_only=True)[-1]


def test_the_tables_are_no_part_of_the_format(path: Path) -> None:
    with Journal(path) as journal:
        alone(journal, 20, 10, marks=Marks({"front-9": "sun"}))
        assert [record.scores for record in records_of(journal)] == [(20, 10)]
    assert ask(path, "PRAGMA user_version") == FORMAT == 8
    before = [replayed.events for replayed in replay_all(path)]
    of_an_older_version(path)
    assert [replayed.events for replayed in replay_all(path)] == before


def test_marks_and_several_games_of_others_lie_between(path: Path) -> None:
    with Journal(path) as journal:
        alone(journal, 20, 7)
        keep(journal, StartGame((Player("Ann"), Player("Bob")), "golf", {"first": "chosen"}), TurnEnded(0, 5))
        alone(journal, 3, marks=Marks({"front-9": "sun"}, {"sun": 90}))
        alone(journal, 8)
    assert sentences(path, read_only=False) == [
        "The best of 3 games is 7, the average 11.7.",
        "The best of 3 games is 7, the average 11.7.",
        "",
        "The first score of Ann on record in Golf: 3.",
        "The best of 3 games is 7, the average 11.7.",
    ]


def lone_game() -> list[GameEvent]:
    """A whole game of one who plays alone, one move long."""
    started = decide(None, StartGame((Player("Ann"),), "pub"))
    return [*started, TurnEnded(0, 9), RoundEnded((0,)), GameEnded((0,))]


def test_a_read_that_fails_while_it_is_counted_takes_no_event_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite takes a transaction back by itself when a read in it fails, of memory or of the disk."""

    def fail(table: record_table.RecordTable, _sql: str, *_values: object) -> list[object]:
        table._db.rollback()
        raise JournalError("the disk does not answer")

    with Journal(path) as journal:
        append(journal, 1, 1, *lone_game()[:1])
        with monkeypatch.context() as patched:
            patched.setattr(record_table.RecordTable, "_rows", fail)
            append(journal, 1, 2, *lone_game()[1:])

        assert [entry.number for entry in journal.entries(1)] == [1, 2, 3, 4]
        with pytest.raises(JournalError, match="does not answer"):
            journal.running_record(1)
    assert sentences(path, read_only=False) == sentences(path, read_only=True)


@pytest.mark.parametrize("table", ["record_sums", "record_counted"])
def test_a_table_that_cannot_be_written_keeps_nobody_from_playing(path: Path, table: str) -> None:
    with Journal(path) as journal:
        append(journal, 1, 1, *lone_game())
    by_hand(path, f"CREATE TRIGGER broken BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'worn out'); END")

    with Journal(path) as journal:
        append(journal, 2, 1, *lone_game())

        assert [entry.number for entry in journal.entries(2)] == [1, 2, 3, 4]
        with pytest.raises(JournalError, match="the disk does not take"):
            journal.running_record(2)
