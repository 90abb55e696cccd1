"""A journal is opened whatever a card has made of it, and nobody is shown an older game without a word."""

import errno
import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from controller.errors import JournalDamaged, JournalUnwritable
from controller.game.core.commands import Abandon, Command, ConfirmTiles, StartGame
from controller.game.core.engine import AnyGame
from controller.game.core.message import Messages
from controller.game.core.players import Player
from controller.game.shutbox.commands import Choose, TakeThrow
from controller.game.table.engines import decide, digest_of, evolve
from controller.journal.files import backup_copy_of, high_water_mark_of, put_aside, rebuilt_path_of
from controller.journal.high_water_mark import HighWaterMark, HighWaterMarkFile, read_high_water_mark
from controller.journal.keys import CommandKey
from controller.journal.recovery import UnavailableJournal, open_journal
from controller.journal.replay import replay_checked
from controller.journal.store import Entry, Journal
from controller.journal.tables import FORMAT
from tests.support.long import long_but_every
from tests.support.said import text_of

TODAY = date(2026, 3, 1)
BOX = "two-level-9"
ALONE = StartGame((Player("Ann"),))
STORY: tuple[Command, ...] = (
    ALONE,
    ConfirmTiles(),
    TakeThrow((5, 3)),
    Choose(("front-8",)),
    ConfirmTiles(),
    TakeThrow((4, 3)),
    Choose(("front-7",)),
    ConfirmTiles(),
)
LAST = HighWaterMark(2, len(STORY), "")


def play(journal: Journal, *commands: Command, game_id: int | None = None, game: AnyGame | None = None) -> AnyGame:
    """Play these commands as the referee does: each in one commit, and what is to be tidied after it."""
    game_id = journal.next_game_id() if game_id is None else game_id
    number = journal.count_events(game_id)
    for command in commands:
        entries = []
        for event in decide(game, command):
            game, number = evolve(game, event), number + 1
            entries.append(Entry(number, "2026-03-01T12:00:00", event, digest_of(game)))
        journal.append(game_id, BOX, entries)
        journal.tidy(game_id, entries)
    assert game is not None
    return game


@pytest.fixture(scope="module")
def after_a_cut(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home as a power cut leaves it: a game that was given up, and another in its first turn, whose log is full."""
    folder = tmp_path_factory.mktemp("running")
    with Journal(folder / "journal.sqlite3") as journal:
        play(journal, *STORY, Abandon())
        play(journal, *STORY)
        cut = tmp_path_factory.mktemp("cut")
        for path in folder.iterdir():
            shutil.copy(path, cut)
    assert (cut / "journal.sqlite3-wal").stat().st_size > 0
    return cut


@pytest.fixture
def path(after_a_cut: Path, tmp_path: Path) -> Path:
    shutil.copytree(after_a_cut, tmp_path / "home")
    return tmp_path / "home" / "journal.sqlite3"


def opened(path: Path) -> tuple[AnyGame | None, int, Messages]:
    """The last game as it is opened, how many events it has, and what is said."""
    journal, said = open_journal(path, TODAY)
    with journal:
        game_id = journal.next_game_id() - 1
        entries = journal.entries(game_id) if game_id else []
        return replay_checked(entries), len(entries), said


def keys(said: Messages) -> list[str]:
    return [message.key for message in said]


def test_a_cut_alone_loses_nothing_and_needs_no_word(path: Path) -> None:
    game, events, said = opened(path)
    assert (events, said) == (len(STORY), ())
    assert game is not None
    assert str(game.board) == "1 2 3 4 5 6 . . 9/9 8 7 6 5 4 3 2 1"


def test_a_new_box_has_nothing_to_say(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    assert opened(path) == (None, 0, ())
    assert opened(path) == (None, 0, ())
    assert sorted(each.name for each in tmp_path.iterdir()) == ["journal.mark", "journal.sqlite3"]


@pytest.mark.parametrize("lost", [1, 3, len(STORY)])
def test_a_lost_end_is_told(path: Path, lost: int) -> None:
    """As a card does that keeps less than it says."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM event WHERE game = 2 AND number > ?", (len(STORY) - lost,))
        db.execute("DELETE FROM game WHERE id NOT IN (SELECT game FROM event)")
    _, events, said = opened(path)
    [message] = said
    part = "game" if lost == len(STORY) else "steps"
    assert (message.key, message.args) == ("journal.lost", {"game_id": 2, "events": lost, "lost": part})
    if lost == len(STORY):
        assert text_of((message,)) == "The memory card has lost the last game."
    else:
        what, it = ("last step", "it") if lost == 1 else ("last 3 steps", "them")
        told = f"The memory card has lost the {what} of the game, which continues from before {it}."
        assert text_of((message,)) == told
        assert events == len(STORY) - lost


