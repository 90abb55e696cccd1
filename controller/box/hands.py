"""Hands at a simulated box, in this process or another: they act on the box, break it and repair it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from controller.box.deeds import HandAction, arguments_of
from hardware.box import Box
from hardware.sim.faults import FAULTS

Reach = Callable[[str, Mapping[str, Any]], Awaitable[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class FaultForm:
    """One way to break this box: its name and the parts that it takes, and what it does, in a sentence."""

    fault: str
    parts: tuple[str, ...]
    what: str


@dataclass(frozen=True, slots=True)
class SimulatedView:
    """A simulated box as eyes see it: where its tiles truly are, its lid, its dice, and what is broken."""

    box: str
    tiles: Mapping[str, str]
    lid: str
    dice: tuple[int, ...]
    faults: tuple[str, ...]


class Hands:
    """Hands at one simulated box.

    Lifetime: they work as long as the box exists, also while its table is closed. Concurrency: one event loop.
    """

    def __init__(self, box: Box, reach: Reach) -> None:
        """reach: performs an action by its name and arguments; raises `BadDeed`, or `NoBox` if the box is gone."""
        self._box = box
        self._reach = reach
        self.broken: tuple[str, ...] = ()  # the faults at the time of the last look

    async def do(self, deed: HandAction) -> SimulatedView:
        """Perform an action and return the box afterwards. Raises `BadDeed` if it is impossible, and `NoBox`."""
        await self._reach(deed.do, arguments_of(deed))
        return await self.look()

    async def look(self) -> SimulatedView:
        """Return the present state of the box. Raises `NoBox`."""
        seen = await self._reach("look", {})
        self.broken = tuple(seen["faults"])
        return SimulatedView(seen["box"], seen["tiles"], seen["lid"], tuple(seen["dice"]), self.broken)

    def forms(self) -> tuple[FaultForm, ...]:
        """Return every way to break this box."""
        forms = (FaultForm(kind.name, tuple(kind.parts(self._box)), kind.description) for kind in FAULTS.values())
        return tuple(form for form in forms if form.parts)
