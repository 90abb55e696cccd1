"""The networks in JAX: five convolutions and two dense layers, each but the last normalised over the batch."""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

Layer = tuple[str, int, int, int, int, int]
"""Name, kernel, stride, padding, channels in and out."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A network for crops of this side, in pixels, and how many classes it tells apart."""

    side_px: int
    classes: int

    @property
    def layers(self) -> tuple[Layer, ...]:
        """From the crop down to one pixel; what is left of the side after three halvings is one dense layer's."""
        return (
            ("eye", 5, 2, 2, 6, 24),
            ("down", 3, 2, 1, 24, 32),
            ("one", 3, 1, 1, 32, 32),
            ("two", 3, 1, 1, 32, 32),
            ("deep", 3, 2, 1, 32, 48),
            ("dense", self.side_px // 8, 1, 0, 48, 24),
            ("last", 1, 1, 0, 24, self.classes),
        )


FACES, STANCES = Shape(40, 8), Shape(48, 2)

EPSILON = 1e-3
_KEEP = 0.97  # how much of the running mean and spread of a layer stays from one batch to the next

Weights = dict[str, dict[str, Any]]


def fresh(shape: Shape, seed: int) -> tuple[Weights, Weights]:
    """Weights drawn after He, and the running mean and spread of every normalised layer."""
    rng = np.random.default_rng(seed)
    weights: Weights = {}
    running: Weights = {}
    for name, kernel, _, _, inward, outward in shape.layers:
        spread = np.sqrt(2 / (kernel * kernel * inward))
        drawn = rng.normal(0, spread, (kernel, kernel, inward, outward)).astype(np.float32)
        weights[name] = {"kernel": jnp.asarray(drawn), "bias": jnp.zeros(outward)}
        if name != "last":
            weights[name]["gain"] = jnp.ones(outward)
            running[name] = {"mean": jnp.zeros(outward), "spread": jnp.ones(outward)}
    return weights, running


def logits(shape: Shape, weights: Weights, running: Weights, planes: Any, learning: bool) -> tuple[Any, Weights]:
    """Logits (n, classes) of planes (n, side, side, 6), and the running figures after this batch."""
    after: Weights = {}
    flow, short = planes, None
    for name, _, stride, padding, _, _ in shape.layers:
        layer = weights[name]
        pads = ((padding, padding), (padding, padding))
        flow = jax.lax.conv_general_dilated(
            flow, layer["kernel"], (stride, stride), pads, dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        if name == "last":
            return (flow + layer["bias"])[:, 0, 0], after
        mean, spread = running[name]["mean"], running[name]["spread"]
        if learning:
            mean, spread = flow.mean((0, 1, 2)), flow.var((0, 1, 2))
            after[name] = {
                "mean": _KEEP * running[name]["mean"] + (1 - _KEEP) * mean,
                "spread": _KEEP * running[name]["spread"] + (1 - _KEEP) * spread,
            }
        flow = (flow - mean) * (layer["gain"] * jax.lax.rsqrt(spread + EPSILON)) + layer["bias"]
        if name == "two":
            flow = flow + short
        flow = jax.nn.relu(flow)
        if name == "down":
            short = flow
    raise AssertionError("the last layer ends the walk")


def folded(shape: Shape, weights: Weights, running: Weights) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Kernel (out, in, height, width) and bias (out,) of every layer, its normalisation folded in."""
    plain = {}
    for name, *_ in shape.layers:
        kernel, bias = (np.asarray(weights[name][part], np.float64) for part in ("kernel", "bias"))
        if name != "last":
            scale = np.asarray(weights[name]["gain"]) / np.sqrt(np.asarray(running[name]["spread"]) + EPSILON)
            bias = bias - np.asarray(running[name]["mean"]) * scale
            kernel = kernel * scale
        plain[name] = (kernel.transpose(3, 2, 0, 1).astype(np.float32), bias.astype(np.float32))
    return plain
