"""A chosen box that is closed: the ways to open it, for play and for calibration."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from controller.box.table import Table
from hardware.box import Box

if TYPE_CHECKING:
    from controller.box.choose_rigs import Rigs


@dataclass(frozen=True, slots=True)
class ChosenBox:
    """The ways to open one box, one at a time and as often as needed.

    open_table: for play, with the calibration saved by then; raises known problems before anything is opened.
    rigs: for calibration; raises `NoBox` for a box that cannot be calibrated.
    simulated: no metal moves.
    another: makes a simulated box with another profile, to replace this one; None for a box that cannot be replaced.
    """

    box: Box
    open_table: Callable[[], AbstractAsyncContextManager[Table]]
    rigs: "Callable[[], Rigs]"
    simulated: bool
    another: "Callable[[str], ChosenBox] | None" = None
