"""Trains a network: `python -m training.train faces|stances CROPS HELD_OUT WEIGHTS MINUTES [CHECKPOINT]`.

CROPS and HELD_OUT are folders that `training.crops` or `training.poses` wrote, WEIGHTS the ONNX file to make. A
CHECKPOINT that exists is where training goes on; it is written at the end. Without one training goes on from WEIGHTS,
where that exists: more gently, and without normalising over the batch, which is folded in there.
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

from training import export, net, report
from training.tasks import TASKS, Data, Task

_BATCH = 256
_RATE, _GENTLE_RATE = 3e-3, 6e-4
_DECAY = 1e-3
_WARM_UP = 60  # steps until a step's cost is known


def batches(task: Task, data: Data, seed: int) -> Iterator[Data]:
    """Batches without end in which labels have their shares."""
    crops, slopes, labels = data
    rng = np.random.default_rng(seed)
    shares = np.array(task.shares) / sum(task.shares)
    of_label = [np.flatnonzero(labels == label) for label in range(len(shares))]
    while True:
        drawn = rng.choice(len(shares), _BATCH, p=shares)
        picked = np.array([of_label[label][rng.integers(len(of_label[label]))] for label in drawn])
        yield crops[picked], slopes[picked], drawn


def learn(
    task: Task, weights: net.Weights, running: net.Weights, data: Data, seconds: float, seed: int, *, folded: bool
) -> tuple[net.Weights, net.Weights]:
    """Train for so many seconds; the rate falls along a half cosine to nothing. `folded`: nothing is normalised."""
    most = _GENTLE_RATE if folded else _RATE
    optimiser = optax.inject_hyperparams(optax.adamw)(learning_rate=most, weight_decay=_DECAY)
    state = optimiser.init(weights)

    @jax.jit
    def step(weights: Any, running: Any, state: Any, crops: Any, slopes: Any, labels: Any, key: Any) -> Any:
        def loss(weights: Any) -> Any:
            shown = task.shown(*task.varied(key, crops.astype(jnp.float32), slopes))
            said, after = net.logits(task.shape, weights, running, shown, not folded)
            return optax.softmax_cross_entropy_with_integer_labels(said, labels).mean(), (after, said)

        (cost, (after, said)), slope = jax.value_and_grad(loss, has_aux=True)(weights)
        change, state = optimiser.update(slope, state, weights)
        hit = (said.argmax(1) == labels).mean()
        return optax.apply_updates(weights, change), after, state, cost, hit

    key, begun, count = jax.random.PRNGKey(seed), time.monotonic(), 0
    figures = np.zeros(2)
    for crops, slopes, labels in batches(task, data, seed):
        done = (time.monotonic() - begun) / seconds
        if done >= 1:
            break
        key, now = jax.random.split(key)
        state.hyperparams["learning_rate"] = jnp.asarray(
            most * min(1.0, (count + 1) / _WARM_UP) * (0.5 + 0.5 * np.cos(np.pi * done))
        )
        weights, after, state, cost, hit = step(weights, running, state, crops, slopes, labels, now)
        running = running if folded else after
        figures, count = 0.98 * figures + 0.02 * np.array([cost, hit]), count + 1
        if count % 100 == 0:
            print(f"{count} steps, {100 * done:.0f} %: cost {figures[0]:.4f}, right {figures[1]:.4f}", flush=True)
    return weights, running


def said_of(
    task: Task, weights: net.Weights, running: net.Weights, crops: np.ndarray, slopes: np.ndarray
) -> np.ndarray:
    """Logits (4, n, classes) of crops in their four quarter turns."""
    say = jax.jit(lambda part, slope: net.logits(task.shape, weights, running, task.shown(part, slope), False)[0])
    turned = []
    for turn in range(4):
        turned.append((np.rot90(crops, turn, (1, 2)), slopes))
        slopes = np.column_stack((slopes[:, 1], -slopes[:, 0], slopes[:, 2:]))
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


def main(task: Task, crops: Path, held_out: Path, path: Path, minutes: float, checkpoint: Path | None) -> None:
    """Train, calibrate, report, export."""
    folded = False
    if checkpoint is not None and checkpoint.exists():
        weights, running, folded = pickle.loads(checkpoint.read_bytes())  # noqa: S301 - our own file
    elif path.exists():
        (weights, running), folded = export.load(task.shape, path), True
    else:
        weights, running = net.fresh(task.shape, 1)
    data = task.loaded(crops)
    print(f"{len(data[2])} crops: {np.bincount(data[2], minlength=task.shape.classes)}", flush=True)
    weights, running = learn(task, weights, running, data, 60 * minutes, 1, folded=folded)
    kept, slopes, labels = task.loaded(held_out)
    said = said_of(task, weights, running, kept, slopes)
    temperature = report.temperature_of(said, labels)
    print(f"temperature {temperature:.3f}")
    chances = report.probabilities(said, temperature)
    report.show_classes(chances, labels)
    if task.shape == net.FACES:
        report.show_values(chances, labels)
    plain = net.folded(task.shape, weights, running)
    plain["last"] = (plain["last"][0] / np.float32(temperature), plain["last"][1] / np.float32(temperature))
    export.save(task.shape, plain, path)
    if checkpoint is not None:
        checkpoint.write_bytes(pickle.dumps((*jax.device_get((weights, running)), folded)))


if __name__ == "__main__":
    main(
        TASKS[sys.argv[1]],
        Path(sys.argv[2]),
        Path(sys.argv[3]),
        Path(sys.argv[4]),
        float(sys.argv[5]),
        Path(sys.argv[6]) if len(sys.argv) > 6 else None,
    )
