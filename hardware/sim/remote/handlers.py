"""Handlers of the mock-box's requests that need only its world: header lines, hands, a look, and campaigns."""

import errno
import os
from collections.abc import Mapping

from hardware.sim.hands import ACTIONS, look_at
from hardware.sim.remote.protocol import Words
from hardware.sim.remote.recorder import RecordingWorld
from hardware.sim.remote.server import Answer, Handler, Session
from hardware.wires import GpioPin, parse_gpio

_LONGEST_HANG_S = 60.0
_MOST_MOMENTS = 500  # they fit into one message
_DONE: Answer = ({}, b"")


def box_handlers(world: RecordingWorld) -> Mapping[str, Handler]:
    return {
        "hello": lambda _session, _words, _data: ({"box": world.box.model_dump_json(), "seed": world.seed}, b""),
        **_Header(world).handlers(),
        **{name: _by_hand(world, name) for name in ACTIONS},
        **_campaign_handlers(world),
    }


def _by_hand(world: RecordingWorld, name: str) -> Handler:
    def do(_session: Session, words: Words, _data: bytes) -> Answer:
        ACTIONS[name](world, words)
        return _DONE

    return do


class _Header:
    """The lines of the header. Each is driven or watched by one client at a time, as on Linux.

    Lifetime: that of the server; a client that leaves releases its lines. Concurrency: one request at a time.
    """

    def __init__(self, world: RecordingWorld) -> None:
        self._world = world
        self._owners: dict[GpioPin, Session] = {}

    def handlers(self) -> Mapping[str, Handler]:
        return {
            "line": lambda _session, words, _data: ({"high": self._world.level(parse_gpio(words["line"]))}, b""),
            "check": self._check,
            "drive": self._drive,
            "watch": self._watch,
        }

    def _check(self, _session: Session, words: Words, _data: bytes) -> Answer:
        self._world.check_line(parse_gpio(words["line"]))
        return _DONE

    def _drive(self, session: Session, words: Words, _data: bytes) -> Answer:
        line, high = parse_gpio(words["line"]), words["high"]
        if high is not None and not isinstance(high, bool):
            raise ValueError("a line is driven high (true), low (false) or let go (null)")
        if high is None:
            self._let_go(session, line)
        else:
            self._claim(session, line)
            self._world.set_line(line, high)
        return _DONE

    def _watch(self, session: Session, words: Words, _data: bytes) -> None:
        line = parse_gpio(words["line"])
        self._world.check_line(line, edges=True)
        self._claim(session, line)
        # The answer goes out before the first edge can come.
        session.push({})
        self._world.watch_line(line, lambda high: session.push({"high": high}))

    def _claim(self, session: Session, line: GpioPin) -> None:
        owner = self._owners.get(line)
        if owner is None:
            self._owners[line] = session
            session.on_end(lambda: self._let_go(session, line))
        elif owner is not session:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))

    def _let_go(self, session: Session, line: GpioPin) -> None:
        if self._owners.get(line) is session:
            del self._owners[line]
            self._world.watch_line(line, None)
            self._world.set_line(line, None)


def _campaign_handlers(world: RecordingWorld) -> Mapping[str, Handler]:
    """Return the handlers for campaigns: actions that no hand does, and values that only instruments show."""

    def hang(_session: Session, words: Words, _data: bytes) -> Answer:
        seconds = float(words["seconds"])
        if not 0 < seconds <= _LONGEST_HANG_S:
            raise ValueError(f"a transfer hangs for up to {_LONGEST_HANG_S:.0f} s, not {seconds}")
        world.hang_bus(seconds)
        return _DONE

    def stress(_session: Session, _words: Words, _data: bytes) -> Answer:
        """Answer with the loads of servos and supply since the last such request."""
        record = world.take_stress()
        return {
            "unmoved_s": {str(tile): round(seconds, 4) for tile, seconds in record.unmoved_s.items()},
            "most_a": round(max(record.most_a, record.most_kicking_a), 3),
            "pushed": sorted(map(str, record.pushed)),
        }, b""

    def look(_session: Session, _words: Words, _data: bytes) -> Answer:
        box, pulses = world.box, world.pulses
        return {
            **look_at(world),
            "pulses_us": {
                str(tile): round(pulses[wiring.servo]) for tile, wiring in box.tiles.items() if wiring.servo in pulses
            },
            "enabled": world.enabled,
            "current_a": round(world.current_a, 3),
            "now_s": world.now(),
            "quiet_since_s": world.quiet_since_s,
        }, b""

    def moments(_session: Session, words: Words, _data: bytes) -> Answer:
        after_s = float(words["after_s"])
        late = [[each.at_s, each.what, each.wire] for each in world.moments if each.at_s > after_s]
        return {"moments": late[:_MOST_MOMENTS]}, b""

    return {"hang": hang, "stress": stress, "look": look, "moments": moments}
