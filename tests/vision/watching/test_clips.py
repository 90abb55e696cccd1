"""The watcher before whole clips: every true throw comes out, once, and nothing else does."""

import asyncio
import math
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import cv2
import pytest

from tests.support.clip import Clip, Scene
from tests.support.long import long_but_every
from tests.support.stage import BOX, RED, WHITE, die
from vision.capture.film import FileCamera
from vision.capture.frame import Camera, Frame
from vision.errors import CameraFrozen
from vision.reader.reader import read_dice
from vision.reading import Reading, Reason, refused
from vision.watching.throw_watcher import Watcher

TWO = frozenset({2})
Script = list[tuple[float, Scene]]

EMPTY = Scene()
A = Scene((die(3, 90, 80, WHITE), die(5, 180, 120, RED)))
B = Scene((die(6, 130, 60, WHITE, 1.1), die(2, 200, 90, RED, 0.1)))
C = Scene((die(4, 100, 130, WHITE, 0.7), die(1, 210, 60, RED, 1.3)))
NUDGED = Scene((A.dice[0], replace(A.dice[1], x_mm=184, y_mm=122, angle_rad=0.6)))
LEANING = replace(B.dice[1], x_mm=60, y_mm=140, lean_rad=math.radians(25), lean_to_rad=0.4)
COCKED = replace(B, dice=(B.dice[0], LEANING))
HAND = (150, 70)
NOT_FLAT = {Reason.COCKED, Reason.STACKED}


def rolling(since_s: float, to: Scene, rest_s: float) -> Script:
    """Dice that slide to where they lie in `to`, seen at 20 pictures a second."""
    steps = round((rest_s - since_s) / 0.05)
    ways = [(since_s + 0.05 * step, (8 * (steps - step), 20 * (steps - step))) for step in range(steps)]
    return [*((at_s, replace(to, slide_px=way)) for at_s, way in ways), (rest_s, to)]


def taken(since_s: float, lying: Scene) -> Script:
    """A hand reaches in, covers the dice, and leaves with them."""
    reaching = [(120, 180), (135, 120), (125, 50)]
    hidden = [(since_s + 0.15 * step, replace(lying, hand_mm=at)) for step, at in enumerate(reaching)]
    leaving = [(since_s + 0.5 + 0.15 * step, replace(EMPTY, hand_mm=at)) for step, at in enumerate(reaching[::-1])]
    return [*hidden, *leaving, (since_s + 0.95, EMPTY)]


@dataclass
class Heard:
    """What came out of a clip."""

    throws: list[tuple[int, ...]] = field(default_factory=list)
    told: list[Reason | None] = field(default_factory=list)
    readings: int = 0
    fault: str = ""


async def heard_from(camera: Camera, until_s: float, scene: Clip | None = None) -> Heard:
    """Watch until the clock shows `until_s`; every throw that is read is counted."""
    heard = Heard()

    def reader(frame: Frame, _counts: frozenset[int]) -> Reading:
        heard.readings += 1
        showing = scene.scene() if scene is not None else None
        if showing == EMPTY:
            # Known without the half second that reading it ten times would cost.
            return refused(Reason.NO_DICE, "No dice lie in the field.")
        return read_dice(frame, layout=BOX.field, die_mm=BOX.die_mm)

    async with Watcher(camera, BOX.field, BOX.die_mm, reader=reader) as watcher:
        try:
            async with asyncio.timeout_at(until_s):
                while True:
                    reading = await watcher.next_throw(TWO)
                    if reading.is_read:
                        watcher.accept()
                        heard.throws.append(reading.values)
                    else:
                        heard.told.append(reading.reason)
        except TimeoutError:
            pass
        except CameraFrozen as frozen:
            heard.fault = frozen.fault.seen
    return heard


async def heard(script: Script, until_s: float) -> Heard:
    clip = Clip(sorted(script, key=lambda cut: cut[0]))
    return await heard_from(clip, until_s, clip)


