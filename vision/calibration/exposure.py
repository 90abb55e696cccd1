"""Finds the exposure, gain and white balance to lock: no flicker, white paper white, the baize well lit."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hardware.camera import Camera as Settings
from hardware.phrase import phrase
from vision.capture.frame import Camera, Frame, Pixels
from vision.field.field import Field
from vision.libraries import cv2

# Lamps flicker twice in a period of the mains: an exposure of a whole number of flickers shows no bands.
FLICKER_US = {50: 10_000, 60: 8_333}
_LONGEST_US = 33_333  # 30 pictures a second
_CLOSE = 0.06  # levels within this part of the wanted ones are left alone
_BURNT = 250.0  # the true level of a channel this bright is unknown
# Between a linear and a usual (2.2) tone curve of the camera: with either the steps become smaller.
_GAIN_POWER = 1.5
_LEAST_GAIN, _MOST_GAIN = 1.0, 16.0  # range of common sensors
_COLOUR_GAINS = (0.5, 8.0)
_AROUND = 1.25  # size of a marker with its white rim


@dataclass(frozen=True, slots=True)
class Levels:
    """Brightness in a picture of the empty field, 0..255: of the baize, and of white paper as (blue, green, red)."""

    baize: float
    white: tuple[float, float, float]


WELL_LIT = Levels(95.0, (220.0, 220.0, 220.0))  # wanted brightness of the baize, and most of white paper


def levels_of(pixels: Pixels, field: Field) -> Levels:
    """Measure the brightness of the baize between the markers, and of the white parts of the markers."""
    corners = np.array([[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]) * (field.width_mm, field.depth_mm)
    mask = np.zeros(pixels.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(field.at_px(corners)).astype(np.int32), 1)
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    whites = []
    for quad in field.markers.values():
        # The brightest fifth of a marker and its rim.
        middle = quad.mean(axis=0)
        marker = np.zeros(pixels.shape[:2], np.uint8)
        cv2.fillConvexPoly(marker, np.round(middle + (quad - middle) * _AROUND).astype(np.int32), 1)
        inside = pixels[marker > 0]
        bright = inside.sum(axis=1)
        whites.append(np.median(inside[bright >= np.percentile(bright, 80)], axis=0))
    blue, green, red = (float(level) for level in np.median(whites, axis=0))
    return Levels(float(np.median(grey[mask > 0])), (blue, green, red))


def first_exposure(settings: Settings, mains_hz: int) -> Settings:
    """Return the shortest exposure without flicker, with a gain that makes it as bright as the profile."""
    exposure_us = FLICKER_US[mains_hz]
    gain = settings.gain * settings.exposure_us / exposure_us
    return settings.model_copy(update={"exposure_us": exposure_us, "gain": _clamp(gain, _LEAST_GAIN, _MOST_GAIN)})


def better_exposure(settings: Settings, levels: Levels, mains_hz: int) -> Settings:
    """Return the settings for the next picture; the same object when these are good, or cannot be improved."""
    ratio = min(WELL_LIT.baize / max(levels.baize, 1.0), max(WELL_LIT.white) / max(*levels.white, 1.0))
    red, blue = settings.colour_gains
    if max(levels.white) < _BURNT and min(levels.white) >= 1:
        # Gains with which white paper would be grey; they stay as they are where a channel is burnt out.
        seen_blue, seen_green, seen_red = levels.white
        red = _clamp(red * seen_green / seen_red, *_COLOUR_GAINS)
        blue = _clamp(blue * seen_green / seen_blue, *_COLOUR_GAINS)
    balanced = abs(red / settings.colour_gains[0] - 1) < _CLOSE and abs(blue / settings.colour_gains[1] - 1) < _CLOSE
    if abs(ratio - 1) < _CLOSE and balanced:
        return settings
    light = settings.gain * settings.exposure_us * (1.0 if abs(ratio - 1) < _CLOSE else ratio**_GAIN_POWER)
    # The fewest flickers that leave the gain within the range of the sensor, or as many as the frame rate allows.
    flicker_us = FLICKER_US[mains_hz]
    exposures = range(flicker_us, _LONGEST_US + 1, flicker_us)
    exposure_us = next((us for us in exposures if light / us <= _MOST_GAIN / 2), exposures[-1])
    gain = round(_clamp(light / exposure_us, _LEAST_GAIN, _MOST_GAIN), 3)
    better = {"exposure_us": exposure_us, "gain": gain, "colour_gains": (round(red, 3), round(blue, 3))}
    changed = settings.model_copy(update=better)
    return settings if changed == settings else changed


def light_remark(levels: Levels) -> str | None:
    """Return a remark on the lamp where no exposure makes up for it, else None."""
    if max(levels.white) >= _BURNT:
        return phrase("The light is too bright for this camera: white burns out. Dim the lamp or turn it away.")
    if levels.baize < WELL_LIT.baize / 2 and max(levels.white) < max(WELL_LIT.white) / 2:
        return phrase("The light is too weak for this camera: the picture stays dark. Use a brighter lamp.")
    return None


def _clamp(value: float, low: float, high: float) -> float:
    return min(high, max(low, value))


class AdjustableCamera:
    """A camera with settings (exposure, gain, colour gains) that `adjust` changes; `open_with` opens it with them.

    It is closed for a change, because a camera of the box is opened with its settings locked: so the camera that is
    calibrated is the very one that will be read with.

    Lifetime: opened by the first `capture`; closing twice is harmless.
    Concurrency: one thread, the vision thread.
    """

    def __init__(self, open_with: Callable[[Settings], Camera], settings: Settings) -> None:
        self._open_with = open_with
        self._settings = settings
        self._camera: Camera | None = None

    @property
    def settings(self) -> Settings:
        """Return the settings for the next frame."""
        return self._settings

    def adjust(self, settings: Settings) -> None:
        if settings != self._settings:
            self.close()
            self._settings = settings

    def capture(self) -> Frame:
        """Return the newest frame. Raises `OSError` when none arrives."""
        if self._camera is None:
            self._camera = self._open_with(self._settings)
        return self._camera.capture()

    def reopen(self) -> None:
        """Close the camera; the next capture opens it again."""
        self.close()

    def close(self) -> None:
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.close()
