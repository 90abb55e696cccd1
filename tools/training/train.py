"""Trains a network: `python -m training.train faces|stances CROPS HELD_OUT WEIGHTS MINUTES [OPTIONS]`.

CROPS and HELD_OUT are folders that `training.crops` or `training.poses` wrote, WEIGHTS the ONNX
file to make; where it exists training goes on from it, more gently. `--tables FOLDER`: three sixteenths of every batch
are of the crops in there, which were cut from traced tables. `--checkpoint FILE`: where it exists training goes on from
there instead; it is written at the end. `--mean`: what is kept is the mean of the weights before and after (M. Wortsman
and others, Model soups, 2022).
"""

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from tools.training import export, net, report
from tools.training.tasks import TASKS, Data, Task

_BATCH = 256
_OF_TABLES = 48  # ... of which so many are cut from traced tables
_RATE, _GENTLE_RATE = 3e-3, 1e-3
_DECAY = 1e-2
_WARM_UP = 60  # steps until a step's cost is known
_KEEP = 0.998  # of the mean weights from one step to the next: they are what is kept
_CALIBRATING = 12  # batches whose spread stands for all


def batches(task: Task, sets: Sequence[tuple[Data, int]], seed: int) -> Iterator[Data]:
    """Batches without end, of so many crops of each set, in which labels have their shares."""
    rng = np.random.default_rng(seed)
    shares = np.array(task.shares) / sum(task.shares)
    of_label = [[np.flatnonzero(data[2] == label) for label in range(len(shares))] for data, _ in sets]
    while True:
        drawn = []
        for (data, count), places in zip(sets, of_label, strict=True):
            labels = rng.choice(len(shares), count, p=shares)
            picked = np.array([places[label][rng.integers(len(places[label]))] for label in labels])
            drawn.append((data[0][picked], data[1][picked], labels))
        crops, slopes, labels = (np.concatenate(parts) for parts in zip(*drawn, strict=True))
        yield crops, slopes, labels


def learn(task: Task, network: net.Network, stream: Iterator[Data], seconds: float, rate: float) -> net.Network:
    """Train for so many seconds; the rate falls along a half cosine to nothing. Returns the mean of the weights."""
    mean = deepcopy(network)
    network.train()
    optimiser = torch.optim.AdamW(network.parameters(), weight_decay=_DECAY)
    begun, figures = time.monotonic(), np.zeros(2)
    for count, (crops, slopes, labels) in enumerate(stream, 1):
        done = (time.monotonic() - begun) / seconds
        if done >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, count / _WARM_UP) * (0.5 + 0.5 * math.cos(math.pi * done))
        planes = varied(task, crops, slopes)
        said, told = network(planes.contiguous(memory_format=torch.channels_last)), torch.from_numpy(labels)
        cost = cross_entropy(said, told)
        optimiser.zero_grad()
        cost.backward()
        optimiser.step()
        net.follow(mean, network, min(_KEEP, count / (count + 10)))
        figures = 0.98 * figures + 0.02 * np.array([cost.item(), (said.argmax(1) == told).float().mean().item()])
        if count % 100 == 0:
            print(f"{count} steps, {100 * done:.0f} %: cost {figures[0]:.4f}, right {figures[1]:.4f}", flush=True)
    return mean


@torch.no_grad()
def varied(task: Task, crops: np.ndarray, slopes: np.ndarray) -> Tensor:
    """The planes of a batch, every crop of it changed in its own way."""
    return task.shown(*task.varied(_flat(crops), torch.from_numpy(slopes)))


def _flat(crops: np.ndarray) -> Tensor:
    """Crops (n, side, side, 3) uint8 as (n, 3, side, side) float32."""
    return torch.from_numpy(np.ascontiguousarray(crops.transpose(0, 3, 1, 2))).float()


@torch.no_grad()
def said_of(task: Task, network: net.Network, crops: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """Logits (4, n, classes) of crops in their four quarter turns."""
    network.eval()
    turned = []
    for turn in range(4):
        seen = np.rot90(crops, turn, (1, 2))
        parts = [
            network(task.shown(_flat(seen[at : at + 1000]), torch.from_numpy(slopes[at : at + 1000])))
            for at in range(0, len(seen), 1000)
        ]
        turned.append(torch.cat(parts).numpy())
        slopes = np.column_stack((slopes[:, 1], -slopes[:, 0], slopes[:, 2:]))
    return np.stack(turned)


def main(asked: argparse.Namespace) -> None:
    """Train, calibrate, report, export."""
    torch.manual_seed(1)
    task: Task = TASKS[asked.task]
    of_tables = 0 if asked.tables is None else _OF_TABLES
    sets = [(task.loaded(asked.crops), _BATCH - of_tables)]
    if asked.tables is not None:
        sets.append((task.loaded(asked.tables), of_tables))
    for data, _ in sets:
        print(f"{len(data[2])} crops: {np.bincount(data[2], minlength=task.shape.classes)}", flush=True)
    stream = batches(task, sets, 1)
    network, rate = net.Network(task.shape).to(memory_format=torch.channels_last), _RATE
    if asked.checkpoint is not None and asked.checkpoint.exists():
        network.load_state_dict(torch.load(asked.checkpoint))
        rate = _GENTLE_RATE
    elif asked.weights.exists():
        seen = [varied(task, crops, slopes) for crops, slopes, _ in islice(stream, _CALIBRATING)]
        network.take(export.load(task.shape, asked.weights), torch.cat(seen))
        rate = _GENTLE_RATE
    network = learn(task, network, stream, 60 * asked.minutes, rate)
    crops, slopes, labels = task.loaded(asked.held_out)
    said = said_of(task, network, crops, slopes)
    temperature = report.temperature_of(said, labels)
    print(f"temperature {temperature:.3f}")
    chances = report.probabilities(said, temperature)
    report.show_classes(chances, labels)
    if task.shape != net.STANCES:
        report.show_values(chances, labels)
    plain = network.folded()
    plain["last"] = (plain["last"][0] / np.float32(temperature), plain["last"][1] / np.float32(temperature))
    if asked.mean:
        before = export.load(task.shape, asked.weights)
        plain = {
            name: ((kernel + before[name][0]) / 2, (bias + before[name][1]) / 2)
            for name, (kernel, bias) in plain.items()
        }
    export.save(task.shape, plain, asked.weights)
    if asked.checkpoint is not None:
        torch.save(network.state_dict(), asked.checkpoint)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.train")
    parser.add_argument("task", choices=sorted(TASKS))
    for name in ("crops", "held_out", "weights"):
        parser.add_argument(name, type=Path)
    parser.add_argument("minutes", type=float)
    parser.add_argument("--tables", type=Path)
    parser.add_argument("--checkpoint", type=Path)
    parser.add_argument("--mean", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main(_asked())
