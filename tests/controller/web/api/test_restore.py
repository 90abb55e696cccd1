"""A backup sent over the API is checked, confirmed, and restored by the next start; all else changes nothing."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from controller.runtime.home import Home
from controller.service import pending
from controller.service.backup import save_backup
from controller.service.pending import read_pending, restore_at_start
from controller.web.refusals import LONGEST_BODY, is_upload
from controller.web.security import guards
from tests.support.api import ApiRig, open_api
from tests.support.homes import furnish, sums_of

GZIP = {"Content-Type": "application/gzip"}
NOW = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)
START = {"do": "start", "game": "pub", "players": [{"name": "Ann"}]}


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("saved")
    home = Home(folder / "home", folder / "home")
    furnish(home)
    return save_backup(home, folder / "backup.tar.gz", NOW, lambda _: None).file.read_bytes()


async def send(api: ApiRig, content: bytes | AsyncIterator[bytes]) -> httpx.Response:
    return await api.here.post("/api/restore", content=content, headers=GZIP)


def files_of(api: ApiRig) -> dict[str, str]:
    """What lies in the home, but for the journal, which is played on."""
    return {name: found for name, found in sums_of(api.home.data).items() if not name.startswith("journal")}


async def test_a_backup_is_sent_checked_confirmed_and_restored_by_the_next_start(tmp_path: Path, backup: bytes) -> None:
    async with open_api(tmp_path) as api:
        api.home.settings.write_text('players = ["Cid", "House"]\n')
        sent = await send(api, backup)
        digest = sent.json()["backup"]["digest"]
        seen = (await api.here.get("/api/restore")).json()
        confirmed = [await api.here.post("/api/restore/confirmed", json={"digest": digest}) for _ in range(2)]
        again = await send(api, backup)
        assert "Cid" in api.home.settings.read_text()

    assert sent.status_code == 200
    assert (seen["backup"]["box"], seen["is_confirmed"], seen["can_restart"]) == ("two-level-9", False, False)
    assert seen["backup"]["brings"]["games"] == seen["backup"]["has"]["games"] > 0
    assert [each.json()["is_confirmed"] for each in confirmed] == [True, True]
    assert (again.status_code, again.json()["code"]) == (409, "C-301")
    assert restore_at_start(api.home, NOW) == ()
    assert "Cid" not in api.home.settings.read_text()


async def test_what_was_sent_is_withdrawn_and_nothing_stays(tmp_path: Path, backup: bytes) -> None:
    async with open_api(tmp_path) as api:
        before = files_of(api)
        digest = (await send(api, backup)).json()["backup"]["digest"]
        await api.here.post("/api/restore/confirmed", json={"digest": digest})
        withdrawn = [await api.here.delete("/api/restore") for _ in range(2)]
        late = await api.here.post("/api/restore/confirmed", json={"digest": digest})
        assert files_of(api) == before
    assert [(each.status_code, each.json()["backup"]) for each in withdrawn] == [(200, None)] * 2
    assert (late.status_code, late.json()["code"]) == (422, "C-330")


@pytest.mark.parametrize("kind", ["empty", "no archive", "half", "one byte", "too much"])
async def test_a_wrong_file_is_refused_in_one_line_and_nothing_stays(tmp_path: Path, backup: bytes, kind: str) -> None:
    wrong = {
        "empty": b"",
        "no archive": b"a letter to my aunt",
        "half": backup[: len(backup) // 2],
        "one byte": backup[:-5] + bytes([backup[-5] ^ 1]) + backup[-4:],  # of the checksum of the whole
        "too much": backup + backup,
    }[kind]
    async with open_api(tmp_path) as api:
        before = files_of(api)
        refused = await send(api, wrong)
        assert files_of(api) == before
    assert (refused.status_code, refused.json()["code"]) == (422, "C-331")
    assert str(tmp_path) not in refused.text


async def test_a_file_that_is_too_large_or_of_another_kind_is_not_read(
    tmp_path: Path, backup: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def by_and_by() -> AsyncIterator[bytes]:
        for start in range(0, len(backup), 1000):
            yield backup[start : start + 1000]

    monkeypatch.setattr(guards, "longest_body", lambda scope: 2000 if is_upload(scope) else LONGEST_BODY)
    async with open_api(tmp_path) as api:
        before = files_of(api)
        refused = [await send(api, backup), await send(api, by_and_by())]
        kind = await api.here.post("/api/restore", json={"file": "mine"})
        elsewhere = await api.here.post("/api/restore/confirmed", content=backup, headers=GZIP)
        assert files_of(api) == before
    assert [(each.status_code, each.json()["code"]) for each in refused] == [(413, "C-366")] * 2
    assert refused[0].json()["error"] == "a backup has 500 MB at most"
    assert (kind.status_code, elsewhere.status_code) == (415, 415)


async def test_a_sender_who_goes_away_leaves_nothing(tmp_path: Path, backup: bytes) -> None:
    async def half() -> AsyncIterator[bytes]:
        yield backup[:1000]
        await asyncio.sleep(3600)

    async with open_api(tmp_path) as api:
        before = files_of(api)
        sending = asyncio.ensure_future(send(api, half()))
        await asyncio.sleep(1)
        busy = await send(api, backup)
        sending.cancel()
        await asyncio.wait([sending])
        assert files_of(api) == before
        assert (await send(api, backup)).status_code == 200
    assert (busy.status_code, busy.json()["code"]) == (409, "C-301")


async def test_a_full_disk_takes_no_backup_and_keeps_its_room(
    tmp_path: Path, backup: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = backup + bytes(40_000_000)

    async def at_once() -> AsyncIterator[bytes]:
        yield large

    monkeypatch.setattr(pending, "_ROOM_BYTES", shutil.disk_usage(tmp_path).free - len(large) // 2)
    async with open_api(tmp_path) as api:
        before = files_of(api)
        for content in (large, at_once()):
            refused = await send(api, content)
            assert (refused.status_code, refused.json()["code"]) == (422, "C-330")
            assert "no room" in refused.json()["error"]
        assert files_of(api) == before


async def test_in_a_game_that_is_not_paused_nothing_is_sent_confirmed_or_started_anew(
    tmp_path: Path, backup: bytes
) -> None:
    async with open_api(tmp_path) as api:
        api.app.state.restart = lambda: restarts.append(1)
        restarts: list[int] = []
        digest = (await send(api, backup)).json()["backup"]["digest"]
        await api.here.post("/api/commands", json=START)
        refused = [
            await send(api, backup),
            await api.here.post("/api/restore/confirmed", json={"digest": digest}),
            await api.here.post("/api/restart"),
        ]
        assert not read_pending(api.home).is_confirmed
        await api.here.post("/api/commands", json={"do": "park"})
        confirmed = await api.here.post("/api/restore/confirmed", json={"digest": digest})
        again = await api.here.post("/api/restart")
    assert [(each.status_code, each.json()["code"]) for each in refused] == [(409, "C-301")] * 3
    assert "pause it first" in refused[0].json()["error"]
    assert (confirmed.status_code, again.status_code, restarts) == (200, 204, [1])


async def test_a_program_that_nobody_would_start_again_is_not_ended(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        refused = await api.here.post("/api/restart")
    assert (refused.status_code, refused.json()["code"]) == (409, "C-301")


async def test_a_backup_of_another_box_is_restored_only_if_that_is_meant(tmp_path: Path, backup: bytes) -> None:
    async with open_api(tmp_path, played=False) as api:
        api.home.settings.write_text('box = "classic-9"\n')
        found = (await send(api, backup)).json()["backup"]
        refused = await api.here.post("/api/restore/confirmed", json={"digest": found["digest"]})
        meant = await api.here.post("/api/restore/confirmed", json={"digest": found["digest"], "anyway": True})
    assert found["doubts"] == ["it is of the box two-level-9, and this one is classic-9"]
    assert (refused.status_code, refused.json()["code"]) == (422, "C-333")
    assert meant.json()["is_confirmed"]


@pytest.mark.parametrize("asked", [{}, {"digest": "short"}, {"digest": "0" * 64, "more": 1}, {"digest": 1}])
async def test_a_confirmation_that_is_none_is_told(tmp_path: Path, asked: object) -> None:
    async with open_api(tmp_path, played=False) as api:
        refused = await api.here.post("/api/restore/confirmed", json=asked)
    assert (refused.status_code, refused.json()["code"]) == (422, "C-201")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/restore"),
        ("POST", "/api/restore"),
        ("DELETE", "/api/restore"),
        ("POST", "/api/restore/confirmed"),
        ("POST", "/api/restart"),
    ],
)
async def test_only_operators_restore(tmp_path: Path, backup: bytes, method: str, path: str) -> None:
    is_file = (method, path) == ("POST", "/api/restore")
    async with open_api(tmp_path) as api:
        before = files_of(api)
        refused = await api.away.request(
            method, path, content=backup if is_file else None, headers=GZIP if is_file else None
        )
        assert files_of(api) == before
    assert (refused.status_code, refused.json()["code"]) == (403, "C-318")
