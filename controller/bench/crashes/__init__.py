"""Campaign that tries from outside whether anything is lost that the box has acknowledged."""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from controller.bench.crashes.crashes import CrashOrder, bench_crashes
    from controller.bench.crashes.played_box import Evening, PlayedBox
    from controller.bench.crashes.report import CrashReport, percentile
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = ["CrashOrder", "CrashReport", "Evening", "PlayedBox", "bench_crashes", "percentile"]
