"""The networks in PyTorch: five convolutions and two dense layers, each but the last normalised over the batch."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

Layer = tuple[str, int, int, int, int, int]
"""Name, kernel, stride, padding, channels in and out."""

Plain = dict[str, tuple[np.ndarray, np.ndarray]]
"""Kernel (out, in, height, width) and bias (out,) of every layer, float32, its normalisation folded in."""

_EPSILON = 1e-3


@dataclass(frozen=True, slots=True)
class Shape:
    """A network for so many planes of this side, in pixels; its channels, and how many classes it tells apart."""

    planes: int
    side_px: int
    channels: tuple[int, int, int, int]
    classes: int

    @property
    def layers(self) -> tuple[Layer, ...]:
        """From the crop down to one pixel; what is left of the side after three halvings is one dense layer's."""
        eye, body, deep, dense = self.channels
        return (
            ("eye", 5, 2, 2, self.planes, eye),
            ("down", 3, 2, 1, eye, body),
            ("one", 3, 1, 1, body, body),
            ("two", 3, 1, 1, body, body),
            ("deep", 3, 2, 1, body, deep),
            ("dense", self.side_px // 8, 1, 0, deep, dense),
            ("last", 1, 1, 0, dense, self.classes),
        )


FACES = Shape(5, 40, (24, 32, 48, 24), 8)
STANCES = Shape(6, 48, (24, 48, 64, 48), 2)


def folded_layer(layer: nn.Conv2d, norm: nn.BatchNorm2d | None) -> tuple[np.ndarray, np.ndarray]:
    """Kernel and bias of a layer, float32, with the normalising that follows it, if any, folded in."""
    kernel = layer.weight.detach().double().numpy()
    bias = np.zeros(len(kernel)) if layer.bias is None else layer.bias.detach().double().numpy()
    if norm is not None:
        gain, shift, mean, spread = (
            part.detach().double().numpy() for part in (norm.weight, norm.bias, norm.running_mean, norm.running_var)
        )
        scale = gain / np.sqrt(spread + norm.eps)
        kernel, bias = kernel * scale[:, None, None, None], (bias - mean) * scale + shift
    return kernel.astype(np.float32), bias.astype(np.float32)


@torch.no_grad()
def follow(mean: nn.Module, network: nn.Module, keep: float) -> None:
    """The mean of the weights, one step on: so much of it is kept."""
    for slow, fast in zip(mean.state_dict().values(), network.state_dict().values(), strict=True):
        if slow.is_floating_point():
            slow.lerp_(fast, 1 - keep)


class Network(nn.Module):
    """Planes (n, planes, side, side) to logits (n, classes)."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.sums, self.norms = nn.ModuleDict(), nn.ModuleDict()
        for name, kernel, stride, padding, inward, outward in shape.layers:
            layer = nn.Conv2d(inward, outward, kernel, stride, padding)
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            nn.init.zeros_(layer.bias)
            self.sums[name] = layer
            if name != "last":
                self.norms[name] = nn.BatchNorm2d(outward, eps=_EPSILON, momentum=0.03)

    def forward(self, planes: Tensor) -> Tensor:
        """Logits (n, classes)."""
        flow, short = planes, planes
        for name, *_ in self.shape.layers:
            flow = self.sums[name](flow)
            if name == "last":
                break
            flow = self.norms[name](flow)
            flow = torch.relu(flow + short if name == "two" else flow)
            if name == "down":
                short = flow
        return flow.flatten(1)

    def folded(self) -> Plain:
        """The weights with the normalising over the batch folded in."""
        return {name: folded_layer(layer, dict(self.norms.items()).get(name)) for name, layer in self.sums.items()}

    @torch.no_grad()
    def take(self, plain: Plain, planes: Tensor) -> None:
        """Begin with the folded weights of a network with as many channels, or fewer, and say what it says.

        What is there to hear of new channels is nothing at first (Chen et al. 2016, Net2Net, has another way). The
        normalising takes its figures from `planes`, so that it changes nothing either.
        """
        for name, (kernel, bias) in plain.items():
            outward, inward = kernel.shape[:2]
            weight = self.sums[name].weight
            weight[:outward, inward:] = 0
            weight[:outward, :inward] = torch.from_numpy(np.array(kernel))
            self.sums[name].bias[:outward] = torch.from_numpy(np.array(bias))
            if name in self.norms:
                self.norms[name].running_var.fill_(1 - _EPSILON)
        for name, (mean, spread) in self._spreads(planes).items():
            norm = self.norms[name]
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(spread)
            norm.weight.copy_((spread + _EPSILON).sqrt())
            norm.bias.copy_(mean)

    def _spreads(self, planes: Tensor) -> dict[str, tuple[Tensor, Tensor]]:
        """Mean and spread of what each layer that is normalised is given."""
        found: dict[str, tuple[Tensor, Tensor]] = {}

        def note(name: str, given: Tensor) -> None:
            found[name] = given.mean((0, 2, 3)), given.var((0, 2, 3))

        hooks = [
            norm.register_forward_hook(lambda _norm, given, _out, name=name: note(name, given[0]))
            for name, norm in self.norms.items()
        ]
        self.eval()
        self(planes)
        for hook in hooks:
            hook.remove()
        return found
