"""The alarm clock of a simulated box: the world rings it as its time passes, whatever loop and bus are doing."""

from collections.abc import Callable

from hardware.sim import World


class WorldAlarm:
    """Calls `ring` at the moment of the world's clock to which it is set.

    The world catches up whenever somebody calls it, and rings on the way: a loop that was held up meanwhile finds
    done what a thread of its own would have done on a real box.

    Lifetime: `close` ends it. Concurrency: as the world.
    """

    def __init__(self, world: World, ring: Callable[[], None]) -> None:
        self._world = world
        self._ring = ring

    def now(self) -> float:
        """Seconds of the world's clock, to which the world has caught up: whatever was due by now has rung."""
        return self._world.catch_up()

    def set_to(self, at_s: float) -> None:
        """Ring at this time, and at no other; infinity: not at all."""
        self._world.set_alarm(self._ring, at_s)

    def close(self) -> None:
        """Never ring again."""
        self._world.set_alarm(self._ring, float("inf"))
