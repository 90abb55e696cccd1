"""The actions of hands on a simulated box, by name, and what eyes see of it.

A mock-box performs them on request over its socket, a box in the daemon's own process by a call.
"""

from collections.abc import Callable, Mapping
from typing import Any

from hardware.sim.dice import read_faces
from hardware.sim.faults import apply_fault
from hardware.sim.world import World
from hardware.tiles import Position, TileId

Words = Mapping[str, Any]

_MOST_DICE = 12
_LONGEST_PRESS_S = 60.0


def look_at(world: World) -> dict[str, Any]:
    """Return the box as eyes see it: its name, true positions of the tiles, lid, dice, and what is broken."""
    return {
        "box": world.box.name,
        "tiles": {str(tile): str(world.position(tile)) for tile in world.box.tile_ids},
        "lid": "closed" if world.lid_is_closed else "open",
        "dice": [die.value for die in world.dice()],
        "faults": list(world.faults),
    }


def _tip(world: World, words: Words) -> None:
    tile = TileId.parse(words["tile"])
    if tile not in world.box.tiles:
        raise ValueError(f"{world.box.name} has no tile {tile}")
    world.hand_moves(tile, Position(words["position"]))


def _press(world: World, words: Words) -> None:
    seconds = float(words["seconds"])
    if not 0 < seconds <= _LONGEST_PRESS_S:
        raise ValueError(f"a press takes up to {_LONGEST_PRESS_S:.0f} s, not {seconds}")
    world.press_button(seconds)


def _lid(world: World, words: Words) -> None:
    if words["state"] not in ("open", "closed"):
        raise ValueError(f"the lid is open or closed, not {words['state']}")
    if words["state"] == "closed":
        world.close_lid()
    else:
        world.open_lid()


def _throw(world: World, words: Words) -> None:
    count = int(words["dice"])
    if not 1 <= count <= _MOST_DICE:
        raise ValueError(f"a hand throws 1 to {_MOST_DICE} dice, not {count}")
    world.throw_dice(count)


def _lay(world: World, words: Words) -> None:
    values = read_faces(words["faces"])
    if not 1 <= len(values) <= _MOST_DICE:
        raise ValueError(f"a hand lays 1 to {_MOST_DICE} dice, not {len(values)}")
    world.lay_set(words["colour"], values)


# They raise `ValueError` for what wood and wires do not allow, `KeyError` or `TypeError` for missing or wrong words.
ACTIONS: Mapping[str, Callable[[World, Words], None]] = {
    "tip": _tip,
    "press": _press,
    "lid": _lid,
    "throw": _throw,
    "lay": _lay,
    "take": lambda world, words: world.take_set(words["colour"]),
    "clear": lambda world, _words: world.clear_dice(),
    "break": lambda world, words: apply_fault(world, words["fault"]),
    "lift": lambda world, words: world.lift(words["fault"]),
}
