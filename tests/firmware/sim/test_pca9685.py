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


class Bench:
    """A chip with a 25 MHz oscillator and what its outputs were told."""

    def __init__(self, oscillator_mhz: float = 25.0) -> None:
        self.outputs: dict[int, float | None] = {}
        self.changes = 0
        self.chip = PCA9685(0x40, oscillator_mhz, self._output)

    def _output(self, channel: int, pulse_us: float | None) -> None:
        self.outputs[channel] = pulse_us
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
    bench = Bench()
    assert bench.read(MODE1) == [0x11]
    assert bench.read(MODE2) == [0x04]
    assert [bench.read(register)[0] for register in range(SUBADR1, LED0)] == [0xE2, 0xE4, 0xE8, 0xE0]
    for channel in range(16):
        assert [bench.read(LED0 + 4 * channel + byte)[0] for byte in range(4)] == [0, 0, 0, 0x10]
    assert bench.read(PRE_SCALE) == [0x1E]
    assert bench.outputs == {}


def test_without_auto_increment_all_bytes_go_to_one_register() -> None:
    bench = Bench()
    bench.write(MODE1, 0x01)
    bench.write(LED0, 1, 2, 3, 4)
    assert [bench.read(LED0 + byte)[0] for byte in range(4)] == [4, 0, 0, 0x10]
    assert bench.read(LED0, 3) == [4, 4, 4]


def test_with_auto_increment_a_channel_is_written_at_once() -> None:
    bench = Bench()
    bench.run_at_50_hz()
    bench.write(LED1, 0, 0, 205, 0)
    assert bench.read(LED1, 4) == [0, 0, 205, 0]
    assert bench.outputs == {1: pytest.approx(205 * 122 / 25)}


def test_auto_increment_rolls_over_behind_the_last_register() -> None:
    bench = Bench()
    bench.run_at_50_hz()
    assert bench.read(LED15 + 3, 2) == [0x10, 0x20], "after LED15_OFF_H comes MODE1"
    assert bench.read(PRE_SCALE, 2) == [121, 0x20], "after PRE_SCALE comes MODE1"


@pytest.mark.parametrize(("oscillator_mhz", "pulse_us"), [(23.0, 1627.8), (25.0, 1497.6), (27.0, 1386.7)])
def test_the_pulse_follows_the_chips_own_clock(oscillator_mhz: float, pulse_us: float) -> None:
    bench = Bench(oscillator_mhz)
    bench.run_at_50_hz()
    bench.write(LED0, 0, 0, 307 & 0xFF, 307 >> 8)
    assert bench.outputs[0] == pytest.approx(307 * 122 / oscillator_mhz)
    assert bench.outputs[0] == pytest.approx(pulse_us, rel=1e-3)


def test_the_prescaler_is_written_in_sleep_only_and_not_below_3() -> None:
    bench = Bench()
    bench.run_at_50_hz()
    bench.write(PRE_SCALE, 60)
    assert bench.read(PRE_SCALE) == [121]
    bench.write(MODE1, 0x30)
    bench.write(PRE_SCALE, 1)
    assert bench.read(PRE_SCALE) == [3]


def test_a_pulse_may_begin_anywhere_in_the_frame() -> None:
    bench = Bench()
    bench.run_at_50_hz()
    bench.write(LED0, 0x00, 0x0F, 0x00, 0x01)  # on at 3840, off at 256
    assert bench.outputs[0] == pytest.approx(512 * 122 / 25)


def test_full_off_wins_over_full_on_and_neither_pulses() -> None:
    bench = Bench()
    bench.run_at_50_hz()
    bench.write(LED0, 0, 0, 205, 0)
    bench.write(LED0 + 1, 0x10)
    assert bench.outputs[0] is None, "constantly high is no pulse"
    bench.write(LED0 + 3, 0x10)
    assert bench.outputs[0] is None
    bench.write(LED0, 0, 0, 205, 0)
    assert bench.outputs[0] is not None


