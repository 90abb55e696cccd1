"""One servo board behind its driver: whatever it does not keep exactly is noticed."""

import pytest

from firmware.drivers.servo_board import CHANNELS, ServoBoard
from firmware.errors import BusHung, ChipDeaf, ChipSilent
from firmware.sim.i2c import SimulatedI2C, open_i2c
from firmware.wire import I2CBus
from hardware.box import MOST_US, load_box
from hardware.sim.world import World
from hardware.tiles import TileId
from tests.support.firmware_rig import RecordingWorld, open_rig
from tests.support.hand_clock import HandClock
from tests.support.true_box import fail_at_once

BOX = load_box("two-level-9")
WIRE = BOX.tiles[TileId(1, 7)].servo
ADDRESS, CHANNEL = WIRE.board, WIRE.channel
# Data sheet rev. 4, 7.3: registers and their bits.
MODE1, LED0, PRE_SCALE = 0x00, 0x06, 0xFE
SLEEP, EXTERNAL_CLOCK, RUNNING = 0x10, 0x40, 0x20


class Tampered:
    """Wires over which one register of the boards gets what is written to it with some bits turned over."""

    def __init__(self, i2c: I2CBus) -> None:
        self._i2c = i2c
        self.register, self.bits = 0, 0x00

    def __getattr__(self, name: str) -> object:
        return getattr(self._i2c, name)

    def writeto(self, address: int, buffer: bytes, *, start: int = 0, end: int | None = None) -> None:
        data = bytearray(memoryview(buffer)[start:end])
        at = self.register - data[0] + 1 if data else 0
        if 1 <= at < len(data):
            data[at] ^= self.bits
        self._i2c.writeto(address, bytes(data))


def led(channel: int, byte: int) -> int:
    """The register of a byte, 0..3, of a channel: where its pulse begins, low and high, and where it ends."""
    return LED0 + 4 * channel + byte


@pytest.fixture
def world() -> World:
    return World(BOX, HandClock(), 1)


@pytest.fixture
def wires(world: World) -> Tampered:
    return Tampered(open_i2c(world, fail_at_once))


@pytest.fixture
def board(wires: Tampered) -> ServoBoard:
    return ServoBoard(wires, ADDRESS, BOX.motion.frequency_hz)  # type: ignore[arg-type]


@pytest.mark.parametrize("byte", range(4))
@pytest.mark.parametrize("bits", [0x01, 0x10])
def test_a_pulse_that_is_not_kept_to_the_last_count_is_named(
    wires: Tampered, board: ServoBoard, byte: int, bits: int
) -> None:
    board.set_up()
    wires.register, wires.bits = led(CHANNEL, byte), bits
    with pytest.raises(ChipDeaf, match=r"H-204 0x40: expected pulses of 1500 us on channel 6, seen another register"):
        board.drive(CHANNEL, 1500, slot=1)


@pytest.mark.parametrize("frequency_hz", [40, 50, 52, 100])
def test_the_longest_pulse_in_the_last_slot_is_a_pulse(frequency_hz: int) -> None:
    """One that ended with the frame would be "fully off": at a count of 4096 there is the bit that says so."""
    world = RecordingWorld(BOX, HandClock(), 1)
    i2c = open_i2c(world, fail_at_once)
    for thousandths in range(900, 1101):
        board = ServoBoard(i2c, ADDRESS, frequency_hz, thousandths / 1000)
        if thousandths % 50 == 0 or _fills_the_frame(frequency_hz, thousandths / 1000):
            board.set_up()
            board.drive(CHANNEL, MOST_US, slot=board.slots - 1)
            assert world.pulses[-1][2] is not None


def _fills_the_frame(frequency_hz: int, factor: float) -> bool:
    """True where a number of longest pulses is as long as a frame."""
    clock_hz = 25e6 / factor
    counts = round(MOST_US / 1e6 * clock_hz / round(clock_hz / (4096 * frequency_hz)))
    return 4096 % counts == 0


@pytest.mark.parametrize("channel", range(CHANNELS))
def test_a_board_that_does_not_switch_a_channel_off_is_not_set_up(
    wires: Tampered, board: ServoBoard, channel: int
) -> None:
    wires.register, wires.bits = led(channel, 3), 0x10
    with pytest.raises(ChipDeaf, match="H-204 0x40: expected all channels off"):
        board.set_up()


def test_a_bus_that_hangs_as_a_board_is_set_up_is_no_silent_board(world: World, board: ServoBoard) -> None:
    """The library's own probe takes the one for the other."""
    world.hang_bus()
    with pytest.raises(BusHung):
        board.set_up()
    world.lift()
    world.silence(ADDRESS)
    with pytest.raises(ChipSilent):
        board.set_up()


def test_a_servo_that_goes_on_getting_pulses_is_named(wires: Tampered, board: ServoBoard) -> None:
    board.set_up()
    board.drive(CHANNEL, 1500)
    wires.register, wires.bits = led(CHANNEL, 3), 0x10
    with pytest.raises(ChipDeaf, match="H-204 0x40: expected channel 6 off, seen pulses going on"):
        board.release(CHANNEL)


def poke(i2c: SimulatedI2C, *writes: tuple[int, int]) -> None:
    """Write registers past the driver."""
    assert i2c.try_lock()
    for register, value in writes:
        i2c.writeto(ADDRESS, bytes((register, value)))
    i2c.unlock()


# Each of them pulses, or could; none does what the driver believes.
ASTRAY = {
    "another frequency": [(MODE1, RUNNING | SLEEP), (PRE_SCALE, 0x1E), (MODE1, RUNNING)],
    "no auto-increment": [(MODE1, 0x00)],
    "listens to the call of all": [(MODE1, RUNNING | 0x01)],
    "listens to another address": [(MODE1, RUNNING | 0x08)],
    "asleep": [(MODE1, RUNNING | SLEEP)],
}


@pytest.mark.parametrize("writes", ASTRAY.values(), ids=ASTRAY.keys())
async def test_a_board_that_is_awake_but_not_as_it_was_left_is_set_up_again_before_it_drives(
    writes: list[tuple[int, int]],
) -> None:
    wires: list[SimulatedI2C] = []
    async with open_rig(wrap_i2c=lambda i2c: kept(i2c, wires)) as rig:
        servos = rig.firmware.servos
        await servos.arm()
        await servos.drive(WIRE, 1500)
        await servos.release(WIRE)
        poke(wires[0], *writes)
        await servos.drive(WIRE, 1500)
        before, after = (sent_us for _, _, sent_us in rig.world.pulses if sent_us is not None)
        assert before == after
        poke(wires[0], *writes)
        assert not await servos.ensure_set_up(WIRE)
        assert await servos.ensure_set_up(WIRE)


async def test_a_board_that_takes_its_clock_from_outside_is_named() -> None:
    """The bit is sticky (7.3.1): it goes with the power alone."""
    wires: list[SimulatedI2C] = []
    async with open_rig(wrap_i2c=lambda i2c: kept(i2c, wires)) as rig:
        await rig.firmware.servos.arm()
        poke(wires[0], (MODE1, RUNNING | SLEEP), (MODE1, RUNNING | SLEEP | EXTERNAL_CLOCK), (MODE1, RUNNING))
        with pytest.raises(ChipDeaf):
            await rig.firmware.servos.drive(WIRE, 1500)
        assert not rig.output_enabled()


def kept(i2c: I2CBus, wires: list[SimulatedI2C]) -> I2CBus:
    """The same wires, and in the list too."""
    assert isinstance(i2c, SimulatedI2C)
    wires.append(i2c)
    return i2c
