"""Faults between a command and a tile: the tree of classes with their codes H-2xx and H-3xx, and the cure of each.

HardwareFault (BoxFault)
├── BusFault                    the electronics; everything in motion stops
│   ├── BusHung         H-201   the I2C bus does not move
│   ├── ChipSilent      H-202   a chip does not answer
│   ├── ChipForgot      H-203   a chip loses its registers again and again
│   ├── ChipDeaf        H-204   a chip answers but does not keep what is written
│   ├── GuardGone       H-221   the process that watches over the pulses is gone
│   ├── PulsesCut       H-222   all pulses were stopped: daemon or bus was held up, or a servo was driven too long
│   ├── GuardForbids    H-220   that process is there, but does not let this user in
│   ├── LibraryMissing  H-206   a library of the Raspberry Pi is not installed
│   ├── DeviceMissing   H-207   the computer does not give us its bus, its header or a line of it
│   ├── SupplySags      H-208   the computer's supply falls below what it needs
│   ├── OutputStuck     H-209   the /OE line, or the servos' supply, does not follow
│   ├── LidDown         H-210   under a closed lid no tile can stand
│   ├── InterruptLost   H-211   the expanders cannot tell of changes
│   ├── ComputerHot     H-212   the computer is so warm that it slows down
│   ├── EdgesMissing    H-213   the header cannot tell of changes
│   └── SupplyOverdrawn H-214   the servos draw more than the moves explain
└── MotionFault                 one tile; the others finish what they began
    ├── TileJammed      H-301   driven, but no sensor changed
    ├── SensorDoubtful  H-302   the sensors of one tile contradict each other
    ├── TileMoved       H-303   a tile is not where it was left
    ├── SensorChatters  H-304   a sensor does not settle
    ├── TileInTheWay    H-305   the stack rule of the wood forbids a move
    ├── TileSlow        H-306   a tile arrives, but late
    ├── WiresSwapped    H-307   another tile moves than the one that is driven
    ├── ServoHolds      H-308   a servo goes on when it gets no pulses any more
    └── TileRestless    H-309   a tile does not stay where it arrived

The `part` of a bus fault is the chip's address ("0x41"), a line of the header ("GPIO17") or all of it ("header"),
"i2c", "supply", "V+", "computer", "/OE", "INT" or "lid"; of a motion fault the tile ("front-7"). What no sensor can
tell apart shares one code, whose cure names all that it may be.
"""

from firmware.messages import SensorReport
from hardware.errors import BoxFault


class HardwareFault(BoxFault):
    """Something between a command and a tile does not do what it should."""


class BusFault(HardwareFault):
    """The electronics fail; nothing can be moved safely."""


class BusHung(BusFault):
    """A transfer on the I2C bus timed out."""

    code = "H-201"
    cure = (
        "Switch the box off and on; if that does not help, unplug the boards one by one to find the one that blocks "
        "the bus."
    )


class ChipSilent(BusFault):
    """A chip did not acknowledge its address."""

    code = "H-202"
    cure = "Check this board's power, its plug and its address jumpers."


class ChipForgot(BusFault):
    """A chip lost its registers several times in a row, as after a loss of power."""

    code = "H-203"
    cure = "Check this board's power wires and the supply's current."


class ChipDeaf(BusFault):
    """A chip acknowledges but does not keep what is written to it."""

    code = "H-204"
    cure = "Switch the box off and on; if that does not help, replace this board."


class GuardGone(BusFault):
    """The process that lets pulses pass is gone, does not answer, or serves another process."""

    code = "H-221"
    cure = "Start it again (systemctl restart shutbox-guard)."


class GuardForbids(BusFault):
    """The socket of the process that lets pulses pass is closed to this user."""

    code = "H-220"
    cure = "Put this user into the group of the box (sudo adduser NAME shutbox), log in again and start again."


class PulsesCut(BusFault):
    """All pulses were stopped: the daemon kept silent, a servo was not let go in time, or the bus had no processor."""

    code = "H-222"
    cure = "Let the box try again; if this comes again, its log says what held program or bus up."


class LibraryMissing(BusFault):
    """A library that only a Raspberry Pi needs is not installed."""

    code = "H-206"
    cure = "Install the extra for the Raspberry Pi, in the checkout: .venv/bin/pip install -e '.[pi]'."