def test_on_and_off_at_the_same_count_is_off() -> None:
    bench = Bench()
    bench.run_at_50_hz()
    bench.write(LED0, 7, 0, 7, 0)
    assert bench.outputs == {}


def test_all_led_writes_every_channel_and_reads_zero() -> None:
    bench = Bench()
    bench.run_at_50_hz()
    bench.write(ALL_LED, 0, 0, 205, 0)
    assert len(bench.outputs) == 16
    assert bench.read(LED15, 4) == [0, 0, 205, 0]
    assert bench.read(ALL_LED, 4) == [0, 0, 0, 0]
    bench.write(ALL_LED + 3, 0x10)
    assert set(bench.outputs.values()) == {None}


def test_sleep_stops_the_pulses_and_restart_resumes_them() -> None:
    bench = Bench()
    bench.run_at_50_hz()
    bench.write(LED0, 0, 0, 205, 0)
    bench.write(MODE1, 0x30)
    assert bench.outputs[0] is None
    assert bench.read(MODE1) == [0xB0], "RESTART shows that a channel was running"
    bench.write(MODE1, 0x20)
    assert bench.outputs[0] is None, "awake, but waiting for the restart"
    bench.write(MODE1, 0xA0)
    assert bench.outputs[0] == pytest.approx(205 * 122 / 25)
    assert bench.read(MODE1) == [0x20], "writing 1 clears it"


def test_sleep_with_all_channels_off_needs_no_restart() -> None:
    bench = Bench()
    bench.run_at_50_hz()
    bench.write(MODE1, 0x30)
    assert bench.read(MODE1) == [0x30]


def test_inverted_outputs_are_high_for_the_rest_of_the_frame() -> None:
    bench = Bench()
    bench.run_at_50_hz()
    bench.write(LED0, 0, 0, 205, 0)
    bench.write(MODE2, 0x14)
    assert bench.outputs[0] == pytest.approx((4096 - 205) * 122 / 25)


def test_the_external_clock_bit_is_sticky_until_a_reset() -> None:
    bench = Bench()
    bench.write(MODE1, 0x50)
    bench.write(MODE1, 0x20)
    assert bench.read(MODE1) == [0x60]
    bench.write(LED0, 0, 0, 205, 0)
    assert bench.outputs == {}, "no clock is wired to the pin"
    bench.chip.general_call(b"\x06")
    assert bench.read(MODE1) == [0x11]


def test_the_software_reset_is_06_at_the_general_call_address() -> None:
    bench = Bench()
    bench.run_at_50_hz()
    bench.write(LED0, 0, 0, 205, 0)
    bench.chip.general_call(b"\x05")
    bench.chip.general_call(b"\x06\x06")
    assert bench.changes == 1
    bench.chip.general_call(b"\x06")
    assert bench.outputs == {0: None}
    assert bench.read(PRE_SCALE) == [0x1E]


def test_call_addresses_answer_while_enabled() -> None:
    bench = Bench()
    assert bench.chip.answers(0x40)
    assert bench.chip.answers(0x70), "ALLCALL is on after power-on"
    assert not bench.chip.answers(0x71)
    bench.write(MODE1, 0x2E)
    assert not bench.chip.answers(0x70)
    assert [bench.chip.answers(address) for address in (0x71, 0x72, 0x74, 0x73)] == [True, True, True, False]
    bench.write(ALLCALLADR, 0xD1)
    bench.write(MODE1, 0x21)
    assert bench.read(ALLCALLADR) == [0xD0], "bit 0 is read-only 0"
    assert bench.chip.answers(0x68)


def test_an_output_is_told_only_when_it_changes() -> None:
    bench = Bench()
    bench.run_at_50_hz()
    for _ in range(3):
        bench.write(LED0, 0, 0, 205, 0)
    bench.write()
    assert bench.changes == 1


def test_unused_addresses_read_zero() -> None:
    bench = Bench()
    bench.write(0x80, 0x55)
    assert bench.read(0x80) == [0]
