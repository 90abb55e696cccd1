"""A box that was chosen and is closed: the ways to open it, for those who play on it and for those who measure it."""

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
    """The ways to open one box, one at a time; each may be gone again and again.

    open_table: to be played on, with all that was saved of it by then; it raises what is known to be wrong before
    anything is opened. rigs: to be measured; raises `NoBox` for a box that cannot be. simulated: no metal moves.
    another: a simulated box by another profile, in place of this one; None where this one stays, as all of metal do.
    """

    box: Box
    open_table: Callable[[], AbstractAsyncContextManager[Table]]
    rigs: "Callable[[], Rigs]"
    simulated: bool
    another: "Callable[[str], ChosenBox] | None" = None
