"""gpiozero on the world's lines."""

import pytest
from gpiozero import DigitalInputDevice, DigitalOutputDevice, InputDevice

from firmware.guard.line import OutputEnableLine
from firmware.sim import open_pin_factory
from hardware.box import load_box
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from hardware.wires import GpioPin
from tests.support.hand_clock import HandClock

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


def test_the_bus_pins_are_no_header_lines_of_the_world(world: World) -> None:
    pins = open_pin_factory(world)
    line = InputDevice(2, pull_up=True, pin_factory=pins)
    assert not line.is_active
    pins.close()
