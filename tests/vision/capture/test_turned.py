"""A camera that hangs upside down: it is noticed, and its pictures are turned where they come in."""

import numpy as np
import pytest

from hardware.camera import Camera as CameraSettings
from tests.support.stage import BOX, Table, thrown
from vision.capture.frame import Frame
from vision.capture.turned import as_hung
from vision.sim.camera import SimulatedCamera
from vision.watching.box_reader import BoxReader
from vision.watching.throw_watcher import Watcher

TURNED = CameraSettings(upside_down=True)


class OneFrame:
    """A camera with one picture, and the small one that goes with it."""

    def __init__(self) -> None:
        self.closed = 0
        pixels = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
        self._frame = Frame(pixels, 1.5, pixels[:, :, 0])

    def capture(self) -> Frame:
        return self._frame

    def reopen(self) -> None:
        """There is nothing to open."""

    def close(self) -> None:
        self.closed += 1


def test_both_pictures_are_turned_and_the_time_is_kept() -> None:
    inner = OneFrame()
    camera = as_hung(inner, TURNED)
    frame = camera.capture()
    assert frame.pixels[0, 0].tolist() == inner.capture().pixels[-1, -1].tolist()
    assert frame.small is not None
    assert frame.small[0, 0] == inner.capture().pixels[-1, -1, 0]
    assert (frame.at_s, frame.pixels.flags.c_contiguous) == (1.5, True)
    camera.close()
    assert inner.closed == 1
    assert as_hung(inner, CameraSettings()) is inner


def test_dice_are_read_whichever_way_the_camera_hangs() -> None:
    dice = thrown(1, 2)
    frames = [SimulatedCamera(Table(dice, camera_fault=fault), BOX).capture() for fault in (None, "upside-down")]
    reader = BoxReader(BOX.field, BOX.die_mm)
    values = [reader(frame, frozenset({2})).values for frame in frames]
    assert values[0] == values[1] != ()


@pytest.mark.parametrize(
    ("hangs_so", "said", "codes"),
    [(False, False, []), (True, False, ["V-106"]), (True, True, []), (False, True, ["V-106"])],
)
async def test_a_test_says_whether_it_hangs_as_the_profile_says(hangs_so: bool, said: bool, codes: list[str]) -> None:
    inner = SimulatedCamera(Ticking(camera_fault="upside-down" if hangs_so else None), BOX)
    camera = as_hung(inner, CameraSettings(upside_down=said))
    async with Watcher(camera, BOX.field, BOX.die_mm) as watcher:
        assert [fault.code for fault in await watcher.health()] == codes


class Ticking(Table):
    """A table whose time passes from look to look."""

    def now(self) -> float:
        self.now_s += 0.1
        return self.now_s
