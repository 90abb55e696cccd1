"""The actions of hands on a simulated box, by name, and what eyes see of it.

A mock-box performs them on request over its socket, a box in the daemon's own process by a call.
"""

from collections.abc import Mapping
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


ACTIONS = ("tip", "press", "lid", "throw", "lay", "take", "clear", "break", "lift")


def act(world: World, do: str, words: Words) -> None:
    """Do one of `ACTIONS`.

    Raises `ValueError` for what wood and wires do not allow, `KeyError` or `TypeError` for missing or wrong words.
    """
    match do:
        case "tip":
            tile = TileId.parse(words["tile"])
            if tile not in world.box.tiles:
                raise ValueError(f"{world.box.name} has no tile {tile}")
            world.hand_moves(tile, Position(words["position"]))
        case "press":
            seconds = float(words["seconds"])
            if not 0 < seconds <= _LONGEST_PRESS_S:
                raise ValueError(f"a press takes up to {_LONGEST_PRESS_S:.0f} s, not {seconds}")
            world.press_button(seconds)
        case "lid":
            if words["state"] not in ("open", "closed"):
                raise ValueError(f"the lid is open or closed, not {words['state']}")
            (world.close_lid if words["state"] == "closed" else world.open_lid)()
        case "throw":
            count = int(words["dice"])
            if not 1 <= count <= _MOST_DICE:
                raise ValueError(f"a hand throws 1 to {_MOST_DICE} dice, not {count}")
            world.throw_dice(count)
        case "lay":
            values = read_faces(words["faces"])
            if not 1 <= len(values) <= _MOST_DICE:
                raise ValueError(f"a hand lays 1 to {_MOST_DICE} dice, not {len(values)}")
            world.lay_set(words["colour"], values)
        case "take":
            world.take_set(words["colour"])
        case "clear":
            world.clear_dice()
        case "break":
            apply_fault(world, words["fault"])
        case "lift":
            world.lift(words["fault"])
