"""The MCP23017 as its registers: Microchip data sheet DS20001952C.

3.2 serial interface and address pointer, 3.3.1 addressing, 3.5 register map (tables 3-1 and 3-5), 3.6 interrupts.
"""

from collections.abc import Callable

PINS = 16
_PORT_A, _PORT_B = 0, 1

# Register numbers as in IOCON.BANK = 1 for port A (table 3-1); the two ports are kept side by side.
IODIR, IPOL, GPINTEN, DEFVAL, INTCON, IOCON, GPPU, INTF, INTCAP, GPIO, OLAT = range(11)
REGISTERS = 11
BANK, MIRROR, SEQOP, ODR, INTPOL = 0x80, 0x40, 0x20, 0x04, 0x02
_IOCON_WRITABLE = 0xFE

# The bits that a disturbance can turn over, by the address of the register in IOCON.BANK = 0. Not those of INTF and
# INTCAP, which the chip writes by itself and every look at the inputs clears, nor GPIO, which holds nothing.
BITS = tuple(
    (2 * register + port, bit)
    for register in (IODIR, IPOL, GPINTEN, DEFVAL, INTCON, IOCON, GPPU, OLAT)
    for port in (_PORT_A, _PORT_B)
    for bit in range(8)
    if register != IOCON or (port == _PORT_A and _IOCON_WRITABLE >> bit & 1)
)


class MCP23017:
    """One chip. Pins 0..7 are A, 8..15 are B.

    level: returns the level of an input with pull-up. An input without it floats, and is assumed to read low, as beside
    long grounded wires.
    interrupt: called with True when INTA pulls its line low, with False when it stops.
    """

    bits = BITS

    def __init__(
        self, address: int, level: Callable[[int], bool], interrupt: Callable[[bool], None] = lambda _low: None
    ) -> None:
        self.address = address
        self._level = level
        self._interrupt = interrupt
        self._pulls: bool | None = None
        self._pointer = 0
        self._ports: tuple[bytearray, bytearray] = (bytearray(REGISTERS), bytearray(REGISTERS))
        self._before = [0, 0]
        self.lose_registers()

    def lose_registers(self) -> None:
        """Reset as at power-on (3.1): all pins inputs, everything else 0."""
        for port in self._ports:
            port[:] = bytes(REGISTERS)
            port[IODIR] = 0xFF
        self._pointer = 0
        self._before = [0, 0]
        self._update_interrupt()

    def flip(self, register: int, bit: int) -> None:
        """Turn one bit of a register over, as a disturbance does. register: its address in IOCON.BANK = 0."""
        for port in self._ports if register >> 1 == IOCON else (self._ports[register & 1],):
            port[register >> 1] ^= 1 << bit
        self.inputs_changed()

    def inputs_changed(self) -> None:
        for port in (_PORT_A, _PORT_B):
            self._watch(port, self._pins(port))
        self._update_interrupt()

    def answers(self, address: int) -> bool:
        return address == self.address

    def general_call(self, data: bytes) -> None:
        """Ignore the general call, as the chip does."""

    def write(self, data: bytes) -> None:
        """Receive one write transaction: the register address, then data."""
        if not data:
            return
        self._pointer = data[0]
        for value in data[1:]:
            place = self._place(self._pointer)
            if place is not None:
                self._store(*place, value)
            self._step_pointer()
        self._update_interrupt()

    def read(self, count: int) -> bytes:
        """Answer one read transaction from the address pointer on."""
        read = bytearray()
        for _ in range(count):
            place = self._place(self._pointer)
            read.append(self._load(*place) if place is not None else 0)
            self._step_pointer()
        self._update_interrupt()
        return bytes(read)

    @property
    def _bank(self) -> bool:
        return bool(self._ports[_PORT_A][IOCON] & BANK)

    def _place(self, address: int) -> tuple[int, int] | None:
        """Return port and register at an address of the present bank; None for an unused address."""
        port, register = (address >> 4, address & 0x0F) if self._bank else (address & 1, address >> 1)
        return (port, register) if port <= _PORT_B and register < REGISTERS else None

    def _step_pointer(self) -> None:
        """Step the pointer (3.2.1): sequential operation walks the map; byte mode (SEQOP) stays or toggles A and B."""
        if not self._ports[_PORT_A][IOCON] & SEQOP:
            last = 0x1A if self._bank else 0x15
            self._pointer = 0 if self._pointer >= last else self._pointer + 1
        elif not self._bank:
            self._pointer ^= 1

    def _store(self, port: int, register: int, value: int) -> None:
        if register == IOCON:  # one register at two addresses
            for each in self._ports:
                each[IOCON] = value & _IOCON_WRITABLE
        elif register in (GPIO, OLAT):  # writing the port writes the latch
            self._ports[port][OLAT] = value
        elif register not in (INTF, INTCAP):
            self._ports[port][register] = value
            if register == GPINTEN:
                self._before[port] = self._pins(port)
            if register in (GPINTEN, DEFVAL, INTCON):
                self._watch(port, self._pins(port))

    def _load(self, port: int, register: int) -> int:
        registers = self._ports[port]
        if register not in (GPIO, INTCAP, INTF):
            return registers[register]
        pins = self._pins(port)
        self._watch(port, pins)
        if register == INTF:
            return registers[INTF]
        value = pins ^ registers[IPOL] if register == GPIO else registers[INTCAP]
        # 3.6.4: reading GPIO or INTCAP clears the interrupt; it comes again if a pin still differs from its default.
        registers[INTF] = 0
        self._before[port] = pins
        self._watch(port, pins)
        return value

    def _pins(self, port: int) -> int:
        """Return the levels of the port's eight pins: outputs by their latch, inputs from outside."""
        registers = self._ports[port]
        pulled_up = registers[GPPU] & registers[IODIR]
        inputs = sum(1 << bit for bit in range(8) if pulled_up >> bit & 1 and self._level(8 * port + bit))
        return inputs | registers[OLAT] & ~registers[IODIR] & 0xFF

    def _watch(self, port: int, pins: int) -> None:
        """Interrupt (3.6) if an enabled pin differs from DEFVAL (INTCON 1) or from its former level (INTCON 0)."""
        registers = self._ports[port]
        if not registers[GPINTEN] or registers[INTF]:
            return
        against = registers[DEFVAL] & registers[INTCON] | self._before[port] & ~registers[INTCON]
        registers[INTF] = (pins ^ against) & registers[GPINTEN]
        if registers[INTF]:
            registers[INTCAP] = pins ^ registers[IPOL]

    def _update_interrupt(self) -> None:
        """Drive INTA (3.5.6) for port A, with MIRROR for either: an open drain pulls low, else INTPOL sets the level.

        An output driven both ways would conflict with others on its line; here the one that pulls low wins.
        """
        a, b = self._ports
        asks = a[INTF] or (b[INTF] and a[IOCON] & MIRROR)
        calls_high = a[IOCON] & INTPOL and not a[IOCON] & ODR
        pulls = not asks if calls_high else bool(asks)
        if pulls != self._pulls:
            self._pulls = pulls
            self._interrupt(pulls)
