"""The computer of a simulated box, here or in another process: supply and temperature of the world."""

from collections.abc import Mapping
from contextlib import suppress

from hardware.sim.remote.protocol import BoxLost, Link, Words
from hardware.sim.remote.server import Answer, Handler, Session
from hardware.sim.world import World


class SimulatedComputer:
    """The computer of a simulated world. Lifetime and concurrency: those of the world."""

    def __init__(self, world: World) -> None:
        self._world = world

    def throttled(self) -> int:
        return self._world.throttled

    def temperature_c(self) -> float:
        return self._world.computer_c


def computer_handlers(computer: SimulatedComputer) -> Mapping[str, Handler]:
    """Return the handlers for requests to a mock-box's computer, by the names of the requests."""

    def tell(_session: Session, _words: Words, _data: bytes) -> Answer:
        return {"throttled": computer.throttled(), "temperature_c": computer.temperature_c()}, b""

    return {"computer": tell}


class RemoteComputer:
    """The computer of a mock-box; its values are unknown once the mock-box is gone.

    Lifetime and concurrency: those of its link.
    """

    def __init__(self, link: Link) -> None:
        self._link = link

    def throttled(self) -> int | None:
        with suppress(BoxLost):
            return int(self._link.ask("computer")[0]["throttled"])
        return None

    def temperature_c(self) -> float | None:
        with suppress(BoxLost):
            return float(self._link.ask("computer")[0]["temperature_c"])
        return None
