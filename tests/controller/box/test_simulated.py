"""The simulated box opened more than once: what a daemon finds that is started again."""

import asyncio

from controller.box.simulated import open_table_on
from hardware.box import load_box
from hardware.sim.world import World
from tests.support.true_box import driven_tiles

BOX = load_box("two-level-9")


async def test_a_board_that_is_powered_on_again_sends_nothing() -> None:
    """A daemon that is started again with its boards finds no servo driven, whatever the one before it has left."""
    world = World(BOX, asyncio.get_running_loop().time, 1)
    async with open_table_on(world, BOX) as table:
        await table.firmware.servos.arm()
        await table.firmware.servos.drive(BOX.tiles[BOX.tile_ids[0]].servo, 1500.0)
        world.hang_bus()
    world.lift()
    async with open_table_on(world, BOX) as table:
        await table.firmware.servos.arm()
        assert driven_tiles(world) == ()
