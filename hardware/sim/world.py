"""The one simulated world of a box: tiles, servos, sensors, supply and dice, moved by pulses and hands alone.

It knows wires and nothing above them. Its time comes from the given clock. Every call makes it catch up, in steps of 2
ms while something moves and in one jump otherwise.
"""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hardware.box import Box
from hardware.sim.dice import JOKERS, LOOKS, DiceThrow, DieLook, SimulatedDie, claim_look, show_values, throw_dice
from hardware.sim.fault_injection import LID_CLOSED, FaultInjection, Registers
from hardware.sim.lines import Lines
from hardware.sim.mechanism import Mechanism
from hardware.sim.servo import CAREFUL, PULSE_US, Cuts, Pulse, Tolerances
from hardware.tiles import Position, TileId
from hardware.wires import ExpanderPin, GpioPin, ServoChannel

_THROW_MARGIN_MM = 22.0  # least distance of a thrown die's middle from the edges of the field
_LAY_MARGIN_MM = 34.0  # the same for a die laid for a claim, since nobody lays it on a marker


@dataclass(frozen=True, slots=True)
class SheetPose:
    """The pose of a flat sheet in a hand.

    middle_mm: x, y, height over the baize.
    turn_rad: the turn about the vertical, clockwise as seen from above.
    rise: its slope to the right and towards the player, in mm per mm.
    """

    middle_mm: tuple[float, float, float]
    turn_rad: float = 0.0
    rise: tuple[float, float] = (0.0, 0.0)


