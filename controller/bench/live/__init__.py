"""Campaigns in real time on boxes whose parts are processes of their own."""

from controller.bench.live.box import (
    PATIENCE_S,
    LiveBox,
    NotReady,
    kill_program,
    last_line_of,
    listen_for_states,
    log_of,
    open_live_box,
    start_program,
)
from controller.bench.live.guard_report import bench_guard
from controller.bench.live.hang_report import bench_hang

__all__ = [
    "PATIENCE_S",
    "LiveBox",
    "NotReady",
    "bench_guard",
    "bench_hang",
    "kill_program",
    "last_line_of",
    "listen_for_states",
    "log_of",
    "open_live_box",
    "start_program",
]
