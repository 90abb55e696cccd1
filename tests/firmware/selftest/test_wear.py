"""What the book of a box's tiles says of them before they break."""

import threading
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.game.core.commands import Abandon, StartGame
from controller.game.core.players import Player
from controller.game.shutbox.commands import Choose, TakeThrow
from firmware.messages import SensorReport
from firmware.selftest.findings import SelftestReport, TileTimes
from firmware.selftest.wear import WearBook, WearFile, wear_notes
from hardware.tiles import Position, TileId, tiles_of
from tests.support.tables import open_table_rig, until

FRONT_1, FRONT_2 = TileId(1, 1), TileId(1, 2)
TILES = tiles_of(1, 9)
NOW = datetime(2030, 5, 1, 20, 15, tzinfo=UTC)


def moves(tile: TileId, times_s: Iterable[float], tries: int = 1) -> list[SensorReport]:
    return [SensorReport(tile, Position.SHUT, 0.0, took_s=took_s, tries=tries) for took_s in times_s]


def test_a_tile_that_becomes_slower_is_named_with_both_times() -> None:
    book = WearBook(box="b").with_moves(moves(FRONT_1, [0.2, 0.22] * 10))
    assert wear_notes(book, TILES) == {}
    book = book.with_moves(moves(FRONT_1, [0.24] * 10))
    assert wear_notes(book, TILES) == {}, "a little slower is nothing"
    book = book.with_moves(moves(FRONT_1, [0.3] * 10))
    notes = wear_notes(book, TILES)
    assert {tile: note.say for tile, note in notes.items()} == {
        FRONT_1: "front-1 now takes 0.30 s to go down, 0.21 s before: check whether it rubs."
    }


def test_few_moves_say_nothing() -> None:
    book = WearBook(box="b").with_moves(moves(FRONT_1, [0.2] * 5 + [0.5] * 14))
    assert wear_notes(book, TILES) == {}


def test_a_tile_that_often_needs_another_try_is_named() -> None:
    book = WearBook(box="b").with_moves(moves(FRONT_2, [0.2] * 18)).with_moves(moves(FRONT_2, [0.2] * 2, tries=2))
    assert wear_notes(book, TILES) == {}
    book = book.with_moves(moves(FRONT_2, [0.2], tries=3))
    assert "front-2 needed another try in 3 of its last 20 moves" in wear_notes(book, TILES)[FRONT_2].say
    assert (book.tiles["front-2"].moves, book.tiles["front-2"].retries) == (21, 4)


def test_a_tile_that_was_not_seen_for_twenty_games_is_named() -> None:
    book = WearBook(box="b").with_game().with_moves(moves(FRONT_1, [0.2]))
    for _ in range(19):
        book = book.with_game()
    assert list(wear_notes(book, TILES)) == list(TILES[1:])
    book = book.with_game()
    assert "front-1 was not seen moving for 20 games" in wear_notes(book, TILES)[FRONT_1].say


def test_what_was_there_already_has_not_moved() -> None:
    book = WearBook(box="b").with_moves([SensorReport(FRONT_1, Position.SHUT, 0.0)])
    assert book.tiles == {}


def test_the_book_is_kept_and_one_of_another_box_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "data" / "wear.json"
    file = WearFile(path, "one")
    file.note_moves(moves(FRONT_1, [0.2, 0.3]))
    file.note_game()
    for number in range(12):
        file.note_test(SelftestReport((), (), (TileTimes(FRONT_1, 0.2, 0.01 * number),)), NOW)
    file.write()
    again = WearFile(path, "one").book
    assert again == file.book
    assert again.tiles["front-1"].moves == 2
    assert [test.times_s["front-1"][1] for test in again.tests] == pytest.approx([0.01 * n for n in range(2, 12)])
    assert WearFile(path, "other").book == WearBook(box="other")


@pytest.mark.parametrize("text", [b"", b"{", b'{"box": "one", "games": -1}', b"\xff\xfe"])
def test_a_damaged_book_is_begun_anew(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "wear.json"
    path.write_bytes(text)
    assert WearFile(path, "one").book == WearBook(box="one")


async def test_what_moved_beside_a_fault_is_in_the_book(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table:
        wear = WearFile(tmp_path / "wear.json", "two-level-9")
        table.table = replace(table.table, wear=wear)
        async with table.referee() as referee:
            await referee.ask(StartGame((Player("Ann"),)))
            await until(referee, "awaiting_throw")
            table.world.jam(FRONT_1)
            await referee.ask(TakeThrow((5, 3)))
            await referee.ask(Choose(("front-1", "front-7")))
            await until(referee, "halted")
            assert set(wear.book.tiles) == {"front-7"}


async def test_a_tile_that_wears_is_told_when_a_game_begins(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table:
        wear = WearFile(tmp_path / "wear.json", "two-level-9")
        table.table = replace(table.table, wear=wear)
        for _ in range(18):
            wear.note_game()
        async with table.referee() as referee:
            snapshot = await referee.ask(StartGame((Player("Ann"),)))
            assert snapshot.notice == ""
            await referee.ask(Abandon())
            snapshot = await referee.ask(StartGame((Player("Ann"),)))
            assert snapshot.notice == (
                "front-1 was not seen moving for 20 games: run the self-test. 17 more tiles need a look."
            )


async def test_a_game_is_written_down_beside_the_loop_which_a_slow_card_would_hold_up(tmp_path: Path) -> None:
    written_in: list[threading.Thread] = []

    class WatchedFile(WearFile):
        def write(self) -> None:
            super().write()
            written_in.append(threading.current_thread())

    async with open_table_rig(tmp_path) as table:
        table.table = replace(table.table, wear=WatchedFile(tmp_path / "wear.json", "two-level-9"))
        async with table.referee() as referee:
            await referee.ask(StartGame((Player("Ann"),)))
            await until(referee, "awaiting_throw")
    assert written_in
    assert threading.current_thread() not in written_in
    assert WearFile(tmp_path / "wear.json", "two-level-9").book.games == 1


def test_tiles_that_were_healed_are_counted() -> None:
    healed = replace(moves(FRONT_1, [0.2])[0], healed=2)
    book = WearBook(box="b").with_moves([healed, *moves(FRONT_1, [0.2])])
    assert (book.tiles["front-1"].moves, book.tiles["front-1"].healed, book.tiles["front-1"].retries) == (2, 2, 0)
