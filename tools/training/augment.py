"""Changes of a batch that keep its labels: mirrored and quarter-turned, other colours, light, edges and noise."""

from itertools import permutations

import torch
from torch import Tensor
from torch.nn.functional import pad

_ORDERS = torch.tensor(list(permutations(range(3))))
_TOP_PX = 11.0  # half the edge of the top of a die in a crop of its stance, where its rounded rim begins


def varied_faces(crops: Tensor, slopes: Tensor) -> tuple[Tensor, Tensor]:
    """Crops (n, 3, 40, 40) 0..255 as float32 and their slopes (n, 2), each changed in its own way."""
    crops, slopes = _turned(crops, slopes)
    return _lit(_haunted(crops), 0.1, 7.0), slopes


def varied_stances(crops: Tensor, slopes: Tensor) -> tuple[Tensor, Tensor]:
    """Crops (n, 3, 48, 48) 0..255 as float32 and their slopes (n, 2), each changed in its own way."""
    crops, slopes = _turned(crops, slopes)
    crops = _graded(_focused(_bevelled(_haunted(crops))))
    return _lit(crops, 0.05, 5.0), slopes


def _some(part: float, count: int, dimensions: int = 4) -> Tensor:
    """True for this part of the crops."""
    return torch.rand(count, *[1] * (dimensions - 1)) < part


def _between(low: float, high: float, count: int) -> Tensor:
    return low + (high - low) * torch.rand(count, 1, 1, 1)


def _lit(crops: Tensor, negatives: float, noise: float) -> Tensor:
    """Other colours, another tone curve, now and then a negative, and noise."""
    crops = _coloured(crops)
    count = len(crops)
    crops = 255 * (crops.clamp(0, 255) / 255) ** torch.exp(_between(-0.5, 0.5, count))
    crops = torch.where(_some(negatives, count), 255 - crops, crops)
    level = noise * torch.rand(count, 1, 1, 1) ** 2
    return (crops + level * torch.randn(crops.shape)).clamp(0, 255)


def _turned(crops: Tensor, slopes: Tensor) -> tuple[Tensor, Tensor]:
    down, across, swapped = (_some(0.5, len(crops)) for _ in range(3))
    crops = torch.where(down, crops.flip(2), crops)
    crops = torch.where(across, crops.flip(3), crops)
    crops = torch.where(swapped, crops.transpose(2, 3), crops)
    x = torch.where(across[:, 0, 0, 0], -slopes[:, 0], slopes[:, 0])
    y = torch.where(down[:, 0, 0, 0], -slopes[:, 1], slopes[:, 1])
    return crops, torch.where(swapped[:, :, 0, 0], torch.stack((y, x), 1), torch.stack((x, y), 1))


def _haunted(crops: Tensor) -> Tensor:
    """Now and then another crop shows through faintly, as the far pips of translucent dice do."""
    count = len(crops)
    share = torch.where(_some(0.18, count), _between(0, 0.3, count), 0.0)
    ghost = crops.roll(1, 0)
    return crops + share * (ghost - ghost.mean((2, 3), keepdim=True))


def _coloured(crops: Tensor) -> Tensor:
    count = len(crops)
    order = _ORDERS[torch.randint(len(_ORDERS), (count,))]
    crops = crops.gather(1, order[:, :, None, None].expand_as(crops))
    grey = crops.mean(1, keepdim=True)
    crops = grey + _between(0.35, 1.3, count) * (crops - grey)
    gain = torch.exp(0.15 * torch.randn(count, 3, 1, 1))
    return crops * gain * torch.exp(0.25 * torch.randn(count, 1, 1, 1))


def _bevelled(crops: Tensor) -> Tensor:
    """Now and then the rims of the top shine or lie in the shade, each in its own way."""
    count = len(crops)
    x, y = _grid(crops)
    level = 60 * torch.randn(count, 4, 1, 1)
    rim = _TOP_PX + 0.8 * torch.randn(count, 1, 1)
    wide = 0.5 + torch.rand(count, 1, 1)
    shine = sum(
        level[:, edge] * torch.exp(-(((out - rim) / wide) ** 2)) * (along.abs() < rim)
        for edge, (out, along) in enumerate(((x, y), (-x, y), (y, x), (-y, x)))
    )
    return crops + torch.where(_some(0.3, count, 3), shine, 0.0)[:, None]


def _focused(crops: Tensor) -> Tensor:
    """Softer or sharper than the simulator's camera."""
    count = len(crops)
    padded = pad(crops, (1, 1, 1, 1), mode="replicate")
    soft = (padded[:, :, :-2] + 2 * padded[:, :, 1:-1] + padded[:, :, 2:]) / 4
    soft = (soft[..., :-2] + 2 * soft[..., 1:-1] + soft[..., 2:]) / 4
    share = torch.where(_some(0.6, count), _between(-0.8, 1.6, count), 0.0)
    return crops + share * (crops - soft)


def _graded(crops: Tensor) -> Tensor:
    """Brighter towards one side."""
    slope = 0.12 * torch.randn(len(crops), 2, 1, 1)
    x, y = (part / (crops.shape[2] / 2) for part in _grid(crops))
    return crops * (1 + slope[:, 0] * x + slope[:, 1] * y).clamp(0.4, 1.8)[:, None]


def _grid(crops: Tensor) -> tuple[Tensor, Tensor]:
    line = torch.arange(crops.shape[2]) - (crops.shape[2] - 1) / 2
    return line[None, None, :], line[None, :, None]
