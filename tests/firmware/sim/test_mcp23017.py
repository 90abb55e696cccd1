"""The MCP23017 model against facts of the data sheet (Microchip DS20001952C)."""

import pytest

from firmware.sim.mcp23017 import MCP23017

IODIRA, IODIRB, IPOLA, GPINTENA, DEFVALA, INTCONA, IOCON, IOCON_B = 0x00, 0x01, 0x02, 0x04, 0x06, 0x08, 0x0A, 0x0B
GPPUA, GPPUB, INTFA, INTCAPA, GPIOA, GPIOB, OLATA = 0x0C, 0x0D, 0x0E, 0x10, 0x12, 0x13, 0x14


class Rig:
    """A chip whose sixteen outer levels a test sets."""

    def __init__(self) -> None:
        self.levels = [True] * 16
        self.lows: list[bool] = []
        self.chip = MCP23017(0x20, lambda pin: self.levels[pin], self.lows.append)

    def write(self, *data: int) -> None:
        self.chip.write(bytes(data))

    def set_level(self, pin: int, high: bool) -> None:
        """A level changes, and the chip sees it."""
        self.levels[pin] = high
        self.chip.inputs_changed()

    def is_low(self) -> bool:
        """Whether INTA pulls its line low."""
        return self.lows[-1]

    def read(self, register: int, count: int = 1) -> list[int]:
        self.chip.write(bytes((register,)))
        return list(self.chip.read(count))


def test_power_on_values() -> None:
    rig = Rig()
    assert rig.read(IODIRA, 2) == [0xFF, 0xFF]
    assert rig.read(IPOLA, 0x14) == [0] * 0x14


def test_inputs_need_their_pull_ups() -> None:
    rig = Rig()
    assert rig.read(GPIOA, 2) == [0, 0], "floating"
    rig.write(GPPUA, 0xFF, 0xFF)
    assert rig.read(GPIOA, 2) == [0xFF, 0xFF]
    rig.levels[3] = rig.levels[9] = False
    assert rig.read(GPIOA, 2) == [0xF7, 0xFD]


def test_polarity_inverts_what_is_read() -> None:
    rig = Rig()
    rig.write(GPPUA, 0xFF, 0xFF)
    rig.write(IPOLA, 0x0F)
    assert rig.read(GPIOA) == [0xF0]


def test_writing_the_port_writes_the_latch_and_shows_on_outputs() -> None:
    rig = Rig()
    rig.write(IODIRA, 0xF0)
    rig.write(GPIOA, 0xAA)
    assert rig.read(OLATA) == [0xAA]
    assert rig.read(GPIOA) == [0x0A]
    rig.write(OLATA, 0x05)
    assert rig.read(GPIOA) == [0x05]


def test_sequential_operation_walks_the_map_and_rolls_over() -> None:
    rig = Rig()
    rig.write(IODIRA, 1, 2, 3, 4)
    assert rig.read(IODIRA, 4) == [1, 2, 3, 4]
    assert rig.read(0x15, 2) == [0, 1]


def test_byte_mode_toggles_between_the_ports_of_a_pair() -> None:
    rig = Rig()
    rig.write(GPPUA, 0x0F, 0xF0)
    rig.write(IOCON, 0x20)
    assert rig.read(GPPUA, 4) == [0x0F, 0xF0, 0x0F, 0xF0]


def test_iocon_is_one_register_at_two_addresses_without_bit_0() -> None:
    rig = Rig()
    rig.write(IOCON_B, 0x45)
    assert rig.read(IOCON, 2) == [0x44, 0x44]


def test_bank_1_puts_the_ports_apart() -> None:
    rig = Rig()
    rig.write(GPPUA, 0x12, 0x34)
    rig.write(IOCON, 0x80)
    assert rig.read(0x06) == [0x12], "GPPUA"
    assert rig.read(0x16) == [0x34], "GPPUB"
    assert rig.read(0x0B) == [0], "nothing is there"
    assert rig.read(0x1A, 2) == [0, 0xFF], "after OLATB comes IODIRA"
    rig.write(0x05, 0x00)
    assert rig.read(GPPUB) == [0x34], "IOCON leads back to bank 0"


def test_byte_mode_in_bank_1_stays() -> None:
    rig = Rig()
    rig.write(IOCON, 0xA0)
    rig.write(0x06, 1, 2, 3)
    assert rig.read(0x06, 2) == [3, 3]


@pytest.mark.parametrize("clears", [GPIOA, INTCAPA])
def test_a_change_interrupts_and_reading_the_port_clears_it(clears: int) -> None:
    rig = Rig()
    rig.write(GPPUA, 0xFF, 0xFF)
    rig.write(GPINTENA, 0x08)
    assert rig.read(INTFA) == [0]
    rig.levels[3] = False
    rig.levels[4] = False
    assert rig.read(INTFA) == [0x08]
    rig.levels[3] = True
    assert rig.read(clears) == ([0xE7] if clears == INTCAPA else [0xEF])
    assert rig.read(INTFA) == [0]


def test_a_pin_may_be_compared_with_a_default() -> None:
    rig = Rig()
    rig.write(GPPUA, 0xFF, 0xFF)
    rig.write(DEFVALA, 0x01)
    rig.write(INTCONA, 0x01)
    rig.write(GPINTENA, 0x01)
    assert rig.read(INTFA) == [0]
    rig.levels[0] = False
    assert rig.read(INTFA) == [0x01]
    assert rig.read(GPIOA) == [0xFE]
    assert rig.read(INTFA) == [0x01], "as long as it differs it interrupts again"


