"""Wiring, health and a backup of the box over the API."""

import json
from pathlib import Path

import pytest

from controller.service import doctor
from controller.service.archive import unpack
from hardware.box import load_box
from tests.support.api import open_api


async def test_the_wiring_is_that_of_this_box(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        told = (await api.here.get("/api/wiring")).json()
    tiles = {outlet["tile"] for chip in told["boards"] for outlet in chip["outlets"]} - {None}
    assert tiles == set(map(str, load_box("two-level-9").tile_ids))


async def test_the_health_tells_no_names_and_no_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "read_service_log", lambda _lines: ("Ann throws", f"Bearer {'Ab1' * 12}"))
    async with open_api(tmp_path) as api:
        told = (await api.here.get("/api/health")).json()
    assert [section["title"] for section in told][:4] == ["versions", "computer", "settings", "health"]
    assert "Ann" not in json.dumps(told)
    assert "Ab1Ab1" not in json.dumps(told)


async def test_a_backup_comes_whole_and_leaves_nothing_behind(tmp_path: Path) -> None:
    async with open_api(tmp_path) as api:
        before = sorted(api.home.data.iterdir())
        cut = api.home.data / ".shutbox-backup" / "half"
        cut.parent.mkdir()
        cut.write_text("What a cut of the power has left of a backup.")
        answer = await api.here.get("/api/backup")
        assert sorted(api.home.data.iterdir()) == before
    file, folder = tmp_path / "saved.tar.gz", tmp_path / "unpacked"
    file.write_bytes(answer.content)
    folder.mkdir()
    assert answer.headers["Content-Type"] == "application/gzip"
    with file.open("rb") as backup:
        names = {saved.name for saved in unpack(backup, folder).files}
    assert names >= {"journal.sqlite3", "settings.toml"}


@pytest.mark.parametrize("path", ["/api/wiring", "/api/health", "/api/backup"])
async def test_the_box_itself_is_for_operators(tmp_path: Path, path: str) -> None:
    async with open_api(tmp_path, played=False) as api:
        assert (await api.away.get(path)).status_code == 403
