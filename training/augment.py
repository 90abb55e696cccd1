"""Changes of a batch that keep its labels: mirrored and quarter-turned, other colours, light, edges and noise."""

from itertools import permutations
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

_ORDERS = np.array(list(permutations(range(3))))
_TOP_PX = 11.0  # half the edge of the top of a die in a crop of its stance, where its rounded rim begins


def varied_faces(key: Any, crops: Any, slopes: Any) -> tuple[Any, Any]:
    """Crops (n, 40, 40, 3) 0..255 as float32 and their slopes (n, 3), each changed in its own way.

    The third part of a slope is 1 where it is known; now and then it is forgotten.
    """
    keys = jax.random.split(key, 4)
    crops, slopes = _turned(keys[0], crops, slopes)
    slopes = jnp.where(jax.random.bernoulli(keys[1], 0.15, (len(slopes), 1)), 0.0, slopes)
    return _lit(keys[3], _haunted(keys[2], crops), 0.1, 7.0), slopes


def varied_stances(key: Any, crops: Any, slopes: Any) -> tuple[Any, Any]:
    """Crops (n, 48, 48, 3) 0..255 as float32 and their slopes (n, 2), each changed in its own way."""
    keys = jax.random.split(key, 6)
    crops, slopes = _turned(keys[0], crops, slopes)
    crops = _bevelled(keys[2], _haunted(keys[1], crops))
    crops = _graded(keys[4], _focused(keys[3], crops))
    return _lit(keys[5], crops, 0.05, 5.0), slopes


def _lit(key: Any, crops: Any, negatives: float, noise: float) -> Any:
    """Other colours, another tone curve, now and then a negative, and noise."""
    keys = jax.random.split(key, 5)
    crops = _coloured(keys[0], crops)
    count = crops.shape[0]
    gamma = jnp.exp(jax.random.uniform(keys[1], (count, 1, 1, 1), minval=-0.5, maxval=0.5))
    crops = 255 * (jnp.clip(crops, 0, 255) / 255) ** gamma
    negative = jax.random.bernoulli(keys[2], negatives, (count, 1, 1, 1))
    crops = jnp.where(negative, 255 - crops, crops)
    level = noise * jax.random.uniform(keys[3], (count, 1, 1, 1)) ** 2
    return jnp.clip(crops + level * jax.random.normal(keys[4], crops.shape), 0, 255)


def _turned(key: Any, crops: Any, slopes: Any) -> tuple[Any, Any]:
    flips = jax.random.bernoulli(key, 0.5, (3, crops.shape[0], 1, 1, 1))
    crops = jnp.where(flips[0], crops[:, ::-1], crops)
    crops = jnp.where(flips[1], crops[:, :, ::-1], crops)
    crops = jnp.where(flips[2], crops.transpose(0, 2, 1, 3), crops)
    down, across, swapped = (flip[:, 0, 0] for flip in flips)
    x, y = jnp.where(across[:, 0], -slopes[:, 0], slopes[:, 0]), jnp.where(down[:, 0], -slopes[:, 1], slopes[:, 1])
    along = jnp.where(swapped, jnp.stack((y, x), axis=1), jnp.stack((x, y), axis=1))
    return crops, jnp.concatenate((along, slopes[:, 2:]), axis=1)


def _haunted(key: Any, crops: Any) -> Any:
    """Now and then another crop shows through faintly, as the far pips of translucent dice do."""
    keys = jax.random.split(key, 2)
    count = crops.shape[0]
    some = jax.random.bernoulli(keys[0], 0.18, (count, 1, 1, 1))
    share = jnp.where(some, jax.random.uniform(keys[1], (count, 1, 1, 1), maxval=0.3), 0.0)
    ghost = jnp.roll(crops, 1, axis=0)
    return crops + share * (ghost - ghost.mean((1, 2), keepdims=True))


def _coloured(key: Any, crops: Any) -> Any:
    keys = jax.random.split(key, 4)
    count = crops.shape[0]
    order = jnp.asarray(_ORDERS)[jax.random.randint(keys[0], (count,), 0, len(_ORDERS))]
    crops = jnp.take_along_axis(crops, order[:, None, None, :], axis=3)
    grey = crops.mean(3, keepdims=True)
    crops = grey + jax.random.uniform(keys[1], (count, 1, 1, 1), minval=0.35, maxval=1.3) * (crops - grey)
    gain = jnp.exp(0.15 * jax.random.normal(keys[2], (count, 1, 1, 3)))
    bright = jnp.exp(0.25 * jax.random.normal(keys[3], (count, 1, 1, 1)))
    return crops * gain * bright


def _bevelled(key: Any, crops: Any) -> Any:
    """Now and then the rims of the top shine or lie in the shade, each in its own way."""
    keys = jax.random.split(key, 4)
    count = crops.shape[0]
    x, y = _grid(crops)
    level = 60 * jax.random.normal(keys[1], (count, 4, 1, 1))
    rim = _TOP_PX + 0.8 * jax.random.normal(keys[2], (count, 1, 1))
    wide = 0.5 + jax.random.uniform(keys[3], (count, 1, 1))
    shine = sum(
        level[:, side] * jnp.exp(-(((out - rim) / wide) ** 2)) * (jnp.abs(along) < rim)
        for side, (out, along) in enumerate(((x, y), (-x, y), (y, x), (-y, x)))
    )
    some = jax.random.bernoulli(keys[0], 0.3, (count, 1, 1))
    return crops + jnp.where(some, shine, 0.0)[..., None]


def _focused(key: Any, crops: Any) -> Any:
    """Softer or sharper than the simulator's camera."""
    keys = jax.random.split(key, 2)
    count = crops.shape[0]
    padded = jnp.pad(crops, ((0, 0), (1, 1), (1, 1), (0, 0)), mode="edge")
    soft = (padded[:, :-2] + 2 * padded[:, 1:-1] + padded[:, 2:]) / 4
    soft = (soft[:, :, :-2] + 2 * soft[:, :, 1:-1] + soft[:, :, 2:]) / 4
    some = jax.random.bernoulli(keys[0], 0.6, (count, 1, 1, 1))
    share = jnp.where(some, jax.random.uniform(keys[1], (count, 1, 1, 1), minval=-0.8, maxval=1.6), 0.0)
    return crops + share * (crops - soft)


def _graded(key: Any, crops: Any) -> Any:
    """Brighter towards one side."""
    slope = 0.12 * jax.random.normal(key, (crops.shape[0], 2, 1, 1))
    x, y = (part / (crops.shape[1] / 2) for part in _grid(crops))
    return crops * jnp.clip(1 + slope[:, 0] * x + slope[:, 1] * y, 0.4, 1.8)[..., None]


def _grid(crops: Any) -> tuple[Any, Any]:
    line = jnp.arange(crops.shape[1]) - (crops.shape[1] - 1) / 2
    return line[None, None, :], line[None, :, None]
