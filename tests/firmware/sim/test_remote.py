"""The libraries on the wire of a box in another process: as on the wire of one in this process."""

import errno
import threading
from collections.abc import Iterator

import pytest
from adafruit_pca9685 import PCA9685
from gpiozero import DigitalInputDevice, DigitalOutputDevice, InputDevice
from gpiozero.exc import PinEdgeDetectUnsupported

from firmware.drivers.bus import translate_errors
from firmware.drivers.expander import Expander
from firmware.errors import BusHung, ChipSilent, DeviceMissing
from firmware.guard.line import OutputEnableLine
from firmware.sim.i2c import SimulatedI2C, chips_on, open_i2c
from firmware.sim.pins import WorldPinFactory, open_pin_factory
from firmware.sim.remote import MockBoxMissing, RemoteHeader, RemoteWires, bus_handlers
from hardware.box import load_box
from hardware.sim.faults import apply_fault
from hardware.sim.link import Link
from hardware.tiles import Position, TileId
from hardware.wires import GpioPin
from tests.support.mock_box import Served, mock_box, until
from tests.support.true_box import fail_at_once

FRONT_1 = TileId(1, 1)
OE = load_box("two-level-9").panel.output_enable.number


@pytest.fixture
def served() -> Iterator[Served]:
    with mock_box(lambda world: bus_handlers(chips_on(world, fail_at_once))) as box:
        yield box


@pytest.fixture
def bus(served: Served) -> Iterator[SimulatedI2C]:
    with served.link() as link:
        yield SimulatedI2C(RemoteWires(link))


@pytest.fixture
def pins(served: Served) -> Iterator[WorldPinFactory]:
    with RemoteHeader(served.place) as header:
        factory = open_pin_factory(header)
        yield factory
        factory.close()


def new_board(bus: SimulatedI2C, address: int) -> PCA9685:
    board = PCA9685(bus, address=address)
    board.frequency = 50
    return board


def wait_for(event: threading.Event) -> None:
    assert event.wait(5)


def test_the_library_drives_a_servo_over_there(served: Served, bus: SimulatedI2C) -> None:
    new_board(bus, 0x40).pwm_regs[0] = (512, 819)
    served.world.set_line(served.world.box.panel.output_enable, False)
    assert list(map(str, served.world.pulses)) == ["0x40/0"]


def test_the_expander_sees_a_tile_over_there(served: Served, bus: SimulatedI2C) -> None:
    expander = Expander(bus, 0x20)
    expander.set_up()
    standing = expander.levels()
    served.world.hand_moves(FRONT_1, Position.SHUT)
    served.clock.pass_s(0.1)
    assert expander.levels() != standing


def test_the_registers_stay_when_the_client_has_gone(served: Served) -> None:
    with served.link() as link:
        new_board(SimulatedI2C(RemoteWires(link)), 0x41).pwm_regs[3] = (0, 205)
    with served.link() as link:
        bus = SimulatedI2C(RemoteWires(link))
        assert bus.try_lock()
        got = bytearray(4)
        bus.writeto_then_readfrom(0x41, bytes((0x06 + 4 * 3,)), got)
    assert any(got[:2]) or got[2]


def test_both_wires_answer_every_transaction_alike(served: Served, bus: SimulatedI2C) -> None:
    here = open_i2c(served.world, fail_at_once)

    def talk(i2c: SimulatedI2C) -> list[object]:
        assert i2c.try_lock()
        said: list[object] = [i2c.scan()]
        for address in (0x20, 0x40, 0x55, 0x00):
            for write in (b"", b"\x00", b"\x00\x20", b"\xfe"):
                got = bytearray(3)
                try:
                    i2c.writeto(address, write)
                    i2c.readfrom_into(address, got, start=1)
                    i2c.writeto_then_readfrom(address, write, got, in_end=2)
                except OSError as error:
                    said.append((error.errno, error.strerror))
                said.append(bytes(got))
        return said

    assert talk(bus) == talk(here)


