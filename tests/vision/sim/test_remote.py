"""The camera of a box in another process: the same pictures, and named failures."""

from collections.abc import Iterator

import numpy as np
import pytest

from tests.support.mock_box import Served, mock_box
from vision.sim.camera import SimulatedCamera
from vision.sim.remote import RemoteCamera, camera_handlers


@pytest.fixture
def served() -> Iterator[Served]:
    with mock_box(concurrent=lambda world: camera_handlers(SimulatedCamera(world, world.box))) as box:
        yield box


def test_it_sends_the_pixels_and_the_time_of_the_camera_there(served: Served) -> None:
    served.world.throw_dice(2)
    served.clock.pass_s(4.0)
    camera = RemoteCamera(served.place)
    frame = camera.capture()
    camera.close()
    assert frame.at_s == 4.0
    assert np.array_equal(frame.pixels, SimulatedCamera(served.world, served.world.box).capture().pixels)
    assert frame.pixels.flags.writeable


def test_a_dead_camera_and_a_box_that_is_gone_are_errors_of_the_system(served: Served) -> None:
    camera = RemoteCamera(served.place)
    served.world.break_camera("dead")
    with pytest.raises(OSError, match="does not answer"):
        camera.capture()
    served.world.lift()
    camera.reopen()
    assert camera.capture().pixels.shape == (720, 1280, 3)
    served.place.unlink()
    camera.reopen()
    with pytest.raises(OSError, match="no answer from the mock-box"):
        camera.capture()
    camera.close()
    camera.close()
