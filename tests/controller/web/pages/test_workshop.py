"""The pages of the workshop: what an operator begins, answers, sees and reads there; nobody else sees them."""

import json
import re
from pathlib import Path

import pytest

from controller.box.faults import fault_kinds
from controller.web.roles import LEAST
from hardware.box import load_box
from hardware.sim.faults import FAULTS
from tests.conftest import Run
from tests.controller.conftest import Shutbox
from tests.controller.web.pages.elements import Element, elements_of
from tests.support.long import long_but_every
from tests.support.operators import ANN, BOB, JobRig, open_job_rig

PATHS = ("/workshop", *(f"/workshop/{kind}" for kind in ("servos", "camera", "dice", "selftest")))


async def part(rig: JobRig, hold: str = ANN) -> str:
    return (await rig.client.get("/workshop/job", headers={"Job-Hold": hold})).text


def work(html: str) -> dict[str, str]:
    return next(each.attributes for each in elements_of(html) if each.attributes.get("id") == "work")


def buttons(html: str) -> list[Element]:
    return [each for each in elements_of(html) if each.tag == "button"]


def rows(html: str) -> list[str]:
    return [each.attributes["data-verdict"] for each in elements_of(html) if "data-verdict" in each.attributes]


async def test_an_operator_reads_every_page_and_no_one_else_one(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path) as rig:
        every = [path for method, path in LEAST if path.startswith("/workshop")]
        for path in every:
            assert (await rig.network.get(path.replace("{name}", "x"))).status_code == 403, path
        await rig.pair("Tablet")
        for path in PATHS:
            assert (await rig.network.get(path)).status_code == 200, path
        assert {path for path in PATHS if path not in every} == set()


async def test_the_overview_says_what_is_due_and_what_was_done(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path) as rig:
        before = (await rig.client.get("/workshop")).text
        await rig.ann.begin(kind="servos")
        await rig.ann.follow()
        await rig.until_open()
        await rig.ann.begin(kind="selftest")
        await rig.ann.follow()
        await rig.until_open()
        after = (await rig.client.get("/workshop")).text
    due = [each.attributes["href"] for each in elements_of(before) if "data-due" in each.attributes]
    assert due == [f"/workshop/{each}" for each in ("first", "bringup", "servos", "camera", "selftest")]
    due = [each.attributes["href"] for each in elements_of(after) if "data-due" in each.attributes]
    assert due == [f"/workshop/{each}" for each in ("first", "bringup", "camera")]
    assert "Passed: today" in after


async def test_servos_are_drawn_while_they_are_measured_and_once_they_are_saved(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path) as rig, rig.referee.watch() as snapshots:
        assert "No servo of this box has been measured" in (await rig.client.get("/workshop/servos")).text
        await rig.ann.begin(kind="servos")
        first = await rig.ann.until_asked()
        asked = await part(rig)
        assert "Open the lid, take your hands and the dice out of the box." in asked
        assert "Enter" not in asked, "what to type is for terminals"
        assert [each.attributes.get("value") for each in buttons(asked)] == ["go_on", None]
        await rig.ann.answer(first["asked"], answer="go_on")
        while "yes" not in (await rig.ann.until_asked())["view"]["question"]["answers"]:
            await snapshots.get()
        measured = await part(rig)
        assert rows(measured) == ["good", "good"]
        assert [each.attributes.get("value") for each in buttons(measured)] == ["yes", "no", None]
        await rig.ann.follow()
        await rig.until_open()
        over, saved = await part(rig), (await rig.client.get("/workshop/servos")).text
    assert "data-runs" not in work(over)
    assert "Saved." in over
    assert "calibration.toml" not in over.partition('class="log"')[0], "nobody there needs the name of a file"
    assert rows(saved) == ["good", "good"]
    assert re.findall(r"\d+ / \d+ us", saved) == re.findall(r"\d+ / \d+ us", measured)


