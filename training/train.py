"""Trains the face network: `python -m training.train CROPS HELD_OUT WEIGHTS MINUTES [CHECKPOINT]`.

CROPS and HELD_OUT are folders that `training.crops` wrote, WEIGHTS the ONNX file to make. A CHECKPOINT that exists
is where training goes on; it is written at the end.
"""

import pickle
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from training import augment, export, net

_BATCH = 256
_RATE = 3e-3
_DECAY = 1e-3
_SHARES = (0.27, *(0.085,) * 6, 0.22)  # of the labels in a batch
_WARM_UP = 60  # steps until a step's cost is known


Data = tuple[np.ndarray, np.ndarray, np.ndarray]


def loaded(folder: Path) -> Data:
    """All crops (n, 40, 40, 3) uint8, known slopes (n, 3) and labels (n,) of a folder."""
    shards = [np.load(path) for path in sorted(folder.glob("*.npz"))]
    crops, slopes, labels = (
        np.concatenate([shard[part] for shard in shards]) for part in ("crops", "slopes", "labels")
    )
    return crops, np.column_stack((slopes, np.ones(len(slopes), np.float32))), labels


def batches(crops: np.ndarray, slopes: np.ndarray, labels: np.ndarray, seed: int) -> Iterator[Data]:
    """Batches without end in which labels have their `_SHARES`."""
    rng = np.random.default_rng(seed)
    of_label = [np.flatnonzero(labels == label) for label in range(8)]
    while True:
        drawn = rng.choice(8, _BATCH, p=np.array(_SHARES) / sum(_SHARES))
        picked = np.array([of_label[label][rng.integers(len(of_label[label]))] for label in drawn])
        yield crops[picked], slopes[picked], drawn


def learn(
    weights: net.Weights, running: net.Weights, data: Data, seconds: float, seed: int
) -> tuple[net.Weights, net.Weights]:
    """Train for so many seconds; the rate falls along a half cosine to nothing."""
    optimiser = optax.inject_hyperparams(optax.adamw)(learning_rate=_RATE, weight_decay=_DECAY)
    state = optimiser.init(weights)

    @jax.jit
    def step(weights: Any, running: Any, state: Any, crops: Any, slopes: Any, labels: Any, key: Any) -> Any:
        def loss(weights: Any) -> Any:
            shown = augment.normalised(*augment.varied(key, crops.astype(jnp.float32), slopes))
            said, after = net.logits(weights, running, shown, True)
            return optax.softmax_cross_entropy_with_integer_labels(said, labels).mean(), (after, said)

        (cost, (after, said)), slope = jax.value_and_grad(loss, has_aux=True)(weights)
        change, state = optimiser.update(slope, state, weights)
        hit = (said.argmax(1) == labels).mean()
        return optax.apply_updates(weights, change), after, state, cost, hit

    key, begun, count = jax.random.PRNGKey(seed), time.monotonic(), 0
    figures = np.zeros(2)
    for crops, slopes, labels in batches(*data, seed):
        done = (time.monotonic() - begun) / seconds
        if done >= 1:
            break
        key, now = jax.random.split(key)
        state.hyperparams["learning_rate"] = jnp.asarray(
            _RATE * min(1.0, (count + 1) / _WARM_UP) * (0.5 + 0.5 * np.cos(np.pi * done))
        )
        weights, running, state, cost, hit = step(weights, running, state, crops, slopes, labels, now)
        figures, count = 0.98 * figures + 0.02 * np.array([cost, hit]), count + 1
        if count % 100 == 0:
            print(f"{count} steps, {100 * done:.0f} %: cost {figures[0]:.4f}, right {figures[1]:.4f}", flush=True)
    return weights, running


def said_of(weights: net.Weights, running: net.Weights, crops: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """Logits (4, n, 8) of crops in their four quarter turns."""
    say = jax.jit(lambda part, slope: net.logits(weights, running, augment.normalised(part, slope), False)[0])
    turned = []
    for turn in range(4):
        turned.append((np.rot90(crops, turn, (1, 2)), slopes))
        slopes = slopes[:, [1, 0, 2]] * np.array([1.0, -1.0, 1.0], np.float32)
    return np.stack(
        [
            np.concatenate(
                [
                    say(part[at : at + 1000].astype(np.float32), slope[at : at + 1000])
                    for at in range(0, len(part), 1000)
                ]
            )
            for part, slope in turned
        ]
    )


def probabilities(said: np.ndarray, temperature: float) -> np.ndarray:
    """What four turns say together (n, 8)."""
    return np.asarray(jax.nn.softmax(jnp.asarray(said) / temperature, axis=2)).mean(axis=0)


def temperature_of(said: np.ndarray, labels: np.ndarray) -> float:
    """The temperature at which the probabilities explain held-out labels best (Guo et al. 2017)."""
    places = np.arange(len(labels))

    def cost(temperature: float) -> float:
        return float(-np.log(probabilities(said, temperature)[places, labels] + 1e-9).mean())

    return min(np.geomspace(0.5, 4, 40).tolist(), key=cost)


def report(chance: np.ndarray, labels: np.ndarray) -> None:
    """Print how good the probabilities are."""
    best, sure = chance.argmax(1), chance.max(1)
    print(f"held out: {len(labels)} crops, right {np.mean(best == labels):.4f}")
    for label in range(8):
        of = labels == label
        print(f"  {label}: {of.sum()} crops, {np.bincount(best[of], minlength=8)}")
    value = (best >= 1) & (best <= 6)
    for limit in (0.9, 0.98, 0.995):
        told = value & (sure > limit)
        wrong = told & (best != labels)
        swapped = wrong & (labels >= 1) & (labels <= 6)
        flat = (labels >= 1) & (labels <= 6)
        print(
            f"  values above {limit}: {told.sum()}, wrong {wrong.sum()} of which another value {swapped.sum()}, "
            f"flat dice told {np.mean(told[flat]):.4f}"
        )


def main(crops: Path, held_out: Path, path: Path, minutes: float, checkpoint: Path | None) -> None:
    """Train, calibrate, report, export."""
    weights, running = net.fresh(1)
    if checkpoint is not None and checkpoint.exists():
        weights, running = pickle.loads(checkpoint.read_bytes())  # noqa: S301 - our own file
    data = loaded(crops)
    print(f"{len(data[2])} crops: {np.bincount(data[2], minlength=8)}", flush=True)
    weights, running = learn(weights, running, data, 60 * minutes, 1)
    kept, slopes, labels = loaded(held_out)
    said = said_of(weights, running, kept, slopes)
    temperature = temperature_of(said, labels)
    print(f"temperature {temperature:.3f}")
    report(probabilities(said, temperature), labels)
    plain = net.folded(weights, running)
    plain["last"] = (plain["last"][0] / np.float32(temperature), plain["last"][1] / np.float32(temperature))
    export.save(plain, path)
    if checkpoint is not None:
        checkpoint.write_bytes(pickle.dumps(jax.device_get((weights, running))))


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        Path(sys.argv[2]),
        Path(sys.argv[3]),
        float(sys.argv[4]),
        Path(sys.argv[5]) if len(sys.argv) > 5 else None,
    )
