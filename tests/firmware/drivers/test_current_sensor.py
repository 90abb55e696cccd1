"""The INA260 through its own library, over the simulated wire."""

from collections.abc import Callable

import pytest

from firmware.drivers.current_sensor import CurrentSensor
from firmware.errors import ChipDeaf, ChipSilent
from firmware.sim.i2c import ChipWires, SimulatedI2C
from firmware.sim.ina260 import INA260
from hardware.sim.faults import apply_fault
from hardware.sim.world import World
from tests.support.sensed_box import SENSOR, sensed


class Rig:
    """A sensor on a current and a clock that a test sets."""

    def __init__(self, chip: Callable[[Callable[[], float], Callable[[], float]], INA260] | None = None) -> None:
        self.now_s, self.current_a = 0.0, 0.0
        self.world = World(sensed(), lambda: self.now_s, 1)
        made = (chip or (lambda amps, now: INA260(SENSOR, amps, 5.0, now)))(lambda: self.current_a, lambda: self.now_s)
        self.chip = made
        self.sensor = CurrentSensor(SimulatedI2C(ChipWires(self.world, {SENSOR: made}, lambda _: None)), SENSOR)

    def after(self, seconds: float, current_a: float) -> float:
        self.now_s += seconds
        self.current_a = current_a
        if not self.sensor.is_set_up:
            self.sensor.set_up()
        measured_a = self.sensor.current_a()
        assert measured_a is not None
        return measured_a


def test_a_current_is_read_to_a_milliampere() -> None:
    rig = Rig()
    assert rig.after(1.0, 0.18) == pytest.approx(0.18, abs=0.000626)
    assert rig.after(1.0, 3.9) == pytest.approx(3.9, abs=0.000626)
    assert rig.chip.averaging_s == pytest.approx(0.0116, abs=0.0001)


@pytest.mark.parametrize("bit", range(12))
def test_a_current_measured_with_other_settings_is_none(bit: int) -> None:
    rig = Rig()
    rig.after(1.0, 0.18)
    rig.chip.flip(0, bit)
    assert rig.sensor.current_a() is None
    rig.sensor.set_up()
    assert rig.after(1.0, 0.65) == 0.65


def test_a_sensor_that_is_not_there_is_named() -> None:
    rig = Rig()
    apply_fault(rig.world, "silent:0x44")
    for ask in (rig.sensor.ping, rig.sensor.set_up):
        with pytest.raises(ChipSilent, match="H-202 0x44: expected an answer on the I2C bus"):
            ask()
    rig.world.lift()
    rig.sensor.ping()
    assert rig.after(1.0, 0.5) == 0.5


class Stranger(INA260):
    """A chip of another kind at the sensor's address."""

    def read(self, count: int) -> bytes:
        return bytes(count)


class Deaf(INA260):
    """A chip that takes no setting."""

    def write(self, data: bytes) -> None:
        super().write(data[:1])


def test_another_chip_at_its_address_and_one_that_takes_no_setting_are_named() -> None:
    with pytest.raises(ChipSilent, match="expected an INA260 current sensor, seen Failed to find Texas Instrument ID"):
        Rig(lambda amps, now: Stranger(SENSOR, amps, 5.0, now)).sensor.set_up()
    with pytest.raises(ChipDeaf, match="H-204 0x44"):
        Rig(lambda amps, now: Deaf(SENSOR, amps, 5.0, now)).sensor.set_up()
