"""Time two ways of doing the same, alternating, and print the ratio of their medians."""

import statistics
import time
from collections.abc import Callable


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one run."""
    began_s = time.perf_counter()
    work()
    return time.perf_counter() - began_s


def compare(name: str, ours: Callable[[], object], baseline: Callable[[], object], *, runs: int = 5) -> None:
    """Run both `runs` times in turns, after one run each that does not count, and print medians and ratio."""
    ours(), baseline()
    pairs = [(seconds(ours), seconds(baseline)) for _ in range(runs)]
    our_s, base_s = (statistics.median(side) for side in zip(*pairs, strict=True))
    print(f"{name:46} ours {1000 * our_s:9.2f} ms   baseline {1000 * base_s:9.2f} ms   ratio {our_s / base_s:6.3f}")
