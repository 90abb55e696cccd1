"""The drawer of a simulated box: what can be broken, and what is, in words."""

import re
from dataclasses import replace

from controller.game.core.sight import CameraState, JobView, SnapshotContext
from controller.game.table.caller import Caller
from controller.game.table.snapshot import snapshot_of
from controller.web.pages.table.audience import Audience
from controller.web.pages.table.parts import DrawnParts
from hardware.sim.faults import FAULTS, apply_fault
from hardware.sim.world import World
from tests.controller.game.shutbox.test_actions import WAITING
from tests.support.sensed_box import sensed
from tests.support.together import together

CONTEXT = SnapshotContext(1, 1, "two-level-9", simulated=True)
DRAWN = DrawnParts()
WORLD = World(sensed(), lambda: 0.0, 1)


def drawer(context: SnapshotContext = CONTEXT, caller: Caller = Caller("page")) -> str:  # noqa: B008 - frozen
    return DRAWN.of(snapshot_of(WAITING, context), Audience("play", "en", caller))["drawer"]


def test_a_real_box_has_none() -> None:
    assert not drawer(replace(CONTEXT, simulated=False)).strip()


def test_all_that_it_offers_can_be_done_to_a_box() -> None:
    html = drawer()
    for fault in re.findall(r'data-break="([\w:-]+)"', html):
        apply_fault(WORLD, fault)
    for mode in set(re.findall(r'data-mode="(\w+)"', html)) - {"tip"}:
        apply_fault(WORLD, f"{mode}:front-5")
    assert html.count("data-cut") == 1


@together("name", FAULTS)
def test_whatever_is_broken_is_said_in_words_and_can_be_mended(name: str) -> None:
    part = next(iter(FAULTS[name].parts(WORLD.box)))
    html = drawer(replace(CONTEXT, sight=CameraState(broken=(f"{name}:{part}",))))
    [line] = re.findall(r"<li><span>(.*?)</span>", html)
    assert line.endswith(FAULTS[name].description.replace("'", "&#39;"))
    assert ("1 in front" in line) == (part == "front-1")
    assert f'data-lift="{name}:{part}"' in html


def test_what_is_broken_is_said_below_the_box_before_anything_comes_of_it() -> None:
    snapshot = snapshot_of(WAITING, replace(CONTEXT, sight=CameraState(broken=("jam:front-7",))))
    news = DRAWN.of(snapshot, Audience("play", "en", Caller("page")))["news"]
    assert re.search("Broken on purpose. 7 in front: The tile does not move", news)


def test_what_is_broken_already_is_not_offered() -> None:
    html = drawer(replace(CONTEXT, sight=CameraState(broken=("camera:frozen",))))
    assert 'data-break="camera:frozen"' not in html


def test_who_looks_on_breaks_nothing() -> None:
    html = drawer(caller=Caller("page", "spectator"))
    assert not re.search("data-(break|mode|cut|lift)", html)
    assert "Take a seat" in html


def test_without_power_only_tiles_can_be_tipped() -> None:
    html = drawer(replace(CONTEXT, job=JobView("outage")))
    assert re.findall(r'data-mode="(\w+)"', html) == ["tip"]
    assert not re.search("data-(break|cut)", html)
    assert re.findall(r'data-do="(\w+)"', html) == ["park"]
