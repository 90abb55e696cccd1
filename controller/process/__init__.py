"""Parts of any process, independent of games: clock, threads, signals, locks, the terminal."""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from controller.process.addresses import announced_name, own_addresses
    from controller.process.clock import run_jumping
    from controller.process.keyboard import key_by_key, typed_keys, typed_lines
    from controller.process.locks import lock, lock_demonstration, lock_socket, lock_tiles
    from controller.process.log import start_log
    from controller.process.machine import model_name, require_pi
    from controller.process.output import Exit, fault_json, print_document, print_json
    from controller.process.permissions import as_owner, why_closed
    from controller.process.pool import pool_map, silence, silenced
    from controller.process.ports import answers_at, find_free_port, open_port
    from controller.process.service_log import read_service_log
    from controller.process.signals import interrupt_on_signal, stop_signals
    from controller.process.swap import finish_swap, is_swap_left, stage_files, swap_files
    from controller.process.systemd import notify, notify_status, passed_sockets, started_by_systemd, watchdog_s
    from controller.process.tasks import cancel_on_signal, run_in_background
    from controller.process.terminal import answers, print_part, say, show_warnings, table, words
    from controller.process.threads import BackgroundThread
    from controller.process.troubles import TROUBLES, describe_failure, describe_trouble, exit_in_words, first_of
    from controller.process.units import find_stale_units
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "TROUBLES",
    "BackgroundThread",
    "Exit",
    "announced_name",
    "answers",
    "answers_at",
    "as_owner",
    "cancel_on_signal",
    "describe_failure",
    "describe_trouble",
    "exit_in_words",
    "fault_json",
    "find_free_port",
    "find_stale_units",
    "finish_swap",
    "first_of",
    "interrupt_on_signal",
    "is_swap_left",
    "key_by_key",
    "lock",
    "lock_demonstration",
    "lock_socket",
    "lock_tiles",
    "model_name",
    "notify",
    "notify_status",
    "open_port",
    "own_addresses",
    "passed_sockets",
    "pool_map",
    "print_document",
    "print_json",
    "print_part",
    "read_service_log",
    "require_pi",
    "run_in_background",
    "run_jumping",
    "say",
    "show_warnings",
    "silence",
    "silenced",
    "stage_files",
    "start_log",
    "started_by_systemd",
    "stop_signals",
    "swap_files",
    "table",
    "typed_keys",
    "typed_lines",
    "watchdog_s",
    "why_closed",
    "words",
]
