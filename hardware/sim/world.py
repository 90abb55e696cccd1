"""The one simulated world of a box: tiles, servos, sensors, supply and dice, moved by pulses and hands alone.

It knows wires and nothing above them. Time comes from the clock it is given; it catches up whenever somebody
calls, in steps of 2 ms while something moves and in one jump while nothing does.
"""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hardware.box import Box
from hardware.sim.claim_set import JOKERS, claim_look
from hardware.sim.dice import LOOKS, DiceThrow, DieLook, SimulatedDie, show_values, throw_dice
from hardware.sim.fault_injection import LID_CLOSED, FaultInjection
from hardware.sim.lines import Lines
from hardware.sim.mechanism import Mechanism
from hardware.sim.pulses import PULSE_US, Cuts, Pulse
from hardware.sim.stress import StressRecord
from hardware.sim.tolerances import CAREFUL, Tolerances
from hardware.tiles import Position, TileId
from hardware.wires import ExpanderPin, GpioPin, ServoChannel

_THROW_MARGIN_MM = 22.0  # the middle of a thrown die comes to rest at least so far from the edges of the field
_LAY_MARGIN_MM = 34.0  # ... of one that is laid for a claim: nobody lays it on a marker


@dataclass(frozen=True, slots=True)
class SheetPose:
    """The pose of a flat sheet that somebody holds: its middle (x, y, height over the baize) in mm, and its turn.

    `turn_rad` turns it about the vertical, clockwise as seen from above; `rise` is how fast it then rises to the
    right and towards the player, in mm a mm.
    """

    middle_mm: tuple[float, float, float]
    turn_rad: float = 0.0
    rise: tuple[float, float] = (0.0, 0.0)


