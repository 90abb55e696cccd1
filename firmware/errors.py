"""What can go wrong between a command and a tile.

HardwareFault (BoxFault)
├── BusFault                    the electronics; everything in motion stops
│   ├── BusHung         H-201   the I2C bus does not move
│   ├── ChipSilent      H-202   a chip does not answer
│   ├── ChipForgot      H-203   a chip loses its registers again and again
│   ├── ChipDeaf        H-204   a chip answers but does not keep what is written
│   ├── GuardGone       H-221   the process that watches over the pulses is gone
│   ├── PulsesCut       H-222   that process stopped all pulses: the daemon kept silent
│   ├── LibraryMissing  H-206   a library of the Raspberry Pi is not installed
│   └── DeviceMissing   H-207   the computer has no such bus or header
└── MotionFault                 one tile; the others finish what they began
    ├── TileJammed      H-301   driven, but no sensor changed
    ├── SensorDoubtful  H-302   the sensors of one tile contradict each other
    ├── TileMoved       H-303   a tile is not where it was left
    ├── SensorChatters  H-304   a sensor does not settle
    └── TileInTheWay    H-305   the stack rule of the wood forbids a move

The `part` of a bus fault is the chip's address ("0x41") or "i2c"; of a motion fault the tile ("front-7").
"""

from hardware.errors import BoxFault


class HardwareFault(BoxFault):
    """Something between a command and a tile does not do what it should."""


class BusFault(HardwareFault):
    """The electronics fail; nothing can be moved safely."""


class BusHung(BusFault):
    """A transfer on the I2C bus timed out."""

    code = "H-201"
    cure = "Switch the box off and on; if it stays so, unplug the boards one by one to find who holds the bus."


class ChipSilent(BusFault):
    """A chip did not acknowledge its address."""

    code = "H-202"
    cure = "Check this board's power, its plug and its address jumpers, then confirm."


class ChipForgot(BusFault):
    """A chip lost its registers several times in a row, as after a loss of power."""

    code = "H-203"
    cure = "Check this board's power wires and the supply's current, then confirm."


class ChipDeaf(BusFault):
    """A chip acknowledges but does not keep what is written to it."""

    code = "H-204"
    cure = "Switch the box off and on; if it stays so, replace this board."


class GuardGone(BusFault):
    """The process that lets pulses pass is gone, does not answer, or serves another process."""

    code = "H-221"
    cure = "Start it again (systemctl restart shutbox-guard), then confirm."


class PulsesCut(BusFault):
    """The guard stopped all pulses because no sign of life came from the daemon."""

    code = "H-222"
    cure = "Confirm, and the box looks and goes on; if it comes again, its log says what kept the daemon from living."


class LibraryMissing(BusFault):
    """A library that only a Raspberry Pi needs is not installed."""

    code = "H-206"
    cure = "Install the extra for the Raspberry Pi: pip install 'shutbox[pi]'."


class DeviceMissing(BusFault):
    """The computer does not offer the bus or the header lines to this user."""

    code = "H-207"
    cure = (
        "Switch I2C on (raspi-config, Interface Options), put this user into the groups i2c and gpio, and start again."
    )


class MotionFault(HardwareFault):
    """One tile, or one of its sensors, does not do what it should."""


class TileJammed(MotionFault):
    """Driven as often as allowed, but no sensor changed."""

    code = "H-301"
    cure = "Free the tile by hand, look whether its servo horn is tight, then confirm."


class SensorDoubtful(MotionFault):
    """A tile's sensors say both or, after a move, neither."""

    code = "H-302"
    cure = (
        "Look at the tile: if it is half way, free it by hand; if it is where it should be, "
        "its sensor or magnet is at fault; then confirm."
    )


class TileMoved(MotionFault):
    """A tile is not where it was left."""

    code = "H-303"
    cure = "Put the tile back by hand, or confirm and the box does it."


class SensorChatters(MotionFault):
    """A sensor flickers and does not settle."""

    code = "H-304"
    cure = "Move the tile's magnet closer to its sensor and check the plug, then confirm."


class TileInTheWay(MotionFault):
    """A tile stands or lies where the wood of another one has to pass."""

    code = "H-305"
    cure = "Move this tile by hand to where it is expected, then confirm."