def test_an_older_game_in_place_of_the_last_is_told(path: Path) -> None:
    alone(path)
    shutil.copy(backup_copy_of(path), path)
    _, _, said = opened(path)
    assert keys(said) == ["journal.lost"]


def test_a_damaged_file_is_put_aside_and_the_game_goes_on_with_all_its_events(path: Path) -> None:
    """One event of the finished game cannot be read any more: the good copy has it."""
    checkpointed(path)
    data = bytearray(path.read_bytes())
    at = data.index(b'"front-7"')
    page = at // 1024 * 1024
    data[page : page + 8] = bytes(8)  # the head of the page with the events
    path.write_bytes(data)
    game, events, said = opened(path)
    assert keys(said)[0] == "journal.damaged"
    assert (path.parent / "journal.damaged-2026-03-01.sqlite3").read_bytes() == bytes(data)
    assert game is not None
    assert (events, len(said)) in {(len(STORY), 1), (len(STORY) + 1, 2)}  # a page that held both games is lost
    assert opened(path)[2] == said[1:]


def test_what_can_still_be_read_is_taken_from_the_damaged_file(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE event SET body = replace(body, 'front-7', 'front-6') WHERE game = 2 AND number = 7")
    _, events, said = opened(path)
    assert keys(said) == ["journal.damaged", "journal.lost"]
    assert (events, said[1].args) == (6, {"game_id": 2, "events": 2, "lost": "steps"})


def test_without_a_good_copy_what_can_be_read_is_all_there_is(path: Path) -> None:
    backup_copy_of(path).unlink()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE event SET digest = 'no' WHERE game = 2 AND number = 8")
    _, events, said = opened(path)
    assert (keys(said), events) == (["journal.damaged", "journal.lost"], 7)
    with Journal(path, read_only=True) as journal:
        assert journal.count_events(1) == len(STORY) + 1


def test_a_journal_of_a_newer_version_is_put_aside_as_it_is(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")
    _, events, said = opened(path)
    assert keys(said) == ["journal.newer"]  # the card has lost nothing
    assert events == len(STORY) + 1  # of the game before: it is in the good copy
    aside = path.parent / "journal.newer-2026-03-01.sqlite3"
    with closing(sqlite3.connect(aside)) as db:
        assert db.execute("SELECT count(*) FROM event WHERE game = 2").fetchone() == (len(STORY),)
    assert opened(path)[2] == (), "nor has it at the next start"
    assert put_aside(path) == [aside]


@pytest.mark.parametrize("left", [b"", b"SQLite format 3\0torn", b"no journal", None])
def test_a_sound_journal_stays_whatever_lies_beside_it_of_a_rebuilt_one(path: Path, left: bytes | None) -> None:
    fresh = rebuilt_path_of(path)
    if left is None:
        shutil.copy(backup_copy_of(path), fresh)  # whole, but from before the last game
    else:
        fresh.write_bytes(left)
    _, events, said = opened(path)
    assert (said, events) == ((), len(STORY))
    [aside] = put_aside(path)
    assert left is None or aside.read_bytes() == left


def test_a_torn_rebuilt_journal_is_made_again_in_the_same_start(path: Path) -> None:
    path.with_name("journal.sqlite3-wal").unlink()
    path.write_bytes(b"no journal")
    rebuilt_path_of(path).write_bytes(b"torn")
    _, events, said = opened(path)
    assert keys(said)[0] == "journal.damaged"
    assert events == len(STORY) + 1  # of the good copy
    assert {aside.read_bytes() for aside in put_aside(path)} == {b"no journal", b"torn"}


@pytest.mark.parametrize("name", ["journal.sqlite3", "journal.mark", "journal.sqlite3-wal", ".journal.sqlite3.fresh"])
def test_a_loop_of_links_in_the_place_of_a_file_is_put_aside(path: Path, name: str) -> None:
    place = path.with_name(name)
    place.unlink(missing_ok=True)
    place.symlink_to(place)
    journal, _, _ = opened(path)
    assert not isinstance(journal, UnavailableJournal)


@pytest.mark.parametrize("broken", ["journal.sqlite3", "journal.good.sqlite3"])
def test_the_log_names_the_file_that_was_put_aside_and_players_hear_of_no_file(
    path: Path, broken: str, caplog: pytest.LogCaptureFixture
) -> None:
    place = path.with_name(broken)
    place.unlink(missing_ok=True)
    place.mkdir()  # what is no file can never be read
    _, _, said = opened(path)

    aside = path.with_name(broken.replace(".sqlite3", ".damaged-2026-03-01.sqlite3"))
    assert f"moved aside new_path={aside}" in caplog.text
    assert put_aside(path) == [aside]
    assert str(path.parent) not in " ".join(str(message.args) for message in said)


def test_what_was_put_aside_is_never_written_over(path: Path) -> None:
    alone(path)
    for number in ("", "-2", "-3"):
        path.write_text("no journal")
        opened(path)
        assert (path.parent / f"journal.damaged-2026-03-01{number}.sqlite3").read_text() == "no journal"


def test_a_mark_that_is_gone_is_told_once(path: Path) -> None:
    high_water_mark_of(path).unlink()
    assert keys(opened(path)[2]) == ["journal.unmarked"]
    journal, _ = open_journal(path, TODAY)
    with journal:
        play(journal, TakeThrow((2, 6)), game_id=2, game=replay_checked(journal.entries(2)))
    assert opened(path)[2] == ()


def test_the_loss_of_all_there_was_is_told(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal:
        play(journal, ALONE)
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript("DELETE FROM event; DELETE FROM game;")
    assert keys(opened(path)[2]) == ["journal.lost"]


def test_a_cut_amid_the_first_mark_of_all_is_no_loss(tmp_path: Path) -> None:
    """The first event is there, and nobody was told that it is."""
    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal:
        before = high_water_mark_of(path).read_bytes()
        play(journal, ALONE)
    after = high_water_mark_of(path).read_bytes()
    [place] = [at for at in (0, 4096) if after[at : at + 128] != before[at : at + 128]]
    high_water_mark_of(path).write_bytes(after[: place + 4] + bytes(124) + after[place + 128 :])
    assert opened(path)[1:] == (1, ())


def test_a_torn_mark_leaves_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "mark"
    with HighWaterMarkFile(path) as marks:
        for number in range(1, 4):
            marks.write(HighWaterMark(7, number, f"{number:016x}"))
    assert read_high_water_mark(path) == HighWaterMark(7, 3, f"{3:016x}")
    data = bytearray(path.read_bytes())
    data[4096 + 20] ^= 1  # the third stands where the first stood
    path.write_bytes(data)
    assert read_high_water_mark(path) == HighWaterMark(7, 2, f"{2:016x}")
    with HighWaterMarkFile(path) as marks:
        marks.write(HighWaterMark(8, 1, "0"))
    assert read_high_water_mark(path) == HighWaterMark(8, 1, "0")


def test_a_journal_of_an_earlier_format_gets_its_mark_when_it_is_first_opened(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    shutil.copy(Path(__file__).parents[2] / "data" / "journal-format-3.sqlite3", path)
    assert opened(path)[2] == ()
    assert opened(path)[2] == ()
    mark = read_high_water_mark(high_water_mark_of(path))
    with Journal(path, read_only=True) as journal:
        assert mark is not None
        assert journal.knows(mark)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE game SET id = 7 WHERE id = 2",
        "UPDATE game SET box = 'two-lavel-9' WHERE id = 2",
        "UPDATE event SET game = 3 WHERE game = 2",
        "UPDATE event SET number = -1 WHERE game = 2 AND number = 1",
        "PRAGMA user_version = 4",
    ],
)
def test_what_sqlite_finds_nothing_wrong_with_is_noticed(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(sql)
    assert opened(path)[2]


def test_a_schema_that_is_no_text_is_damage_too(path: Path) -> None:
    """What SQLite says of it quotes it, and Python cannot read that."""
    alone(path)
    checkpointed(path)
    data = bytearray(path.read_bytes())
    at = data.index(b"CREATE TABLE seat")
    data[at] ^= 0x80
    path.write_bytes(data)
    with pytest.raises(JournalDamaged):
        Journal(path, read_only=True)
    assert keys(opened(path)[2])[0] == "journal.damaged"


def alone(path: Path) -> None:
    """The file without what SQLite keeps beside it."""
    for beside in ("-wal", "-shm"):
        path.with_name(path.name + beside).unlink()


def checkpointed(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def flip(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def cut_off(path: Path, chance: random.Random) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: chance.randrange(len(data))])


def blank(path: Path, chance: random.Random) -> None:
    """A sector of the card comes back empty."""
    data = bytearray(path.read_bytes())
    at = chance.randrange(0, max(1, len(data) // 512)) * 512
    data[at : at + 512] = bytes(min(512, len(data) - at))
    path.write_bytes(data)


def folder_instead(path: Path, _: random.Random) -> None:
    path.unlink()
    path.mkdir()


def gone(path: Path, _: random.Random) -> None:
    path.unlink()


def other(path: Path, chance: random.Random) -> None:
    path.write_bytes(chance.randbytes(5000))


Damage = Callable[[Path, random.Random], None]


def damages() -> Iterator[tuple[str, Damage]]:
    for file in (
        "journal.sqlite3",
        "journal.sqlite3-wal",
        "journal.sqlite3-shm",
        "journal.mark",
        "journal.good.sqlite3",
    ):
        for damage in (flip, cut_off, blank, folder_instead, gone, other):
            yield file, damage


@pytest.mark.parametrize("emptied", [False, True], ids=["log", "no-log"])
@pytest.mark.parametrize(
    ("file", "damage"), long_but_every(5, damages()), ids=lambda each: getattr(each, "__name__", each)
)
def test_whatever_is_damaged_it_opens_and_says_what_is_missing(
    path: Path, file: str, damage: Damage, emptied: bool
) -> None:
    home = path.parent
    if emptied:
        checkpointed(path)
    for seed in range(3):
        trial = home.with_name(f"trial-{seed}")
        shutil.copytree(home, trial)
        if (trial / file).exists():
            damage(trial / file, random.Random(f"{file}/{seed}"))
        there = trial / path.name
        _, events, said = opened(there)
        journal, _ = open_journal(there, TODAY)
        with journal:
            is_last = journal.next_game_id() == LAST.game_id + 1 and events == LAST.number
            assert is_last or said
            play(journal, ALONE, ConfirmTiles())
        assert opened(there)[1:] == (2, ())


def test_a_disk_that_takes_nothing_is_called_so_and_nothing_there_is_touched(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone(path)
    path.write_text("no journal")

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("controller.journal.recovery.set_aside", refuse)
    journal, said = open_journal(path, TODAY)
    with journal:
        assert keys(said) == ["journal.closed"]
        assert "the disk is full" in str(said[0].args["cause"])
        unknown = journal.keys.use_of(CommandKey(b"key", b"", b""))
        assert (journal.game_ids(), journal.held_seats(), unknown) == ([], [], "new")
        with pytest.raises(JournalUnwritable, match="the disk is full"):
            play(journal, ALONE)
        with pytest.raises(JournalUnwritable, match="the disk is full"):
            journal.keep_seats([])
    assert path.read_text() == "no journal"


@pytest.mark.parametrize("number", range(1, FORMAT))
def test_a_damaged_journal_of_any_format_is_salvaged(tmp_path: Path, number: int) -> None:
    path = tmp_path / "journal.sqlite3"
    shutil.copy(Path(__file__).parents[2] / "data" / f"journal-format-{number}.sqlite3", path)
    with Journal(path, read_only=True) as journal:
        before = [journal.entries(game) for game in journal.game_ids()]
    with closing(sqlite3.connect(path)) as db, db:
        last = len(before[-1])
        db.execute("UPDATE event SET digest = 'no' WHERE game = ? AND number = ?", (len(before), last))
    journal, said = open_journal(path, TODAY)
    with journal:
        assert keys(said) == ["journal.damaged", "journal.lost"]
        assert [journal.entries(game) for game in journal.game_ids()] == [*before[:-1], before[-1][:-1]]


def test_a_good_copy_that_a_power_cut_left_half_done_is_put_right(path: Path) -> None:
    """In a copy that holds game 1 a change of all its events was under way: its own journal takes that back."""
    copy = backup_copy_of(path)
    before = bytes(copy.read_bytes())
    with closing(sqlite3.connect(copy)) as db:
        db.execute("PRAGMA cache_size = 1")
        db.execute("BEGIN IMMEDIATE")
        db.execute("UPDATE event SET body = zeroblob(3000) || body, digest = 'half'")
        db.execute("UPDATE event SET digest = 'done'")
        half = {each.name: each.read_bytes() for each in path.parent.iterdir() if each.name.startswith(copy.name)}
        db.rollback()
    assert half[copy.name] != before
    for name, data in half.items():
        (path.parent / name).write_bytes(data)
    alone(path)
    path.write_text("no journal")
    with open_journal(path, TODAY)[0] as journal:
        assert len(journal.entries(1)) == len(STORY) + 1


@pytest.mark.parametrize("body", ['{"kind":"round_ended","scores":[9],"winners":[6]}', '{"kind":"turn_passed"}'])
def test_an_event_that_fits_no_game_is_damage(path: Path, body: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE event SET body = ? WHERE game = 2 AND number = 4", (body,))
    _, events, said = opened(path)
    assert (keys(said), events) == (["journal.damaged", "journal.lost"], 3)


def test_a_good_copy_of_another_journal_is_made_anew(path: Path) -> None:
    """An older journal was put back by hand: games are played that the copy has otherwise."""
    for beside in (path, high_water_mark_of(path)):
        beside.unlink()
    alone(path)
    with Journal(path) as journal:
        play(journal, ALONE, ConfirmTiles(), Abandon())
    with Journal(backup_copy_of(path), read_only=True) as copy:
        assert [len(copy.entries(game)) for game in copy.game_ids()] == [3]


@pytest.mark.parametrize("step", ["set_aside", "replace"])
def test_a_power_cut_while_it_is_made_anew_loses_nothing_more(
    path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE event SET digest = 'no' WHERE game = 2 AND number = 8")

    def power_goes(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as cut:
        if step == "set_aside":
            cut.setattr("controller.journal.recovery.set_aside", power_goes)
        else:
            replace, calls = os.replace, iter(range(2))
            cut.setattr(os, "replace", lambda *words: replace(*words) if next(calls) == 0 else power_goes())
        with pytest.raises(KeyboardInterrupt):
            open_journal(path, TODAY)
    _, events, said = opened(path)
    assert (keys(said), events) == (["journal.damaged", "journal.lost"], 7)
    with Journal(path, read_only=True) as journal:
        assert journal.count_events(1) == len(STORY) + 1
    assert not [each.name for each in path.parent.iterdir() if each.name.startswith(".")]


def test_a_game_of_another_box_that_went_on_is_copied_and_salvaged(path: Path) -> None:
    """Two boxes share a journal: game 1 is taken up after game 2 was played, and is over."""
    with Journal(path) as journal:
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("DELETE FROM event WHERE game = 1 AND number > 8")
        game = replay_checked(journal.entries(1))
        backup_copy_of(path).unlink()
        play(journal, Abandon(), game_id=2, game=replay_checked(journal.entries(2)))
        play(journal, Abandon(), game_id=1, game=game)
    with Journal(backup_copy_of(path), read_only=True) as copy:
        assert len(copy.entries(1)) == len(STORY) + 1


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO game VALUES (3, 'two-level-9')",
        "INSERT INTO event SELECT 3, number, at, body, digest, door, seat, key FROM event WHERE game = 1",
    ],
)
def test_a_game_without_events_and_events_without_a_game_are_damage(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(sql)
    journal, said = open_journal(path, TODAY)
    with journal:
        assert "journal.damaged" in keys(said)
        assert journal.game_ids() == [1, 2]


def test_a_new_copy_keeps_its_name_through_a_power_cut(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder is synced once the copy has its name."""
    copy = backup_copy_of(path)
    copy.unlink()
    synced: list[tuple[Path, bool]] = []
    monkeypatch.setattr("controller.journal.backup_copy.sync", lambda place: synced.append((place, copy.exists())))
    with Journal(path) as journal:
        play(journal, ALONE, ConfirmTiles(), Abandon())
    assert synced == [(path.parent, True)]
