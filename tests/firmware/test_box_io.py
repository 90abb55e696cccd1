"""Opening and closing: whatever happens inside, the box is left quiet; and the real worker thread does as well."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from adafruit_pca9685 import PCA9685

from firmware.box_io import open_firmware
from firmware.errors import BusHung, DeviceMissing
from firmware.guard.in_process import InProcessGuard
from firmware.guard.line import OutputEnableLine
from firmware.messages import TileCommand
from firmware.sim.i2c import open_i2c
from firmware.sim.pins import open_pin_factory
from firmware.sim.remote import SimulatedComputer
from firmware.sim.worker import SimulatedWorker
from firmware.tiles.servos import Servos
from firmware.wire import I2CBus, PinFactory
from hardware.box import load_box
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from tests.support.firmware_rig import SHUT, Rig, open_over, open_rig
from tests.support.true_box import fail_at_once

BOX = load_box("two-level-9")
FRONT_7 = TileId(1, 7)


@pytest.mark.parametrize("error", [RuntimeError("anything"), KeyboardInterrupt()])
async def test_every_way_out_leaves_the_box_quiet(error: BaseException) -> None:
    rigs: list[Rig] = []

    async def program() -> None:
        async with open_rig() as rig:
            rigs.append(rig)
            await rig.execute("front-7 SHUT")
            await rig.firmware.servos.drive(BOX.tiles[FRONT_7].servo, 1500)
            assert rig.output_enabled()
            raise error

    with pytest.raises(type(error)):
        await program()
    assert rigs[0].is_quiet()
    assert not rigs[0].output_enabled()


async def test_a_cancelled_program_leaves_the_box_quiet() -> None:
    world = World(BOX, asyncio.get_running_loop().time, 1)

    async def program() -> None:
        async with open_over(world, BOX) as firmware:
            await firmware.bank.execute([TileCommand(tile, SHUT) for tile in BOX.tile_ids])

    task = asyncio.ensure_future(program())
    await asyncio.sleep(0.1)
    assert not world.level(BOX.panel.output_enable)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert world.level(BOX.panel.output_enable)
    await asyncio.sleep(1)
    assert world.current_a < 0.2


async def test_a_bus_that_hangs_at_the_end_does_not_keep_the_guard_on() -> None:
    async with open_rig() as rig:
        await rig.execute("front-7 SHUT")
        rig.world.hang_bus()
    assert not rig.output_enabled()


async def test_a_broken_chip_does_not_keep_the_box_from_opening() -> None:
    async with open_rig() as rig:
        rig.world.hang_bus()
        with pytest.raises(BusHung):
            await rig.firmware.bank.look()


async def test_a_bus_that_does_not_open_leaves_no_line_driven() -> None:
    world = World(BOX, asyncio.get_running_loop().time, 1)

    def refuse() -> I2CBus:
        raise DeviceMissing("i2c", expected="a bus", seen="none")

    with pytest.raises(DeviceMissing):
        async with open_firmware(
            BOX,
            open_i2c=refuse,
            open_pins=lambda: open_pin_factory(world),
            executor=SimulatedWorker(lambda: False),
            computer=SimulatedComputer(world),
        ):
            pytest.fail("it opened")
    assert world.level(BOX.panel.output_enable)


async def test_the_guard_is_opened_before_the_bus_and_closed_after_it_with_its_pins_still_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A board may be pulsing from before, and whatever the bus still does at its end, no pulse passes."""
    world = World(BOX, asyncio.get_running_loop().time, 1)
    order: list[str] = []

    def note(owner: object, method: str, name: str) -> None:
        done = getattr(owner, method)

        def noted(*arguments: object) -> object:
            order.append(name)
            return done(*arguments)

        monkeypatch.setattr(owner, method, noted)

    def open_noted_i2c() -> I2CBus:
        order.append("bus opened")
        i2c = open_i2c(world, fail_at_once)
        note(i2c, "deinit", "bus closed")
        return i2c

    def open_noted_pins() -> PinFactory:
        pins = open_pin_factory(world)
        note(pins, "close", "pins closed")
        return pins

    note(OutputEnableLine, "__init__", "guard opened")
    note(InProcessGuard, "close", "guard closed")
    note(Servos, "stop_all", "all stopped")
    async with open_firmware(
        BOX,
        open_i2c=open_noted_i2c,
        open_pins=open_noted_pins,
        executor=SimulatedWorker(lambda: False),
        computer=SimulatedComputer(world),
    ):
        pass
    assert order == ["guard opened", "bus opened", "all stopped", "bus closed", "guard closed", "pins closed"]


async def test_opening_and_closing_stops_what_a_killed_program_left_behind() -> None:
    world = World(BOX, asyncio.get_running_loop().time, 1)
    wires = open_i2c(world, fail_at_once)
    killed = PCA9685(wires, address=0x41)
    killed.frequency = 50
    killed.pwm_regs[3] = (0, 307)
    async with open_firmware(
        BOX,
        open_i2c=lambda: wires,
        open_pins=lambda: open_pin_factory(world),
        executor=SimulatedWorker(lambda: False),
        computer=SimulatedComputer(world),
    ):
        pass
    assert killed.pwm_regs[3] == (0, 0x1000)


async def test_the_box_opens_again_and_again() -> None:
    world = World(BOX, asyncio.get_running_loop().time, 1)
    for position in (SHUT, Position.OPEN, SHUT):
        async with open_firmware(
            BOX,
            open_i2c=lambda: open_i2c(world, fail_at_once),
            open_pins=lambda: open_pin_factory(world),
            executor=SimulatedWorker(lambda: False),
            computer=SimulatedComputer(world),
        ) as firmware:
            await firmware.bank.execute([TileCommand(FRONT_7, position)])
            assert world.position(FRONT_7) is position


async def test_a_worker_thread_as_on_the_real_box() -> None:
    world = World(BOX, asyncio.get_running_loop().time, 1)
    with ThreadPoolExecutor(max_workers=1) as worker:
        async with open_firmware(
            BOX,
            open_i2c=lambda: open_i2c(world, fail_at_once),
            open_pins=lambda: open_pin_factory(world),
            executor=worker,
            computer=SimulatedComputer(world),
        ) as firmware:
            bank = firmware.bank
            await bank.execute([TileCommand(tile, SHUT) for tile in BOX.tile_ids])
            assert set((await bank.look()).values()) == {SHUT}
            task = asyncio.ensure_future(bank.execute([TileCommand(tile, Position.OPEN) for tile in BOX.tile_ids]))
            await asyncio.sleep(0.1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await asyncio.sleep(1)
            assert world.current_a < 0.2, "all are let go"
