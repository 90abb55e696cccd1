"""What every process needs and no game: clock, threads, signals, locks, the terminal."""

from typing import TYPE_CHECKING

from hardware.lazy_face import load_on_demand

if TYPE_CHECKING:
    from controller.process.clock import run_jumping
    from controller.process.keyboard import key_by_key, typed_keys, typed_lines
    from controller.process.locks import lock, lock_place, lock_tiles
    from controller.process.machine import require_pi
    from controller.process.output import Exit, fault_json, print_json
    from controller.process.pool import mapping, silence
    from controller.process.signals import cancel_on_signal, stop_signals
    from controller.process.systemd import notify, watchdog_s
    from controller.process.tasks import running
    from controller.process.terminal import answers, say, show_warnings, table, words
    from controller.process.threads import Thinker
    from controller.process.units import find_stale_units
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "Exit",
    "Thinker",
    "answers",
    "cancel_on_signal",
    "fault_json",
    "find_stale_units",
    "key_by_key",
    "lock",
    "lock_place",
    "lock_tiles",
    "mapping",
    "notify",
    "print_json",
    "require_pi",
    "run_jumping",
    "running",
    "say",
    "show_warnings",
    "silence",
    "stop_signals",
    "table",
    "typed_keys",
    "typed_lines",
    "watchdog_s",
    "words",
]
