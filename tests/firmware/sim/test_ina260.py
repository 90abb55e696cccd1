"""The INA260 model against facts of the data sheet (TI SBOS656C)."""

import pytest

from firmware.sim.ina260 import INA260

CONFIGURATION, CURRENT, VOLTAGE, POWER, MANUFACTURER, DIE = 0x00, 0x01, 0x02, 0x03, 0xFE, 0xFF


class Rig:
    """A chip on a current and a clock that a test sets."""

    def __init__(self) -> None:
        self.current_a = 0.0
        self.now_s = 0.0
        self.chip = INA260(0x44, lambda: self.current_a, 5.0, lambda: self.now_s)

    def read(self, register: int) -> int:
        self.chip.write(bytes((register,)))
        return int.from_bytes(self.chip.read(2), "big")


def test_power_on_values() -> None:
    rig = Rig()
    assert [rig.read(each) for each in (CONFIGURATION, MANUFACTURER, DIE)] == [0x6127, 0x5449, 0x2270]
    assert rig.chip.averaging_s == pytest.approx(0.0022)


@pytest.mark.parametrize(
    ("current_a", "register"), [(0.0, 0), (0.65, 520), (3.9, 3120), (-0.00125, 0xFFFF), (50.0, 0x7FFF)]
)
def test_a_step_is_a_milliampere_and_a_quarter(current_a: float, register: int) -> None:
    rig = Rig()
    rig.current_a, rig.now_s = current_a, 1.0
    assert rig.read(CURRENT) == register


def test_voltage_and_power() -> None:
    rig = Rig()
    rig.current_a, rig.now_s = 2.0, 1.0
    assert (rig.read(VOLTAGE), rig.read(POWER)) == (4000, 1000)


def test_a_mean_follows_a_change_in_the_time_that_is_set() -> None:
    rig = Rig()
    # 16 conversions of 0.588 ms and 0.14 ms.
    rig.chip.write(bytes((CONFIGURATION, 0b0000_0100, 0b0001_1111)))
    assert rig.read(CONFIGURATION) == 0x641F, "three bits are fixed"
    assert rig.chip.averaging_s == pytest.approx(0.011648)
    rig.now_s = 1.0
    rig.read(CURRENT)
    rig.current_a, rig.now_s = 1.0, 1.0 + rig.chip.averaging_s / 4
    assert rig.read(CURRENT) == 200
    rig.now_s += rig.chip.averaging_s
    assert rig.read(CURRENT) == 800


def test_a_reset_and_a_loss_of_supply_bring_the_first_values_back() -> None:
    rig = Rig()
    rig.chip.write(bytes((CONFIGURATION, 0x04, 0x1F)))
    rig.chip.write(bytes((CONFIGURATION, 0x80, 0x00)))
    assert rig.read(CONFIGURATION) == 0x6127
    rig.chip.write(bytes((CONFIGURATION, 0x04, 0x1F)))
    rig.chip.lose_registers()
    assert rig.read(CONFIGURATION) == 0x6127


def test_only_the_configuration_is_written() -> None:
    rig = Rig()
    rig.chip.write(bytes((MANUFACTURER, 0, 0)))
    rig.chip.write(b"")
    rig.chip.general_call(b"\x06")
    assert rig.read(MANUFACTURER) == 0x5449
    assert rig.read(0x20) == 0
    assert rig.chip.read(4) == bytes(4)
    assert (rig.chip.answers(0x44), rig.chip.answers(0x40)) == (True, False)
