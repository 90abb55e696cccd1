"""The settings over the API: for operators, checked as a whole, one key at a time."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.referee.referee import Referee
from controller.settings import load_settings
from tests.support.api import open_api
from tests.support.long import long_but_every


async def test_one_key_is_set_and_the_rest_of_the_file_stays(tmp_path: Path) -> None:
    async with open_api(tmp_path) as api:
        set_in_table = await api.here.put("/api/settings/pace.house_thinks_s", json={"value": 0.5})
        set_names = await api.here.put("/api/settings/players", json={"value": ["Cid", "House"]})
        now = {row["key"]: row for row in (await api.here.get("/api/settings")).json()["settings"]}
        text = api.home.settings.read_text()

    assert (set_in_table.status_code, set_names.status_code) == (200, 200)
    assert text.startswith("# our box\n")
    assert now["pace.house_thinks_s"]["value"] == load_settings(api.home.settings).pace.house_thinks_s == 0.5
    assert (now["players"]["value"], now["players"]["default"]) == (["Cid", "House"], ["Player", "House"])


@pytest.mark.parametrize(
    ("key", "value", "says"),
    long_but_every(
        2,
        [
            ("nothing", 1, "there is no such setting; there are box"),
            ("pace", 1, "there is no such setting"),
            ("pace.house_thinks_s", 61, "house_thinks_s"),
            ("box", 3, "box"),
            ("players", [], "players"),
            ("camera", "a lens", "camera"),
            ("camera", "v4l2:/dev/\0", "camera"),
            ("box", "/etc/passwd", "/etc/passwd:1: not TOML"),
            ("box", "/dev/zero", "/dev/zero: cannot be read: not a file"),
            ("box", "/\0", "cannot be read"),
            ("box", "\u2028", "no such box; the known ones are"),
            ("box", "classic-99", "no such box; the known ones are"),
            ("dice", "nobody-taught", "nobody-taught"),
            ("dice", "../pips", "is no name for dice"),
            ("players", ["\0"], "different names of 1 to 24 characters"),
            ("players", ["a" * 900, "House"], "different names of 1 to 24 characters"),
            ("players", ["Ann", "Ann"], "different names of 1 to 24 characters"),
            ("players", ["House:brilliant"], "the house plays"),
            ("house_players", ["a" * 900], "names of 1 to 24 characters"),
        ],
    ),
)
async def test_a_value_that_does_not_fit_changes_nothing(tmp_path: Path, key: str, value: Any, says: str) -> None:
    async with open_api(tmp_path) as api:
        before = api.home.settings.read_bytes()
        refused = await api.here.put(f"/api/settings/{key}", json={"value": value})
        after = api.home.settings.read_bytes()
    assert (refused.status_code, refused.json()["code"]) == (422, "C-303")
    assert says in refused.json()["error"]
    assert str(tmp_path) not in refused.json()["error"]
    assert after == before


@pytest.mark.parametrize("kind", ["endless", "fifo", "folder"])
async def test_a_file_that_is_no_profile_is_not_read_whole(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "box.toml"
    match kind:
        case "endless":
            with place.open("wb") as file:
                file.truncate(1 << 40)  # a hole; it takes no room
        case "fifo":
            os.mkfifo(place)
        case "folder":
            place.mkdir()
    async with open_api(tmp_path) as api:
        refused = await api.here.put("/api/settings/box", json={"value": str(place)})
    expected = {"endless": "larger than 1,000,000 bytes", "fifo": "not a file", "folder": ""}
    assert (refused.status_code, refused.json()["code"]) == (422, "C-303")
    assert f"cannot be read: {expected[kind]}" in refused.json()["error"]


async def test_a_box_that_others_were_measured_of_is_taken_where_no_metal_moves_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_api(tmp_path) as api:
        on_metal = replace(api.referee.snapshot, simulated=False)
        with monkeypatch.context() as patched:
            patched.setattr(Referee, "snapshot", property(lambda _referee: on_metal))
            refused = await api.here.put("/api/settings/box", json={"value": "classic-10"})
        taken = await api.here.put("/api/settings/box", json={"value": "classic-10"})
    assert (refused.status_code, refused.json()["code"]) == (422, "C-303")
    assert "this is the calibration of the box two-level-9, not of classic-10" in refused.json()["error"]
    assert taken.status_code == 200


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ({"value": {"a": 1}}, "value: must be true or false, or must be a whole number, or must be a number, or must"),
        ({"value": "\ud800"}, "value: must be true or false, or must be a whole number, or must be a number, or must"),
        ({"values": 1}, "value: is missing"),
        ({"value": 1, "more": 2}, "more: is not known here"),
    ],
)
async def test_what_is_no_value_is_told_in_our_words(tmp_path: Path, message: object, line: str) -> None:
    async with open_api(tmp_path) as api:
        headers = {"Content-Type": "application/json"}
        refused = await api.here.put("/api/settings/box", content=json.dumps(message), headers=headers)
    assert refused.status_code == 422
    assert refused.json()["error"].startswith(line)
    assert "nput" not in refused.json()["error"]


async def test_a_table_that_is_none_is_told_and_left_alone(tmp_path: Path) -> None:
    async with open_api(tmp_path) as api:
        api.home.settings.write_text("pace = 3\n")
        refused = await api.here.put("/api/settings/pace.house_thinks_s", json={"value": 1.0})
        text = api.home.settings.read_text()
    assert (refused.status_code, text) == (422, "pace = 3\n")
    assert "pace must be a table" in refused.json()["error"]


async def test_only_operators_see_or_change_settings(tmp_path: Path) -> None:
    async with open_api(tmp_path) as api:
        seen = await api.away.get("/api/settings")
        changed = await api.away.put("/api/settings/share", json={"value": "yes"})
    assert [(each.status_code, each.json()["code"]) for each in (seen, changed)] == [(403, "C-318")] * 2
