"""What spoils a crop beyond what the simulator does: blur, compression, highlights, edges of shadows."""

import math
import random

import cv2
import numpy as np

from vision.capture.frame import Pixels

_LARGER = (cv2.INTER_LINEAR, cv2.INTER_CUBIC)


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


def photographed(rng: random.Random, crop: Pixels) -> Pixels:
    """The crop (n, n, 3) as most photographs show a small die: stained, few pixels wide, sharpened, packed."""
    if rng.random() < 0.25:
        crop = _stained(rng, crop)
    if rng.random() < 0.15:
        crop = _glinted(rng, crop)
    if rng.random() < 0.25:
        return crop
    side = crop.shape[0]
    small = round(rng.uniform(0.45, 1.0) * side)
    seen = np.asarray(cv2.resize(crop, (small, small), interpolation=cv2.INTER_AREA), np.uint8)
    if rng.random() < 0.3:
        seen = np.asarray(cv2.medianBlur(seen, 3), np.uint8)
    if rng.random() < 0.4:
        seen = _sharpened(seen, rng.uniform(0.3, 2.0))
    if rng.random() < 0.7:
        seen = _compressed(seen, rng.randint(50, 96))
    return np.asarray(cv2.resize(seen, (side, side), interpolation=rng.choice(_LARGER)), np.uint8)


def _stained(rng: random.Random, crop: Pixels) -> Pixels:
    """Other colours in large blots, as in dice of two plastics, or with lamps of two colours."""
    coarse = rng.choice((2, 3, 4, 4, 6, 8))
    field = np.random.default_rng(rng.getrandbits(32)).normal(0, rng.uniform(0.05, 0.35), (coarse, coarse, 3))
    blots = cv2.resize(field.astype(np.float32), crop.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(crop * np.exp(blots), 0, 255), np.uint8)


def _glinted(rng: random.Random, crop: Pixels) -> Pixels:
    """A lamp or several mirrored as small bright points, in hollow pips or on rims."""
    x, y = _grid(crop)
    share = np.zeros(x.shape)
    for _ in range(rng.choice((1, 1, 2, 3, 5))):
        across, down = (rng.uniform(-14, 14) for _ in range(2))
        wide, tall = (rng.uniform(0.6, 2.2) for _ in range(2))
        share = np.maximum(share, np.exp(-(((x - across) / wide) ** 2) - ((y - down) / tall) ** 2))
    return np.asarray(crop + rng.uniform(0.4, 1.0) * share[:, :, None] * (255.0 - crop), np.uint8)


def _sharpened(crop: Pixels, amount: float) -> Pixels:
    """With light and dark rims, as cameras add them."""
    soft = cv2.GaussianBlur(crop, (0, 0), 1.0)
    return np.asarray(cv2.addWeighted(crop, 1 + amount, soft, -amount, 0), np.uint8)


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
    """A lamp mirrored in a part of the crop."""
    x, y = _grid(crop)
    across, down = (rng.uniform(-14, 14) for _ in range(2))
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


def _compressed(crop: Pixels, quality: int) -> Pixels:
    _, packed = cv2.imencode(".jpg", crop, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
