"""The wiring of one box as plain values, for programs: every pin, chip and outlet, parts list and first power-up."""

from dataclasses import dataclass

from hardware.wiring.checklist import Step, checklist_of
from hardware.wiring.parts import Part, parts_of
from hardware.wiring.plan import Chip, Plan, Role
from hardware.wiring.values import SENSOR_PULL_UP_OHM, series_ohm


@dataclass(frozen=True, slots=True)
class ListedPin:
    """A pin (1..40) of the header; `use` is None on a free pin, a resistor is None where none belongs.

    pull_up_ohm: the resistor from the line to 3.3 V, beyond the one in series.
    """

    pin: int
    name: str
    role: Role
    use: str | None
    series_ohm: float | None
    pull_up_ohm: float | None


@dataclass(frozen=True, slots=True)
class ListedOutlet:
    """A channel or pin of a chip, with the tile that is connected to it."""

    name: str
    tile: str | None
    role: Role


@dataclass(frozen=True, slots=True)
class ListedChip:
    """A servo board or an expander: its address, and its address jumpers by name (A0 upwards)."""

    address: str
    chip: str
    jumpers: dict[str, bool]
    outlets: tuple[ListedOutlet, ...]


@dataclass(frozen=True, slots=True)
class WiringList:
    """All wires, parts and steps of one box."""

    box: str
    header: tuple[ListedPin, ...]
    boards: tuple[ListedChip, ...]
    expanders: tuple[ListedChip, ...]
    current_sensor: str | None
    parts: tuple[Part, ...]
    checklist: tuple[Step, ...]


def list_wiring(plan: Plan) -> WiringList:
    return WiringList(
        box=plan.box.name,
        header=tuple(
            ListedPin(
                pin.number,
                pin.name,
                pin.role,
                pin.use or None,
                series_ohm() if pin.in_series else None,
                SENSOR_PULL_UP_OHM if pin.pulled_up else None,
            )
            for pin in plan.header
        ),
        boards=tuple(map(_list_chip, plan.boards)),
        expanders=tuple(map(_list_chip, plan.expanders)),
        current_sensor=plan.current_sensor,
        parts=parts_of(plan),
        checklist=checklist_of(plan),
    )


def _list_chip(chip: Chip) -> ListedChip:
    jumpers = {f"A{bit}": is_set for bit, is_set in enumerate(chip.jumpers)}
    outlets = tuple(
        ListedOutlet(outlet.name, None if outlet.tile is None else str(outlet.tile), outlet.role)
        for outlet in chip.outlets
    )
    return ListedChip(chip.name, chip.kind, jumpers, outlets)
