"""Crops with their slopes and labels on disk, in shards of some thousands."""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.capture.frame import Pixels

Slope = tuple[float, float]
Labelled = tuple[Pixels, Slope, int]
"""A crop (n, n, 3) uint8 BGR; where the camera hangs for each mm of height, across and down the crop; the label."""

_SIZE = 8000


def write_for(stream: Iterator[Labelled], folder: Path, seed: int, seconds: float) -> None:
    """Write what the stream gives in so many seconds, or until it ends."""
    folder.mkdir(parents=True, exist_ok=True)
    until, shard, rows = time.monotonic() + seconds, 0, list[Labelled]()
    for row in stream:
        rows.append(row)
        late = time.monotonic() > until
        if len(rows) == _SIZE or late:
            _write(folder / f"{seed:03d}-{shard:03d}.npz", rows)
            print(f"shard {shard}: {len(rows)} crops", flush=True)
            shard, rows = shard + 1, []
        if late:
            return
    if rows:
        _write(folder / f"{seed:03d}-{shard:03d}.npz", rows)


def _write(path: Path, rows: list[Labelled]) -> None:
    crops, slopes, labels = zip(*rows, strict=True)
    np.savez(path, crops=np.stack(crops), slopes=np.array(slopes, np.float32), labels=np.array(labels, np.uint8))


def main(
    stream: Callable[[int, bool], Iterator[Labelled]], traced_stream: Callable[[Path, int], Iterator[Labelled]]
) -> None:
    """What the command line asks for: OUT SEED SECONDS [--held-out | --tables FOLDER]."""
    cv2.setNumThreads(1)
    folder, seed, seconds = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    if "--tables" in sys.argv:
        rows = traced_stream(Path(sys.argv[sys.argv.index("--tables") + 1]), seed)
    else:
        rows = stream(seed, "--held-out" in sys.argv)
    write_for(rows, folder, seed, seconds)