@pytest.mark.long
async def test_exactly_the_true_throws_of_an_evening_come_out_once_each() -> None:
    hovering = replace(A, hand_mm=HAND)
    script: Script = [
        (0.0, EMPTY),
        *rolling(0.7, A, 1.2),
        (4.0, hovering),
        (9.0, A),
        (10.0, NUDGED),
        *taken(11.0, NUDGED),
        *rolling(12.6, COCKED, 12.9),
        *taken(15.0, COCKED),
        *rolling(16.5, B, 16.9),
        *((18.0 + 0.2 * step, replace(B, light=1 - 0.012 * step)) for step in range(20)),
        (22.0, replace(B, light=1.7)),
        (22.1, replace(B, light=0.77)),
        *taken(23.0, replace(B, light=0.77)),
        *rolling(24.5, replace(C, light=0.77), 24.9),
        (27.0, replace(C, light=0.77, frozen=True)),
    ]
    found = await heard(script, 35.0)
    assert found.throws == [(3, 5), (2, 6), (1, 4)]
    assert found.fault == "the last one again, to the last byte"
    assert found.told[0] in (Reason.HAND, Reason.UNEXPLAINED)
    assert NOT_FLAT.intersection(found.told)
    assert set(found.told) <= {Reason.HAND, Reason.UNEXPLAINED} | NOT_FLAT


@pytest.mark.parametrize(
    "script",
    long_but_every(
        6,
        [
            [(2.0, replace(A, light=1.9)), (2.1, A)],
            [(2.0, replace(A, light=0.0)), (2.2, NUDGED)],
            [(2.0, replace(A, light=0.7)), (3.0, A)],
            [(2.0, replace(A, shadow=True)), (3.0, A)],
            [(2.0, replace(A, tray_px=(40, 12)))],
            [(2.0, replace(A, hand_mm=(20, 196))), (4.0, A)],
        ],
    ),
    ids=["flash", "lamp off", "lamp dimmed", "shadow", "tray moved", "hand beside"],
)
async def test_whatever_happens_around_lying_dice_they_are_one_throw(script: Script) -> None:
    found = await heard([(0.0, EMPTY), (0.5, A), *script], script[-1][0] + 1.5)
    assert (found.throws, found.fault) == ([(3, 5)], "")
    assert set(found.told) <= {Reason.HAND, Reason.UNEXPLAINED}
    assert found.readings <= 20


async def test_a_die_turned_over_is_told_and_is_no_throw() -> None:
    turned = Scene((replace(A.dice[0], value=4, near_value=1), A.dice[1]))
    found = await heard([(0.0, EMPTY), (0.5, A), (3.0, turned)], 6.0)
    assert (found.throws, found.told) == ([(3, 5)], [Reason.STALE])


async def test_dice_picked_up_and_thrown_to_nearly_the_same_places_are_a_second_throw() -> None:
    again = Scene((replace(A.dice[0], value=2, near_value=1, x_mm=92), replace(A.dice[1], value=6, near_value=2)))
    found = await heard([(0.0, EMPTY), (0.5, A), *taken(3.0, A), *rolling(4.0, again, 4.3)], 6.0)
    assert (found.throws, found.told) == ([(3, 5), (2, 6)], [])


async def test_one_picture_given_twice_is_no_fault_and_no_second_opinion() -> None:
    stutters = [(0.5 + 0.2 * step, replace(A, frozen=step % 2 == 1)) for step in range(10)]
    found = await heard([(0.0, EMPTY), *stutters, (2.5, A)], 4.0)
    assert (found.throws, found.told) == ([(3, 5)], [])


async def test_a_folder_of_pictures_is_watched_like_a_camera(tmp_path: Path) -> None:
    clip = Clip([(0.0, EMPTY), (0.5, A), (1.5, EMPTY), (2.1, B)])
    for number in range(32):
        cv2.imwrite(str(tmp_path / f"{number:03}.jpg"), clip.capture().pixels)
        await asyncio.sleep(0.1)
    loop = asyncio.get_running_loop()
    found = await heard_from(FileCamera(tmp_path, loop.time), loop.time() + 3.1)
    assert (found.throws, found.told) == ([(3, 5), (2, 6)], [])


def test_the_cuts_of_a_clip_are_in_order() -> None:
    script = [*rolling(0.7, A, 1.2), *taken(14.0, A)]
    assert all(one[0] < other[0] for one, other in pairwise(script))
