"""Troubles at random for campaigns that break a simulated box: a fault, a chip that forgets, a hand at a tile."""

import random
from collections.abc import Collection

from controller.box import apply_faults
from hardware.sim import FAULTS, World
from hardware.tiles import Position


def break_something(world: World, chance: random.Random, spare: Collection[str]) -> str | None:
    """Make a fault of any kind but those to `spare`, at any part of the box.

    The fault as the command line takes it; None if just this one was there already.
    """
    kind = chance.choice([kind for name, kind in FAULTS.items() if name not in spare])
    fault = f"{kind.name}:{chance.choice(list(kind.parts(world.box)))}"
    if fault in world.faults:
        return None
    apply_faults(world, [fault])
    return fault


def reset_a_chip(world: World, chance: random.Random) -> None:
    """Have one chip on the bus forget all that was set, as after a dip of its supply."""
    world.forget(chance.choice((*world.box.servo_boards, *world.box.expanders)))


def tip_a_tile(world: World, chance: random.Random) -> bool:
    """Tip a tile by hand; False if it does not give way, or another one is in its way."""
    try:
        world.hand_moves(chance.choice(world.box.tile_ids), chance.choice((Position.OPEN, Position.SHUT)))
    except ValueError:
        return False
    return True
