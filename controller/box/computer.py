"""The computer that runs this program: its supply and temperature, without opening a box."""

from firmware.computer import ComputerHealth


def own_computer() -> ComputerHealth:
    """Return this computer's health; a computer other than a Raspberry Pi reports only part of it."""
    # Imported here because a daemon of a simulated box never needs the header and the bus that come with it.
    from firmware.pi.computer import PiComputer

    return ComputerHealth(PiComputer())


def leaves_pulses_on() -> bool:
    """Return True if this computer leaves the /OE line unchanged when the program that drives it dies."""
    from firmware.pi.pinctrl import outputs_stay

    return outputs_stay() is True
