"""Campaigns of whole games: amid breakage, every halt and answer, power cuts, things taken back, thousands in a row."""

from controller.bench.games.auditing_journal import AuditingJournal
from controller.bench.games.cuts import bench_cuts
from controller.bench.games.endurance import bench_endurance
from controller.bench.games.faults import bench_faults
from controller.bench.games.halts import bench_halts
from controller.bench.games.lifting import bench_lifting
from controller.bench.games.typed_dice import with_typed_dice
from controller.bench.games.undo import bench_undo

__all__ = [
    "AuditingJournal",
    "bench_cuts",
    "bench_endurance",
    "bench_faults",
    "bench_halts",
    "bench_lifting",
    "bench_undo",
    "with_typed_dice",
]
