"""gpiozero on the world's lines."""

from contextlib import closing

import pytest
from gpiozero import DigitalInputDevice, DigitalOutputDevice, InputDevice, OutputDevice
from gpiozero.exc import PinEdgeDetectUnsupported

from firmware.errors import DeviceMissing
from firmware.guard.line import OutputEnableLine
from firmware.sim.pins import open_pin_factory
from hardware.box import load_box
from hardware.sim.faults import apply_fault
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from hardware.wires import GpioPin
from tests.support.hand_clock import HandClock
from tests.support.watched_world import WatchedWorld

FRONT_1 = TileId(1, 1)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def world(clock: HandClock) -> World:
    return World(load_box("two-level-9"), clock, 1)


def test_it_claims_to_be_a_pi_that_exists(world: World) -> None:
    pins = open_pin_factory(world)
    assert pins.board_info.model == "4B"
    assert "J8" in pins.board_info.headers
    pins.close()


def test_an_input_shows_the_worlds_line(world: World, clock: HandClock) -> None:
    pins = open_pin_factory(world)
    line = InputDevice(4, pull_up=True, pin_factory=pins)
    assert not line.is_active
    world.hand_moves(FRONT_1, Position.SHUT)
    clock.pass_s(0.1)
    assert line.is_active
    pins.close()


def test_an_input_without_its_pull_up_floats(world: World) -> None:
    pins = open_pin_factory(world)
    line = InputDevice(4, pull_up=None, active_state=False, pin_factory=pins)
    assert line.is_active, "it seems to say SHUT while the tile stands"
    pins.close()


def test_an_output_drives_the_worlds_line_and_lets_go(world: World) -> None:
    pins = open_pin_factory(world)
    led = DigitalOutputDevice(25, pin_factory=pins)
    wire = GpioPin(25)
    assert not world.level(wire)
    led.on()
    assert world.level(wire)
    led.off()
    assert not world.level(wire)
    led.close()
    assert world.level(wire), "undriven: the pull-up"
    pins.close()


def test_edges_of_button_and_lid_reach_the_callbacks(world: World, clock: HandClock) -> None:
    pins = open_pin_factory(world)
    button = DigitalInputDevice(24, pull_up=True, pin_factory=pins)
    lid = DigitalInputDevice(23, pull_up=True, pin_factory=pins)
    heard: list[str] = []
    button.when_activated = lambda: heard.append("down")
    button.when_deactivated = lambda: heard.append("up")
    lid.when_activated = lambda: heard.append("closed")
    world.press_button(0.2)
    world.close_lid()
    clock.pass_s(0.3)
    assert not button.is_active
    assert heard == ["down", "closed", "up"]
    button.when_activated = None
    pins.close()
    world.press_button(0.2)
    assert len(heard) == 3


def test_the_guard_is_off_from_the_first_moment_and_after_the_last(world: World) -> None:
    wire = world.box.panel.output_enable
    pins = open_pin_factory(world)
    guard = OutputEnableLine(wire, pins)
    seen = [(guard.enabled, world.level(wire))]
    for act in (guard.enable, guard.cut, guard.enable):
        act()
        seen.append((guard.enabled, world.level(wire)))
    assert seen == [(False, True), (True, False), (False, True), (True, False)]
    guard.close()
    assert world.level(wire)
    pins.close()


def test_no_level_but_off_from_the_first_claim_on_and_after_the_last(clock: HandClock) -> None:
    world = WatchedWorld(load_box("two-level-9"), clock, 1)
    wire = world.box.panel.output_enable
    world.set_line(wire, False)  # as a killed process may leave it
    world.moments.clear()
    pins = open_pin_factory(world)
    guard = OutputEnableLine(wire, pins)
    assert [moment.what for moment in world.moments] == ["cut"]
    guard.enable()
    world.moments.clear()
    guard.close()
    pins.close()
    assert [moment.what for moment in world.moments] == ["cut"]


def test_an_output_without_a_level_is_claimed_low_as_on_a_pi(world: World) -> None:
    """What gpiozero does with lgpio and no level: a moment of pulses, on /OE."""
    pins = open_pin_factory(world)
    line = OutputDevice(22, initial_value=None, pin_factory=pins)
    assert not world.level(GpioPin(22))
    line.close()
    pins.close()


@pytest.mark.parametrize(
    ("fault", "part", "seen", "cure"),
    [
        ("busy:GPIO22", "GPIO22", "held by another program", "dtoverlay"),
        ("header:forbidden", "header", "Permission denied", "group gpio"),
    ],
)
def test_a_line_that_linux_does_not_give_is_named(world: World, fault: str, part: str, seen: str, cure: str) -> None:
    apply_fault(world, fault)
    pins = open_pin_factory(world)
    with pytest.raises(DeviceMissing) as caught:
        OutputEnableLine(world.box.panel.output_enable, pins)
    assert (caught.value.fault.part, caught.value.fault.seen) == (part, seen)
    assert cure in caught.value.cure
    pins.close()


def test_a_line_that_is_claimed_stays_so(world: World) -> None:
    pins = open_pin_factory(world)
    guard = OutputEnableLine(world.box.panel.output_enable, pins)
    apply_fault(world, "busy:GPIO22")
    guard.enable()
    assert not world.level(world.box.panel.output_enable)
    guard.close()
    pins.close()


def test_a_line_without_edges_is_an_input_all_the_same(world: World) -> None:
    apply_fault(world, "header:edgeless")
    pins = open_pin_factory(world)
    with pytest.raises(PinEdgeDetectUnsupported):
        DigitalInputDevice(24, pull_up=True, pin_factory=pins)
    line = InputDevice(24, pull_up=True, pin_factory=pins)
    world.press_button(1.0)
    assert line.is_active
    pins.close()


def test_the_bus_pins_are_no_header_lines_of_the_world(world: World) -> None:
    pins = open_pin_factory(world)
    line = InputDevice(2, pull_up=True, pin_factory=pins)
    assert not line.is_active
    pins.close()


def test_a_line_that_changes_for_weeks_takes_no_more_room(world: World) -> None:
    with closing(open_pin_factory(world)) as pins, DigitalOutputDevice(17, pin_factory=pins) as lamp:
        for _ in range(100):
            lamp.toggle()
        assert len(lamp.pin.states) == 1
