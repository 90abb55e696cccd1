"""Deliberate faults of the simulated box (`--faults`): list them, parse them, and apply them to a box.

Nothing here loads a camera or a bus, because `shutbox faults` only lists them.
"""

from collections.abc import Sequence

from controller.errors import BadFault
from hardware.box import Box
from hardware.sim.faults import FAULTS, FaultKind, apply_fault
from hardware.sim.world import World


def fault_kinds() -> tuple[FaultKind, ...]:
    """Return every kind of fault, in the order of `shutbox faults`."""
    return tuple(FAULTS.values())


def parse_faults(words: str | None) -> tuple[str, ...]:
    """Split `NAME:PART,...` into single faults; none for None. Raises `BadFault` if the text names no fault."""
    if words is None:
        return ()
    names = tuple(word.strip() for word in words.split(",") if word.strip())
    if not names:
        raise BadFault("--faults names no fault; `shutbox faults` lists them")
    return names


def check_faults(box: Box, faults: Sequence[str]) -> None:
    """Raise `BadFault` unless all of `faults` are possible on this box, so that an error is found before the start."""
    scratch = World(box, lambda: 0.0, 0)  # only a box itself can tell which faults it takes
    apply_faults(scratch, faults)


def refuse_faults(faults: Sequence[str]) -> None:
    """Raise `BadFault` if faults are named for a real box."""
    if faults:
        raise BadFault("--faults breaks the simulated box only; say --mock too")


def apply_faults(world: World, faults: Sequence[str]) -> None:
    """Break `world` with each of `faults`. Raises `BadFault`, which lists the allowed ones."""
    for fault in faults:
        try:
            apply_fault(world, fault)
        except ValueError as error:
            raise BadFault(str(error)) from error
