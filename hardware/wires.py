"""The ends of the wires (servo channel, header line, expander pin), by the names printed on the boards.

`0x40/7` is channel 7 of the servo board at that address, `GPIO17` a line of the Raspberry Pi's header, `0x20/B3` pin B3
of the MCP23017 at that address.
"""

import re
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer

# PCA9685 data sheet rev. 4, 7.1: six address pins, 0x70 is the all-call address.
SERVO_BOARD_ADDRESSES = range(0x40, 0x80)
ALL_CALL_ADDRESS = 0x70
# INA260 data sheet SBOS656C, table 2: two address pins, each on ground, supply, SDA or SCL.
CURRENT_SENSOR_ADDRESSES = range(0x40, 0x50)
# MCP23017 data sheet DS20001952C, 3.3.1: three address pins.
EXPANDER_ADDRESSES = range(0x20, 0x28)
# 40-pin header: GPIO 0 and 1 belong to the HAT's EEPROM, 2 and 3 are the I2C bus.
HEADER_GPIO = range(4, 28)

_CHANNEL = re.compile(r"(0x[0-9a-f]{2})/(\d{1,2})")
_ADDRESS = re.compile(r"0x[0-9a-f]{2}")
_GPIO = re.compile(r"GPIO(\d{1,2})")
_EXPANDER = re.compile(r"(0x[0-9a-f]{2})/([AB])([0-7])")


@dataclass(frozen=True, slots=True, order=True)
class ServoChannel:
    """One of the 16 outputs (0..15) of a PCA9685 board."""

    board: int
    channel: int

    def __str__(self) -> str:
        return f"0x{self.board:02x}/{self.channel}"


@dataclass(frozen=True, slots=True, order=True)
class GpioPin:
    """One line of the Raspberry Pi's header, by its GPIO number (4..27)."""

    number: int

    def __str__(self) -> str:
        return f"GPIO{self.number}"


@dataclass(frozen=True, slots=True, order=True)
class ExpanderPin:
    """One of the 16 pins (0..7 are A0..A7, 8..15 are B0..B7) of an MCP23017."""

    expander: int
    pin: int

    def __str__(self) -> str:
        return f"0x{self.expander:02x}/{'AB'[self.pin // 8]}{self.pin % 8}"


def parse_channel(value: Any) -> ServoChannel:
    """Parse `0x40/7`. Raises `ValueError` saying what is allowed."""
    match = _CHANNEL.fullmatch(str(value))
    if match is None:
        raise ValueError("a servo is wired to BOARD/CHANNEL, such as 0x40/7")
    wire = ServoChannel(int(match[1], 16), int(match[2]))
    if wire.board not in SERVO_BOARD_ADDRESSES or wire.board == ALL_CALL_ADDRESS:
        raise ValueError("a servo board's address is 0x40 to 0x7f, but not 0x70")
    if wire.channel > 15:
        raise ValueError("a servo board has the channels 0 to 15")
    return wire


def parse_gpio(value: Any) -> GpioPin:
    """Parse `GPIO17`. Raises `ValueError` saying what is allowed."""
    match = _GPIO.fullmatch(str(value))
    if match is None or int(match[1]) not in HEADER_GPIO:
        raise ValueError("a header line is GPIO4 to GPIO27")
    return GpioPin(int(match[1]))


def parse_sensor(value: Any) -> GpioPin | ExpanderPin:
    """Parse `GPIO17` or `0x20/B3`. Raises `ValueError` saying what is allowed."""
    text = str(value)
    if text.startswith("GPIO"):
        return parse_gpio(text)
    match = _EXPANDER.fullmatch(text)
    if match is None or int(match[1], 16) not in EXPANDER_ADDRESSES:
        raise ValueError("a sensor is wired to GPIO4 to GPIO27, or to 0x20/A0 to 0x27/B7")
    return ExpanderPin(int(match[1], 16), "AB".index(match[2]) * 8 + int(match[3]))


def parse_current_sensor(value: Any) -> int:
    """Parse `0x44`. Raises `ValueError` saying what is allowed."""
    text = str(value)
    if _ADDRESS.fullmatch(text) is None or int(text, 16) not in CURRENT_SENSOR_ADDRESSES:
        raise ValueError("a current sensor's address is 0x40 to 0x4f")
    return int(text, 16)


ServoWire = Annotated[ServoChannel, BeforeValidator(parse_channel), PlainSerializer(str)]
GpioWire = Annotated[GpioPin, BeforeValidator(parse_gpio), PlainSerializer(str)]
SensorWire = Annotated[GpioPin | ExpanderPin, BeforeValidator(parse_sensor), PlainSerializer(str)]
# A function of ours: pydantic cannot tell the parameters of `str.format` on Python 3.13.
CurrentSensorAddress = Annotated[
    int, BeforeValidator(parse_current_sensor), PlainSerializer(lambda address: f"0x{address:02x}", return_type=str)
]
