"""What there is to learn: the faces of dice, and whether dice lie flat."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np

from training import augment, net

Data = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Crops (n, side, side, 3) uint8, slopes (n, 2 or 3) and labels (n,)."""

_SOFTENER = 8
_HEIGHTS = 9  # as in vision/network/stance.py


@dataclass(frozen=True, slots=True)
class Task:
    """A network's shape; how its crops are changed while it learns, and shown to it; the labels' shares in a batch."""

    shape: net.Shape
    varied: Callable[[Any, Any, Any], tuple[Any, Any]]
    shown: Callable[[Any, Any], Any]
    shares: tuple[float, ...]
    may_forget_slope: bool

    def loaded(self, folder: Path) -> Data:
        """All crops of a folder; slopes that may be forgotten have a third part which says that they are known."""
        shards = [np.load(path) for path in sorted(folder.glob("*.npz"))]
        crops, slopes, labels = (
            np.concatenate([shard[part] for shard in shards]) for part in ("crops", "slopes", "labels")
        )
        if self.may_forget_slope:
            slopes = np.column_stack((slopes, np.ones(len(slopes), np.float32)))
        return crops, slopes, labels


def _normalised(crops: Any) -> Any:
    """As `vision.network.network` has it: mean colour off, divided by the deviation plus 8."""
    centred = crops - crops.mean((1, 2), keepdims=True)
    return centred / (jnp.sqrt((centred**2).mean((1, 2, 3), keepdims=True)) + _SOFTENER)


def _constant(crops: Any, slopes: Any) -> Any:
    return jnp.broadcast_to(slopes[:, None, None, :], (*crops.shape[:3], slopes.shape[1]))


def _face_shown(crops: Any, slopes: Any) -> Any:
    return jnp.concatenate((_normalised(crops), _constant(crops, slopes)), axis=3)


def _stance_shown(crops: Any, slopes: Any) -> Any:
    outside = _beside_flat(slopes, crops.shape[1])[..., None]
    return jnp.concatenate((_normalised(crops), outside, _constant(crops, slopes)), axis=3)


def _beside_flat(slopes: Any, side: int) -> Any:
    """As `vision.network.stance.beside_flat`."""
    half = side / 4
    line = jnp.arange(side) - (side - 1) / 2
    away = [
        jnp.maximum(
            jnp.abs(line[None, None, :] - part * slopes[:, 0, None, None]),
            jnp.abs(line[None, :, None] - part * slopes[:, 1, None, None]),
        )
        for part in np.linspace(0, 2 * half, _HEIGHTS)
    ]
    return jnp.clip((jnp.stack(away).min(axis=0) - half) / half, -1, 1)


FACES = Task(net.FACES, augment.varied_faces, _face_shown, (0.27, *(0.085,) * 6, 0.22), True)
STANCES = Task(net.STANCES, augment.varied_stances, _stance_shown, (0.5, 0.5), False)
TASKS = {"faces": FACES, "stances": STANCES}
