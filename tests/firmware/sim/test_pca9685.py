"""The PCA9685 model against facts of the data sheet (NXP, rev. 4)."""

import pytest

from firmware.sim.pca9685 import PCA9685

MODE1, MODE2, SUBADR1, ALLCALLADR, LED0, LED1, LED15, ALL_LED, PRE_SCALE = (
    0x00,
    0x01,
    0x02,
    0x05,
    0x06,
    0x0A,
    0x42,
    0xFA,
    0xFE,
)


class Rig:
    """A chip with a 25 MHz oscillator and what its outputs were told."""

    def __init__(self, oscillator_mhz: float = 25.0) -> None:
        self.outputs: dict[int, float | None] = {}
        self.begins_us: dict[int, float] = {}
        self.changes = 0
        self.chip = PCA9685(0x40, oscillator_mhz, self._output)

    def _output(self, channel: int, pulse_us: float | None, on_us: float) -> None:
        self.outputs[channel] = pulse_us
        self.begins_us[channel] = on_us
        self.changes += 1

    def write(self, *data: int) -> None:
        self.chip.write(bytes(data))

    def read(self, register: int, count: int = 1) -> list[int]:
        self.chip.write(bytes((register,)))
        return list(self.chip.read(count))

    def run_at_50_hz(self) -> None:
        """As the data sheet asks: prescale 121 while asleep, then awake with auto-increment."""
        self.write(PRE_SCALE, 121)
        self.write(MODE1, 0x20)


def test_power_on_values() -> None:
    rig = Rig()
    assert rig.read(MODE1) == [0x11]
    assert rig.read(MODE2) == [0x04]
    assert [rig.read(register)[0] for register in range(SUBADR1, LED0)] == [0xE2, 0xE4, 0xE8, 0xE0]
    for channel in range(16):
        assert [rig.read(LED0 + 4 * channel + byte)[0] for byte in range(4)] == [0, 0, 0, 0x10]
    assert rig.read(PRE_SCALE) == [0x1E]
    assert rig.outputs == {}


def test_without_auto_increment_all_bytes_go_to_one_register() -> None:
    rig = Rig()
    rig.write(MODE1, 0x01)
    rig.write(LED0, 1, 2, 3, 4)
    assert [rig.read(LED0 + byte)[0] for byte in range(4)] == [4, 0, 0, 0x10]
    assert rig.read(LED0, 3) == [4, 4, 4]


def test_with_auto_increment_a_channel_is_written_at_once() -> None:
    rig = Rig()
    rig.run_at_50_hz()
    rig.write(LED1, 0, 0, 205, 0)
    assert rig.read(LED1, 4) == [0, 0, 205, 0]
    assert rig.outputs == {1: pytest.approx(205 * 122 / 25)}


def test_auto_increment_rolls_over_behind_the_last_register() -> None:
    rig = Rig()
    rig.run_at_50_hz()
    assert rig.read(LED15 + 3, 2) == [0x10, 0x20], "after LED15_OFF_H comes MODE1"
    assert rig.read(PRE_SCALE, 2) == [121, 0x20], "after PRE_SCALE comes MODE1"


@pytest.mark.parametrize(("oscillator_mhz", "pulse_us"), [(23.0, 1627.8), (25.0, 1497.6), (27.0, 1386.7)])
def test_the_pulse_follows_the_chips_own_clock(oscillator_mhz: float, pulse_us: float) -> None:
    rig = Rig(oscillator_mhz)
    rig.run_at_50_hz()
    rig.write(LED0, 0, 0, 307 & 0xFF, 307 >> 8)
    assert rig.outputs[0] == pytest.approx(307 * 122 / oscillator_mhz)
    assert rig.outputs[0] == pytest.approx(pulse_us, rel=1e-3)


def test_the_prescaler_is_written_in_sleep_only_and_not_below_3() -> None:
    rig = Rig()
    rig.run_at_50_hz()
    rig.write(PRE_SCALE, 60)
    assert rig.read(PRE_SCALE) == [121]
    rig.write(MODE1, 0x30)
    rig.write(PRE_SCALE, 1)
    assert rig.read(PRE_SCALE) == [3]


