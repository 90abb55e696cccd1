"""The simulated box's computer."""

from hardware.sim.world import World

_WARM_C = 48.0  # a Raspberry Pi 4 in a wooden box at rest


class SimulatedComputer:
    """The computer of a simulated world.

    Lifetime and concurrency: as the world.
    """

    def __init__(self, world: World) -> None:
        self._world = world

    def throttled(self) -> int:
        """The word of `vcgencmd get_throttled`."""
        return self._world.throttled

    def temperature_c(self) -> float:
        """How warm the processor is, in degrees Celsius."""
        return _WARM_C
