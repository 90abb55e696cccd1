"""The faults of the simulated box, for those who only list them: nothing here loads a camera or a bus."""

from hardware.sim.faults import FAULTS, FaultKind


def fault_kinds() -> tuple[FaultKind, ...]:
    """Every way to break the simulated box on purpose, in the order of the list that is shown."""
    return tuple(FAULTS.values())