class World(FaultInjection):
    """One simulated box. Faults are values of it; `lift` undoes them.

    `clock` gives seconds and never runs backwards; `seed` decides every tolerance, bounce and throw; `store`
    is the file the tiles are kept in (without it they are kept in memory and stand at the start). `tolerances` say
    how far the servos differ from the profile.

    Lifetime: from construction on; nothing needs closing. Raises `BoxError` for a damaged store.
    Concurrency: any thread; one lock. Edges are told in the thread that causes them.
    """

    def __init__(
        self,
        box: Box,
        clock: Callable[[], float],
        seed: int,
        store: Path | None = None,
        tolerances: Tolerances = CAREFUL,
    ) -> None:
        self.seed = seed
        self.joker = JOKERS[0]  # drawn on the sixth face of the dice that are laid for claims
        self._clock = clock
        self._now_s = clock()
        self._catching_up = False
        self._cuts = Cuts(random.Random(f"{seed}/cuts"))
        self._pulses: dict[ServoChannel, Pulse | None] = {}
        self._arriving: dict[ServoChannel, Pulse | None] = {}
        self._alarms: dict[Callable[[], None], float] = {}
        mechanism = Mechanism(box, seed, self._now_s, store, self._tell_sensors, tolerances)
        super().__init__(box, mechanism, Lines(box, mechanism))
        self._throws = random.Random(f"{seed}/throws")
        self._throw: DiceThrow | None = None
        self._laid: dict[str, DiceThrow] = {}  # by colour
        self._sheet: SheetPose | None = None

    def now(self) -> float:
        """Seconds on the world's clock."""
        return self._clock()

    # The wire.

    def drive(self, wire: ServoChannel, pulse_us: float | None, on_us: float = 0.0) -> None:
        """The output of a servo board changed: pulses of this width in microseconds, `on_us` into each frame, or none.

        Pulses that end at once, at whatever moment of the frame, may leave a runt.
        """
        with self._lock:
            self._advance()
            self._pulses[wire] = Pulse(pulse_us, on_us) if pulse_us is not None else None
            self._command(wire)

    def level(self, wire: GpioPin | ExpanderPin) -> bool:
        """The electrical level of a line now: sensors, lid and button pull it low; undriven lines are high."""
        with self._lock:
            self._advance()
            return self._lines.level(wire, self._now_s)

    def set_line(self, wire: GpioPin, high: bool | None) -> None:
        """The computer drives an output line (/OE, LED, speaker); None: no longer. /OE high stops all pulses."""
        with self._lock:
            self._advance()
            self._lines.drive(wire, high)
            if wire == self.box.panel.output_enable:
                self.command_all()

    def watch_line(self, wire: GpioPin, changed: Callable[[bool], None] | None) -> None:
        """Call `changed(level)` when the line of the panel or of a sensor changes; None ends it.

        Raises `OSError` as `check_line`.
        """
        with self._lock:
            if changed is not None:
                self.check_line(wire, edges=True)
            self._lines.watch(wire, changed)

    def attach(self, address: int, lose_registers: Callable[[], None]) -> None:
        """The chip at `address` hangs on the supply: it is told when it loses its registers."""
        self._on_loss[address] = lose_registers

    def watch_inputs(self, address: int, changed: Callable[[], None]) -> None:
        """Call `changed()` when a sensor on the expander at this address changes."""
        with self._lock:
            self._lines.watch_inputs(address, changed)

    def pull_line(self, wire: GpioPin, address: int, low: bool) -> None:
        """The chip at this address pulls a line low with its open-drain output, or lets it go."""
        with self._lock:
            self._lines.pull(wire, address, low)
            self._lines.tell(wire, self._now_s)

    def is_silent(self, address: int) -> bool:
        """True if a fault keeps the chip at `address` from acknowledging."""
        with self._lock:
            self._advance()
            return address in self._silent

    # Hands and eyes.

    def position(self, tile: TileId) -> Position:
        """The true position of the tile, whatever its sensors say."""
        with self._lock:
            self._advance()
            return self._mechanism.position(tile)

    def end_points_us(self, tile: TileId) -> tuple[float, float]:
        """The true pulse widths at which the tile stands (0 degrees) and lies (90 degrees), in microseconds."""
        return self._mechanism.servos[tile].end_points_us

    def play_deg(self, tile: TileId) -> float:
        """The play of the tile's linkage in degrees."""
        return self._mechanism.servos[tile].play_deg

    @property
    def current_a(self) -> float:
        """The current of all servos together now, in ampere."""
        with self._lock:
            self._advance()
            return self._mechanism.current_a()

    @property
    def stress(self) -> StressRecord:
        """The worst that servos and supply have suffered so far."""
        with self._lock:
            self._advance()
            self._mechanism.note_running()
            return self._mechanism.stress

    def take_stress(self) -> StressRecord:
        """The stress record so far; a new one begins, in which what is driven now counts from its own beginning."""
        with self._lock:
            taken = self.stress
            self._mechanism.stress = StressRecord()
            return taken

    def travel_s(self, tile: TileId, to: Position) -> float:
        """Seconds that the tile takes for its 90 degrees at full supply; coming up is the loaded way."""
        return self._mechanism.servos[tile].travel_s(loaded=to is Position.OPEN)

    @property
    def driven(self) -> tuple[TileId, ...]:
        """The tiles whose servos get pulses now."""
        with self._lock:
            self._advance()
            return tuple(tile for tile, servo in self._mechanism.servos.items() if servo.is_driven)

    def breaks_stack_rule(self) -> bool:
        """True if a tile lies behind one that stands, which the stack rule forbids."""
        with self._lock:
            self._advance()
            return self._mechanism.breaks_stack_rule()

    def hand_moves(self, tile: TileId, position: Position) -> None:
        """A hand tips a released tile. Raises `ValueError` if the servo holds it or wood is in the way."""
        with self._lock:
            self._advance()
            self._mechanism.hand_moves(tile, position)

    def press_button(self, seconds: float) -> None:
        """A finger holds the button down for `seconds` from now. Raises `ValueError` for no time at all."""
        if seconds <= 0:
            raise ValueError(f"a press takes longer than {seconds} s")
        with self._lock:
            self._advance()
            self._lines.press(self._now_s + seconds)

    def open_lid(self) -> None:
        """The lid is lifted (as at the start)."""
        with self._lock:
            if LID_CLOSED in self.faults:
                self.lift(LID_CLOSED)
            self._move_lid(closed=False)

    def close_lid(self) -> None:
        """The lid is let down: no tile comes up under it."""
        with self._lock:
            self._move_lid(closed=True)

    @property
    def lid_is_closed(self) -> bool:
        """True if the lid is down."""
        return self._lines.lid_closed

    def throw_dice(self, count: int, looks: Sequence[DieLook] | None = None) -> None:
        """A hand throws `count` dice into the field; without `looks` they are drawn from the known ones.

        Raises `ValueError` for another number of looks, or for more dice than the field has room for.
        """
        with self._lock:
            self._advance()
            if looks is None:
                chosen = (self._throws.choice(LOOKS) for _ in range(count))
                looks = [DieLook(self.box.die_mm, body, pip) for body, pip in chosen]
            if len(looks) != count:
                raise ValueError(f"{count} dice need {count} looks, not {len(looks)}")
            layout = self.box.field
            self._laid.clear()
            self._throw = throw_dice(
                self._throws,
                looks,
                now_s=self._now_s,
                width_mm=layout.width_mm,
                depth_mm=layout.depth_mm,
                margin_mm=_THROW_MARGIN_MM,
            )

    def lay_dice(self, dice: Sequence[SimulatedDie]) -> None:
        """A hand puts these dice down just so: leaning, on one another, wherever."""
        with self._lock:
            self._laid.clear()
            self._throw = DiceThrow(self._clock(), self._clock(), tuple(dice), 0)

    def lay_set(self, colour: str, values: Sequence[int]) -> None:
        """A hand lays dice of one colour for a claim, with these values on top, apart from what lies there.

        Those of this colour that lay there are taken up first; the others stay. They roll a little, as thrown dice do.
        Raises `ValueError` for a colour that there is not, and when they find no room.
        """
        with self._lock:
            self._advance()
            look = claim_look(colour, self.joker)
            others = [each for each in (self._throw, *self._laid.values()) if each is not None]
            if colour in self._laid:
                others.remove(self._laid[colour])
            layout = self.box.field
            thrown = throw_dice(
                self._throws,
                [look] * len(values),
                now_s=self._now_s,
                width_mm=layout.width_mm,
                depth_mm=layout.depth_mm,
                margin_mm=_LAY_MARGIN_MM,
                among=[die for each in others for die in each.at_rest],
            )
            self._laid[colour] = show_values(thrown, values, self._throws)

    def take_set(self, colour: str) -> None:
        """A hand takes the dice of one colour away that were laid. Raises `ValueError` when none lie there."""
        with self._lock:
            if colour not in self._laid:
                raise ValueError(f"no {colour} dice lie there")
            del self._laid[colour]

    def dice(self) -> tuple[SimulatedDie, ...]:
        """The dice as they lie or roll now; none while they are in the hand."""
        with self._lock:
            throws = (self._throw, *self._laid.values())
            return tuple(die for each in throws if each is not None for die in each.at(self._clock()))

    def hold_sheet(self, pose: SheetPose | None) -> None:
        """A hand holds the calibration sheet over the field, or takes it away."""
        self._sheet = pose

    def sheet(self) -> SheetPose | None:
        """The pose of the calibration sheet; None if nobody holds it."""
        return self._sheet

    def clear_dice(self) -> None:
        """A hand takes the dice away."""
        with self._lock:
            self._throw = None
            self._laid.clear()

    # Time.

    def set_alarm(self, ring: Callable[[], None], at_s: float) -> None:
        """Call `ring` when the clock has come to this time, in that state of the world; infinity: not any more."""
        with self._lock:
            self._advance()
            if math.isinf(at_s):
                self._alarms.pop(ring, None)
            else:
                self._alarms[ring] = at_s

    def catch_up(self) -> float:
        """Let time pass up to the clock's; returns what the clock shows, in seconds."""
        with self._lock:
            self._advance()
            return self._now_s

    def command_all(self) -> None:
        """Send every servo its pulses anew: /OE or a plug may have changed what arrives."""
        for channel in self._pulses:
            self._command(channel)

    def _advance(self) -> None:
        clock_s = self._clock()
        before_s = self._now_s
        # A chip that loses its registers on the way switches its outputs off: that call must not catch up too.
        if clock_s <= before_s or self._catching_up:
            return
        self._catching_up = True
        try:
            self._ring_until(clock_s)
            self._mechanism.advance(clock_s)
        finally:
            self._catching_up = False
        self._now_s = clock_s
        self._lines.tell_release(before_s, clock_s)
        self._forget_again()

    def _ring_until(self, clock_s: float) -> None:
        """Let time pass from alarm to alarm: what each one does happens at its own moment."""
        while self._alarms:
            ring = min(self._alarms, key=lambda each: self._alarms[each])
            due_s = max(self._alarms[ring], self._now_s)
            if due_s > clock_s:
                return
            self._mechanism.advance(due_s)
            self._now_s = due_s
            del self._alarms[ring]
            ring()

    def _tell_sensors(self, tile: TileId) -> None:
        self._lines.tell_sensors(tile)

    def _forget_again(self) -> None:
        for address, (due_s, again_s) in list(self._forgets_s.items()):
            if due_s <= self._now_s:
                self._forgets_s[address] = (self._now_s + again_s, again_s)
                self._lose(address)

    def _command(self, wire: ServoChannel) -> None:
        """Pass on what arrives at the servo of `wire`, /OE considered."""
        tile = self._tile_on.get(wire)
        if tile is None:
            return
        pulse, before = self._arriving_at(wire), self._arriving.get(wire)
        self._arriving[wire] = pulse
        if pulse is not None:
            self._mechanism.command(tile, pulse.width_us)
        elif before is not None:
            self._mechanism.command(tile, None, self._cuts.runt_us(wire, before, self._now_s))
        else:
            self._mechanism.command(tile, None)

    def _arriving_at(self, wire: ServoChannel) -> Pulse | None:
        pulse = self._pulses[wire]
        enabled = not self._lines.level(self.box.panel.output_enable, self._now_s)
        is_pulse = pulse is not None and PULSE_US[0] <= pulse.width_us <= PULSE_US[1]
        return pulse if enabled and is_pulse else None