def rig_with_default(pins: int) -> Rig:
    """Interrupts by comparison with a default of high, on these pins of port A; INTA is an open drain."""
    rig = Rig()
    rig.write(IOCON, 0x04)
    rig.write(GPPUA, 0xFF, 0xFF)
    rig.write(DEFVALA, pins)
    rig.write(INTCONA, pins)
    rig.write(GPINTENA, pins)
    return rig


@pytest.mark.parametrize("clears", [GPIOA, INTCAPA])
def test_a_pin_that_differs_from_its_default_calls_on_after_a_read(clears: int) -> None:
    rig = rig_with_default(0x01)
    assert not rig.is_low()
    rig.set_level(0, False)
    assert rig.is_low()
    rig.read(clears)
    assert rig.is_low(), "without any change, and without a look at INTF"
    rig.set_level(0, True)
    assert rig.is_low(), "until it is read"
    rig.read(clears)
    assert not rig.is_low()


def test_a_capture_is_kept_until_it_is_read_and_then_taken_anew() -> None:
    rig = rig_with_default(0x03)
    rig.set_level(0, False)
    rig.set_level(1, False)
    rig.set_level(7, False)
    assert rig.read(INTFA) == [0x01], "the first one counts, later ones do not while it is not cleared"
    assert rig.read(INTCAPA) == [0xFE]
    assert rig.read(INTFA) == [0x03]
    assert rig.read(INTCAPA) == [0x7C]


def test_a_pin_compared_with_before_is_quiet_after_a_read_beside_one_that_differs_from_its_default() -> None:
    rig = rig_with_default(0x01)
    rig.write(GPINTENA, 0x03)
    rig.set_level(1, False)
    assert rig.read(INTFA) == [0x02]
    rig.read(GPIOA)
    assert not rig.is_low()
    rig.set_level(0, False)
    rig.read(GPIOA)
    assert rig.read(INTFA) == [0x01]


@pytest.mark.parametrize(
    ("iocon", "idle", "calls"),
    [(0x04, False, True), (0x00, False, True), (0x02, True, False), (0x06, False, True)],
    ids=["open drain", "active low", "active high", "open drain, whatever INTPOL says"],
)
def test_inta_calls_as_its_mode_says(iocon: int, idle: bool, calls: bool) -> None:
    rig = Rig()
    rig.write(IOCON, iocon)
    rig.write(GPPUA, 0xFF, 0xFF)
    rig.write(GPINTENA, 0x01)
    assert rig.is_low() is idle
    rig.set_level(0, False)
    assert rig.is_low() is calls
    rig.read(GPIOA)
    assert rig.is_low() is idle


@pytest.mark.parametrize(("iocon", "calls"), [(0x04, False), (0x44, True)], ids=["apart", "mirrored"])
def test_port_b_calls_on_inta_when_the_ports_are_mirrored(iocon: int, calls: bool) -> None:
    rig = Rig()
    rig.write(IOCON, iocon)
    rig.write(GPPUA, 0xFF, 0xFF)
    rig.write(GPINTENA, 0x00, 0x01)
    rig.set_level(8, False)
    assert rig.is_low() is calls
    rig.read(GPIOA)
    assert rig.is_low() is calls, "the other port's read clears nothing"
    rig.read(GPIOB)
    assert not rig.is_low()


def test_flags_and_captures_cannot_be_written() -> None:
    rig = Rig()
    rig.write(INTFA, 0xFF)
    rig.write(INTCAPA, 0xFF)
    assert rig.read(INTFA) == [0]
    assert rig.read(INTCAPA) == [0]


def test_it_does_not_listen_to_the_general_call_and_answers_at_its_address() -> None:
    rig = Rig()
    rig.write(GPPUA, 0xFF)
    rig.chip.general_call(b"\x06")
    rig.write()
    assert rig.read(GPPUA) == [0xFF]
    assert rig.chip.answers(0x20)
    assert not rig.chip.answers(0x21)


def test_losing_registers_is_power_on_again() -> None:
    rig = Rig()
    rig.write(GPPUA, 0xFF, 0xFF)
    rig.chip.lose_registers()
    assert rig.read(GPPUA, 2) == [0, 0]
    assert rig.read(IODIRA, 2) == [0xFF, 0xFF]


def test_each_bit_that_may_turn_over_is_one_that_the_chip_keeps_and_gives_back() -> None:
    for register, bit in MCP23017.bits:
        rig = Rig()
        before = rig.read(register)[0]
        rig.chip.flip(register, bit)
        if (register, bit) == (IOCON, 7):
            assert rig.read(0x05) == [0x80], "with BANK set it is elsewhere"
        else:
            assert rig.read(register) == [before ^ 1 << bit]
    kinds = {register // 2 for register, _ in MCP23017.bits}
    assert kinds == set(range(11)) - {INTFA // 2, INTCAPA // 2, GPIOA // 2}
    assert len(MCP23017.bits) == len(set(MCP23017.bits)) == 7 * 16 + 7


def test_a_bit_that_turns_over_acts_at_once() -> None:
    rig = rig_with_default(0x01)
    rig.chip.flip(DEFVALA, 0)
    assert rig.is_low(), "the pin differs from its default"
    rig.chip.flip(IPOLA, 3)
    assert rig.read(GPIOA) == [0xF7]


def test_losing_power_undoes_what_turned_over() -> None:
    rig = Rig()
    for register, bit in MCP23017.bits:
        rig.chip.flip(register, bit)
    rig.chip.lose_registers()
    assert rig.read(IODIRA, 14) == [0xFF, 0xFF] + [0] * 12
