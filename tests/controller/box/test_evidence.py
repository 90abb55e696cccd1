"""Pictures of throws are kept where the settings ask for it, and nowhere else."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from controller.box.simulated import open_simulated_world
from controller.box.table import Table, with_evidence
from controller.game.shutbox.events import DiceThrown, ThrowCorrected
from controller.referee.subscribers import Action, tell_watcher
from controller.runtime.home import Home
from controller.settings import Evidence, Settings
from hardware.box import load_box
from tests.controller.game.shutbox.test_actions import WAITING

BOX = load_box("two-level-9")


@asynccontextmanager
async def opening() -> AsyncIterator[Table]:
    async with open_simulated_world(BOX, seed=5) as (table, _world):
        yield table


@pytest.mark.parametrize(("evidence", "pictures"), [(Evidence(), 0), (Evidence(keep=5), 1)])
async def test_throws_are_kept_if_they_are_asked_for(tmp_path: Path, evidence: Evidence, pictures: int) -> None:
    home = Home(tmp_path, tmp_path)
    async with with_evidence(opening(), Settings(evidence=evidence), home) as table:
        await table.watcher.note_lying()
        for _ in range(pictures or 1):
            table.throw(2)
            values = (await table.watcher.next_throw(frozenset({2}))).values
            told = DiceThrown(values, "camera"), ThrowCorrected(values, (1, 1))
            tell_watcher(table.watcher, Action(1, None, told, WAITING))
    kept = sorted(home.evidence.glob("*.jpg")) if home.evidence.exists() else []
    assert [picture.stem.endswith("-was-1-1") for picture in kept] == [False, True] * pictures
