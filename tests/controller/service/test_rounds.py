"""Saved, wiped and restored, a home is what it was."""

import os
import random
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.runtime.home import Home
from controller.service.backup import save_backup
from controller.service.restore import prepare_restore
from tests.support.homes import furnish, sums_of

NOW = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)
ROUNDS = int(os.environ.get("BACKUP_ROUNDS", "10"))


def tell(_done: float) -> None:
    """Nobody watches."""


def save(home: Home, target: Path) -> Path:
    return save_backup(home, target, NOW, tell).file


def restore(home: Home, source: Path) -> Path | None:
    with prepare_restore(home, source, NOW, tell) as ready:
        assert ready.doubts == ()
        return ready.carry_out(NOW)


def contents_of(home: Home) -> tuple[dict[str, str], list[str]]:
    """Every file of a home but the journal by its sum; of that every row but those that belong to one box alone."""
    of_journal = (
        home.journal.name,
        f"{home.journal.name}-wal",
        f"{home.journal.name}-shm",
        "journal.mark",
        home.lock.name,
    )
    files = {name: found for name, found in sums_of(home.data).items() if name not in of_journal}
    with closing(sqlite3.connect(home.journal)) as db:
        return files, [line for line in db.iterdump() if 'INTO "seat"' not in line]


@pytest.mark.parametrize("tens", range(ROUNDS // 10))
def test_a_home_that_was_saved_wiped_and_restored_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tens: int
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)  # no power is cut here
    home, target = Home(tmp_path / "home", tmp_path / "home"), tmp_path / "backup.tar.gz"
    for one in range(10):
        furnish(home, random.Random(10 * tens + one))
        before = contents_of(home)

        save(home, target)
        shutil.rmtree(home.data)
        restore(home, target)

        assert contents_of(home) == before
        shutil.rmtree(home.data)
        target.unlink()
