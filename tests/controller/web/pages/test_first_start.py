"""The first start: which step comes next is found by what is kept of the box."""

import re
from pathlib import Path

import pytest

from controller.box.choose import choose_box
from controller.box.wires_note import note_wires, wires_noted
from controller.box.wood import note_wood
from controller.jobs.dialog import date_now
from controller.runtime.home import Home
from controller.settings import Settings, load_settings, save_setting
from hardware.box import profile_text
from tests.support.operators import JobRig, open_job_rig

ENGLISH = {"Cookie": "shutbox-language=en"}


async def step_of(rig: JobRig, path: str = "/workshop/first", headers: dict[str, str] | None = None) -> str:
    shown = (await rig.client.get(path, headers=ENGLISH if headers is None else headers)).text
    found = re.search(r"<h2>Step (\d) of 6: ([^<]*)</h2>", shown)
    assert found is not None
    return f"{found[1]} {found[2]}"


async def test_each_step_is_done_by_what_is_kept(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path) as rig:
        assert await step_of(rig, headers={}) == "1 Language"
        assert await step_of(rig) == "2 Which box is it?"
        save_setting(rig.home.settings, "box", "two-level-9")
        assert await step_of(rig) == "3 Wires"
        note_wires(rig.home, "two-tiles", date_now(), mock=True)
        assert await step_of(rig) == "4 Camera"
        await rig.ann.begin(kind="camera", views=8)
        await rig.ann.follow()
        await rig.until_open()
        assert await step_of(rig) == "5 Servos"
        await rig.ann.begin(kind="servos", tiles=["front-1"])
        await rig.ann.follow()
        await rig.until_open()
        assert await step_of(rig) == "5 Servos", "the other tile is not measured"
        await rig.ann.begin(kind="servos")
        await rig.ann.follow()
        await rig.until_open()
        assert await step_of(rig) == "6 Let phones in, and play"


async def test_who_starts_a_game_at_a_new_box_is_led_to_its_first_start(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path) as rig:
        left = "This box is not set up yet. Still to do: the choice of the box, wires, camera and servos."
        assert left in (await rig.client.get("/start")).text
        assert "not set up" not in (await rig.network.get("/start")).text, "nobody else could do it"
        save_setting(rig.home.settings, "box", "two-tiles")
        note_wires(rig.home, "two-tiles", date_now(), mock=True)
        for kind in ("camera", "servos"):
            await rig.ann.begin(kind=kind)
            await rig.ann.follow()
            await rig.until_open()
        assert "not set up" not in (await rig.client.get("/start")).text


@pytest.mark.parametrize("kept", [b"\xff = [", b'box = "classic-9"\n'], ids=["garbage", "another box"])
async def test_what_cannot_be_read_is_not_set_up(tmp_path: Path, kept: bytes) -> None:
    async with open_job_rig(tmp_path) as rig:
        for name in ("calibration.toml", "settings.toml"):
            (rig.home.data / name).write_bytes(kept)
        for path in ("/start", "/workshop", "/workshop/first?step=servos", "/workshop/servos", "/workshop/camera"):
            assert (await rig.client.get(path)).status_code == 200, path
        assert "not set up yet" in (await rig.client.get("/start")).text


async def test_it_says_how_long_all_of_it_takes(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path, box="two-level-9") as rig:
        assert "about 40 minutes" in (await rig.client.get("/workshop/first", headers=ENGLISH)).text


async def test_any_step_can_be_done_first_and_a_wrong_one_is_refused(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path) as rig:
        assert await step_of(rig, "/workshop/first?step=servos") == "5 Servos"
        assert (await rig.client.get("/workshop/first?step=tea")).status_code == 422


async def test_a_profile_is_chosen_and_used_at_once_and_after_the_next_start(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path, box="two-level-9") as rig:
        assert (await rig.client.put("/api/box/profile", json={"profile": "tea"})).status_code == 404
        chosen = await rig.client.put("/api/box/profile", json={"profile": "classic-9"})
        assert (chosen.status_code, chosen.json()["box"]) == (200, "classic-9")
        assert load_settings(rig.home.settings).box == "classic-9"
        # The profile of a bring-up stays in use where the box is the same.
        own = rig.home.profile("classic-9")
        own.write_text(profile_text("classic-9"), "utf-8")
        save_setting(rig.home.settings, "box", str(own))
        await rig.client.put("/api/box/profile", json={"profile": "classic-9"})
        assert load_settings(rig.home.settings).box == str(own)


async def test_no_profile_is_changed_during_a_game(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path, box="two-level-9") as rig:
        await rig.client.post("/api/commands", json={"do": "start", "players": [{"name": "Ann"}]})
        refused = await rig.client.put("/api/box/profile", json={"profile": "classic-9"})
        assert (refused.status_code, rig.referee.snapshot.box) == (409, "two-level-9")
        assert not rig.home.settings.exists()


def test_the_mistakes_in_simulated_wood_outlast_the_power(tmp_path: Path) -> None:
    home = Home(tmp_path, tmp_path, fixed=True)
    own = home.profile("classic-9")
    own.write_text(profile_text("classic-9"), "utf-8")
    note_wood(home, "classic-9", "classic-9", ("jam:front-1", "swapped:front-2"))

    def faults(box: str, *given: str) -> tuple[str, ...]:
        return tuple(choose_box(box, Settings(), home, mock=True, faults=given, seed=1).rigs().faults)

    assert faults(str(own)) == ("swapped:front-2",)
    assert faults(str(own), "swapped:front-2", "jam:front-4") == ("swapped:front-2", "jam:front-4")
    assert faults("classic-9") == (), "the profile of the program describes wood without mistakes"


def test_a_damaged_note_says_nothing(tmp_path: Path) -> None:
    home = Home(tmp_path, tmp_path, fixed=True)
    note_wires(home, "classic-9", date_now(), mock=False)
    assert wires_noted(home, "classic-9", mock=False) is not None
    assert wires_noted(home, "classic-9", mock=True) is None
    home.wires("classic-9", mock=False).write_bytes(b"\xff\x00")
    assert wires_noted(home, "classic-9", mock=False) is None


async def test_a_profile_that_is_at_the_table_for_a_game_only_is_chosen_all_the_same(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path, box="two-level-9") as rig:
        await rig.client.put("/api/box", json={"game": "pub", "options": {"tiles": 12}})
        at_table = rig.referee.snapshot.box
        assert at_table != "two-level-9"
        await rig.client.put("/api/box/profile", json={"profile": at_table})
        assert load_settings(rig.home.settings).box == at_table
