"""Campaigns that try to break the box or measure it, over and over, and count what came of it."""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from controller.bench.calibration import bench_calibration
    from controller.bench.chance import bench_fairness, bench_luck
    from controller.bench.claims import bench_claims
    from controller.bench.clients import bench_clients
    from controller.bench.crashes import CrashOrder, bench_crashes
    from controller.bench.crowd import bench_crowd
    from controller.bench.demo import DemoHalted, Demonstration, DemoOrder, PlayedGame, open_demonstration
    from controller.bench.games import bench_cuts, bench_endurance, bench_faults, bench_halts, bench_lifting, bench_undo
    from controller.bench.kicks import bench_kicks
    from controller.bench.live import bench_guard, bench_hang
    from controller.bench.motion import bench_motion
    from controller.bench.races import bench_race
    from controller.bench.selftest import bench_selftest
    from controller.bench.sweeps import report_joined
    from controller.bench.vision import Examiner, list_trials
    from controller.bench.vision_report import bench_vision
    from controller.bench.wire import bench_wire
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "CrashOrder",
    "DemoHalted",
    "DemoOrder",
    "Demonstration",
    "Examiner",
    "PlayedGame",
    "bench_calibration",
    "bench_claims",
    "bench_clients",
    "bench_crashes",
    "bench_crowd",
    "bench_cuts",
    "bench_endurance",
    "bench_fairness",
    "bench_faults",
    "bench_guard",
    "bench_halts",
    "bench_hang",
    "bench_kicks",
    "bench_lifting",
    "bench_luck",
    "bench_motion",
    "bench_race",
    "bench_selftest",
    "bench_undo",
    "bench_vision",
    "bench_wire",
    "list_trials",
    "open_demonstration",
    "report_joined",
]
