"""The MCP23017 model against facts of the data sheet (Microchip DS20001952C)."""

import pytest

from firmware.sim.mcp23017 import MCP23017

IODIRA, IODIRB, IPOLA, GPINTENA, DEFVALA, INTCONA, IOCON, IOCON_B = 0x00, 0x01, 0x02, 0x04, 0x06, 0x08, 0x0A, 0x0B
GPPUA, GPPUB, INTFA, INTCAPA, GPIOA, GPIOB, OLATA = 0x0C, 0x0D, 0x0E, 0x10, 0x12, 0x13, 0x14


class Bench:
    """A chip whose sixteen outer levels a test sets."""

    def __init__(self) -> None:
        self.levels = [True] * 16
        self.chip = MCP23017(0x20, lambda pin: self.levels[pin])

    def write(self, *data: int) -> None:
        self.chip.write(bytes(data))

    def read(self, register: int, count: int = 1) -> list[int]:
        self.chip.write(bytes((register,)))
        return list(self.chip.read(count))


def test_power_on_values() -> None:
    bench = Bench()
    assert bench.read(IODIRA, 2) == [0xFF, 0xFF]
    assert bench.read(IPOLA, 0x14) == [0] * 0x14


def test_inputs_need_their_pull_ups() -> None:
    bench = Bench()
    assert bench.read(GPIOA, 2) == [0, 0], "floating"
    bench.write(GPPUA, 0xFF, 0xFF)
    assert bench.read(GPIOA, 2) == [0xFF, 0xFF]
    bench.levels[3] = bench.levels[9] = False
    assert bench.read(GPIOA, 2) == [0xF7, 0xFD]


def test_polarity_inverts_what_is_read() -> None:
    bench = Bench()
    bench.write(GPPUA, 0xFF, 0xFF)
    bench.write(IPOLA, 0x0F)
    assert bench.read(GPIOA) == [0xF0]


def test_writing_the_port_writes_the_latch_and_shows_on_outputs() -> None:
    bench = Bench()
    bench.write(IODIRA, 0xF0)
    bench.write(GPIOA, 0xAA)
    assert bench.read(OLATA) == [0xAA]
    assert bench.read(GPIOA) == [0x0A]
    bench.write(OLATA, 0x05)
    assert bench.read(GPIOA) == [0x05]


def test_sequential_operation_walks_the_map_and_rolls_over() -> None:
    bench = Bench()
    bench.write(IODIRA, 1, 2, 3, 4)
    assert bench.read(IODIRA, 4) == [1, 2, 3, 4]
    assert bench.read(0x15, 2) == [0, 1]


def test_byte_mode_toggles_between_the_ports_of_a_pair() -> None:
    bench = Bench()
    bench.write(GPPUA, 0x0F, 0xF0)
    bench.write(IOCON, 0x20)
    assert bench.read(GPPUA, 4) == [0x0F, 0xF0, 0x0F, 0xF0]


def test_iocon_is_one_register_at_two_addresses_without_bit_0() -> None:
    bench = Bench()
    bench.write(IOCON_B, 0x45)
    assert bench.read(IOCON, 2) == [0x44, 0x44]


def test_bank_1_puts_the_ports_apart() -> None:
    bench = Bench()
    bench.write(GPPUA, 0x12, 0x34)
    bench.write(IOCON, 0x80)
    assert bench.read(0x06) == [0x12], "GPPUA"
    assert bench.read(0x16) == [0x34], "GPPUB"
    assert bench.read(0x0B) == [0], "nothing is there"
    assert bench.read(0x1A, 2) == [0, 0xFF], "after OLATB comes IODIRA"
    bench.write(0x05, 0x00)
    assert bench.read(GPPUB) == [0x34], "IOCON leads back to bank 0"


def test_byte_mode_in_bank_1_stays() -> None:
    bench = Bench()
    bench.write(IOCON, 0xA0)
    bench.write(0x06, 1, 2, 3)
    assert bench.read(0x06, 2) == [3, 3]


@pytest.mark.parametrize("clears", [GPIOA, INTCAPA])
def test_a_change_interrupts_and_reading_the_port_clears_it(clears: int) -> None:
    bench = Bench()
    bench.write(GPPUA, 0xFF, 0xFF)
    bench.write(GPINTENA, 0x08)
    assert bench.read(INTFA) == [0]
    bench.levels[3] = False
    bench.levels[4] = False
    assert bench.read(INTFA) == [0x08]
    bench.levels[3] = True
    assert bench.read(clears) == ([0xE7] if clears == INTCAPA else [0xEF])
    assert bench.read(INTFA) == [0]


def test_a_pin_may_be_compared_with_a_default() -> None:
    bench = Bench()
    bench.write(GPPUA, 0xFF, 0xFF)
    bench.write(DEFVALA, 0x01)
    bench.write(INTCONA, 0x01)
    bench.write(GPINTENA, 0x01)
    assert bench.read(INTFA) == [0]
    bench.levels[0] = False
    assert bench.read(INTFA) == [0x01]
    assert bench.read(GPIOA) == [0xFE]
    assert bench.read(INTFA) == [0x01], "as long as it differs it interrupts again"


def test_flags_and_captures_cannot_be_written() -> None:
    bench = Bench()
    bench.write(INTFA, 0xFF)
    bench.write(INTCAPA, 0xFF)
    assert bench.read(INTFA) == [0]
    assert bench.read(INTCAPA) == [0]


def test_it_does_not_listen_to_the_general_call_and_answers_at_its_address() -> None:
    bench = Bench()
    bench.write(GPPUA, 0xFF)
    bench.chip.general_call(b"\x06")
    bench.write()
    assert bench.read(GPPUA) == [0xFF]
    assert bench.chip.answers(0x20)
    assert not bench.chip.answers(0x21)


def test_losing_registers_is_power_on_again() -> None:
    bench = Bench()
    bench.write(GPPUA, 0xFF, 0xFF)
    bench.chip.lose_registers()
    assert bench.read(GPPUA, 2) == [0, 0]
    assert bench.read(IODIRA, 2) == [0xFF, 0xFF]
