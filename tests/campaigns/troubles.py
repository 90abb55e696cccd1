"""Troubles at random for campaigns that break a simulated box: a fault, a chip that forgets, a hand at a tile."""

import asyncio
import random
from collections.abc import Collection, Iterable

from controller.box.faults import apply_faults
from controller.errors import BadFault
from hardware.sim.faults import FAULTS
from hardware.sim.world import World
from hardware.tiles import Position

_SHORTED, _BUS_FAILS = "oe:low", ("bus", "clock", "contact", "silent")


async def meddle(
    world: World, chance: random.Random, broken: list[str], every_s: float, spare: Collection[str]
) -> None:
    """Until cancelled, things break and mend around a game, chips forget, hands tip tiles, the lid falls.

    every_s: seconds at the box from one trouble to the next, on average. Every fault that is made is added to `broken`,
    as the command line takes it; those of a kind to `spare` are not made.
    """
    while True:
        await asyncio.sleep(chance.expovariate(1 / every_s))
        match chance.randrange(6):
            case 0 | 1:
                fault = break_something(world, chance, spare)
                broken += [fault] if fault else []
            case 2 if world.faults:
                world.lift(chance.choice(world.faults))
            case 3:
                reset_a_chip(world, chance)
            case 4:
                tip_a_tile(world, chance)
            case 5 if world.box.panel.lid is not None and chance.random() < 0.3:
                world.close_lid()
                await asyncio.sleep(chance.uniform(0.1, 5.0))
                world.open_lid()


def break_something(world: World, chance: random.Random, spare: Collection[str]) -> str | None:
    """Make a fault of any kind but those to `spare`, at any part of the box.

    The fault as the command line takes it; None if just this one was there already, if a die is to go under a tile that
    lies, or if with another fault it would leave no way to stop a servo: with /OE shorted only the bus can, and over a
    bus that fails only /OE.
    """
    parts = {name: list(kind.parts(world.box)) for name, kind in FAULTS.items() if name not in spare}
    name = chance.choice([name for name, possible in parts.items() if possible])
    fault = f"{name}:{chance.choice(parts[name])}"
    if fault in world.faults or _leaves_no_way_to_stop((*world.faults, fault)):
        return None
    try:
        apply_faults(world, [fault])
    except BadFault:
        return None
    return fault


def _leaves_no_way_to_stop(faults: Iterable[str]) -> bool:
    names = set(faults)
    return _SHORTED in names and any(name.partition(":")[0] in _BUS_FAILS for name in names)


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
