"""What there is to learn: the faces of dice, and whether dice lie flat."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from tools.training import augment, net

Data = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Crops (n, side, side, 3) uint8, slopes (n, 2) and labels (n,)."""

_SOFTENER = 8
_HEIGHTS = 9  # as in vision/network/network.py


@dataclass(frozen=True, slots=True)
class Task:
    """A network's shape; how its crops are changed while it learns, and shown to it; the labels' shares in a batch."""

    shape: net.Shape
    varied: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]
    shown: Callable[[Tensor, Tensor], Tensor]
    shares: tuple[float, ...]

    def loaded(self, folder: Path) -> Data:
        """All crops of a folder."""
        shards = [np.load(path) for path in sorted(folder.glob("*.npz"))]
        crops, slopes, labels = (
            np.concatenate([shard[part] for shard in shards]) for part in ("crops", "slopes", "labels")
        )
        return crops, slopes, labels


def _normalised(crops: Tensor) -> Tensor:
    """As `vision.network.network` has it: mean colour off, divided by the deviation plus 8."""
    centred = crops - crops.mean((2, 3), keepdim=True)
    return centred / ((centred**2).mean((1, 2, 3), keepdim=True).sqrt() + _SOFTENER)


def _constant(crops: Tensor, slopes: Tensor) -> Tensor:
    return slopes[:, :, None, None].expand(-1, -1, *crops.shape[2:])


def _face_shown(crops: Tensor, slopes: Tensor) -> Tensor:
    return torch.cat((_normalised(crops), _constant(crops, slopes)), 1)


def _stance_shown(crops: Tensor, slopes: Tensor) -> Tensor:
    outside = _beside_flat(slopes, crops.shape[2])[:, None]
    return torch.cat((_normalised(crops), outside, _constant(crops, slopes)), 1)


def _beside_flat(slopes: Tensor, side: int) -> Tensor:
    """As `vision.network.network.beside_flat`."""
    half = side / 4
    line = torch.arange(side) - (side - 1) / 2
    feet = slopes[None] * torch.linspace(0, 2 * half, _HEIGHTS)[:, None, None]
    across = (line[None, None, None, :] - feet[:, :, 0, None, None]).abs()
    down = (line[None, None, :, None] - feet[:, :, 1, None, None]).abs()
    return ((torch.maximum(across, down).amin(0) - half) / half).clamp(-1, 1)


FACES = Task(net.FACES, augment.varied_faces, _face_shown, (0.27, *(0.085,) * 6, 0.22))
STANCES = Task(net.STANCES, augment.varied_stances, _stance_shown, (0.5, 0.5))
TASKS = {"faces": FACES, "stances": STANCES}
