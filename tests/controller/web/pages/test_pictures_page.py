"""The pages of stored pictures: disputed ones first, each with what was read, and what is read on it now."""

import asyncio
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from controller.messages.words import ENGLISH
from controller.web.pages.workshop.pictures import reasons_in, say_what
from tests.support.api import ApiRig, open_api
from tests.support.homes import sums_of
from tests.support.stage import camera, die
from tests.support.tables import until
from vision.capture.frame import Pixels
from vision.reading import DieReading, Reading, Reason, read, refused
from vision.watching.evidence import EvidenceFolder, Limits

DICE = [die(5, 120, 95), die(3, 170, 120)]
AS_READ = read(tuple(DieReading(value, (100.0 * value, 90.0), 0.9, "white") for value in (5, 3)))
MISREAD = read(tuple(DieReading(value, (100.0 * value, 90.0), 0.6, "white") for value in (5, 2)))
UNSURE = refused(Reason.UNSURE, "One die is not clear.")


@pytest.fixture(scope="module")
def pixels() -> Pixels:
    return camera(DICE, 3).capture().pixels


def keep(api: ApiRig, pixels: Pixels, *readings: tuple[Reading, tuple[int, ...] | None]) -> list[str]:
    """Keep a picture with each reading and what somebody said instead; their names, the first one first."""
    with EvidenceFolder(api.home.evidence, Limits(1000, 10**9), lambda: datetime(2026, 11, 24, 9, 0)) as folder:
        for reading, values in readings:
            folder.keep(pixels, reading, values)
            folder._waiting[-1].result()
    return sorted(path.stem for path in api.home.evidence.glob("*.jpg"))


async def seen(api: ApiRig, name: str, again: bool) -> Mapping[str, Any]:
    answer: Mapping[str, Any] = (await api.here.get(f"/api/pictures/{name}/reading?again={again}")).json()
    return answer


async def test_disputed_pictures_come_first_and_everybody_sees_that_somebody_looks(
    tmp_path: Path, pixels: Pixels
) -> None:
    async with open_api(tmp_path) as api:
        names = keep(api, pixels, (UNSURE, None), (MISREAD, (5, 3)), *[(AS_READ, None)] * 12)
        first = (await api.here.get("/workshop/pictures")).text
        more = (await api.here.get("/workshop/pictures?offset=12")).text
        assert api.referee.snapshot.looked_at
    shown = [name for name in names if f"/workshop/pictures/{name}" in first]
    assert len(shown) == 12
    assert {*names[:2]} <= {*shown}
    assert first.index(names[1]) < first.index(names[0]) < first.index(names[-1])
    assert first.count("data-disputed") == 2
    assert "14 pictures are kept. On 2 the dice were not read" in first
    assert "offset=12" in first
    assert (names[2] in more, "offset=0" in more, "data-disputed" in more) == (True, True, False)


async def test_a_picture_is_read_again_beside_what_was_read_then_and_nothing_changes(
    tmp_path: Path, pixels: Pixels
) -> None:
    async with open_api(tmp_path) as api:
        same, wrong, unsure = keep(api, pixels, (AS_READ, None), (MISREAD, (3, 5)), (UNSURE, None))
        before, event = sums_of(api.home.data), api.referee.snapshot.event
        then = [await seen(api, name, again=False) for name in (same, wrong, unsure)]
        now = [await seen(api, name, again=True) for name in (same, wrong, unsure)]
        pages = [(await api.here.get(f"/workshop/pictures/{name}?again=true")).text for name in (same, wrong, unsure)]
        plain = (await api.here.get(f"/workshop/pictures/{wrong}")).text
        assert (sums_of(api.home.data), api.referee.snapshot.event) == (before, event)

    assert [each["now"] for each in then] == [None] * 3
    assert [[die["value"] for die in each["then"]["dice"]] for each in now] == [[3, 5], [2, 5], []]
    assert [sorted(die["value"] for die in each["now"]["dice"]) for each in now] == [[3, 5]] * 3
    assert (now[1]["corrected"], now[2]["then"]["reason"]) == ([3, 5], "unsure")
    assert "The same as then." in pages[0]
    assert all("Not the same as then." in page for page in pages[1:])
    assert "Somebody corrected it: 5·3" in pages[1]
    assert "One die is not clear." in pages[2]
    assert f'href="/workshop/pictures/{wrong}?again=true"' in plain