class World(FaultInjection):
    """One simulated box. Faults are values of it; `lift` undoes them.

    clock: seconds that never run backwards.
    seed: determines every tolerance, bounce and throw.
    store: the file of the tiles' angles; without it all tiles stand at the start.
    tolerances: how much the servos differ from the profile.
    mechanics: what builds the mechanism, as `Mechanism` is built.

    Lifetime: from construction on; nothing needs closing. Raises `BoxError` for a damaged store.
    Concurrency: any thread; one lock, which guards its parts too: mechanism, servos, contacts and lines live as long
    as it does. Edges are reported in the thread that causes them.
    """

    def __init__(
        self,
        box: Box,
        clock: Callable[[], float],
        seed: int,
        store: Path | None = None,
        tolerances: Tolerances = CAREFUL,
        mechanics: Callable[..., Mechanism] = Mechanism,
    ) -> None:
        self.seed = seed
        self.tolerances = tolerances
        self.joker = JOKERS[0]  # drawn on the sixth face of dice laid for claims
        self._clock = clock
        self._now_s = clock()
        self._catching_up = False
        self._cuts = Cuts(random.Random(f"{seed}/cuts"))
        self._pulses: dict[ServoChannel, Pulse | None] = {}
        self._arriving: dict[ServoChannel, Pulse | None] = {}
        self._alarms: dict[Callable[[], None], float] = {}
        # The lines are built on the mechanism that reports to them.
        mechanism = mechanics(box, seed, self._now_s, store, lambda tile: self._lines.tell_sensors(tile), tolerances)
        super().__init__(box, mechanism, Lines(box, mechanism))
        self._throws = random.Random(f"{seed}/throws")
        self._throw: DiceThrow | None = None
        self._laid: dict[str, DiceThrow] = {}  # by colour
        self._sheet: SheetPose | None = None

    def now(self) -> float:
        return self._clock()

    # The wire.

    def drive(self, wire: ServoChannel, pulse_us: float | None, on_us: float = 0.0) -> None:
        """Change the output of a servo board: pulses of this width in microseconds, `on_us` into each frame, or off.

        A new width, 0 included, counts from the next frame. An output that is switched off may leave a runt, since that
        happens at any moment of the frame.
        """
        with self._lock:
            self._advance()
            self._pulses[wire] = Pulse(pulse_us, on_us) if pulse_us is not None else None
            self._command(wire)

    def tile_on(self, wire: ServoChannel) -> TileId | None:
        """Return the tile whose servo is plugged in at an output, as somebody sees who watches what it moves."""
        with self._lock:
            board = self.chip_answering(wire.board)
            return None if board is None else self._tile_on.get(ServoChannel(board, wire.channel))

    def level(self, wire: GpioPin | ExpanderPin) -> bool:
        """Return the electrical level of a line: sensors, lid and button pull it low; undriven lines are high."""
        with self._lock:
            self._advance()
            return self._lines.level(wire, self._now_s)

    def set_line(self, wire: GpioPin, high: bool | None) -> None:
        """Drive an output line (/OE, LED, speaker) from the computer; None: stop. /OE high stops all pulses."""
        with self._lock:
            self._advance()
            self._lines.drive(wire, high)
            if wire == self.box.panel.output_enable:
                self.command_all()

    def watch_line(self, wire: GpioPin, changed: Callable[[bool], None] | None) -> None:
        """Call `changed(level)` when the line of the panel or of a sensor changes; None stops it.

        Raises `OSError` like `check_line`.
        """
        with self._lock:
            if changed is not None:
                self.check_line(wire, edges=True)
            self._lines.watch(wire, changed)

    def attach(self, address: int, registers: Registers) -> None:
        """Let the registers of the chip at `address` be lost with its supply, or be disturbed."""
        self._registers[address] = registers

    def watch_inputs(self, address: int, changed: Callable[[], None]) -> None:
        with self._lock:
            self._lines.watch_inputs(address, changed)

    def pull_line(self, wire: GpioPin, address: int, low: bool) -> None:
        """Pull a line low with the open-drain output of the chip at this address, or release it."""
        with self._lock:
            self._lines.pull(wire, address, low)
            self._lines.tell(wire, self._now_s)

    def is_silent(self, address: int) -> bool:
        with self._lock:
            self._advance()
            return address in self._silent

    # Hands and eyes.

    def position(self, tile: TileId) -> Position:
        with self._lock:
            self._advance()
            return self._mechanism.tiles[tile].position

    @property
    def horns_us(self) -> dict[TileId, float]:
        """Where every horn is, as the pulse that leads there, as somebody sees who looks below the tiles."""
        with self._lock:
            self._advance()
            return {tile: wood.servo.horn_us for tile, wood in self._mechanism.tiles.items()}

    @property
    def current_a(self) -> float:
        """The present current of V+, in ampere: that of all servos together, and what a short draws."""
        with self._lock:
            self._advance()
            return self._mechanism.current_a() + self.stray_a

    def hand_moves(self, tile: TileId, position: Position) -> None:
        """Tip a released tile by hand. Raises `ValueError` if its servo holds it or another tile is in the way."""
        with self._lock:
            self._advance()
            self._mechanism.hand_moves(tile, position)

    def press_button(self, seconds: float) -> None:
        """Hold the button down for `seconds` from now. Raises `ValueError` unless that is more than zero."""
        if seconds <= 0:
            raise ValueError(f"a press takes longer than {seconds} s")
        with self._lock:
            self._advance()
            self._lines.press(self._now_s + seconds)

    def open_lid(self) -> None:
        with self._lock:
            if LID_CLOSED in self.faults:
                self.lift(LID_CLOSED)
            self._move_lid(closed=False)

    def close_lid(self) -> None:
        """Close the lid: no tile comes up under it."""
        with self._lock:
            self._move_lid(closed=True)

    @property
    def lid_is_closed(self) -> bool:
        return self._lines.lid_closed

    def throw_dice(self, count: int, looks: Sequence[DieLook] | None = None) -> None:
        """Throw `count` dice into the field; without `looks` they are drawn from the known ones.

        Raises `ValueError` for another number of looks, or if the field has no room.
        """
        with self._lock:
            self._advance()
            if looks is None:
                chosen = (self._throws.choice(LOOKS) for _ in range(count))
                looks = [DieLook(self.box.die_mm, body, pip) for body, pip in chosen]
            if len(looks) != count:
                raise ValueError(f"{count} dice need {count} looks, not {len(looks)}")
            self._laid.clear()
            self._throw = self._throw_into_field(looks, _THROW_MARGIN_MM)

    def lay_dice(self, dice: Sequence[SimulatedDie]) -> None:
        """Put these dice down exactly as given: leaning, on one another, anywhere."""
        with self._lock:
            self._laid.clear()
            self._throw = DiceThrow(self._clock(), self._clock(), tuple(dice), 0)

    def lay_set(self, colour: str, values: Sequence[int]) -> None:
        """Lay dice of one colour for a claim, with these values on top, apart from those of other colours.

        Earlier dice of this colour and those of the last throw are taken away first. The dice roll a little, as thrown
        dice do. Raises `ValueError` for an unknown colour, and when there is no room.
        """
        with self._lock:
            self._advance()
            look = claim_look(colour, self.joker)
            lying = [die for each, laid in self._laid.items() if each != colour for die in laid.at_rest]
            thrown = self._throw_into_field([look] * len(values), _LAY_MARGIN_MM, lying)
            # Dice that are none of the claim would keep the camera from reading it.
            self._throw = None
            self._laid[colour] = show_values(thrown, values, self._throws)

    def _throw_into_field(
        self, looks: Sequence[DieLook], margin_mm: float, among: Sequence[SimulatedDie] = ()
    ) -> DiceThrow:
        field = self.box.field
        size = {"width_mm": field.width_mm, "depth_mm": field.depth_mm}
        return throw_dice(self._throws, looks, now_s=self._now_s, margin_mm=margin_mm, among=among, **size)

    def take_set(self, colour: str) -> None:
        """Take away the laid dice of one colour. Raises `ValueError` if there are none."""
        with self._lock:
            if colour not in self._laid:
                raise ValueError(f"no {colour} dice lie there")
            del self._laid[colour]

    def dice(self) -> tuple[SimulatedDie, ...]:
        """Return the dice as they lie or roll now; none while they are in the hand."""
        with self._lock:
            throws = (self._throw, *self._laid.values())
            return tuple(die for each in throws if each is not None for die in each.at(self._clock()))

    def hold_sheet(self, pose: SheetPose | None) -> None:
        """Hold the calibration sheet over the field, or (None) take it away."""
        self._sheet = pose

    def sheet(self) -> SheetPose | None:
        return self._sheet

    def clear_dice(self) -> None:
        with self._lock:
            self._throw = None
            self._laid.clear()

    # Time.

    def set_alarm(self, ring: Callable[[], None], at_s: float) -> None:
        """Call `ring` when the clock has reached this time, with the world in its state then; infinity: never."""
        with self._lock:
            self._advance()
            if math.isinf(at_s):
                self._alarms.pop(ring, None)
            else:
                self._alarms[ring] = at_s

    def catch_up(self) -> float:
        """Let time pass up to the clock's time, and return it in seconds."""
        with self._lock:
            self._advance()
            return self._now_s

    def command_all(self) -> None:
        """Send every servo its pulses again, since /OE or a plug may have changed those that arrive."""
        for channel in self._pulses:
            self._command(channel)

    def _advance(self) -> None:
        clock_s = self._clock()
        before_s = self._now_s
        # A chip that loses its registers on the way switches its outputs off, and that call must not catch up too.
        if clock_s <= before_s or self._catching_up:
            return
        self._catching_up = True
        try:
            # Time passes from alarm to alarm, so that each one acts at its own moment.
            while self._alarms:
                ring = min(self._alarms, key=lambda each: self._alarms[each])
                due_s = max(self._alarms[ring], self._now_s)
                if due_s > clock_s:
                    break
                self._mechanism.advance(due_s)
                self._now_s = due_s
                del self._alarms[ring]
                ring()
            self._mechanism.advance(clock_s)
        finally:
            self._catching_up = False
        self._now_s = clock_s
        self._lines.tell_release(before_s, clock_s)
        for name, (due_s, again_s, act) in list(self._again.items()):
            if due_s <= clock_s:
                self._again[name] = (clock_s + again_s, again_s, act)
                act()

    def _command(self, wire: ServoChannel) -> None:
        """Send the servo of `wire` the pulses that arrive there, depending on /OE."""
        tile = self._tile_on.get(wire)
        if tile is None:
            return
        pulse, before = self._pulses[wire], self._arriving.get(wire)
        enabled = not self._lines.level(self.box.panel.output_enable, self._now_s)
        if pulse is not None and not (enabled and PULSE_US[0] <= pulse.width_us <= PULSE_US[1]):
            pulse = None
        self._arriving[wire] = pulse
        if pulse is not None:
            self._mechanism.command(tile, pulse.width_us)
        else:
            # /OE blocks whatever the board sends.
            kick, is_off = self.tolerances.kick, self._pulses[wire] is None
            is_cut = not enabled or kick == "any" or (kick == "cut" and is_off)
            runt_us = self._cuts.runt_us(wire, before, self._now_s) if before is not None and is_cut else None
            self._mechanism.command(tile, None, runt_us)
