"""A box with version 0.1.0 on it, and games that were played there."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from controller.service.layout import Layout
from tests.support.installed_box import Box, make_update

_connect = sqlite3.connect


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A power cut is played by a process that ends, not by a disk that forgets."""
    monkeypatch.setattr("os.fsync", lambda _: None)
    monkeypatch.setattr("sqlite3.connect", connect_without_waiting)


def connect_without_waiting(*args: Any, **options: Any) -> sqlite3.Connection:
    db: sqlite3.Connection = _connect(*args, **options)
    db.execute("PRAGMA synchronous = OFF")
    return db


@pytest.fixture
def box(tmp_path: Path) -> Box:
    box = Box(Layout(prefix=tmp_path / "box" / "opt", data=tmp_path / "box" / "data"))
    box.install(make_update(tmp_path / "old", "0.1.0"))
    return box
