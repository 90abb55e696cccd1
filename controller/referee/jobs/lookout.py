"""What the jobs of the box see as they work: kept together, and told to whoever watches when it changes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from controller.game import Sight


class Lookout:
    """The one who calls out what is seen. Lifetime: as the referee. Concurrency: one event loop."""

    def __init__(self, tell: Callable[[], None], sight: Sight | None = None) -> None:
        """`tell` is called after each change. sight: what is seen from the beginning; None: nothing."""
        self.sight = sight or Sight()
        self._tell = tell

    def note(self, **seen: Any) -> None:
        """Note parts of what is seen now, by the names of `Sight`; what is as it was is no news."""
        after = replace(self.sight, **seen)
        if after != self.sight:
            self.sight = after
            self._tell()