def test_a_pulse_may_begin_anywhere_in_the_frame() -> None:
    rig = Rig()
    rig.run_at_50_hz()
    rig.write(LED0, 0x00, 0x0F, 0x00, 0x01)  # on at 3840, off at 256
    assert rig.outputs[0] == pytest.approx(512 * 122 / 25)
    assert rig.begins_us[0] == pytest.approx(3840 * 122 / 25)
    rig.write(LED0, 0x00, 0x02, 0x00, 0x04)  # as long, but elsewhere
    assert rig.begins_us[0] == pytest.approx(512 * 122 / 25)
    assert rig.changes == 2


def test_full_off_wins_over_full_on_and_neither_pulses() -> None:
    rig = Rig()
    rig.run_at_50_hz()
    rig.write(LED0, 0, 0, 205, 0)
    rig.write(LED0 + 1, 0x10)
    assert rig.outputs[0] is None, "constantly high is no pulse"
    rig.write(LED0 + 3, 0x10)
    assert rig.outputs[0] is None
    rig.write(LED0, 0, 0, 205, 0)
    assert rig.outputs[0] is not None


def test_on_and_off_at_the_same_count_is_off() -> None:
    rig = Rig()
    rig.run_at_50_hz()
    rig.write(LED0, 7, 0, 7, 0)
    assert rig.outputs == {0: 0.0}


def test_all_led_writes_every_channel_and_reads_zero() -> None:
    rig = Rig()
    rig.run_at_50_hz()
    rig.write(ALL_LED, 0, 0, 205, 0)
    assert len(rig.outputs) == 16
    assert rig.read(LED15, 4) == [0, 0, 205, 0]
    assert rig.read(ALL_LED, 4) == [0, 0, 0, 0]
    rig.write(ALL_LED + 3, 0x10)
    assert set(rig.outputs.values()) == {None}


def test_sleep_stops_the_pulses_and_restart_resumes_them() -> None:
    rig = Rig()
    rig.run_at_50_hz()
    rig.write(LED0, 0, 0, 205, 0)
    rig.write(MODE1, 0x30)
    assert rig.outputs[0] is None
    assert rig.read(MODE1) == [0xB0], "RESTART shows that a channel was running"
    rig.write(MODE1, 0x20)
    assert rig.outputs[0] is None, "awake, but waiting for the restart"
    rig.write(MODE1, 0xA0)
    assert rig.outputs[0] == pytest.approx(205 * 122 / 25)
    assert rig.read(MODE1) == [0x20], "writing 1 clears it"


def test_sleep_with_all_channels_off_needs_no_restart() -> None:
    rig = Rig()
    rig.run_at_50_hz()
    rig.write(MODE1, 0x30)
    assert rig.read(MODE1) == [0x30]


def test_inverted_outputs_are_high_for_the_rest_of_the_frame() -> None:
    rig = Rig()
    rig.run_at_50_hz()
    rig.write(LED0, 0, 0, 205, 0)
    rig.write(MODE2, 0x14)
    assert rig.outputs[0] == pytest.approx((4096 - 205) * 122 / 25)


def test_open_drains_make_no_line_high() -> None:
    rig = Rig()
    rig.run_at_50_hz()
    rig.write(LED0, 0, 0, 205, 0)
    for mode in (0x00, 0x10):
        rig.write(MODE2, mode)
        assert rig.outputs[0] is None, "a servo's line has no pull-up"
    rig.write(MODE2, 0x04)
    assert rig.outputs[0] == pytest.approx(205 * 122 / 25)


