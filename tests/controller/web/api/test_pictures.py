"""The camera's pictures over the API: for operators alone, and everybody sees that somebody looks."""

import asyncio
from pathlib import Path

import pytest

from tests.support.api import ApiRig, open_api

NAMES = ("000001-20261124-090000-5-3", "000002-20261124-090107-cocked")


async def looked_at(api: ApiRig) -> bool:
    return bool((await api.away.get("/api/state")).json()["looked_at"])


async def test_pictures_are_listed_and_shown_and_everybody_sees_it(tmp_path: Path) -> None:
    async with open_api(tmp_path) as api:
        api.home.evidence.mkdir()
        for name in NAMES:
            (api.home.evidence / f"{name}.jpg").write_bytes(name.encode())
        page = (await api.here.get("/api/pictures")).json()
        seen = [await looked_at(api)]
        await asyncio.sleep(20)
        shown = await api.here.get(f"/api/pictures/{NAMES[1]}")
        for _ in range(2):
            await asyncio.sleep(20)
            seen.append(await looked_at(api))

    assert seen == [True, True, False]
    assert [each["name"] for each in page["pictures"]] == [*reversed(NAMES)]
    assert page["pictures"][0] == {"name": NAMES[1], "number": 2, "at": "2026-11-24T09:01:07", "what": "cocked"}
    assert (shown.headers["Content-Type"], shown.content) == ("image/jpeg", NAMES[1].encode())


@pytest.mark.parametrize("name", ["000009-20261124-090000-5-3", "..%2Fsettings.toml", "settings.toml", "%00"])
async def test_a_name_leads_to_a_picture_or_nowhere(tmp_path: Path, name: str) -> None:
    async with open_api(tmp_path, played=False) as api:
        assert (await api.here.get(f"/api/pictures/{name}")).status_code == 404


@pytest.mark.parametrize("path", ["/api/pictures", f"/api/pictures/{NAMES[0]}"])
async def test_who_may_not_look_is_not_seen_to_look(tmp_path: Path, path: str) -> None:
    async with open_api(tmp_path, played=False) as api:
        assert (await api.away.get(path)).status_code == 403
        assert not await looked_at(api)
