"""Campaigns in real time on boxes whose parts are processes of their own."""

from controller.bench.live.guard_report import bench_guard
from controller.bench.live.hang_report import bench_hang

__all__ = ["bench_guard", "bench_hang"]