def test_outputs_that_change_on_an_acknowledge_wait_for_all_four_registers() -> None:
    """7.3.2, OCH; on STOP, each of them counts at once."""
    rig = Rig()
    rig.run_at_50_hz()
    rig.write(MODE2, 0x0C)
    rig.write(LED0 + 2, 205, 0)
    assert rig.outputs == {}
    rig.write(LED0, 0, 0, 205, 0)
    assert rig.outputs == {0: pytest.approx(205 * 122 / 25)}
    rig.write(ALL_LED, 0, 0, 100)
    assert len(rig.outputs) == 1
    rig.write(ALL_LED, 0, 0, 100, 0)
    assert list(rig.outputs.values()) == pytest.approx([100 * 122 / 25] * 16)
    rig.write(LED1 + 2, 205)
    assert rig.outputs[1] == pytest.approx(100 * 122 / 25)
    rig.write(MODE2, 0x04)
    assert rig.outputs[1] == pytest.approx(205 * 122 / 25)


def test_what_outne_asks_for_while_oe_is_high_is_no_pulse() -> None:
    rig = Rig()
    rig.run_at_50_hz()
    rig.write(LED0, 0, 0, 205, 0)
    for outne in (1, 2, 3):
        rig.write(MODE2, 0x04 | outne)
    assert rig.changes == 1


def test_each_bit_that_may_turn_over_is_one_that_the_chip_keeps_and_gives_back() -> None:
    for register, bit in PCA9685.bits:
        rig = Rig()
        before = rig.read(register)[0]
        rig.chip.flip(register, bit)
        assert rig.read(register) == [before ^ 1 << bit]
    registers = {register for register, _ in PCA9685.bits}
    assert registers == {*range(LED15 + 4), PRE_SCALE}
    assert len(PCA9685.bits) == len(set(PCA9685.bits)) == 6 + 5 + 4 * 7 + 16 * 2 * (8 + 5) + 8


def test_a_bit_that_turns_over_changes_the_output_at_once() -> None:
    rig = Rig()
    rig.run_at_50_hz()
    rig.write(LED0, 0, 0, 205, 0)
    rig.chip.flip(LED0 + 2, 0)
    assert rig.outputs[0] == pytest.approx(204 * 122 / 25)
    rig.chip.flip(MODE1, 4)
    assert rig.outputs[0] is None, "asleep"


def test_the_external_clock_bit_is_sticky_until_a_reset() -> None:
    rig = Rig()
    rig.write(MODE1, 0x50)
    rig.write(MODE1, 0x20)
    assert rig.read(MODE1) == [0x60]
    rig.write(LED0, 0, 0, 205, 0)
    assert rig.outputs == {}, "no clock is wired to the pin"
    rig.chip.general_call(b"\x06")
    assert rig.read(MODE1) == [0x11]


def test_the_software_reset_is_06_at_the_general_call_address() -> None:
    rig = Rig()
    rig.run_at_50_hz()
    rig.write(LED0, 0, 0, 205, 0)
    rig.chip.general_call(b"\x05")
    rig.chip.general_call(b"\x06\x06")
    assert rig.changes == 1
    rig.chip.general_call(b"\x06")
    assert rig.outputs == {0: None}
    assert rig.read(PRE_SCALE) == [0x1E]


def test_call_addresses_answer_while_enabled() -> None:
    rig = Rig()
    assert rig.chip.answers(0x40)
    assert rig.chip.answers(0x70), "ALLCALL is on after power-on"
    assert not rig.chip.answers(0x71)
    rig.write(MODE1, 0x2E)
    assert not rig.chip.answers(0x70)
    assert [rig.chip.answers(address) for address in (0x71, 0x72, 0x74, 0x73)] == [True, True, True, False]
    rig.write(ALLCALLADR, 0xD1)
    rig.write(MODE1, 0x21)
    assert rig.read(ALLCALLADR) == [0xD0], "bit 0 is read-only 0"
    assert rig.chip.answers(0x68)


def test_an_output_is_told_only_when_it_changes() -> None:
    rig = Rig()
    rig.run_at_50_hz()
    for _ in range(3):
        rig.write(LED0, 0, 0, 205, 0)
    rig.write()
    assert rig.changes == 1


def test_unused_addresses_read_zero() -> None:
    rig = Rig()
    rig.write(0x80, 0x55)
    assert rig.read(0x80) == [0]
