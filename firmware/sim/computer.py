"""The simulated box's computer, as the health of a computer is asked: supply and temperature of the world."""

from collections.abc import Mapping
from contextlib import suppress

from hardware.sim import World
from hardware.sim.remote import Answer, BoxLost, Handler, Link, Session, Words


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
        """Temperature of the processor in degrees Celsius."""
        return self._world.computer_c


def computer_handlers(computer: SimulatedComputer) -> Mapping[str, Handler]:
    """Handlers for those who ask after a mock-box's computer, by the name of their request."""

    def tell(_session: Session, _words: Words, _data: bytes) -> Answer:
        return {"throttled": computer.throttled(), "temperature_c": computer.temperature_c()}, b""

    return {"computer": tell}


class RemoteComputer:
    """The computer of a mock-box. One that is gone tells nothing.

    Lifetime and concurrency: as its link.
    """

    def __init__(self, link: Link) -> None:
        self._link = link

    def throttled(self) -> int | None:
        """The word of `vcgencmd get_throttled`; None: not known."""
        with suppress(BoxLost):
            return int(self._link.ask("computer")[0]["throttled"])
        return None

    def temperature_c(self) -> float | None:
        """Temperature of the processor in degrees Celsius; None: not known."""
        with suppress(BoxLost):
            return float(self._link.ask("computer")[0]["temperature_c"])
        return None
