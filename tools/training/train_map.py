"""Trains the network that sees the whole field: `python -m training.train_map TABLES HELD_OUT WEIGHTS MINUTES FILE`.

TABLES and HELD_OUT are folders that `training.maps` wrote, WEIGHTS the ONNX file to make. Where FILE exists training
goes on from there, more gently; it is written at the end.
"""

import math
import sys
import time
from copy import deepcopy
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from tools.training.maps import DIE, NONE, UNKNOWN, Marks
from tools.training.net import folded_layer, follow
from vision.capture.frame import Pixels
from vision.network.dice_map import MAP_STRIDE_PX, map_planes

_BATCH, _RATE, _GENTLE_RATE, _DECAY = 12, 4e-3, 2e-3, 1e-3
_WARM_UP, _KEEP = 50, 0.998  # as in `training.train`
_RARE = 4.0  # of squares one in e to the fourth holds a die, roughly: what is said at first
_NEGATIVES, _EASY = 20, 0.02  # dice that a batch counts as at least; the weight of a square that is surely none
_NEGATIVE_PICTURES, _SOFT = 0.08, 0.25
_OPSET = 11
_THRESHOLDS = (0.1, 0.3, 0.5, 0.8, 0.9)

# Name, kernel, stride, padding, dilation, channels in and out. Kernels of the first two are even, so that the squares
# of the map lie in the survey as evenly from either side.
LAYERS = (
    ("eye", 6, 2, 2, 1, 3, 16),
    ("down", 4, 2, 1, 1, 16, 32),
    ("one", 3, 1, 1, 1, 32, 32),
    ("wide", 3, 1, 2, 2, 32, 32),
)
_SHORT = "one"  # is added to what it is made of


