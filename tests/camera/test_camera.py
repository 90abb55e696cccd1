"""`vision/pi/camera.py`, as it is, on real picamera2 and real libcamera; the picture is a throw that was drawn."""

import asyncio
import gc
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hardware.box import FieldLayout
from hardware.camera import CAMERA_MODULES, Camera, ModuleName
from hardware.errors import Fault
from tests.camera import adapters
from tests.camera.plug import Plug
from tools.scenes.random_scenes import random_throw
from vision.capture.frame import Pixels
from vision.pi.camera import PiCamera
from vision.reading import Reading
from vision.sim.scene import render
from vision.watching.throw_watcher import Watcher

# picamera2 0.3.38 starts its thread by a method that Python calls old.
pytestmark = pytest.mark.filterwarnings("ignore:setDaemon:DeprecationWarning")

THROW = random_throw(5, 2)
DIE_MM = 16.0
ON_ITS_WAY_S = 0.1  # between the exposure of a frame and its place among those that are there
TWO = frozenset({2})


@pytest.fixture(scope="session")
def picture() -> Pixels:
    return render(THROW.scene)


@pytest.fixture
def plug(tmp_path: Path, picture: Pixels) -> Iterator[Plug]:
    plug = Plug(tmp_path, picture)
    plug.plug()
    yield plug
    plug.unplug()


