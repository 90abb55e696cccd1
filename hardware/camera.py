"""The camera part of a box profile: its picture, its locked exposure, and the modes of the known camera modules."""

from collections.abc import Mapping
from typing import Literal, NamedTuple, Self

from pydantic import Field, model_validator

from hardware.toml_file import FileModel


class SensorMode(FileModel):
    """A mode of a camera sensor: width and height of its pictures in pixels, bits per pixel."""

    width_px: int = Field(ge=320, le=16_000)
    height_px: int = Field(ge=240, le=16_000)
    bit_depth: int = Field(ge=8, le=16)

    def __str__(self) -> str:
        return f"{self.width_px} x {self.height_px} with {self.bit_depth} bits"


class CameraModule(NamedTuple):
    """A camera module: its sensor as libcamera names it, and the modes that show the whole sensor."""

    sensor: str
    modes: tuple[SensorMode, ...]


def _modes(*sizes: tuple[int, int], bit_depth: int) -> tuple[SensorMode, ...]:
    return tuple(SensorMode(width_px=width, height_px=height, bit_depth=bit_depth) for width, height in sizes)


ModuleName = Literal["camera-module-1", "camera-module-2", "camera-module-3", "high-quality-camera"]
# The modes of the whole sensor, smallest first. Source: Raspberry Pi documentation, camera software, the output of
# `rpicam-hello --list-cameras`: the modes whose crop begins at (0, 0) and has the sensor's size.
CAMERA_MODULES: Mapping[ModuleName, CameraModule] = {
    "camera-module-1": CameraModule("ov5647", _modes((1296, 972), (2592, 1944), bit_depth=10)),
    "camera-module-2": CameraModule("imx219", _modes((1640, 1232), (3280, 2464), bit_depth=10)),
    "camera-module-3": CameraModule("imx708", _modes((2304, 1296), (4608, 2592), bit_depth=10)),
    "high-quality-camera": CameraModule("imx477", _modes((2028, 1520), (4056, 3040), bit_depth=12)),
}


class Camera(FileModel):
    """The overhead camera: picture size in pixels, height over the baize in mm, locked exposure.

    `exposure_us`, `gain`, `colour_gains` (red, blue) and `focus_dioptres` (1 / distance in m) stay locked, so that two
    frames of the same dice look the same.

    module: the Raspberry Pi camera module, whatever its lens.
    sensor: a mode of the whole sensor for any other module; overrides `module`.
    upside_down: it hangs turned by half a turn, its lower edge away from the player; its pictures are turned back.

    A picture with a wider aspect ratio than the sensor is cut from the middle of its image: 1280 x 720 from a 4 : 3
    sensor loses an eighth of the height at the far edge and an eighth at the near edge.
    """

    width_px: int = Field(default=1280, ge=320, le=4608)
    height_px: int = Field(default=720, ge=240, le=2592)
    height_mm: float = Field(default=400.0, ge=150, le=1500)
    exposure_us: int = Field(default=8000, ge=50, le=200_000)
    gain: float = Field(default=2.0, ge=1, le=16)
    colour_gains: tuple[float, float] = (2.2, 1.8)
    focus_dioptres: float = Field(default=2.5, ge=0, le=15)
    module: ModuleName = "camera-module-3"
    sensor: SensorMode | None = None
    upside_down: bool = False

    @model_validator(mode="after")
    def _fits_the_sensor(self) -> Self:
        largest = self._whole_sensor_modes[-1]
        if self.width_px > largest.width_px or self.height_px > largest.height_px:
            asked = f"{self.width_px} x {self.height_px}"
            raise ValueError(f"width_px x height_px ({asked}) is more than the sensor has ({largest})")
        return self

    @property
    def sensor_mode(self) -> SensorMode:
        """The smallest, and so fastest, mode of the whole sensor that has enough pixels for the picture."""
        enough = (
            mode
            for mode in self._whole_sensor_modes
            if mode.width_px >= self.width_px and mode.height_px >= self.height_px
        )
        return next(enough)

    @property
    def _whole_sensor_modes(self) -> tuple[SensorMode, ...]:
        return CAMERA_MODULES[self.module].modes if self.sensor is None else (self.sensor,)
