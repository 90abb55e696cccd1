"""Bring-up as a job: what it asks and shows, that nothing is written before the last answer, and what is used then."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from controller.settings import load_settings
from hardware.box import load_box
from tests.support.operators import JobRig, State, open_job_rig, two_tiles, yes

SWAPPED, REVERSED, MOVED = "swapped:front-1", "reversed:front-2", "moved:0x40"
MISTAKES = (SWAPPED, REVERSED, MOVED, "camera:upside-down")
DIFFERENCE = {
    "tiles.front-1.servo": ("0x40/3", "0x41/5"),
    "tiles.front-2.servo": ("0x40/5", "0x41/3"),
    "tiles.front-2.reversed": (False, True),
    "camera.upside_down": (False, True),
}


async def brought_up(rig: JobRig, answer: str = "yes", **order: object) -> State:
    """Bring the box up, answering the last question as told and all others by the first answer."""

    def reply(state: State) -> Mapping[str, object] | None:
        answers = state["view"]["question"]["answers"]
        return {"answer": answer} if answer in answers else yes(state)

    assert (await rig.ann.begin(kind="bringup", **order)).status_code == 200
    state = await rig.ann.follow(reply)
    await rig.until_open()
    return state


def difference(state: State) -> dict[str, tuple[object, object]]:
    return {each["key"]: (each["before"], each["after"]) for each in state["draft"]["changes"]}


async def test_the_profile_is_written_with_its_comments_and_used_at_once(tmp_path: Path) -> None:
    file = commented(tmp_path)
    async with open_job_rig(tmp_path, box=str(file), faults=MISTAKES) as rig:
        state = await brought_up(rig)
        assert (state["status"], state["answer"]["saved"]) == (0, True)
        assert difference(state) == DIFFERENCE
        written = Path(state["answer"]["file"])
        assert written == rig.home.profile("two-tiles")
        assert load_settings(rig.home.settings).box == str(written)
        assert b"# mine\n" in rig.files()[written.name]
        assert commented(tmp_path) == file, "the profile that was given stays"
        # The very table that is opened next moves the tiles that it is told to.
        table = rig.referee.table
        assert table.box == load_box(str(written))
        assert table.hands is not None
        assert set(table.hands.broken) == set(MISTAKES), "the wood stays as it was built"
        again = await brought_up(rig)
        assert (again["draft"]["findings"], again["draft"]["changes"], again["status"]) == ([], [], 0)
        tested = await retested(rig)
        assert tested["answer"]["findings"] == []


def commented(folder: Path) -> Path:
    """A profile with a comment; the one that is there must be the same."""
    file = folder / "two-tiles.toml"
    before = file.read_text("utf-8") if file.exists() else None
    file = Path(two_tiles(folder))
    file.write_text(f"# mine\n{file.read_text('utf-8')}", "utf-8")
    assert before in (None, file.read_text("utf-8"))
    return file


async def retested(rig: JobRig) -> State:
    assert (await rig.ann.begin(kind="selftest")).status_code == 200
    state = await rig.ann.follow()
    await rig.until_open()
    return state


@pytest.mark.parametrize("at", ["hands", "hands off", "which", "write"])
async def test_cancelled_at_any_question_it_changes_no_file(at: str, tmp_path: Path) -> None:
    names = {"hands": ("go_on", False), "hands off": ("go_on", True), "which": ("some", True), "write": ("yes", True)}
    async with open_job_rig(tmp_path, faults=MISTAKES) as rig:
        before = rig.files()
        assert (await rig.ann.begin(kind="bringup")).status_code == 200
        asked, answered = await rig.ann.until_asked(), 0
        while (asked["view"]["question"]["answers"][0], asked["view"]["question"]["waits"]) != names[at]:
            if asked["asked"] != answered:
                answered = asked["asked"]
                await rig.ann.answer(answered, **(yes(asked) or {}))
            await asyncio.sleep(0.2)
            asked = await rig.ann.until_asked()
        assert (await rig.ann.cancel()).status_code == 200
        assert (await rig.ann.follow())["lines"][-1]["text"] == "Cancelled: nothing was changed."
        await rig.until_open()
        assert rig.files() == before


async def test_a_no_changes_no_file_and_says_what_differs(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path, faults=(SWAPPED,)) as rig:
        before = rig.files("simulated-")
        state = await brought_up(rig, "no")
        assert (state["status"], state["answer"]["saved"], state["draft"]["stage"]) == (1, False, "done")
        assert len(state["answer"]["changes"]) == 2
        assert any("tiles.front-1.servo: 0x40/3 -> 0x40/5" in line["text"] for line in state["lines"])
        assert rig.files("simulated-") == before


async def test_without_anybody_to_ask_it_writes_what_it_has_found(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path, faults=(SWAPPED, MOVED)) as rig:
        state = await brought_up(rig, ask=False)
        assert (state["asked"], state["answer"]["saved"]) == (0, True)


async def test_the_state_shows_every_tile_as_it_goes(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path, faults=(SWAPPED,)) as rig:
        assert (await rig.ann.begin(kind="bringup")).status_code == 200
        seen: list[dict[str, Any]] = []
        answered = 0
        while not (state := await rig.ann.see())["is_over"]:
            if state["draft"] is not None:
                seen.append(json.loads(json.dumps(state["draft"])))
            if state["view"]["question"] and state["asked"] != answered:
                answered = state["asked"]
                await rig.ann.answer(answered, **(yes(state) or {}))
            await asyncio.sleep(0.1)
        await rig.until_open()
    stages = list(dict.fromkeys(draft["stage"] for draft in seen))
    assert [stage for stage in stages if stage not in ("chips", "done")] == ["hands", "servos", "camera", "changes"]
    tiles = [tile for draft in seen for tile in draft["tiles"]]
    assert set(tiles[0]) == {"tile", "shut", "open", "position", "pulse_us", "state"}
    assert {tile["position"] for tile in tiles} >= {"OPEN", "SHUT"}
    assert {tile["state"] for tile in tiles} == {"unknown", "wrong"}
    assert any(tile["pulse_us"] for tile in tiles if tile["tile"] == "front-2")
    assert all(not (draft["tiles"][0]["pulse_us"] and draft["tiles"][1]["pulse_us"]) for draft in seen)
    assert seen[-1]["chips"] == [
        {"address": "0x40", "kind": "servo board", "seen_at": "0x40", "tiles": ["front-1", "front-2"]}
    ]


async def test_where_the_sensors_do_not_agree_the_person_is_asked_which_tile_it_is(tmp_path: Path) -> None:
    """Both pairs of plugs are swapped: only somebody who looks can tell that from a swap of the other sensors."""
    questions: list[str] = []

    def reply(state: State) -> Mapping[str, object] | None:
        question = state["view"]["question"]
        if "some" not in question["answers"]:
            return yes(state)
        questions.append(question["say"])
        assert question["names"] == ["front-1", "front-2"]
        # It was not seen at first.
        named = {1: (), 2: ("front-2",)}.get(len(questions), ("front-1",))
        return {"answer": "some", "names": named}

    async with open_job_rig(tmp_path, faults=(SWAPPED, "swapped-sensor:front-1")) as rig:
        assert (await rig.ann.begin(kind="bringup")).status_code == 200
        state = await rig.ann.follow(reply)
        await rig.until_open()
    assert len(questions) == 3
    assert set(difference(state)) == {f"tiles.front-{n}.{part}" for n in (1, 2) for part in ("servo", "shut")}


async def test_a_servo_that_is_another_is_not_driven_by_the_end_points_of_the_former(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path) as rig:
        assert (await rig.ann.begin(kind="servos")).status_code == 200
        assert (await rig.ann.follow())["status"] == 0
        await rig.until_open()
        hands = rig.referee.table.hands
        assert hands is not None
        await rig.client.post("/api/simulated/deeds", json={"do": "break", "fault": REVERSED})
        state = await brought_up(rig)
        assert difference(state) == {"tiles.front-2.reversed": (False, True)}
        assert [each.seen for each in rig.referee.table.checks] == ["none for front-2"]
        assert (await rig.ann.begin(kind="servos", tiles=["front-2"])).status_code == 200
        done = await rig.ann.follow()
        await rig.until_open()
        assert done["answer"]["tiles"]["front-2"]["verdict"] == "good"
        assert rig.referee.table.checks == ()
        assert (await retested(rig))["answer"]["findings"] == []


async def test_a_box_of_three_rows_is_refused(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path, box="rows-3") as rig:
        refused = await rig.ann.begin(kind="bringup")
        assert refused.status_code == 422
        assert "3 rows" in refused.json()["error"]


async def test_hands_at_a_simulated_box_tip_the_tiles_that_the_job_looks_at(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path) as rig:
        assert (await rig.ann.begin(kind="bringup")).status_code == 200
        await rig.ann.until_asked()
        tip = {"do": "tip", "tile": "front-1", "position": "SHUT"}
        assert (await rig.client.post("/api/simulated/deeds", json=tip)).json()["tiles"]["front-1"] == "SHUT"
        await asyncio.sleep(1)
        state = await rig.ann.see()
        assert [tile["position"] for tile in state["draft"]["tiles"]] == ["SHUT", "OPEN"]
        assert [line["text"] for line in state["lines"]][-2:] == [
            "front-1: its open sensor says no.",
            "front-1: its shut sensor says yes.",
        ]
        assert (await rig.ann.follow())["status"] == 0
        await rig.until_open()


async def test_a_camera_that_hangs_upside_down_is_calibrated_once_the_profile_says_so(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path, box=str(commented(tmp_path)), faults=("camera:upside-down",)) as rig:
        assert (await brought_up(rig))["status"] == 0
        await rig.ann.begin(kind="camera", views=8)
        done = await rig.ann.follow()
        await rig.until_open()
        assert (done["status"], done["answer"]["verdict"]) == (0, "good")
        assert (await retested(rig))["answer"]["findings"] == []
