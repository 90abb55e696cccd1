"""The computer on which this program runs, asked after its supply and temperature; no box has to be opened for that."""

from firmware.computer import ComputerHealth


def own_computer() -> ComputerHealth:
    """The computer here; one that is no Raspberry Pi does not tell all of it."""
    # A daemon of a simulated box never needs the header and the bus that come with it.
    from firmware.pi import PiComputer

    return ComputerHealth(PiComputer())


def leaves_pulses_on() -> bool:
    """True if this computer leaves /OE as it was when the program dies that drives it."""
    from firmware.pi import outputs_stay

    return outputs_stay() is True
