"""What is an accident when it befalls a chip once or twice, and a fault when it goes on."""

from collections import defaultdict

# Once or twice is a dip as servos start together, or a spark of theirs; a third time within ten seconds, in which a
# tile uses up its tries, is a loose wire or a weak supply.
FORGIVEN = 2
WITHIN_S = 10.0


class Accidents:
    """Counts the accidents of one kind, chip by chip. Lifetime: as the box. Concurrency: the bus worker."""

    def __init__(self) -> None:
        self._at_s: defaultdict[int, list[float]] = defaultdict(list)

    def is_one_too_many(self, chip: int, now_s: float) -> bool:
        """Count one more at `now_s`; True if that is no accident any more. The count then begins anew."""
        recent = [at_s for at_s in self._at_s[chip] if now_s - at_s < WITHIN_S]
        is_too_many = len(recent) >= FORGIVEN
        self._at_s[chip] = [] if is_too_many else [*recent, now_s]
        return is_too_many
