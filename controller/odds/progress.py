"""The progress of long work: a callable that receives the fraction done, 0..1, and stages of work."""

from collections.abc import Callable

Progress = Callable[[float], None]


def silent(fraction: float) -> None:
    """Ignore progress."""


def span(progress: Progress, low: float, high: float) -> Progress:
    """Return the progress of a stage that lasts from the fraction `low` to the fraction `high` of the whole."""

    def tell(fraction: float) -> None:
        progress(low + (high - low) * fraction)

    return tell
