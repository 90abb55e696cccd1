"""Button, lamp and lid of the box during a job: a long press stops whatever moves, the lamp says who is waited for."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from controller.box import simulated, simulated_rigs
from firmware.errors import DeviceMissing
from firmware.panel import Light
from hardware.sim.world import World
from tests.support.operators import ORDERS, JobRig, Operator, State, open_job_rig, two_tiles, yes
from tests.support.true_box import driven_tiles

# Lines said and questions asked when the button is pressed: amid the work.
STEPS = {"servos": 4, "camera": 5, "dice": 4, "selftest": 3, "wiring": 1, "bringup": 6}
WOOD = ("simulated-", "wear-")
_LOOK_EVERY_S = 0.05


@pytest.fixture
def worlds(monkeypatch: pytest.MonkeyPatch) -> list[World]:
    """Every simulated box that is opened, in order: hands reach for the button of each."""
    made: list[World] = []

    class Noted(World):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            made.append(self)

    for module in (simulated, simulated_rigs):
        monkeypatch.setattr(module, "World", Noted)
    return made


def box_with_panel(folder: Path) -> str:
    """The file of a box with two tiles, a button, a lamp and a lid's switch."""
    file = Path(two_tiles(folder))
    panel = '[panel]\nlid = "GPIO23"\nbutton = "GPIO24"\nled = "GPIO25"\n'
    file.write_text(file.read_text("utf-8").replace("[panel]\n", panel), "utf-8")
    return str(file)


async def work_until(operator: Operator, step: int) -> State:
    """Answer what is asked until it has said so many lines and asked so many questions."""
    answered = 0
    async with asyncio.timeout(1200):
        while (state := await operator.see())["count"] + state["asked"] < step:
            if state["view"]["question"] and state["asked"] != answered and (answer := yes(state)):
                answered = state["asked"]
                await operator.answer(answered, **answer)
            await asyncio.sleep(_LOOK_EVERY_S)
    return state


async def end_of(rig: JobRig) -> State:
    """The job as it ends; nobody answers any more."""
    state = await rig.ann.follow(lambda _state: None)
    await rig.until_open()
    return state


@pytest.mark.parametrize("kind", ORDERS)
@pytest.mark.parametrize("by", ["button", "lid"])
async def test_a_pause_at_the_box_stops_a_job_and_nothing_is_changed(
    kind: str, by: str, tmp_path: Path, worlds: list[World]
) -> None:
    async with open_job_rig(tmp_path, box=box_with_panel(tmp_path)) as rig:
        before = rig.files(*WOOD)
        assert (await rig.ann.begin(**ORDERS[kind])).status_code == 200
        state = await work_until(rig.ann, STEPS[kind])
        assert not state["is_over"]
        for world in worlds:
            if by == "button":
                world.press_button(1.5)
            else:
                world.close_lid()
        state = await end_of(rig)

        assert state["lines"][-1]["text"] == "Cancelled: nothing was changed."
        assert state["status"] == 1
        assert rig.files(*WOOD) == before
        assert not any(driven_tiles(world) for world in worlds)


async def test_a_short_press_stops_nothing(tmp_path: Path, worlds: list[World]) -> None:
    async with open_job_rig(tmp_path, box=box_with_panel(tmp_path)) as rig:
        await rig.ann.begin(kind="servos")
        await rig.ann.until_asked()
        for world in worlds:
            world.press_button(0.2)
        await asyncio.sleep(3)
        state = await rig.ann.see()
        assert (state["is_over"], state["asked"]) == (False, 1)


async def test_the_lamp_asks_for_help_while_the_job_waits_and_blinks_slowly_while_it_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Light] = []
    monkeypatch.setattr("firmware.panel.Lamp.show", lambda _lamp, light: shown.append(light))
    async with open_job_rig(tmp_path, box=box_with_panel(tmp_path)) as rig:
        await rig.ann.begin(kind="servos")
        await rig.ann.until_asked()
        await asyncio.sleep(1)
        waiting = shown[-1]
        await rig.ann.answer(1, answer="go_on")
        await asyncio.sleep(1)
        working = shown[-1]
        await rig.ann.cancel()
        await rig.until_open()

    assert (waiting, working) == (Light.FAST, Light.SLOW)


async def test_a_camera_is_calibrated_also_where_the_header_cannot_be_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(_world: World) -> None:
        raise DeviceMissing("the header", expected="its lines", seen="held by another program")

    monkeypatch.setattr(simulated_rigs, "open_pin_factory", refuse)
    async with open_job_rig(tmp_path, box=box_with_panel(tmp_path)) as rig:
        await rig.ann.begin(**ORDERS["camera"])
        state = await rig.ann.follow()

    assert state["status"] == 0
    assert "the button cannot stop this session" in caplog.text
