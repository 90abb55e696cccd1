"""picamera2 and libcamera are stood in for by modules that have their signatures and record what is asked."""

import sys
import time
from collections.abc import Mapping
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from hardware.camera import Camera, SensorMode
from vision.pi.camera import PiCamera


class FakeRequest:
    def __init__(self, stamp_ns: object) -> None:
        self.stamp_ns = stamp_ns
        self.released = 0

    def make_array(self, name: str) -> np.ndarray:
        if name == "main":
            return np.full((720, 1280, 3), 7, np.uint8)
        # YUV420, its rows padded to the stride, the colours below the brightness.
        array = np.zeros((270, 384), np.uint8)
        array[:180, :320] = 9
        return array

    def get_metadata(self) -> dict[str, object]:
        return {"SensorTimestamp": self.stamp_ns}

    def release(self) -> None:
        self.released += 1


class FakePicamera2:
    """The calls of picamera2.Picamera2 that the camera makes."""

    made: list["FakePicamera2"]
    focusable = True
    model = "imx708"
    taken: Mapping[str, object] = {}  # what libcamera took in place of what was asked for

    @staticmethod
    def global_camera_info() -> list[dict[str, object]]:
        return [{"Model": FakePicamera2.model, "Num": 0}] if FakePicamera2.model else []

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.asked: dict[str, object] = {}
        self.requests: list[FakeRequest | Exception] = [FakeRequest(1)]
        self.waits: list[float | bool | None] = []
        self.camera_controls: dict[str, object] = {"AfMode": (0, 2, 0)} if self.focusable else {}
        type(self).made.append(self)

    def create_video_configuration(
        self,
        main: Mapping[str, object] | None = None,
        lores: Mapping[str, object] | None = None,
        raw: Mapping[str, object] | None = None,
        transform: object = None,
        colour_space: object = None,
        buffer_count: int = 6,
        controls: Mapping[str, object] | None = None,
        display: str | None = "main",
        encode: str | None = "main",
        queue: bool = True,
        sensor: Mapping[str, object] | None = None,
    ) -> dict[str, object]:
        assert (raw, transform, colour_space, display, encode) == (None, None, None, "main", "main")
        self.asked = {"main": main, "lores": lores, "buffer_count": buffer_count, "controls": controls, "queue": queue}
        self.asked["sensor"] = sensor
        return self.asked

    @property
    def camera_properties(self) -> dict[str, object]:
        return {"Model": self.model}

    def camera_configuration(self) -> dict[str, object]:
        return {**self.asked, **self.taken}

    def configure(self, camera_config: dict[str, object]) -> None:
        assert camera_config is self.asked
        self.calls.append("configure")

    def start(self) -> None:
        self.calls.append("start")

    def capture_request(self, wait: float | bool | None = None) -> FakeRequest:
        self.waits.append(wait)
        request = self.requests.pop(0)
        if isinstance(request, Exception):
            raise request
        return request

    def cancel_all_and_flush(self) -> None:
        self.calls.append("flush")

    def close(self) -> None:
        self.calls.append("close")


@pytest.fixture
def devices(monkeypatch: pytest.MonkeyPatch) -> list[FakePicamera2]:
    FakePicamera2.made = []
    monkeypatch.setattr(FakePicamera2, "focusable", True)
    picamera2, libcamera = ModuleType("picamera2"), ModuleType("libcamera")
    monkeypatch.setattr(picamera2, "Picamera2", FakePicamera2, raising=False)
    controls = SimpleNamespace(AfModeEnum=SimpleNamespace(Manual="manual"))
    monkeypatch.setattr(libcamera, "controls", controls, raising=False)
    monkeypatch.setitem(sys.modules, "picamera2", picamera2)
    monkeypatch.setitem(sys.modules, "libcamera", libcamera)
    return FakePicamera2.made


def clock() -> float:
    return 100.0


