"""How good a network's chances are on crops that it never saw."""

import numpy as np
import torch


def probabilities(said: np.ndarray, temperature: float) -> np.ndarray:
    """What the logits of four turns (4, n, classes) say together (n, classes)."""
    return torch.softmax(torch.from_numpy(said) / temperature, 2).mean(0).numpy()


def temperature_of(said: np.ndarray, labels: np.ndarray) -> float:
    """The temperature at which the probabilities explain held-out labels best (Guo et al. 2017)."""
    places = np.arange(len(labels))

    def cost(temperature: float) -> float:
        return float(-np.log(probabilities(said, temperature)[places, labels] + 1e-9).mean())

    return min(np.geomspace(0.5, 4, 40).tolist(), key=cost)


def show_classes(chance: np.ndarray, labels: np.ndarray) -> None:
    """Print what is taken for what, and how much of the last class is found where little else is called so."""
    best, classes = chance.argmax(1), chance.shape[1]
    print(f"held out: {len(labels)} crops, right {np.mean(best == labels):.4f}")
    for label in range(classes):
        of = labels == label
        print(f"  {label}: {of.sum()} crops, {np.bincount(best[of], minlength=classes)}")
    last = labels == classes - 1
    for part in (0.02, 0.01, 0.005, 0.002):
        limit = float(np.quantile(chance[~last, -1], 1 - part))
        print(f"  {part} of all else above {limit:.3f}: finds {np.mean(chance[last, -1] > limit):.4f} of the last")


def show_values(chance: np.ndarray, labels: np.ndarray) -> None:
    """Print how often a value is told, and how often wrongly."""
    best, sure = chance.argmax(1), chance.max(1)
    value, flat = (best >= 1) & (best <= 6), (labels >= 1) & (labels <= 6)
    for limit in (0.9, 0.98, 0.995):
        told = value & (sure > limit)
        wrong = told & (best != labels)
        print(
            f"  values above {limit}: {told.sum()}, wrong {wrong.sum()} of which another value {(wrong & flat).sum()}, "
            f"flat dice told {np.mean(told[flat]):.4f}"
        )
