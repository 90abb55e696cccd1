"""The chips on the bus of a new box, compared with the profile: which answer elsewhere, and which not at all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from firmware.drivers.scan import BusScan
from hardware.box import Box
from hardware.tiles import TileId
from hardware.wires import ALL_CALL_ADDRESS, CURRENT_SENSOR_ADDRESSES, SERVO_BOARD_ADDRESSES, ExpanderPin

ChipKind = Literal["servo board", "expander", "current sensor"]


@dataclass(frozen=True, slots=True)
class Chips:
    """The chips of a box as the scan found them.

    kinds: what each address of the profile is. moved: where the chip of an address answers instead. missing: those
    that answer nowhere. strangers: addresses that answer and belong to no chip of the box.
    """

    kinds: Mapping[int, ChipKind]
    moved: Mapping[int, int]
    missing: tuple[int, ...]
    strangers: tuple[int, ...]


async def find_chips(scan: BusScan, box: Box) -> Chips:
    """Compare the addresses that answer with those of the profile. Raises `BusFault`.

    Of several missing chips of a kind the lowest is taken for the lowest stranger: whether that is so, the servos and
    sensors on it show.
    """
    kinds = kinds_of(box)
    answering = await scan.find()
    strange: dict[int, ChipKind] = {}
    for address in answering:
        if address not in kinds and address != ALL_CALL_ADDRESS:
            strange[address] = await _kind_at(scan, address)
    missing = [address for address in kinds if address not in answering]
    moved: dict[int, int] = {}
    for address in missing:
        at = next((at for at, kind in strange.items() if kind == kinds[address] and at not in moved.values()), None)
        if at is not None:
            moved[address] = at
    left = tuple(address for address in missing if address not in moved)
    return Chips(kinds, moved, left, tuple(address for address in strange if address not in moved.values()))


def kinds_of(box: Box) -> Mapping[int, ChipKind]:
    """Return what the profile says of each address."""
    kinds: dict[int, ChipKind] = dict.fromkeys(box.servo_boards, "servo board")
    kinds |= dict.fromkeys(box.expanders, "expander")
    if box.supply.current_sensor is not None:
        kinds[box.supply.current_sensor] = "current sensor"
    return kinds


def tiles_on(box: Box, chip: int) -> Sequence[TileId]:
    """Return the tiles whose servo or one of whose sensors is wired to the chip at this address."""
    return [
        tile
        for tile in box.tile_ids
        if chip == box.tiles[tile].servo.board
        or any(isinstance(w, ExpanderPin) and w.expander == chip for w in (box.tiles[tile].shut, box.tiles[tile].open))
    ]


async def _kind_at(scan: BusScan, address: int) -> ChipKind:
    if address not in SERVO_BOARD_ADDRESSES:
        return "expander"
    if address in CURRENT_SENSOR_ADDRESSES and await scan.is_current_sensor(address):
        return "current sensor"
    return "servo board"