def test_page_and_terminal_say_the_same_of_saved_servos(
    run: Run, shutbox: Shutbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def saved_on_page() -> str:
        async with open_job_rig(tmp_path) as rig:
            await rig.ann.begin(kind="servos")
            await rig.ann.follow()
            await rig.until_open()
            return (await rig.client.get("/workshop/servos")).text

    page = run(saved_on_page())
    monkeypatch.setenv("SHUTBOX_HOME", str(tmp_path / "home"))
    status, out, _ = shutbox("calibrate", "--show", "--json", "--box", str(tmp_path / "two-tiles.toml"))
    ends = json.loads(out)["tiles"]
    assert status == 0
    pulses = [f"{at['open_us']} / {at['rest_us']} / {at['shut_us']} us" for at in ends.values()]
    assert re.findall(r"[\d/ ]+ us", page) == pulses


async def test_the_buttons_of_a_tile_that_is_set_by_hand_are_keys(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path) as rig:
        await rig.ann.begin(kind="servos", by_hand=True)
        await rig.ann.until_asked()
        shown = await part(rig)
        await rig.ann.cancel()
        await rig.until_open()
    assert [each.attributes["data-name"] for each in buttons(shown)[:-1]] == [
        "<",
        "-",
        "+",
        ">",
        "o",
        "s",
        "m",
        "n",
        "d",
    ]
    assert "front-1: pulse of" in shown


async def test_another_device_watches_and_cannot_answer(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path) as rig:
        await rig.ann.begin(kind="servos")
        await rig.ann.until_asked()
        seen = await part(rig, BOB)
        await rig.ann.cancel()
    assert ["data-take" in each.attributes for each in buttons(seen)] == [True]
    assert "Another device is doing this" in seen


async def selftest_page(rig: JobRig) -> str:
    await rig.ann.begin(kind="selftest")
    await rig.ann.follow()
    await rig.until_open()
    return await part(rig)


async def test_the_self_test_ends_in_its_page(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path, faults=("unplugged:front-1",)) as rig:
        shown = await selftest_page(rig)
    health = [each.attributes["data-health"] for each in elements_of(shown) if each.attributes.get("class") == "t"]
    assert health == ["broken", "well"]
    assert "H-301" in shown
    assert 'href="/workshop/bringup"' in shown, "a plug in a wrong place looks the same"


async def test_who_cannot_have_swapped_wires_is_not_sent_to_them(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path, faults=("chatter:front-1",)) as rig:
        shown = await selftest_page(rig)
    assert "H-304" in shown
    assert 'href="/workshop/bringup"' not in shown


async def test_what_the_camera_sees_is_scored(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path) as rig, rig.referee.watch() as snapshots:
        await rig.ann.begin(kind="camera", views=8)
        while "data-sees" not in (shown := await part(rig)):
            await snapshots.get()
        await rig.ann.follow()
        await rig.until_open()
        over = await part(rig)
    assert "Good · error of 0." in over
    assert {"Markers", "Light", "Sharpness"} <= set(re.findall(r"<dt>(.*?)</dt>", shown))


@pytest.mark.parametrize(
    ("name", "status"), [("calibration-sheet.pdf", 200), ("marker-sheet.pdf", 200), ("x.pdf", 404)]
)
async def test_the_sheets_are_there_to_print(tmp_path: Path, name: str, status: int) -> None:
    async with open_job_rig(tmp_path) as rig:
        sheet = await rig.client.get(f"/workshop/sheets/{name}")
    assert (sheet.status_code, sheet.content.startswith(b"%PDF")) == (status, status == 200)


async def test_a_job_speaks_the_language_of_the_device(tmp_path: Path) -> None:
    german = {"Accept-Language": "de"}
    async with open_job_rig(tmp_path) as rig:
        await rig.pair("Tablet")
        await rig.network.post("/api/job", json={"kind": "servos"}, headers={"Job-Hold": ANN})
        await rig.ann.until_asked()
        shown = (await rig.network.get("/workshop/job", headers={"Job-Hold": ANN, **german})).text
        await rig.ann.cancel()
    assert "Mach den Deckel auf" in shown
    assert "Open the lid" not in shown


async def test_a_bring_up_is_drawn_from_the_first_chip_to_the_difference(tmp_path: Path) -> None:
    shown: list[str] = []
    async with open_job_rig(tmp_path, faults=("swapped:front-1", "reversed:front-2")) as rig:
        assert (await rig.client.get("/workshop/bringup")).status_code == 200
        async with rig.referee.watch() as snapshots:
            await rig.ann.begin(kind="bringup")
            while not (state := await rig.ann.see())["is_over"]:
                if state["view"]["question"] and len(shown) < state["asked"]:
                    shown.append(await part(rig))
                    first, seen = state["view"]["question"]["answers"][0], state["draft"]["seen"]
                    await rig.ann.answer(state["asked"], answer=first, names=[seen] if first == "some" else [])
                await snapshots.get()
        await rig.until_open()
        over = await part(rig)
    asked = next(each for each in shown if "you see front-2 move" in each)
    assert [each.attributes.get("data-name") for each in buttons(asked)][:3] == ["front-2", "front-1", None]
    assert "tiles.front-1.servo" in shown[-1]
    states = [each.attributes["data-state"] for each in elements_of(over) if "data-state" in each.attributes]
    assert states[-2:] == ["wrong", "wrong"]
    assert "Saved." in over
    assert "What is wrong, and what to do" in shown[-1]
    assert "What was wrong; the profile has it now" in over
    assert "data-well" in work(over)


BOX = load_box("two-level-9")
# With a header that cannot be opened a daemon has no table to lend: it says so at its start.
KINDS = [kind for kind in fault_kinds() if kind.name not in ("busy", "header")]
FAULTY = [f"{kind.name}:{part}" for kind in KINDS for part in [*kind.parts(BOX)][:1]]


@pytest.mark.parametrize("fault", long_but_every(6, FAULTY))
async def test_the_page_of_a_self_test_marks_the_part_that_is_broken(tmp_path: Path, fault: str) -> None:
    kind, _, part_name = fault.partition(":")
    code, names = FAULTS[kind].finding(part_name)
    async with open_job_rig(tmp_path, box="two-level-9", faults=(fault,)) as rig:
        await rig.ann.begin(kind="selftest")
        state = await rig.ann.follow()
        await rig.until_open()
        shown = await part(rig)
    assert (code, names) in {(each["code"], each["part"]) for each in state["answer"]["findings"]}
    assert f"{names} <small>{code}</small>" in shown