def opened(settings: Camera | None = None) -> PiCamera:
    """A camera that has taken its first picture, which opens the device."""
    camera = PiCamera(settings or Camera(), clock)
    camera.capture()
    return camera


def test_everything_is_locked_as_the_profile_says(devices: list[FakePicamera2]) -> None:
    opened(Camera(exposure_us=9000, gain=3.0, colour_gains=(2.0, 1.5), focus_dioptres=2.4))
    (device,) = devices
    assert device.calls == ["configure", "start"]
    assert device.asked["main"] == {"size": (1280, 720), "format": "RGB888"}
    assert device.asked["lores"] == {"size": (320, 180), "format": "YUV420"}
    assert device.asked["queue"] is False
    assert device.asked["controls"] == {
        "AeEnable": False,
        "AwbEnable": False,
        "ExposureTime": 9000,
        "AnalogueGain": 3.0,
        "ColourGains": (2.0, 1.5),
        "AfMode": "manual",
        "LensPosition": 2.4,
        "FrameDurationLimits": (33_333, 33_333),
    }


def test_a_long_exposure_makes_fewer_frames(devices: list[FakePicamera2]) -> None:
    opened(Camera(exposure_us=80_000))
    controls = devices[0].asked["controls"]
    assert isinstance(controls, dict)
    assert controls["FrameDurationLimits"] == (80_000, 80_000)


def test_a_camera_without_focus_is_not_asked_to(devices: list[FakePicamera2], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FakePicamera2, "focusable", False)
    opened()
    controls = devices[0].asked["controls"]
    assert isinstance(controls, dict)
    assert not {"AfMode", "LensPosition"} & set(controls)