@pytest.fixture
def devices(plug: Plug, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Every `Picamera2` that was opened, the last one at the end."""
    opened = adapters.install(monkeypatch)
    yield opened
    for device in opened:
        device.close()
    opened.clear()
    gc.collect()  # whatever still holds a libcamera object holds its camera manager, and that knows this camera only


@pytest.fixture
def camera(devices: list[Any]) -> Iterator[PiCamera]:
    camera = PiCamera(Camera(), time.monotonic)
    yield camera
    camera.close()


def test_a_picture_comes_in_the_colours_it_was_drawn_in(camera: PiCamera, picture: Pixels) -> None:
    frame = camera.capture()
    assert frame.pixels.shape == (720, 1280, 3)
    difference = np.abs(frame.pixels.astype(int) - picture).mean(axis=(0, 1))
    assert difference.max() < 6  # JPEG and half the colours' pixels


def test_the_small_stream_is_the_brightness_of_the_same_picture(camera: PiCamera) -> None:
    frame = camera.capture()
    assert frame.small is not None
    assert frame.small.shape == (180, 320)
    grey = frame.pixels @ np.array([0.114, 0.587, 0.299])
    assert np.abs(grey.reshape(180, 4, 320, 4).mean(axis=(1, 3)) - frame.small).mean() < 4


def test_no_frame_lay_waiting_until_it_was_asked_for(camera: PiCamera, devices: list[Any]) -> None:
    taken_s = camera.capture().at_s
    for _ in range(5):
        devices[-1].camera.wait_for_frames(6)
        asked_s = time.monotonic()
        before_s, taken_s = taken_s, camera.capture().at_s
        assert max(before_s, asked_s - ON_ITS_WAY_S) < taken_s <= time.monotonic()


def test_everything_is_locked_when_libcamera_starts(camera: PiCamera, devices: list[Any]) -> None:
    camera.capture()
    [device] = devices
    assert device.camera.started_with == {
        "AeEnable": False,
        "AwbEnable": False,
        "ExposureTime": 8000,
        "ExposureTimeMode": 1,  # manual; this and the next one picamera2 adds
        "AnalogueGain": 2.0,
        "AnalogueGainMode": 1,
        "ColourGains": (2.2, 1.8),
        "FrameDurationLimits": (33_333, 33_333),
        "AfMode": 0,  # manual
        "LensPosition": 2.5,
    }
    assert device.controls.make_dict() == {}, "nothing is changed later, with a request"


@pytest.mark.parametrize("name", CAMERA_MODULES)
def test_each_module_looks_with_its_whole_sensor(devices: list[Any], plug: Plug, name: ModuleName) -> None:
    plug.plug(CAMERA_MODULES[name].sensor)
    settings = Camera(module=name)
    camera = PiCamera(settings, time.monotonic)
    camera.capture()
    taken = devices[0].libcamera_config.sensor_config
    mode = settings.sensor_mode
    assert (taken.output_size.width, taken.output_size.height) == (mode.width_px, mode.height_px)
    assert taken.bit_depth == mode.bit_depth
    assert ("LensPosition" in devices[0].camera.started_with) == (name == "camera-module-3")


def test_picamera2_left_alone_takes_a_mode_that_lacks_the_markers(devices: list[Any]) -> None:
    """Why the whole sensor is asked for."""
    from picamera2 import Picamera2

    device = Picamera2()
    device.configure(device.create_video_configuration({"size": (1280, 720)}))
    assert device.camera_configuration()["sensor"]["output_size"] == (1536, 864)


def test_another_module_than_the_profile_names_is_told(camera: PiCamera, plug: Plug, devices: list[Any]) -> None:
    plug.plug("imx219")
    with pytest.raises(OSError, match=r'imx219, which has no sensor mode of 2304 x 1296 .* module = "camera-module-2"'):
        camera.capture()
    assert not devices[0].is_open


def test_a_size_that_libcamera_does_not_give_is_told(camera: PiCamera, plug: Plug) -> None:
    plug.plug(sizes=[(1280, 720)])
    with pytest.raises(OSError, match="asked for pictures of 320 x 180, it gives 1280 x 720"):
        camera.capture()


def test_the_throw_is_read(camera: PiCamera) -> None:
    async def read() -> tuple[tuple[Fault, ...], Reading]:
        async with Watcher(camera, FieldLayout(), DIE_MM) as watcher:
            return await watcher.health(), await watcher.look_now(TWO)

    faults, reading = asyncio.run(read())
    assert not faults
    assert reading.values == THROW.values


def test_a_stream_that_stopped_is_opened_anew_by_itself(camera: PiCamera, devices: list[Any]) -> None:
    async def read_across_the_stop() -> Reading:
        async with Watcher(camera, FieldLayout(), DIE_MM) as watcher:
            await watcher.picture()
            stop_the_stream(devices)
            await watcher.picture()
            return await watcher.look_now(TWO)

    assert asyncio.run(read_across_the_stop()).values == THROW.values
    assert [device.is_open for device in devices] == [False, False], "one that stopped, one that was opened for it"


def test_a_camera_that_is_gone_is_v_102_until_it_is_back(camera: PiCamera, plug: Plug, devices: list[Any]) -> None:
    async def lose_and_find() -> tuple[list[str], Reading]:
        async with Watcher(camera, FieldLayout(), DIE_MM) as watcher:
            await watcher.picture()
            plug.unplug()
            stop_the_stream(devices)
            lost = await watcher.health()
            plug.plug()
            await watcher.picture()
            return [f"{fault.code} {fault.seen}" for fault in lost], await watcher.look_now(TWO)

    lost, reading = asyncio.run(lose_and_find())
    assert lost == ["V-102 no camera found"]
    assert reading.values == THROW.values


def test_to_ask_for_a_camera_that_is_gone_costs_nothing(camera: PiCamera, plug: Plug) -> None:
    """It is asked for ten times a second: two descriptors each, and in a minute there are none left."""
    plug.unplug()
    least = []
    for _ in range(20):
        with pytest.raises(OSError, match="no camera found"):
            camera.capture()
        least.append(os.dup(0))
        os.close(least[-1])
    assert len(set(least[1:])) == 1


# picamera2 0.3.38 forgets a pipe when it cannot open its camera.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_camera_that_another_has_is_told(camera: PiCamera, devices: list[Any]) -> None:
    other = PiCamera(Camera(), time.monotonic)
    other.capture()
    with pytest.raises(OSError, match="another program has it"):
        camera.capture()
    other.close()
    assert camera.capture().pixels.shape == (720, 1280, 3)


# The thread on which picamera2 hands requests back dies of it.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_camera_that_libcamera_has_stopped_gives_no_frame_until_it_is_reopened(
    camera: PiCamera, devices: list[Any]
) -> None:
    camera.capture()
    devices[-1].camera.stop()
    for _ in range(2):
        with pytest.raises(OSError, match=r"no picture within 1 s|the camera fails"):
            camera.capture()
    camera.reopen()
    assert camera.capture().pixels.shape == (720, 1280, 3)


def test_a_stopped_stream_holds_its_caller_for_a_second(camera: PiCamera, devices: list[Any]) -> None:
    camera.capture()
    stop_the_stream(devices)
    for _ in range(2):
        asked_s = time.monotonic()
        with pytest.raises(TimeoutError, match="no picture within 1 s"):
            camera.capture()
        assert 1.0 <= time.monotonic() - asked_s < 2.0
    camera.reopen()
    assert camera.capture().pixels.shape == (720, 1280, 3)


def stop_the_stream(devices: list[Any]) -> None:
    """No frame is made any more, and those on their way have come."""
    devices[-1].camera.fall_silent(ON_ITS_WAY_S)
