"""Campaigns of chance: games looked back on by the exact odds, and the verdict on dice that are fair or loaded."""

from controller.bench.chance.fairness import bench_fairness
from controller.bench.chance.luck import bench_luck

__all__ = ["bench_fairness", "bench_luck"]