class MapNetwork(nn.Module):
    """Planes (n, 3, h, w) to logits (n, 1, h / 4, w / 4)."""

    def __init__(self) -> None:
        super().__init__()
        self.sums, self.norms = nn.ModuleDict(), nn.ModuleDict()
        for name, kernel, stride, padding, dilation, inward, outward in LAYERS:
            self.sums[name] = nn.Conv2d(inward, outward, kernel, stride, padding, dilation, bias=False)
            self.norms[name] = nn.BatchNorm2d(outward, momentum=0.03)
        self.sums["last"] = nn.Conv2d(LAYERS[-1][-1], 1, 1)
        nn.init.constant_(self.sums["last"].bias, -_RARE)

    def forward(self, planes: Tensor) -> Tensor:
        """Logits (n, 1, h / 4, w / 4)."""
        flow = planes
        for name, *_ in LAYERS:
            seen = torch.relu(self.norms[name](self.sums[name](flow)))
            flow = seen + flow if name == _SHORT else seen
        return self.sums["last"](flow)

    def folded(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Kernel and bias of every layer, the normalising folded in."""
        return {name: folded_layer(layer, dict(self.norms.items()).get(name)) for name, layer in self.sums.items()}


def loaded(folder: Path) -> tuple[NDArray[np.uint8], Marks]:
    """The surveys (n, h, w, 3) of a folder, cut to whole squares, and their marks."""
    parts = [np.load(path) for path in sorted(folder.glob("*.npz"))]
    marks = np.concatenate([part["marks"] for part in parts])
    height, width = (side * MAP_STRIDE_PX for side in marks.shape[1:])
    return np.concatenate([part["surveys"][:, :height, :width] for part in parts]), marks


def varied(rng: np.random.Generator, survey: Pixels, marks: Marks) -> tuple[Pixels, Marks]:
    """A survey in other colours, light and focus, mirrored or not, now and then as a negative, and noisy."""
    levels = survey.astype(np.float32)[..., rng.permutation(3)]
    grey = levels.mean(axis=2, keepdims=True)
    levels = grey + rng.uniform(0.2, 1.2) * (levels - grey)
    levels *= np.exp(0.12 * rng.normal(size=3) + 0.3 * rng.normal())
    levels = 255 * (np.clip(levels, 0, 255) / 255) ** np.exp(rng.uniform(-0.4, 0.4))
    if rng.random() < _NEGATIVE_PICTURES:
        levels = 255 - levels
    if rng.random() < _SOFT:
        levels = cv2.GaussianBlur(levels, (0, 0), rng.uniform(0.3, 0.9))
    levels = np.clip(levels + 5 * rng.random() ** 2 * rng.normal(size=levels.shape), 0, 255).astype(np.uint8)
    for axis in (0, 1):
        if rng.random() < 0.5:
            levels, marks = np.flip(levels, axis), np.flip(marks, axis)
    return np.ascontiguousarray(levels), np.ascontiguousarray(marks)


def cost_of(logits: Tensor, marks: Tensor) -> Tensor:
    """The cross entropy, in which squares without a die count by how much they look like one."""
    there = (marks == DIE).float()
    each = binary_cross_entropy_with_logits(logits, there, reduction="none")
    with torch.no_grad():
        weight = (marks == NONE) * (_EASY + torch.sigmoid(logits))
    dice = there.sum()
    return (each * there).sum() / dice.clamp(min=1) + (each * weight).sum() / dice.clamp(min=_NEGATIVES)


def learn(network: MapNetwork, surveys: NDArray[np.uint8], marks: Marks, seconds: float, rate: float) -> MapNetwork:
    """Train for so many seconds; the rate falls along a half cosine to nothing. Returns the mean of the weights."""
    rng, mean = np.random.default_rng(1), deepcopy(network)
    network.train()
    optimiser = torch.optim.AdamW(network.parameters(), weight_decay=_DECAY)
    begun, count = time.monotonic(), 0
    while (done := (time.monotonic() - begun) / seconds) < 1:
        count += 1
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, count / _WARM_UP) * (0.5 + 0.5 * math.cos(math.pi * done))
        drawn = [varied(rng, surveys[index], marks[index]) for index in rng.integers(len(surveys), size=_BATCH)]
        planes = torch.from_numpy(np.stack([map_planes(survey) for survey, _ in drawn]))
        cost = cost_of(network(planes)[:, 0], torch.from_numpy(np.stack([told for _, told in drawn])))
        optimiser.zero_grad()
        cost.backward()
        optimiser.step()
        follow(mean, network, min(_KEEP, count / (count + 10)))
        if count % 100 == 0:
            print(f"{count} steps, {100 * done:.0f} %: cost {cost.item():.3f}", flush=True)
    return mean.eval()


@torch.no_grad()
def report(network: MapNetwork, surveys: NDArray[np.uint8], marks: Marks) -> None:
    """Print how many dice have a likely square, and how many likely squares of a survey have no die."""
    near = np.ones((3, 3), np.uint8)
    dice, wrong = list[float](), list[list[int]]()
    for survey, told in zip(surveys, marks, strict=True):
        chances = torch.sigmoid(network(torch.from_numpy(map_planes(survey))[None]))[0, 0].numpy()
        highest = cv2.dilate(chances, near)
        count, labels = cv2.connectedComponents((told == DIE).astype(np.uint8))
        dice += [float(highest[labels == label].max()) for label in range(1, count)]
        peaks = (chances == highest) & (told != DIE) & (told != UNKNOWN)
        wrong.append([int((peaks & (chances > least)).sum()) for least in _THRESHOLDS])
    for least, mistaken in zip(_THRESHOLDS, np.mean(wrong, axis=0), strict=True):
        found = float(np.mean(np.array(dice) > least))
        print(f"above {least:.2f}: {100 * found:.2f} % of {len(dice)} dice, {mistaken:.2f} other places a survey")


def save(plain: dict[str, tuple[np.ndarray, np.ndarray]], path: Path) -> None:
    """Write folded weights: input (1, 3, h, w), output (1, 1, h / 4, w / 4) logits."""
    nodes, flow = [], "planes"
    for name, kernel, stride, padding, dilation, _, _ in LAYERS:
        weights = [f"{name}_kernel", f"{name}_bias"]
        shape = {"kernel_shape": [kernel] * 2, "strides": [stride] * 2, "pads": [padding] * 4}
        nodes.append(helper.make_node("Conv", [flow, *weights], [f"{name}_sum"], dilations=[dilation] * 2, **shape))
        nodes.append(helper.make_node("Relu", [f"{name}_sum"], [name]))
        if name == _SHORT:
            nodes.append(helper.make_node("Add", [name, flow], [f"{name}_added"]))
        flow = nodes[-1].output[0]
    nodes.append(helper.make_node("Conv", [flow, "last_kernel", "last_bias"], ["logits"], kernel_shape=[1, 1]))
    stored = [
        numpy_helper.from_array(values, f"{name}_{part}")
        for name, pair in plain.items()
        for part, values in zip(("kernel", "bias"), pair, strict=True)
    ]
    shown = [helper.make_tensor_value_info("planes", TensorProto.FLOAT, [1, 3, "h", "w"])]
    given = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, 1, "h4", "w4"])]
    graph = helper.make_graph(nodes, "map", shown, given, stored)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)])
    model.ir_version = 6
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())


def main() -> None:
    """Train, report, export."""
    torch.manual_seed(1)
    tables, held_out, weights, checkpoint = (Path(sys.argv[at]) for at in (1, 2, 3, 5))
    network, rate = MapNetwork(), _RATE
    if checkpoint.exists():
        network.load_state_dict(torch.load(checkpoint))
        rate = _GENTLE_RATE
    network = learn(network, *loaded(tables), 60 * float(sys.argv[4]), rate)
    torch.save(network.state_dict(), checkpoint)
    report(network, *loaded(held_out))
    save(network.folded(), weights)


if __name__ == "__main__":
    main()