def test_refusals_of_the_wire_keep_their_number(served: Served, bus: SimulatedI2C) -> None:
    with pytest.raises(RuntimeError, match="try_lock"):
        bus.scan()
    assert bus.try_lock()
    served.world.silence(0x41)
    with pytest.raises(ChipSilent), translate_errors(0x41):
        bus.writeto(0x41, b"\x00")
    served.world.hang_bus()
    with pytest.raises(OSError, match="timed out") as caught:
        bus.scan()
    assert caught.value.errno == errno.ETIMEDOUT


@pytest.mark.parametrize("words", [{"read": 0}, {"read": 10**9}, {"read": -1}, {"read": None}])
def test_a_transfer_out_of_range_is_a_wrong_call(served: Served, words: dict[str, object]) -> None:
    with served.link() as link, pytest.raises(ValueError, match="transfer"):
        link.ask("transfer", address=0x40, **words)


def test_a_bus_that_is_gone_is_a_fault_in_one_sentence() -> None:
    with mock_box(lambda world: bus_handlers(chips_on(world, fail_at_once))) as served, Link(served.place) as link:
        expander = Expander(SimulatedI2C(RemoteWires(link)), 0x20)
        link.close()
        with pytest.raises(BusHung, match="seen no answer from the mock-box at"):
            expander.ping()


def test_an_input_shows_the_line_over_there(served: Served, pins: WorldPinFactory) -> None:
    line = InputDevice(4, pull_up=True, pin_factory=pins)
    assert not line.is_active
    served.world.hand_moves(FRONT_1, Position.SHUT)
    served.clock.pass_s(0.1)
    assert line.is_active


def test_an_output_drives_the_line_over_there_and_the_connections_end_lets_go(served: Served) -> None:
    wire = GpioPin(OE)
    with RemoteHeader(served.place) as header:
        line = DigitalOutputDevice(OE, active_high=False, initial_value=False, pin_factory=open_pin_factory(header))
        assert served.world.level(wire)
        line.on()
        assert not served.world.level(wire)
    with RemoteHeader(served.place) as header:
        until(lambda: header.level(wire))


def test_edges_over_there_reach_the_callbacks(served: Served, pins: WorldPinFactory) -> None:
    lid = DigitalInputDevice(23, pull_up=True, pin_factory=pins)
    closed, opened = threading.Event(), threading.Event()
    lid.when_activated, lid.when_deactivated = closed.set, opened.set
    served.world.close_lid()
    wait_for(closed)
    served.world.open_lid()
    wait_for(opened)


def test_a_line_of_another_process_is_a_fault_in_one_sentence(served: Served, pins: WorldPinFactory) -> None:
    line = DigitalOutputDevice(OE, pin_factory=pins)
    with RemoteHeader(served.place) as other, pytest.raises(DeviceMissing, match=r"GPIO22: .* held by another"):
        OutputEnableLine(GpioPin(OE), open_pin_factory(other))
    line.close()


@pytest.mark.parametrize(
    ("fault", "said"), [("busy:GPIO22", r"GPIO22: .* held by another"), ("header:forbidden", r"header: .*group gpio")]
)
def test_a_line_that_is_not_given_over_there_is_named(
    served: Served, pins: WorldPinFactory, fault: str, said: str
) -> None:
    apply_fault(served.world, fault)
    with pytest.raises(DeviceMissing, match=said):
        OutputEnableLine(GpioPin(OE), pins)


def test_a_line_without_edges_over_there_is_an_input_all_the_same(served: Served, pins: WorldPinFactory) -> None:
    apply_fault(served.world, "header:edgeless")
    with pytest.raises(PinEdgeDetectUnsupported):
        DigitalInputDevice(23, pull_up=True, pin_factory=pins)
    lid = InputDevice(23, pull_up=True, pin_factory=pins)
    served.world.close_lid()
    assert lid.is_active


def test_a_header_that_is_gone_drives_nothing_and_says_so_when_asked() -> None:
    with mock_box() as served:
        header = RemoteHeader(served.place)
        with header:
            led = DigitalOutputDevice(25, pin_factory=open_pin_factory(header))
        led.on()
        with pytest.raises(MockBoxMissing, match=r"no answer from the mock-box at .* Start it \(shutbox mock-box\)"):
            header.level(GpioPin(4))
    with pytest.raises(MockBoxMissing, match="expected a mock-box"):
        RemoteHeader(served.place)
