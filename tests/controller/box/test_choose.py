"""The box of a daemon, which is opened as often as it needs: it is the same box each time, and closes on any disk."""

import logging
from pathlib import Path

import pytest

from controller.box.choose import choose_box
from controller.box.simulated_actions import Break
from controller.runtime.home import Home
from controller.settings import Settings
from firmware.messages import SensorReport
from firmware.selftest.wear import WearFile
from hardware.calibration import save_section
from hardware.tiles import Position, TileId
from tests.support.calibrations import CAMERA


async def test_what_hands_have_broken_stays_broken_at_the_next_table_and_where_it_is_calibrated(tmp_path: Path) -> None:
    chosen = choose_box(
        "two-level-9", Settings(), Home(tmp_path, tmp_path, fixed=True), mock=True, faults=("jam:front-1",), seed=1
    )
    assert chosen.rigs().faults == ("jam:front-1",)
    async with chosen.open_table() as table:
        assert table.hands is not None
        await table.hands.do(Break("slow:front-2"))
    assert set(chosen.rigs().faults) == {"jam:front-1", "slow:front-2"}
    async with chosen.open_table() as table:
        assert table.hands is not None
        assert set(table.hands.broken) == {"jam:front-1", "slow:front-2"}


async def test_a_disk_that_takes_no_book_of_the_tiles_lets_the_box_be_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    chosen = choose_box("two-level-9", Settings(), Home(tmp_path, tmp_path, fixed=True), mock=True, faults=(), seed=1)

    def refuse(_file: WearFile) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(WearFile, "write", refuse)
    with caplog.at_level(logging.WARNING):
        async with chosen.open_table() as table:
            assert table.wear is not None
            table.wear.note_moves([SensorReport(TileId.parse("front-7"), Position.SHUT, 0.0, took_s=0.2, tries=1)])
    assert "wear file not written error=No space left on device" in caplog.text


def test_a_simulated_box_that_was_measured_is_the_same_one_after_a_restart(tmp_path: Path) -> None:
    home = Home(tmp_path, tmp_path, fixed=True)
    save_section(tmp_path, "two-level-9", "camera", CAMERA.model_copy(update={"simulated_seed": 41}))

    def seed_of(box: str, seed: int | None) -> int | None:
        return choose_box(box, Settings(), home, mock=True, faults=(), seed=seed).rigs().seed

    assert (seed_of("two-level-9", None), seed_of("two-level-9", 7)) == (41, 7)
    # What was measured of one box says nothing of another.
    assert len({seed_of("classic-9", None) for _ in range(4)} - {41}) > 1
