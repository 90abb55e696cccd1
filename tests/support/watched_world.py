"""A simulated box that remembers what went over its wires, and a mock-box that tells of it."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from hardware.box import Box
from hardware.sim.link import Words
from hardware.sim.recorder import RecordingWorld
from hardware.sim.server import Answer, Handler, Session
from hardware.sim.servo import CAREFUL, Tolerances
from hardware.wires import ExpanderPin, GpioPin, ServoChannel
from tests.support.true_box import take_stress

_REMEMBERED = 2000
_SAME_LOOK_S = 0.1
_LONGEST_HANG_S = 60.0
_MOST_MOMENTS = 500  # they fit into one message


@dataclass(frozen=True, slots=True)
class WireEvent:
    """An event on a wire at `at_s` of the world's clock.

    what: `look` (a line was read; consecutive reads within a tenth of a second count as one moment, the first),
    `enable` or `cut` (/OE went low or high), `drive` or `release` (a board's output changed, whatever /OE was).
    """

    at_s: float
    what: str
    wire: str


class WatchedWorld(RecordingWorld):
    """A world with the last two thousand moments of its wires."""

    def __init__(
        self,
        box: Box,
        clock: Callable[[], float],
        seed: int,
        store: Path | None = None,
        tolerances: Tolerances = CAREFUL,
    ) -> None:
        self.moments: deque[WireEvent] = deque(maxlen=_REMEMBERED)
        super().__init__(box, clock, seed, store, tolerances)

    def drive(self, wire: ServoChannel, pulse_us: float | None, on_us: float = 0.0) -> None:
        super().drive(wire, pulse_us, on_us)
        self._note("release" if pulse_us is None else "drive", str(wire))

    def level(self, wire: GpioPin | ExpanderPin) -> bool:
        last = self.moments[-1] if self.moments else None
        if last is None or last.what != "look" or self.now() - last.at_s > _SAME_LOOK_S:
            self._note("look", str(wire))
        return super().level(wire)

    def set_line(self, wire: GpioPin, high: bool | None) -> None:
        before = self.enabled
        super().set_line(wire, high)
        if self.enabled is not before:
            self._note("enable" if self.enabled else "cut", str(wire))

    def _note(self, what: str, wire: str) -> None:
        self.moments.append(WireEvent(self.now(), what, wire))


def instruments(world: WatchedWorld) -> Mapping[str, Handler]:
    """Return the handlers of a mock-box for actions that no hand does, and values that only instruments show."""

    def hang(_session: Session, words: Words, _data: bytes) -> Answer:
        seconds = float(words["seconds"])
        if not 0 < seconds <= _LONGEST_HANG_S:
            raise ValueError(f"a transfer hangs for up to {_LONGEST_HANG_S:.0f} s, not {seconds}")
        world.hang_bus(seconds)
        return {}, b""

    def stress(_session: Session, _words: Words, _data: bytes) -> Answer:
        """Answer with the loads of servos and supply since the last such request."""
        record = take_stress(world)
        return {
            "unmoved_s": {str(tile): round(seconds, 4) for tile, seconds in record.unmoved_s.items()},
            "most_a": round(max(record.most_a, record.most_kicking_a), 3),
            "pushed": sorted(map(str, record.pushed)),
        }, b""

    def moments(_session: Session, words: Words, _data: bytes) -> Answer:
        after_s = float(words["after_s"])
        late = [[each.at_s, each.what, each.wire] for each in world.moments if each.at_s > after_s]
        return {"moments": late[:_MOST_MOMENTS]}, b""

    return {"hang": hang, "stress": stress, "moments": moments}
