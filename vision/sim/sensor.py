"""The simulated sensor turns light into a picture: blur, exposure, white balance, glare, noise, compression."""

import math
import random
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Pixels
from vision.libraries import cv2

_NOISE_TILE = 128  # the noise sheet is this much larger than a picture, each way
_STEP = 0.5  # noise comes in levels this far apart: one sheet of each is kept

Noise = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Glare:
    """The reflection of a lamp that washes out a part of the picture: middle and radius in px, strength (1: white)."""

    x_px: float
    y_px: float
    radius_px: float
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class Sensor:
    """How the camera takes a picture."""

    exposure: float = 1.0  # a gain
    white_balance: tuple[float, float, float] = (1.0, 1.0, 1.0)  # gains of red, green, blue
    glares: tuple[Glare, ...] = ()
    noise: float = 2.2  # standard deviation of one channel, of 255
    defocus_px: float = 0.7  # standard deviation
    motion_px: tuple[float, float] = (0.0, 0.0)  # how far (x, y) the picture moved during the exposure
    jpeg_quality: int | None = None  # 1..100, None for no compression


def expose(picture: Pixels, sensor: Sensor) -> Pixels:
    """Expose the sensor to a picture, before its noise. Same size, may use the memory of `picture`."""
    seen = picture
    if sensor.defocus_px > 0:
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), sensor.defocus_px), np.uint8)
    length = math.hypot(*sensor.motion_px)
    if length >= 1:
        size = 2 * math.ceil(length / 2) + 1
        kernel = np.zeros((size, size), np.float32)
        way = sensor.motion_px
        ends = [[round(16 * (size // 2 + sign * part / 2)) for part in way] for sign in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_8, 4)
        seen = np.asarray(cv2.filter2D(seen, -1, kernel / kernel.sum()), np.uint8)
    gains = [sensor.exposure * gain for gain in sensor.white_balance]
    if gains != [1.0, 1.0, 1.0]:
        seen = np.asarray(cv2.transform(seen, np.diag(gains[::-1])), np.uint8)
    for glare in sensor.glares:
        reach = 3.5 * glare.radius_px
        left, top = (max(0, round(place - reach)) for place in (glare.x_px, glare.y_px))
        part = seen[top : max(0, round(glare.y_px + reach)), left : max(0, round(glare.x_px + reach))]
        x, y = (np.arange(side, dtype=np.float32) for side in part.shape[1::-1])
        far = np.hypot(x[None] + left - glare.x_px, y[:, None] + top - glare.y_px) / glare.radius_px
        added = 255 * glare.strength * (2.2 * np.exp(-1.5 * far * far) + 0.12 * np.exp(-far))
        part[:] = np.minimum(part + np.minimum(added, 255)[:, :, None], 255).astype(np.uint8)
    return seen


def develop(exposure: Pixels, sensor: Sensor, noise_key: str) -> Pixels:
    """Develop an exposure: the picture as the sensor delivers it, in its own memory; `noise_key` picks the noise."""
    # The noise is a window of one prerendered sheet.
    height, width = exposure.shape[:2]
    sheet = _sheet(round(sensor.noise / _STEP), height + _NOISE_TILE, width + _NOISE_TILE)
    rng = random.Random(f"noise/{noise_key}")
    down, across = rng.randrange(_NOISE_TILE), rng.randrange(_NOISE_TILE)
    window = sheet[down : down + height, across : across + width]
    seen = np.asarray(cv2.add(exposure, window, dtype=cv2.CV_8U), np.uint8)
    if sensor.jpeg_quality is not None:
        _, packed = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg_quality])
        seen = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return seen


@lru_cache(maxsize=10)
def _sheet(steps: int, height: int, width: int) -> Noise:
    white = np.random.default_rng(height).standard_normal((height, width, 3), np.float32)
    return np.asarray(np.clip(np.round(steps * _STEP * white), -127, 127), np.int8)
