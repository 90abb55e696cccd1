"""cv2.VideoCapture is stood in for by a device with one buffer, as OpenCV's Video4Linux part drives it."""

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from hardware.camera import Camera
from vision.libraries import cv2
from vision.pi.v4l2 import V4l2Camera

FRAME_S = 1 / 30


class FakeVideo:
    """A camera of thirty frames a second. A frame lies in the one buffer until it is fetched."""

    made: list["FakeVideo"]
    opens = True
    stamps = True
    exposure_locks = True
    fails = ""
    now_s = 50.0

    def __init__(self, name: str, backend: int) -> None:
        self.opened_as = name, backend
        self.sets: dict[int, float] = {}
        self.released = 0
        self.filled_s = self.now_s + FRAME_S
        self.fetched_s = 0.0
        type(self).made.append(self)

    def isOpened(self) -> bool:  # noqa: N802
        return self.opens

    def set(self, key: int, value: float) -> bool:
        self.sets[key] = value
        return key != cv2.CAP_PROP_AUTO_EXPOSURE or self.exposure_locks

    def get(self, key: int) -> float:
        assert key == cv2.CAP_PROP_POS_MSEC
        return 1000 * self.fetched_s if self.stamps else 0.0

    @staticmethod
    def waitAny(streams: Sequence["FakeVideo"], timeoutNs: int) -> tuple[bool, list[int]]:  # noqa: N802, N803
        (video,) = streams
        assert timeoutNs == 1_000_000_000
        if video.fails == "stops":
            type(video).now_s += 1
            return False, []
        if video.fails == "unplugged":
            raise cv2.error("device lost")
        type(video).now_s = max(video.now_s, video.filled_s)
        video.fetched_s = video.filled_s
        return True, [0]

    def retrieve(self) -> tuple[bool, np.ndarray]:
        # The buffer goes back to the driver, which fills it with the very next frame.
        self.filled_s = self.now_s + FRAME_S
        return self.fails != "half", np.full((720, 1280, 3), 7, np.uint8)

    def release(self) -> None:
        self.released += 1


@pytest.fixture
def videos(monkeypatch: pytest.MonkeyPatch) -> list[FakeVideo]:
    FakeVideo.made = []
    for name, value in {"opens": True, "stamps": True, "exposure_locks": True, "fails": "", "now_s": 50.0}.items():
        monkeypatch.setattr(FakeVideo, name, value)
    monkeypatch.setattr(cv2, "VideoCapture", FakeVideo)
    monkeypatch.setattr(time, "monotonic", lambda: FakeVideo.now_s)
    return FakeVideo.made


def clock() -> float:
    """The loop's clock, 100 s ahead of the system's."""
    return FakeVideo.now_s + 100


@pytest.fixture
def device(tmp_path: Path) -> Path:
    path = tmp_path / "video0"
    path.write_text("")
    return path


def test_size_and_exposure_are_the_profiles_and_everything_is_locked(videos: list[FakeVideo], device: Path) -> None:
    V4l2Camera(device, Camera(exposure_us=9000), clock).capture()
    (video,) = videos
    assert video.opened_as == (str(device), cv2.CAP_V4L2)
    assert video.sets == {
        cv2.CAP_PROP_FOURCC: cv2.VideoWriter.fourcc(*"MJPG"),
        cv2.CAP_PROP_FRAME_WIDTH: 1280,
        cv2.CAP_PROP_FRAME_HEIGHT: 720,
        cv2.CAP_PROP_BUFFERSIZE: 1,
        cv2.CAP_PROP_AUTO_EXPOSURE: 1,
        cv2.CAP_PROP_EXPOSURE: 90,
        cv2.CAP_PROP_AUTO_WB: 0,
        cv2.CAP_PROP_AUTOFOCUS: 0,
    }


@pytest.mark.parametrize("stamps", [True, False], ids=["with a time", "without a time"])
def test_a_frame_that_waited_in_the_buffer_is_dropped(
    videos: list[FakeVideo], device: Path, monkeypatch: pytest.MonkeyPatch, stamps: bool
) -> None:
    monkeypatch.setattr(FakeVideo, "stamps", stamps)
    camera = V4l2Camera(device, Camera(), clock)
    camera.capture()
    monkeypatch.setattr(FakeVideo, "now_s", FakeVideo.now_s + 8)
    asked_s = clock()
    frame = camera.capture()
    assert asked_s <= frame.at_s <= clock()
    assert videos[0].fetched_s + 100 >= asked_s
    assert frame.pixels.shape == (720, 1280, 3)


@pytest.mark.parametrize(
    ("fails", "error", "says"),
    [
        ("stops", TimeoutError, "no picture within 1 s"),
        ("unplugged", OSError, "gives no pictures any more"),
        ("half", OSError, "half a picture"),
    ],
)
def test_a_camera_that_fails_is_one_line_and_reopened(
    videos: list[FakeVideo],
    device: Path,
    monkeypatch: pytest.MonkeyPatch,
    fails: str,
    error: type[OSError],
    says: str,
) -> None:
    camera = V4l2Camera(device, Camera(), clock)
    monkeypatch.setattr(FakeVideo, "fails", fails)
    with pytest.raises(error, match=says):
        camera.capture()
    monkeypatch.setattr(FakeVideo, "fails", "")
    camera.reopen()
    camera.capture()
    assert [video.released for video in videos] == [1, 0]


def test_no_device_and_a_busy_one_are_said(
    videos: list[FakeVideo], device: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(OSError, match=r"video9: no camera found, there is no such device$"):
        V4l2Camera(device.with_name("video9"), Camera(), clock).capture()
    monkeypatch.setattr(FakeVideo, "opens", False)
    with pytest.raises(OSError, match=r"this is no camera, or another program has it$"):
        V4l2Camera(device, Camera(), clock).capture()


def test_an_exposure_that_cannot_be_locked_is_logged(
    videos: list[FakeVideo], device: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(FakeVideo, "exposure_locks", False)
    V4l2Camera(device, Camera(), clock).capture()
    assert "does not allow its exposure to be locked" in caplog.text


def test_closing_twice_is_harmless(videos: list[FakeVideo], device: Path) -> None:
    camera = V4l2Camera(device, Camera(), clock)
    camera.capture()
    camera.close()
    camera.close()
    assert videos[0].released == 1