async def test_the_loop_goes_on_while_a_picture_is_read(tmp_path: Path, pixels: Pixels) -> None:
    async with open_api(tmp_path) as api:
        [name] = keep(api, pixels, (AS_READ, None))
        reading = asyncio.ensure_future(seen(api, name, again=True))
        assert (await api.away.get("/api/state")).status_code == 200
        assert not reading.done()
        assert (await reading)["now"]


async def test_a_file_that_is_no_picture_or_has_lost_its_reading_is_told(tmp_path: Path, pixels: Pixels) -> None:
    async with open_api(tmp_path) as api:
        [name] = keep(api, pixels, (AS_READ, None))
        (api.home.evidence / f"{name}.jpg").write_bytes(b"no picture")
        (api.home.evidence / f"{name}.reading.json").write_text('{"dice": 3}')
        (api.home.evidence / f"{name}.json").write_text("[]")
        told = await seen(api, name, again=True)
        page = (await api.here.get(f"/workshop/pictures/{name}?again=true")).text
    assert (told["then"], told["corrected"], told["now"]["reason"]) == (None, [], "not_a_picture")
    assert "What was read then is not kept." in page
    assert "the file is damaged" in page


async def test_dice_that_are_not_taught_any_more_are_told(tmp_path: Path, pixels: Pixels) -> None:
    async with open_api(tmp_path) as api:
        [name] = keep(api, pixels, (AS_READ, None))
        api.home.settings.write_text('dice = "gone"\n')
        refused = await api.here.get(f"/api/pictures/{name}/reading?again=true")
    assert (refused.status_code, refused.json()["code"]) == (409, "C-301")
    assert "no picture can be read now" in refused.json()["error"]


@pytest.mark.parametrize("path", ["/workshop/pictures/000009-20261124-090000-5-3", "/workshop/pictures/settings.toml"])
async def test_a_name_leads_to_a_picture_or_to_the_others(tmp_path: Path, path: str) -> None:
    async with open_api(tmp_path, played=False) as api:
        missing = await api.here.get(path, headers={"Accept": "text/html"})
        reading = await api.here.get(f"{path.replace('/workshop', '/api')}/reading?again=true")
    assert (missing.status_code, reading.status_code) == (404, 404)
    assert 'href="/workshop/pictures"' in missing.text


async def test_a_box_that_keeps_none_says_how_some_are_kept(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        page = (await api.here.get("/workshop/pictures")).text
    assert "No picture is kept. By the settings of this box none is" in page
    assert 'href="/workshop/settings"' in page


@pytest.mark.parametrize("path", ["/workshop/pictures", "/workshop/pictures/x", "/api/pictures/x/reading"])
async def test_who_may_not_look_is_not_seen_to_look(tmp_path: Path, path: str) -> None:
    async with open_api(tmp_path, played=False) as api:
        assert (await api.away.get(path)).status_code == 403
        assert not api.referee.snapshot.looked_at


async def test_the_throw_on_the_baize_is_read_once_more_by_a_button(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        idle = await api.here.post("/api/throw/second-look")
        before = (await api.here.get("/workshop/pictures")).text
        start = {"do": "start", "game": "pub", "players": [{"name": "Ann"}], "options": {"first": "chosen"}}
        await api.here.post("/api/commands", json=start)
        await until(api.referee, "awaiting_throw")
        await api.here.post("/api/commands", json={"do": "roll"})
        thrown = sorted((await until(api.referee, "choosing")).throw)
        page = (await api.here.get("/workshop/pictures")).text
        seen = (await api.here.post("/api/throw/second-look")).json()
        away = await api.away.post("/api/throw/second-look")
    assert (idle.status_code, away.status_code) == (409, 403)
    assert ('id="look"' in before, 'id="look"' in page) == (False, True)
    assert (seen["before"], seen["seen"], seen["is_corrected"]) == (thrown, thrown, False)


def test_every_reason_has_words() -> None:
    assert set(reasons_in(ENGLISH)) == set(Reason)
    assert say_what("3-5", ENGLISH) == "Read: 5·3"
    assert say_what("2-5-was-3-5", ENGLISH) == "Corrected: read 5·2, it was 5·3"
    assert say_what("off_field", ENGLISH) == "Not read: a die lay outside"