def test_a_frame_carries_the_time_of_its_exposure(
    devices: list[FakePicamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = opened()
    monkeypatch.setattr(time, "clock_gettime_ns", lambda _clock: 5_000_000_000)
    request = FakeRequest(4_900_000_000)
    devices[0].requests = [request]
    frame = camera.capture()
    assert frame.at_s == pytest.approx(99.9)
    assert frame.pixels.shape == (720, 1280, 3)
    assert frame.small is not None
    assert frame.small.shape == (180, 320)
    assert (frame.small == 9).all()
    assert request.released == 1
    assert devices[0].waits == [1.0, 1.0]


def test_a_camera_that_does_not_deliver_times_out_and_forgets_the_job(devices: list[FakePicamera2]) -> None:
    camera = opened()
    devices[0].requests = [TimeoutError()]
    with pytest.raises(TimeoutError, match="no picture within 1 s"):
        camera.capture()
    assert devices[0].calls[-1] == "flush"


def test_what_libcamera_refuses_is_the_camera_s_fault(
    devices: list[FakePicamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_self: object) -> None:
        raise RuntimeError("Failed to queue request: Permission denied")

    camera = opened()
    devices[0].requests = [FakeRequest(1)]
    monkeypatch.setattr(FakeRequest, "release", refuse)
    monkeypatch.setattr(FakePicamera2, "close", refuse)
    with pytest.raises(OSError, match="the camera fails: Failed to queue"):
        camera.capture()
    with pytest.raises(OSError, match="the camera cannot be closed: Failed to queue"):
        camera.reopen()
    camera.close()


def test_a_frame_without_a_time_is_refused_and_given_back(devices: list[FakePicamera2]) -> None:
    camera = opened()
    request = FakeRequest(None)
    devices[0].requests = [request]
    with pytest.raises(OSError, match="no time"):
        camera.capture()
    assert request.released == 1


def test_reopening_closes_the_old_device_first(devices: list[FakePicamera2]) -> None:
    camera = opened()
    camera.reopen()
    assert [device.calls for device in devices] == [["configure", "start", "close"]]
    camera.capture()
    assert [device.calls for device in devices[1:]] == [["configure", "start"]]
    camera.close()
    camera.close()
    assert devices[1].calls == ["configure", "start", "close"]


@pytest.mark.parametrize(
    ("settings", "size", "bits"),
    [
        (Camera(), (2304, 1296), 10),
        (Camera(width_px=2560, height_px=1440), (4608, 2592), 10),
        (Camera(module="camera-module-1"), (1296, 972), 10),
        (Camera(module="camera-module-2"), (1640, 1232), 10),
        (Camera(module="high-quality-camera"), (2028, 1520), 12),
        (Camera(sensor=SensorMode(width_px=1456, height_px=1088, bit_depth=10)), (1456, 1088), 10),
    ],
    ids=str,
)
def test_the_whole_sensor_is_asked_for(
    devices: list[FakePicamera2], settings: Camera, size: tuple[int, int], bits: int
) -> None:
    opened(settings)
    assert devices[0].asked["sensor"] == {"output_size": size, "bit_depth": bits}


@pytest.mark.parametrize(
    ("model", "mend"),
    [
        ("imx219", 'module = "camera-module-2"'),
        ("imx477_noir", 'module = "high-quality-camera"'),
        ("imx519", "sensor = {"),
    ],
)
def test_a_module_without_the_mode_is_told_with_what_to_write(
    devices: list[FakePicamera2], monkeypatch: pytest.MonkeyPatch, model: str, mend: str
) -> None:
    monkeypatch.setattr(FakePicamera2, "model", model)
    monkeypatch.setattr(FakePicamera2, "taken", {"sensor": {"output_size": (1920, 1080), "bit_depth": 10}})
    with pytest.raises(OSError, match=f"{model}, which has no sensor mode of 2304 x 1296 with 10 bits") as told:
        PiCamera(Camera(), clock).capture()
    assert mend in str(told.value)
    assert "\n" not in str(told.value)
    assert devices[0].calls == ["configure", "close"]


@pytest.mark.parametrize(("stream", "asked"), [("main", "1280 x 720"), ("lores", "320 x 180")])
def test_pictures_of_another_size_are_told(
    devices: list[FakePicamera2], monkeypatch: pytest.MonkeyPatch, stream: str, asked: str
) -> None:
    monkeypatch.setattr(FakePicamera2, "taken", {stream: {"size": (640, 480)}})
    with pytest.raises(OSError, match=f"asked for pictures of {asked}, it gives 640 x 480"):
        PiCamera(Camera(), clock).capture()
    assert devices[0].calls == ["configure", "close"]


def test_a_camera_that_cannot_be_started_is_given_back(
    devices: list[FakePicamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_self: FakePicamera2) -> None:
        raise RuntimeError("Failed to start camera")

    monkeypatch.setattr(FakePicamera2, "start", broken)
    with pytest.raises(OSError, match="cannot be started"):
        PiCamera(Camera(), clock).capture()
    assert devices[0].calls == ["configure", "close"]


def test_a_camera_that_can_neither_be_started_nor_closed_is_said(
    devices: list[FakePicamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_self: FakePicamera2) -> None:
        raise RuntimeError("Failed to start camera")

    monkeypatch.setattr(FakePicamera2, "start", broken)
    monkeypatch.setattr(FakePicamera2, "close", broken)
    with pytest.raises(OSError, match="cannot be started: Failed to start"):
        PiCamera(Camera(), clock).capture()
    assert len(devices) == 1


def test_no_camera_and_no_picamera2_are_said(devices: list[FakePicamera2], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FakePicamera2, "model", "")
    with pytest.raises(OSError, match="no camera found"):
        PiCamera(Camera(), clock).capture()
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(OSError, match="apt install"):
        PiCamera(Camera(), clock).capture()
    assert devices == []


def test_a_camera_that_another_program_has_is_said(
    devices: list[FakePicamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(_self: FakePicamera2) -> None:
        raise RuntimeError("Camera __init__ sequence did not complete.")

    monkeypatch.setattr(FakePicamera2, "__init__", busy)
    with pytest.raises(OSError, match="another program has it"):
        PiCamera(Camera(), clock).capture()
