"""Changes of a batch that keep its labels: mirrored and quarter-turned, other colours, light and noise."""

from itertools import permutations
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

_ORDERS = np.array(list(permutations(range(3))))


def varied(key: Any, crops: Any, slopes: Any) -> tuple[Any, Any]:
    """Crops (n, 40, 40, 3) 0..255 as float32 and their slopes (n, 3), each changed in its own way.

    The third part of a slope is 1 where it is known; now and then it is forgotten.
    """
    keys = jax.random.split(key, 8)
    crops, slopes = _turned(keys[0], crops, slopes)
    slopes = jnp.where(jax.random.bernoulli(keys[7], 0.15, (len(slopes), 1)), 0.0, slopes)
    crops = _haunted(keys[6], crops)
    crops = _coloured(keys[1], crops)
    count = crops.shape[0]
    gamma = jnp.exp(jax.random.uniform(keys[2], (count, 1, 1, 1), minval=-0.5, maxval=0.5))
    crops = 255 * (jnp.clip(crops, 0, 255) / 255) ** gamma
    negative = jax.random.bernoulli(keys[3], 0.1, (count, 1, 1, 1))
    crops = jnp.where(negative, 255 - crops, crops)
    level = 7 * jax.random.uniform(keys[4], (count, 1, 1, 1)) ** 2
    crops = crops + level * jax.random.normal(keys[5], crops.shape)
    return jnp.clip(crops, 0, 255), slopes


def normalised(crops: Any, slopes: Any) -> Any:
    """As `vision.network` has it: mean colour off, divided by the deviation plus 8; then planes of the slope."""
    centred = crops - crops.mean((1, 2), keepdims=True)
    plain = centred / (jnp.sqrt((centred**2).mean((1, 2, 3), keepdims=True)) + 8)
    planes = jnp.broadcast_to(slopes[:, None, None, :], (*crops.shape[:3], 3))
    return jnp.concatenate((plain, planes), axis=3)


def _turned(key: Any, crops: Any, slopes: Any) -> tuple[Any, Any]:
    flips = jax.random.bernoulli(key, 0.5, (3, crops.shape[0], 1, 1, 1))
    crops = jnp.where(flips[0], crops[:, ::-1], crops)
    crops = jnp.where(flips[1], crops[:, :, ::-1], crops)
    crops = jnp.where(flips[2], crops.transpose(0, 2, 1, 3), crops)
    down, across, swapped = (flip[:, 0, 0] for flip in flips)
    slopes = jnp.where(down, slopes * jnp.array([1.0, -1.0, 1.0]), slopes)
    slopes = jnp.where(across, slopes * jnp.array([-1.0, 1.0, 1.0]), slopes)
    return crops, jnp.where(swapped, slopes[:, jnp.array([1, 0, 2])], slopes)


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
