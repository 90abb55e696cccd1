"""Kept tables: found again, never trusted when damaged, never in the way when they cannot be written."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from controller.odds.shutbox import tables
from controller.odds.shutbox.aim import Aim
from controller.odds.shutbox.model import Model
from controller.odds.shutbox.solver import solve
from controller.odds.shutbox.tables import Recent, Tables, make_room, save_table, table_path
from controller.rules.shutbox.ruleset import rules_of

_RULES = rules_of("full-house")
_SCORE = Aim("score")


@pytest.fixture(autouse=True)
def _all_games_are_big(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that boxes which are solved in milliseconds are kept in files too."""
    monkeypatch.setattr(tables, "BIG", 100)


class _Told:
    """What a ruleset's tables said: solving, and warnings."""

    def __init__(self, folder: Path | None) -> None:
        self.solved = 0
        self.lines: list[str] = []
        self.tables = Tables(_RULES, folder, self._progress, self.lines.append, Recent(4, 10**6))

    def _progress(self, fraction: float) -> None:
        self.solved += fraction == 1

    def values(self) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        return self.tables.of(_RULES.start(), _SCORE).values


def _expected() -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    model = Model.of(_RULES)
    return solve(model, model.scores)


def _file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_a_kept_table_is_read_by_the_next_process_instead_of_solved(tmp_path: Path) -> None:
    first, second = _Told(tmp_path / "odds"), _Told(tmp_path / "odds")

    np.testing.assert_array_equal(first.values(), _expected())
    np.testing.assert_array_equal(second.values(), _expected())
    assert (first.solved, second.solved) == (1, 0)
    assert first.lines == second.lines == []


def test_a_table_in_memory_is_solved_once_for_all_its_boards() -> None:
    told = _Told(None)
    told.values()
    table = told.tables.of(_RULES.board("1 2 3 4 5 6 7 8 9 10 . ."), _SCORE)

    assert told.solved == 1
    assert table.model.size == 4096


def test_a_late_board_of_a_big_game_is_solved_without_the_rest() -> None:
    told = _Told(None)

    assert told.tables.of(_RULES.board("1 2 3 . . . . . . . . ."), _SCORE).model.size == 8


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-1000] ^= 1
    path.write_bytes(data)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-8])


def _cut_in_the_header(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:20])


def _lengthen(path: Path) -> None:
    path.write_bytes(path.read_bytes() + bytes(8))


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _foreign(path: Path) -> None:
    path.write_bytes(b"\x89PNG\r\n" + bytes(40_000))


def _not_an_object(path: Path) -> None:
    path.write_bytes(b"[1, 2]".ljust(4096) + bytes(8 * 4096))


def _of_another_game(path: Path) -> None:
    save_table(path, "another game", np.zeros(4096))


@pytest.mark.parametrize(
    "damage", [_flip, _cut, _cut_in_the_header, _lengthen, _empty, _foreign, _not_an_object, _of_another_game]
)
def test_a_damaged_file_is_named_in_one_line_and_worked_out_anew(
    damage: Callable[[Path], None], tmp_path: Path
) -> None:
    _Told(tmp_path).values()
    path = _file(tmp_path)
    damage(path)
    told, after = _Told(tmp_path), _Told(tmp_path)

    np.testing.assert_array_equal(told.values(), _expected())
    assert len(told.lines) == 1
    assert str(path) in told.lines[0]
    assert "\n" not in told.lines[0]
    np.testing.assert_array_equal(after.values(), _expected())
    assert (told.solved, after.solved, after.lines) == (1, 0, [])


def test_a_folder_that_cannot_be_written_costs_the_file_alone(tmp_path: Path) -> None:
    (tmp_path / "odds").write_text("a file where the folder should be")
    told = _Told(tmp_path / "odds")

    np.testing.assert_array_equal(told.values(), _expected())
    assert told.solved == 1
    assert "cannot" in told.lines[-1]


def test_a_full_disk_leaves_no_part_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    told = _Told(tmp_path)

    np.testing.assert_array_equal(told.values(), _expected())
    assert "No space left on device" in told.lines[0]
    assert [*tmp_path.iterdir()] == []


def test_what_a_killed_writer_left_long_ago_is_removed_and_a_writer_at_work_left_alone(tmp_path: Path) -> None:
    path = table_path(tmp_path, "a game")
    left, at_work = path.with_name(f"{path.stem}-left.part"), path.with_name(f"{path.stem}-work.part")
    for part in (left, at_work):
        part.write_bytes(b"half")
    os.utime(left, (0, 0))
    save_table(path, "a game", np.zeros(3))

    assert {*tmp_path.iterdir()} == {path, at_work}


def test_many_who_solve_and_write_one_table_at_once_leave_one_good_file(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = [*pool.map(lambda _: _Told(tmp_path).values(), range(16))]
    last = _Told(tmp_path)

    assert all(np.array_equal(values, _expected()) for values in [*found, last.values()])
    assert (last.solved, last.lines) == (0, [])
    assert _file(tmp_path).suffix == ".odds"


def test_every_aim_and_every_option_of_the_turn_has_a_table_of_its_own(tmp_path: Path) -> None:
    recent = Recent(9, 10**6)
    for given, aim in (({}, _SCORE), ({"one_die": "never"}, _SCORE), ({}, Aim("shut")), ({}, Aim("at-most", 3))):
        rules = rules_of("full-house", given)
        Tables(rules, tmp_path, lambda _: None, lambda _: None, recent).of(rules.start(), aim)

    assert len([*tmp_path.iterdir()]) == 4


def test_the_tables_unused_for_longest_are_forgotten() -> None:
    told = _Told(None)
    small = Tables(_RULES, None, told._progress, print, Recent(2, 10**6))
    for aim in ("score", "shut", "score", "at-most:3", "score", "shut"):
        small.of(_RULES.start(), Aim.parse(aim))

    assert told.solved == 4


def test_the_tables_in_a_folder_take_so_much_and_those_unused_for_longest_go(tmp_path: Path) -> None:
    for age, name in enumerate(("used", "old", "older")):
        (tmp_path / f"{name}.odds").write_bytes(bytes(100))
        os.utime(tmp_path / f"{name}.odds", (1000 - age, 1000 - age))
    (tmp_path / "mine.odds").write_bytes(bytes(100))
    os.utime(tmp_path / "mine.odds", (1, 1))

    make_room(tmp_path, 250, tmp_path / "mine.odds")
    assert sorted(path.stem for path in tmp_path.iterdir()) == ["mine", "used"]

    make_room(tmp_path, 50, tmp_path / "mine.odds")
    assert [path.stem for path in tmp_path.iterdir()] == ["mine"]
