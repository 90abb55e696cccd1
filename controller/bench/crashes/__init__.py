"""Campaign that tries from outside whether anything is lost that the box has acknowledged."""

from typing import TYPE_CHECKING

from hardware.lazy_face import load_on_demand

if TYPE_CHECKING:
    from controller.bench.crashes.crashes import CrashOrder, bench_crashes
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = ["CrashOrder", "bench_crashes"]
