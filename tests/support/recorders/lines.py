"""The lines of a header as Linux and the chip have them; they outlive a process that used them."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class HeaderLines:
    """Lines with pull-ups: driven by the computer, pulled low from outside, or high. `levels` are all that each had.

    `holders` have lines that nobody else gets; without `has_edges` no line tells of its changes.
    """

    holders: dict[int, str] = field(default_factory=dict)
    has_edges: bool = True
    levels: dict[int, list[int]] = field(default_factory=dict)
    _driven: dict[int, int] = field(default_factory=dict)
    _pulled: set[int] = field(default_factory=set)
    _watchers: dict[int, Callable[[int], None]] = field(default_factory=dict)

    def level(self, gpio: int) -> int:
        return self._driven.get(gpio, 0 if gpio in self._pulled else 1)

    def is_driven(self, gpio: int) -> bool:
        return gpio in self._driven

    def drive(self, gpio: int, level: int | None) -> None:
        """The computer drives a line, or (None) makes an input of it."""
        if level is None:
            self._driven.pop(gpio, None)
        else:
            self._driven[gpio] = level
        self.levels.setdefault(gpio, []).append(self.level(gpio))

    def pull(self, gpio: int, low: bool) -> None:
        """A contact pulls a line low, or lets it go."""
        before = self.level(gpio)
        (self._pulled.add if low else self._pulled.discard)(gpio)
        if self.level(gpio) != before and gpio in self._watchers:
            self._watchers[gpio](self.level(gpio))

    def watch(self, gpio: int, changed: Callable[[int], None] | None) -> None:
        if changed is None:
            self._watchers.pop(gpio, None)
        else:
            self._watchers[gpio] = changed

    def is_watched(self, gpio: int) -> bool:
        return gpio in self._watchers
