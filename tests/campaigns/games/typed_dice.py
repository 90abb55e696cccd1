"""A table whose players type their throws: its eyes see no dice, and notice when the camera is blind."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from controller.box.table import Table
from hardware.sim.world import World
from vision.errors import CameraDead, CameraFault, CameraFrozen, FieldDark, FieldLost
from vision.reading import Reading

if TYPE_CHECKING:
    from vision.watching.throw_watcher import Watcher

_LOOKS_EVERY_S = 2.5  # about as long as the watcher of real pictures takes to be sure of a fault
_BLIND: Mapping[str, type[CameraFault]] = {
    "frozen": CameraFrozen,
    "dark": FieldDark,
    "grey": FieldLost,
    "dead": CameraDead,
}


def with_typed_dice(table: Table, world: World) -> Table:
    """The same table with eyes that look at no picture: rendering these takes longer than all else of a game."""
    return replace(table, watcher=cast("Watcher", _Eyes(world)))


class _Eyes:
    """What the referee asks of a `Watcher`."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def next_throw(self, _allowed: frozenset[int]) -> Reading:
        """No throw; the camera's fault once there is one."""
        # A camera is looked through again and again; dice are read upside down too.
        while (fault := self._world.camera_fault) is None or fault not in _BLIND:  # noqa: ASYNC110
            await asyncio.sleep(_LOOKS_EVERY_S)
        raise _BLIND[fault]("camera", expected="a picture", seen="none")

    look_now = next_throw

    async def note_lying(self) -> None:
        """Nothing lies there."""

    def tell_motion(self, tell: object) -> None:
        """Nothing is seen to move."""

    def keep_evidence(self, keep: object) -> None:
        """There are no pictures to keep."""

    def places_mm(self) -> tuple[()]:
        """Nothing was read."""
        return ()

    def accept(self) -> None:
        """Nothing was read."""

    def correct(self, values: tuple[int, ...]) -> None:
        """There are no pictures to keep."""

    def account_for(self) -> None:
        """Nothing lies there."""
