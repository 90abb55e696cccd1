"""The error budget of a chip: a rare error is tolerated, a repeated one is a fault."""

from collections import defaultdict

# One or two errors are a supply dip as servos start together, or their sparks. A third within ten seconds, the time in
# which a tile uses up its tries, is a loose wire or a weak supply.
TOLERATED_ERRORS = 2
ERROR_WINDOW_S = 10.0


class ErrorBudget:
    """Counts the errors of one kind, chip by chip. Lifetime: that of the box. Concurrency: the bus worker."""

    def __init__(self) -> None:
        self._at_s: defaultdict[int, list[float]] = defaultdict(list)

    def is_one_too_many(self, chip: int, now_s: float) -> bool:
        """Count an error at `now_s`; return True if it exceeds the budget, and then start a new count."""
        recent = [at_s for at_s in self._at_s[chip] if now_s - at_s < ERROR_WINDOW_S]
        is_too_many = len(recent) >= TOLERATED_ERRORS
        self._at_s[chip] = [] if is_too_many else [*recent, now_s]
        return is_too_many
