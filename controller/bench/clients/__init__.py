"""Campaign of several clients at one daemon, over its socket: lost answers, repeated commands, restarts."""

from controller.bench.clients.bookkeeper import Bookkeeper, Order, Sitter, count_outcomes
from controller.bench.clients.busy_table import BusyTable, Outcome
from controller.bench.clients.clients import bench_clients, report_clients
from controller.bench.clients.table_client import HELD, PLAYERS, SITTERS, TableClient

__all__ = [
    "HELD",
    "PLAYERS",
    "SITTERS",
    "Bookkeeper",
    "BusyTable",
    "Order",
    "Outcome",
    "Sitter",
    "TableClient",
    "bench_clients",
    "count_outcomes",
    "report_clients",
]
