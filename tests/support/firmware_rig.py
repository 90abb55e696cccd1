"""A simulated box on the test rig: the world, the open firmware, and a record of every pulse."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import Executor
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from firmware.box_io import Firmware, open_firmware
from firmware.messages import TileCommand
from firmware.sim.i2c import WorldBusLines, open_i2c
from firmware.sim.pins import open_pin_factory
from firmware.sim.remote import SimulatedComputer
from firmware.sim.worker import SimulatedWorker, WorldAlarm
from firmware.wire import I2CBus, PinFactory
from hardware.box import Box, load_box
from hardware.sim.faults import apply_fault
from hardware.sim.servo import CAREFUL
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from hardware.wires import ExpanderPin, GpioPin, ServoChannel
from tests.support.true_box import fail_at_once

OPEN, SHUT = Position.OPEN, Position.SHUT


class RecordingWorld(World):
    """A world that remembers what was sent to its servos, and the highest current."""

    def __init__(self, box: Box, clock: Callable[[], float], seed: int) -> None:
        self.pulses: list[tuple[float, ServoChannel, float | None]] = []
        self._held: dict[GpioPin | ExpanderPin, bool] = {}
        super().__init__(box, clock, seed, tolerances=CAREFUL)

    def hold(self, wires: Iterable[GpioPin | ExpanderPin], *, high: bool) -> None:
        """Short these lines to the pull-up's side or to ground."""
        self._held.update(dict.fromkeys(wires, high))

    def let_go(self, wires: Iterable[GpioPin | ExpanderPin]) -> None:
        """Short these lines no more."""
        for wire in wires:
            del self._held[wire]

    def level(self, wire: GpioPin | ExpanderPin) -> bool:
        return self._held[wire] if wire in self._held else super().level(wire)

    def drive(self, wire: ServoChannel, pulse_us: float | None, on_us: float = 0.0) -> None:
        self.pulses.append((self.now(), wire, pulse_us or None))
        super().drive(wire, pulse_us, on_us)


@dataclass
class Rig:
    """The two ends of the wire."""

    world: RecordingWorld
    firmware: Firmware
    box: Box

    async def execute(self, *commands: str) -> None:
        """Commands such as `front-7 SHUT`."""
        await self.firmware.bank.execute(commands_of(commands))

    def drives(self) -> int:
        """How often a servo began to get pulses; other pulses amid a drive do not count."""
        last: dict[ServoChannel, float | None] = {}
        begun = 0
        for _, wire, pulse_us in self.world.pulses:
            begun += pulse_us is not None and last.get(wire) is None
            last[wire] = pulse_us
        return begun

    def driven_s(self, tile: TileId) -> list[float]:
        """How long each time `tile` got pulses without a break; a drive still going on counts to now."""
        lengths, since_s = [], None
        for at_s, wire, pulse_us in self.world.pulses:
            if wire != self.box.tiles[tile].servo:
                continue
            if since_s is None and pulse_us is not None:
                since_s = at_s
            elif since_s is not None and pulse_us is None:
                lengths.append(at_s - since_s)
                since_s = None
        return lengths if since_s is None else [*lengths, float("inf")]

    def rests_s(self, tile: TileId) -> list[float]:
        """How long `tile` was left alone between two drives."""
        rests, since_s, drives = [], None, 0
        for at_s, wire, pulse_us in self.world.pulses:
            if wire != self.box.tiles[tile].servo:
                continue
            if pulse_us is None and since_s is None and drives:
                since_s = at_s
            elif pulse_us is not None:
                drives += 1
                if since_s is not None:
                    rests.append(at_s - since_s)
                since_s = None
        return rests

    def is_quiet(self) -> bool:
        """Whether no servo is sent pulses."""
        last = {wire: pulse_us for _, wire, pulse_us in self.world.pulses}
        return all(pulse_us is None for pulse_us in last.values())

    def output_enabled(self) -> bool:
        """Whether /OE is driven low."""
        return not self.world.level(self.box.panel.output_enable)

    def positions(self) -> set[Position]:
        """Where the tiles truly are."""
        return {self.world.position(tile) for tile in self.box.tile_ids}


def commands_of(texts: Iterable[str]) -> list[TileCommand]:
    """`front-7 SHUT` as a command."""
    pairs = (text.split() for text in texts)
    return [TileCommand(TileId.parse(name), Position(position)) for name, position in pairs]


def open_over(world: World, box: Box) -> AbstractAsyncContextManager[Firmware]:
    """The electronics of `box`, opened over a world whose bus does not hang, on the running loop's clock."""
    return open_firmware(
        box,
        open_i2c=lambda: open_i2c(world, fail_at_once),
        open_pins=lambda: open_pin_factory(world),
        executor=SimulatedWorker(lambda: False),
        computer=SimulatedComputer(world),
        open_alarm=lambda ring: WorldAlarm(world, ring),
    )


@asynccontextmanager
async def open_rig(
    name: str | Box = "two-level-9",
    *,
    seed: int = 1,
    wrap_i2c: Callable[[I2CBus], I2CBus] = lambda i2c: i2c,
    wrap_pins: Callable[[PinFactory], PinFactory] = lambda pins: pins,
    executor: Executor | None = None,
    faults: Sequence[str] = (),
    at_rest: bool = True,
) -> AsyncIterator[Rig]:
    """A simulated box, broken as `faults` say and then opened as the program opens it, on the running loop's clock.

    at_rest: as after its first moves, when all its rods are known to be at rest.
    """
    box = load_box(name) if isinstance(name, str) else name
    world = RecordingWorld(box, asyncio.get_running_loop().time, seed)
    for fault in faults:
        apply_fault(world, fault)
    with SimulatedWorker(lambda: world.bus_hang_s is not None) as worker:
        async with open_firmware(
            box,
            open_i2c=lambda: wrap_i2c(open_i2c(world, fail_at_once if executor else worker.pause)),
            open_pins=lambda: wrap_pins(open_pin_factory(world)),
            executor=executor or worker,
            computer=SimulatedComputer(world),
            open_alarm=lambda ring: WorldAlarm(world, ring),
            open_lines=lambda: WorldBusLines(world),
        ) as firmware:
            if at_rest:
                firmware.bank._drive._at_rest.update(box.tile_ids)
            yield Rig(world, firmware, box)
