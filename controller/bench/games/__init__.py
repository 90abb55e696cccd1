"""Campaigns of whole games amid breakage: every halt, every answer, the lifting of all faults, power cuts."""

from controller.bench.games.cuts import bench_cuts
from controller.bench.games.faults import bench_faults
from controller.bench.games.halts import bench_halts
from controller.bench.games.lifting import bench_lifting

__all__ = ["bench_cuts", "bench_faults", "bench_halts", "bench_lifting"]
