"""What spoils a crop beyond what the simulator does: blur, compression, highlights, edges of shadows."""

import math
import random

import cv2
import numpy as np

from vision.capture.frame import Pixels


def spoilt(rng: random.Random, crop: Pixels) -> Pixels:
    """The crop (n, n, 3) with blemishes drawn at random; most crops get none or one."""
    if rng.random() < 0.12:
        crop = _shadowed(rng, crop)
    if rng.random() < 0.08:
        crop = _highlit(rng, crop)
    if rng.random() < 0.05:
        crop = _mirroring(rng, crop)
    if rng.random() < 0.25:
        crop = np.asarray(cv2.GaussianBlur(crop, (0, 0), rng.uniform(0.3, 1.2)), np.uint8)
    if rng.random() < 0.1:
        crop = _compressed(crop, rng.randint(40, 90))
    return crop


def _grid(crop: Pixels) -> tuple[np.ndarray, np.ndarray]:
    half = (crop.shape[0] - 1) / 2
    x, y = np.meshgrid(np.arange(crop.shape[1]) - half, np.arange(crop.shape[0]) - half)
    return x, y


def _shadowed(rng: random.Random, crop: Pixels) -> Pixels:
    """One side of a straight soft edge lies in the shade."""
    x, y = _grid(crop)
    turn, at, soft = rng.uniform(0, 2 * math.pi), rng.uniform(-16, 16), rng.uniform(0.5, 6)
    share = 1 / (1 + np.exp(-np.clip((x * math.cos(turn) + y * math.sin(turn) - at) / soft, -30, 30)))
    return np.asarray(crop * (1 - rng.uniform(0.2, 0.6) * share)[:, :, None], np.uint8)


def _highlit(rng: random.Random, crop: Pixels) -> Pixels:
    """A lamp mirrored in a part of the crop; every third time in the middle, where a pip more would be."""
    x, y = _grid(crop)
    reach = rng.choice((14, 14, 2))
    across, down = (rng.uniform(-reach, reach) for _ in range(2))
    wide, tall = (rng.uniform(1.5, 6) for _ in range(2))
    share = rng.uniform(0.2, 0.8) * np.exp(-(((x - across) / wide) ** 2) - ((y - down) / tall) ** 2)
    return np.asarray(crop + share[:, :, None] * (255.0 - crop), np.uint8)


def _mirroring(rng: random.Random, crop: Pixels) -> Pixels:
    """A bright window with a sharp edge, mirrored in a polished top; what lies under it still shows."""
    x, y = _grid(crop)
    turn, bend = rng.uniform(0, 2 * math.pi), rng.uniform(-0.03, 0.03)
    along, across = x * math.cos(turn) + y * math.sin(turn), y * math.cos(turn) - x * math.sin(turn)
    share = rng.uniform(0.15, 0.7) * np.clip(along + bend * across * across - rng.uniform(2, 12) + 0.5, 0, 1)
    share = share * (np.hypot(x, y) < rng.uniform(10, 24))
    return np.asarray(crop + share[:, :, None] * (255.0 - crop), np.uint8)


def with_crumb(rng: random.Random, crop: Pixels) -> Pixels:
    """A crumb or a spot in the middle, as large as a pip: what looks like the pip of a 1 and has no face about it."""
    x, y = _grid(crop)
    across, down = (rng.uniform(-1.5, 1.5) for _ in range(2))
    turn, wide = rng.uniform(0, 2 * math.pi), rng.uniform(1.2, 4.5)
    tall = wide * rng.uniform(0.6, 1.0)
    along, aside = (
        (x - across) * math.cos(turn) + (y - down) * math.sin(turn),
        (y - down) * math.cos(turn) - (x - across) * math.sin(turn),
    )
    share = rng.uniform(0.4, 1.0) * np.clip((1 - np.hypot(along / wide, aside / tall)) * tall + 0.5, 0, 1)
    colour = np.array([rng.uniform(0, 255)] * 3) + [rng.gauss(0, 25) for _ in range(3)]
    return np.asarray(np.clip(crop + share[:, :, None] * (colour - crop), 0, 255), np.uint8)


def _compressed(crop: Pixels, quality: int) -> Pixels:
    _, packed = cv2.imencode(".jpg", crop, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
