"""The alarm clock of a simulated box: the world rings it as its time passes, even while loop or bus hang."""

from collections.abc import Callable

from hardware.sim.world import World


class WorldAlarm:
    """Calls `ring` at the set time of the world's clock.

    Every call makes the world catch up, and it rings on the way. So a delayed loop finds the same result that a
    separate thread would have produced on a real box.

    Lifetime: `close` ends it. Concurrency: that of the world.
    """

    def __init__(self, world: World, ring: Callable[[], None]) -> None:
        self._world = world
        self._ring = ring

    def now(self) -> float:
        """Let the world catch up and ring every due alarm; return the seconds of its clock."""
        return self._world.catch_up()

    def set_to(self, at_s: float) -> None:
        self._world.set_alarm(self._ring, at_s)

    def close(self) -> None:
        self._world.set_alarm(self._ring, float("inf"))
