"""Faults of the simulated box, as the command line takes them: their list, their words, and breaking a world.

A file of its own because `shutbox faults` only lists them: nothing here loads a camera or a bus.
"""

from collections.abc import Sequence

from controller.errors import BadFault
from hardware.sim import FAULTS, FaultKind, World, apply_fault


def fault_kinds() -> tuple[FaultKind, ...]:
    """Every way to break the simulated box on purpose, in the order of the list that is shown."""
    return tuple(FAULTS.values())


def fault_names(words: str | None) -> tuple[str, ...]:
    """`NAME:PART,...` as single faults; none for None. Raises `BadFault` where words name none."""
    if words is None:
        return ()
    names = tuple(word.strip() for word in words.split(",") if word.strip())
    if not names:
        raise BadFault("--faults names no fault; `shutbox faults` lists them")
    return names


def apply_faults(world: World, faults: Sequence[str]) -> None:
    """Break `world` as each of `faults` says. Raises `BadFault` that lists what is allowed."""
    for fault in faults:
        try:
            apply_fault(world, fault)
        except ValueError as error:
            raise BadFault(str(error)) from error
