"""Faults of the simulated box (`--faults`): their list, what the command line may name, and breaking a box with them.

A file of its own because `shutbox faults` only lists them: nothing here loads a camera or a bus.
"""

from collections.abc import Sequence

from controller.errors import BadFault
from hardware.box import Box
from hardware.sim import FAULTS, FaultKind, World, apply_fault


def fault_kinds() -> tuple[FaultKind, ...]:
    """Every kind of fault there is, in the order of `shutbox faults`."""
    return tuple(FAULTS.values())


def parse_faults(words: str | None) -> tuple[str, ...]:
    """Split `NAME:PART,...` into single faults; none for None. Raises `BadFault` where the words name none."""
    if words is None:
        return ()
    names = tuple(word.strip() for word in words.split(",") if word.strip())
    if not names:
        raise BadFault("--faults names no fault; `shutbox faults` lists them")
    return names


def check_faults(box: Box, faults: Sequence[str]) -> None:
    """Raise `BadFault` unless every one of `faults` can be made on this box: a wrong word is refused before a start."""
    nobodys = World(box, lambda: 0.0, 0)  # which faults a box takes, only the box itself can say
    apply_faults(nobodys, faults)


def refuse_faults(faults: Sequence[str]) -> None:
    """Raise `BadFault` if any are named for a real box, which nothing breaks on purpose."""
    if faults:
        raise BadFault("--faults breaks the simulated box only; say --mock too")


def apply_faults(world: World, faults: Sequence[str]) -> None:
    """Break `world` as each of `faults` says. Raises `BadFault` that lists what is allowed."""
    for fault in faults:
        try:
            apply_fault(world, fault)
        except ValueError as error:
            raise BadFault(str(error)) from error
