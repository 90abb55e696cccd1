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


class MCP23017:
    """One chip. `level(pin)` gives the level an input sees through a pull-up; pins 0..7 are A, 8..15 are B.
    `interrupt(low)` is told when INTA pulls its line low, and when it does so no more.

    An input without its pull-up floats; it is taken to read low, as it does beside long grounded wires.
    Lifetime: from power-on. Concurrency: whoever owns the bus.
    """

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
        """Power-on reset (3.1): all pins inputs, everything else 0."""
        for port in self._ports:
            port[:] = bytes(REGISTERS)
            port[IODIR] = 0xFF
        self._pointer = 0
        self._before = [0, 0]
        self._update_interrupt()

    def inputs_changed(self) -> None:
        """A level has changed from outside."""
        for port in (_PORT_A, _PORT_B):
            self._watch(port, self._pins(port))
        self._update_interrupt()

    def answers(self, address: int) -> bool:
        """True if `address` is acknowledged."""
        return address == self.address

    def general_call(self, data: bytes) -> None:
        """The chip does not listen to the general call."""

    def write(self, data: bytes) -> None:
        """One write transaction: the register address, then data."""
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
        """One read transaction from where the address pointer stands."""
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
        """Port and register at an address of the present bank; None where nothing is."""
        port, register = (address >> 4, address & 0x0F) if self._bank else (address & 1, address >> 1)
        return (port, register) if port <= _PORT_B and register < REGISTERS else None

    def _step_pointer(self) -> None:
        """3.2.1: sequential operation walks the map; byte mode (SEQOP) stays, or toggles between A and B."""
        if not self._ports[_PORT_A][IOCON] & SEQOP:
            last = 0x1A if self._bank else 0x15
            self._pointer = 0 if self._pointer >= last else self._pointer + 1
        elif not self._bank:
            self._pointer ^= 1

    def _store(self, port: int, register: int, value: int) -> None:
        if register == IOCON:  # one register, seen at two addresses
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
        # 3.6.4: reading GPIO or INTCAP clears the interrupt; where a pin still differs from its default it comes again.
        registers[INTF] = 0
        self._before[port] = pins
        self._watch(port, pins)
        return value

    def _pins(self, port: int) -> int:
        """The levels of the port's eight pins: outputs by their latch, inputs from outside."""
        registers = self._ports[port]
        pulled_up = registers[GPPU] & registers[IODIR]
        inputs = sum(1 << bit for bit in range(8) if pulled_up >> bit & 1 and self._level(8 * port + bit))
        return inputs | registers[OLAT] & ~registers[IODIR] & 0xFF

    def _watch(self, port: int, pins: int) -> None:
        """3.6: an enabled pin that differs from DEFVAL (INTCON 1) or from before (INTCON 0) interrupts."""
        registers = self._ports[port]
        if not registers[GPINTEN] or registers[INTF]:
            return
        against = registers[DEFVAL] & registers[INTCON] | self._before[port] & ~registers[INTCON]
        registers[INTF] = (pins ^ against) & registers[GPINTEN]
        if registers[INTF]:
            registers[INTCAP] = pins ^ registers[IPOL]

    def _update_interrupt(self) -> None:
        """3.5.6: INTA calls for port A, with MIRROR for either: an open drain pulls low, else INTPOL says how.

        One that is driven both ways would fight others on its line; here whoever pulls low wins.
        """
        a, b = self._ports
        asks = a[INTF] or (b[INTF] and a[IOCON] & MIRROR)
        calls_high = a[IOCON] & INTPOL and not a[IOCON] & ODR
        pulls = not asks if calls_high else bool(asks)
        if pulls != self._pulls:
            self._pulls = pulls
            self._interrupt(pulls)
