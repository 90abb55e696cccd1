"""What can be broken on purpose, by the names the command line takes."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from hardware.box import Box
from hardware.sim.world import World
from hardware.tiles import TileId

CAMERA_FAULTS = ("frozen", "dark", "grey", "dead")
# A chip on a loose supply wire loses its registers this often.
_LOOSE_WIRE_S = 0.1


@dataclass(frozen=True, slots=True)
class FaultKind:
    """One kind of fault: its name, the form of the part it takes, and one sentence of what it does."""

    name: str
    part: str
    description: str
    parts: Callable[[Box], Iterable[str]]
    apply: Callable[[World, str], None]


def _tiles(box: Box) -> Iterable[str]:
    return map(str, box.tile_ids)


def _chips(box: Box) -> Iterable[str]:
    return (f"0x{address:02x}" for address in (*box.servo_boards, *box.expanders))


def _on_tile(act: Callable[[World, TileId], None]) -> Callable[[World, str], None]:
    return lambda world, part: act(world, TileId.parse(part))


def _on_chip(act: Callable[[World, int], None]) -> Callable[[World, str], None]:
    return lambda world, part: act(world, int(part, 16))


_KINDS = (
    FaultKind("jam", "TILE", "The tile does not move, whatever pulls at it.", _tiles, _on_tile(World.jam)),
    FaultKind("slow", "TILE", "The tile's servo has a third of its speed.", _tiles, _on_tile(World.slow)),
    FaultKind("stuck", "TILE", "The tile's shut sensor keeps its present level.", _tiles, _on_tile(World.stick)),
    FaultKind(
        "chatter",
        "TILE",
        "The tile's shut sensor flickers while the magnet is near.",
        _tiles,
        _on_tile(World.chatter),
    ),
    FaultKind("silent", "ADDRESS", "The chip at that address does not answer.", _chips, _on_chip(World.silence)),
    FaultKind(
        "forgot",
        "ADDRESS",
        "The chip at that address loses its registers again and again.",
        _chips,
        _on_chip(lambda world, address: world.forget(address, _LOOSE_WIRE_S)),
    ),
    FaultKind("bus", "hung", "The I2C bus is held down.", lambda _box: ("hung",), lambda world, _: world.hang_bus()),
    FaultKind(
        "camera",
        "|".join(CAMERA_FAULTS),
        "The camera's picture stands still, is dark, is grey, or does not come.",
        lambda _box: CAMERA_FAULTS,
        World.break_camera,
    ),
)

FAULTS: Mapping[str, FaultKind] = {kind.name: kind for kind in _KINDS}


def apply_fault(world: World, text: str) -> None:
    """Break `world` as `text` says, e.g. `jam:front-7` or `silent:0x41`.

    Raises `ValueError` that lists what is allowed.
    """
    name, colon, part = text.partition(":")
    kind = FAULTS.get(name)
    if kind is None or not colon:
        allowed = ", ".join(f"{each.name}:{each.part}" for each in FAULTS.values())
        raise ValueError(f"no such fault {text!r}; allowed are {allowed}")
    parts = tuple(kind.parts(world.box))
    if part not in parts:
        listed = ", ".join(parts)
        raise ValueError(f"{world.box.name} has no such part for {name}: {part!r}; allowed are {listed}")
    kind.apply(world, part)