class DeviceMissing(BusFault):
    """The computer does not offer the bus or the header lines to this user. Most know a closer cure than this one."""

    code = "H-207"
    cure = (
        "Switch I2C on (raspi-config, Interface Options), put this user into the groups i2c and gpio, and start again."
    )


class SupplySags(BusFault):
    """The Raspberry Pi has noticed an under-voltage."""

    code = "H-208"
    cure = "Use the Raspberry Pi's own supply and a short cable, and feed the servos from a supply of their own."


class OutputStuck(BusFault):
    """The output-enable line does not do what it is told, or nothing feeds the servos."""

    code = "H-209"
    cure = (
        "Check that the servos' supply is on and its fuse is whole, then the wire of /OE and its pull-up; "
        "pull the servos' supply if they move by themselves."
    )


class LidDown(BusFault):
    """The lid is closed over the tiles."""

    code = "H-210"
    cure = "Open it, then start again; if it is open, check its reed switch and magnet."


class ComputerHot(BusFault):
    """The Raspberry Pi is as warm as it may get, and slows down."""

    code = "H-212"
    cure = "Give the computer air: a heat sink, a fan, holes in the wood around it."


class EdgesMissing(BusFault):
    """The library of the header does not tell when a line changes; the lines are asked instead."""

    code = "H-213"
    cure = (
        'Set pins = "lgpio" in settings.toml, which has edges on every kernel; until then a hand is noticed a moment '
        "later, and the computer has more to do."
    )


class InterruptLost(BusFault):
    """The line by which the expanders tell of changes does not follow them."""

    code = "H-211"
    cure = (
        "Check the wire from INTA of the expanders to the header; until it is whole, a tile that is moved by hand "
        "may be noticed half a second late."
    )


class SupplyOverdrawn(BusFault):
    """The current sensor on V+ sees more than the servos in motion, all stalled, and those at rest can draw."""

    code = "H-214"
    cure = (
        "Feel which servo, board or capacitor is warm, and unplug that; then unplug the servos one by one, until the "
        "current at rest is what it should be."
    )


class MotionFault(HardwareFault):
    """One tile, or one of its sensors, does not do what it should.

    arrived: the moves that were made meanwhile.
    """

    arrived: tuple[SensorReport, ...] = ()


class TileJammed(MotionFault):
    """Driven as often as allowed, but no sensor changed: a jam, a hand, a loose horn or plug."""

    code = "H-301"
    cure = (
        "Take your hand off it or free it, and check that the servo supply is on, that the tile's servo is plugged in, "
        "and that the servo horn is tight."
    )


class SensorDoubtful(MotionFault):
    """A tile's sensors say both or, after a move, neither."""

    code = "H-302"
    cure = (
        "Look at the tile: if it is half way, free it by hand; if it is where it should be, "
        "its sensor or magnet is at fault."
    )


class TileMoved(MotionFault):
    """A tile is not where it was left."""

    code = "H-303"
    cure = "Put the tile back by hand, or let the box do it (hands off)."


class SensorChatters(MotionFault):
    """A sensor flickers and does not settle."""

    code = "H-304"
    cure = "Move the tile's magnet closer to its sensor and check the plug."


class TileInTheWay(MotionFault):
    """A tile stands or lies where the wood of another one has to pass."""

    code = "H-305"
    cure = "Move this tile by hand to where it is expected."


class TileSlow(MotionFault):
    """A tile comes where it is sent, but takes too long."""

    code = "H-306"
    cure = "Check whether the tile rubs and its servo is warm; clean its axle, or replace the servo before it fails."


class WiresSwapped(MotionFault):
    """Another tile answers than the one that is driven."""

    code = "H-307"
    cure = "Swap the plugs of the two: their servos', or, where the right tile moves, their sensors'."


class ServoHolds(MotionFault):
    """A servo goes on to the place of its last pulse after its pulses have ended, as digital ones do."""

    code = "H-308"
    cure = "Replace this servo by an analog one: nothing stops a digital one that stalls or holds a hand."


class TileRestless(MotionFault):
    """A tile left its place by itself after it was let go, as often as it was driven there again."""

    code = "H-309"
    cure = "Check whether something springs back under the tile, and whether the servo horn is tight."
