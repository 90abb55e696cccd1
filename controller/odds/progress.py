"""The progress of long work: a callable that is told the fraction done, 0..1; and the stages of work."""

from collections.abc import Callable

Progress = Callable[[float], None]


def silent(fraction: float) -> None:
    """No progress is told."""


def span(progress: Progress, low: float, high: float) -> Progress:
    """The progress of a stage, between the fractions of the whole at which it begins and ends."""

    def tell(fraction: float) -> None:
        progress(low + (high - low) * fraction)

    return tell
