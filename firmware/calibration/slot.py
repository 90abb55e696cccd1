"""The calibration of a tile on a slotted rod, by the two edges that its wood has.

Pushed from its stop a tile falls over at one angle, and lifted from its ledge it stands up at the same one: at 18 to 21
degrees its weight and its stop magnet balance. Both sensors show on which side of that a tile has come to rest, and one
is enough. Between the two edges the rod is free, so the pulses of all three places follow from them by the drawing.
Once the side of shut is known nothing is pressed: before either edge only the tile itself is on the rod.
"""

import math
from dataclasses import dataclass
from statistics import median

from firmware.calibration.measure import EndPoints, Evidence, Proposal, judge
from firmware.calibration.strokes import NotMeasured, Search, Stroke
from firmware.tiles.drive import SLOWEST_US_PER_S
from hardware.box import LEAST_US, MOST_US, Box
from hardware.tiles import Position, TileId

# Where a slow stroke tips the tile on the way from rest to shut, and where one stands it up on the way from rest to
# open, as parts of these ways: at 17 and 21 degrees, by the linkage of the drawing with the play of a typical tile (2
# to 5 degrees). Other plays and balances move the three pulses by 2 degrees of the horn at most.
FALLS_AT, STANDS_AT = 0.505, 0.790
# Steps below 6 degrees of the horn (67 us), from which it does not shoot beyond its goal. They may throw the tile over
# before its edge; the edge itself is therefore halved with slow strokes, which begin this far before their goal.
_STEP_US, _SLOW_US = 48.0, 140.0
# Where the rod is free on the way from falling to standing up, by the same linkage.
_FREE_AT = 0.26
_ENOUGH_US = 8.0
# From where a dull shut sensor opens to where every tile stands.
_LIFT_ON_US = 600.0
_BEYOND_US, _SEARCHES = 24.0, 3
# The longest way to an edge: the whole way of a servo of least travel, with a horn and a clock that are off.
_REACH_US = 1100.0

_FREE_IT = "Free the tile, hands off; check that its servo is plugged in and not slow, its horn tight, no sensor stuck."
_UNCLEAR = "Look at its sensors: the switch, the magnet, the gap between magnet and sensor, and their wires."


@dataclass(frozen=True, slots=True)
class Slotted:
    """A tile on a slotted rod by its profile: pulses in microseconds, and whether it has an open sensor."""

    open_us: float
    rest_us: float
    shut_us: float
    sees_open: bool

    @property
    def falls_us(self) -> float:
        return self.rest_us + FALLS_AT * (self.shut_us - self.rest_us)

    @property
    def stands_us(self) -> float:
        return self.rest_us + STANDS_AT * (self.open_us - self.rest_us)

    @property
    def middle_us(self) -> float:
        """A pulse that leaves a standing tile alone, however its servo is mounted."""
        return (self.open_us + self.shut_us) / 2

    def ends(self, falls_us: float, stands_us: float) -> EndPoints:
        """Return the pulses of a tile that falls and stands up at these.

        They are those of the drawing's linkage, moved and stretched so that its edges are where those of the tile are.
        """
        scale = (falls_us - stands_us) / (self.falls_us - self.stands_us)
        moved = [falls_us + scale * (each - self.falls_us) for each in (self.open_us, self.shut_us, self.rest_us)]
        return EndPoints(*moved)


def slotted_tile(box: Box, tile: TileId) -> Slotted | None:
    """Return the tile by the box's common pulses; None if its rod is rigid."""
    motion = box.motion
    if motion.rest_us is None:
        return None
    return Slotted(motion.open_us, motion.rest_us, motion.shut_us, box.tiles[tile].open is not None)


def find_slot_ends(tile: Slotted, *, finely: bool = True) -> Search[EndPoints]:
    """Find the side to which the servo lays the tile, and both edges; leave the tile standing and free.

    finely: halve the edges too. Raises `NotMeasured`.
    """
    rod = _Rod(tile)
    yield from rod.find_way(tile.middle_us)
    if rod.at is Position.OPEN and not tile.sees_open:
        yield from rod.lift_on()
    other = Position.OPEN if rod.at is Position.SHUT else Position.SHUT
    try:
        yield from rod.creep(other)
    except NotMeasured:
        # A kicked horn may have tipped the tile on the way to the wrong side.
        rod.turn()
        yield from rod.go(tile.middle_us)
        yield from rod.creep(other)
    falls, stands = rod.edges[Position.SHUT], rod.edges[Position.OPEN]
    if finely:
        falls = yield from rod.find_edge(Position.SHUT)
        stands = yield from rod.find_edge(Position.OPEN)
        yield from rod.bring(Position.OPEN)
    ends = tile.ends(rod.way * falls, rod.way * stands)
    if rest := ends.to_rest:
        yield rest
    return ends


class _Rod:
    """The strokes of one search.

    way: 1 if a longer pulse lays the tile, else -1; pulses times `way` grow towards shut.
    at: where the tile was at rest after the last stroke.
    edges: from which place on it comes to each end.
    """

    def __init__(self, tile: Slotted) -> None:
        self._sees_open = tile.sees_open
        self._free_us = _FREE_AT * abs(tile.falls_us - tile.stands_us)
        self.way = 1
        self.at = Position.UNKNOWN
        self.edges: dict[Position, float] = {}
        self._seen: set[Position] = set()
        self._place = 0.0

    def turn(self) -> None:
        """Take the other side for that of shut."""
        self.way, self._place = -self.way, -self._place
        self.edges = {where: -place for where, place in self.edges.items()}

    def find_way(self, middle_us: float) -> Search[None]:
        """Step away from the middle, to both sides in turn, until the tile falls or stands up."""
        yield from self.go(middle_us)
        began, far_us = self.at, 0.0
        while far_us < _REACH_US:
            far_us += _STEP_US
            for side in (1, -1):
                pulse_us = middle_us + side * far_us
                if LEAST_US <= pulse_us <= MOST_US:
                    yield from self.go(pulse_us)
                    if self.at is not began and self.at is not Position.BETWEEN:
                        self.way = side if self.at is Position.SHUT else -side
                        self._place = self.edges[self.at] = self.way * pulse_us
                        return
        if Position.BETWEEN in self._seen and began is Position.OPEN:
            raise NotMeasured("it opens, but its shut sensor never answered", _UNCLEAR)
        raise NotMeasured(f"driven, but its sensors keep saying {began.lower()}", _FREE_IT, lost=True)

    def creep(self, to: Position) -> Search[None]:
        """Step on until the tile comes to rest at `to`."""
        begun, step_us = self._place, _STEP_US * _towards(to)
        while abs(self._place - begun) < _REACH_US and LEAST_US <= self.way * (self._place + step_us) <= MOST_US:
            yield from self.go(self.way * (self._place + step_us))
            if self.at is to:
                self.edges[to] = self._place
                return
        back = "shut" if to is Position.OPEN else "open"
        raise NotMeasured(f"it comes to where it is {back}, but not back to where it is {to.lower()}", _FREE_IT)

    def find_edge(self, to: Position) -> Search[float]:
        """Find the edge from which on a slow stroke brings the tile to `to`, near the one found by steps.

        Kicks may bring the tile there before it, and keep it from there beyond it. So beyond the edge that was found it
        must come there twice before it does not twice, or the edge is looked for once more.
        """
        for _ in range(_SEARCHES):
            edge = yield from self._halve(to)
            came: list[bool] = []
            while came.count(True) < 2 and came.count(False) < 2:
                came.append((yield from self._goes(edge + _towards(to) * _BEYOND_US, to)))
            if came.count(True) == 2:
                self.edges[to] = edge
                return edge
        raise NotMeasured("it falls or stands up now here, now there", _FREE_IT)

    def _halve(self, to: Position) -> Search[float]:
        edge, towards = self.edges[to], _towards(to)
        short, beyond = edge - towards * _STEP_US, edge + towards * _STEP_US
        while not (yield from self._surely_goes(beyond, to)):
            short, beyond = beyond, beyond + towards * _SLOW_US
            self._check_reach(edge, beyond)
        while (yield from self._surely_goes(short, to)):
            short, beyond = short - towards * _SLOW_US, short
            self._check_reach(edge, short)
        while abs(beyond - short) > _ENOUGH_US:
            middle = (short + beyond) / 2
            goes = yield from self._surely_goes(middle, to)
            short, beyond = (short, middle) if goes else (middle, beyond)
        return (short + beyond) / 2

    def bring(self, where: Position) -> Search[None]:
        """Bring the tile to `where`, beyond its edge; the edge may have been found too early."""
        if self.at is not where:
            yield from self.go(self.way * (self.edges[where] + _towards(where) * _STEP_US))
        if self.at is not where:
            yield from self.creep(where)

    def _surely_goes(self, place: float, to: Position) -> Search[bool]:
        """Return True if a slow stroke to `place` brings the tile to `to` twice, since a kick may have done it once."""
        return (yield from self._goes(place, to)) and (yield from self._goes(place, to))

    def _goes(self, place: float, to: Position) -> Search[bool]:
        before = place - _towards(to) * _SLOW_US
        if to is Position.SHUT:
            yield from self.bring(Position.OPEN)
        elif self.at is not Position.BETWEEN:
            # A lying tile is lifted ever more slowly, since a quick rod throws it up to its stop.
            yield from self.bring(Position.SHUT)
            yield from self.go(self.way * (before + _SLOW_US), self._free_place_us(), on_rod=True)
            if self.at is not to:
                yield from self.go(self.way * before, self.way * (before + _SLOW_US), on_rod=True)
        if self.at is not to:
            yield from self.go(self.way * place, self.way * before)
        return self.at is to

    def _check_reach(self, edge: float, place: float) -> None:
        if abs(place - edge) > _REACH_US:
            raise NotMeasured("it falls or stands up now here, now there", _FREE_IT)

    def lift_on(self) -> Search[None]:
        """Lift a tile that no sensor sees stand, and that is no longer shut, until it surely stands."""
        for _ in range(round(_LIFT_ON_US / _STEP_US)):
            place = self._place - _STEP_US
            if LEAST_US <= self.way * place <= MOST_US:
                yield from self.go(self.way * place)
        self.edges[Position.OPEN] = self._place

    def _free_place_us(self) -> float:
        """Return a pulse at which the rod is free, by the edge at which the tile falls."""
        return self.way * (self.edges[Position.SHUT] - self._free_us)

    def go(self, pulse_us: float, via_us: float | None = None, *, on_rod: bool = False) -> Search[None]:
        """Stroke, and note where the tile comes to rest; try again if its sensors do not say.

        Without an open sensor OPEN means only not shut, so the rod lets the tile go to see whether it stands; but not
        if it is to stay `on_rod`.
        """
        self._place = self.way * pulse_us
        for _ in range(2):
            seen = yield Stroke(pulse_us, via_us=via_us)
            if seen.rest is Position.UNKNOWN:
                continue
            self.at = seen.rest
            self._seen.add(self.at)
            is_lifted = Position.SHUT in self.edges and self._place < self.way * self._free_place_us()
            if self.at is Position.OPEN and not self._sees_open and is_lifted:
                if on_rod:
                    self.at = Position.BETWEEN
                else:
                    self.at = (yield Stroke(self._free_place_us())).rest
            return
        raise NotMeasured("its sensors say shut and open at once, or flicker", _UNCLEAR, lost=True)


def _towards(end: Position) -> float:
    return 1.0 if end is Position.SHUT else -1.0


_MOVES = 5  # there and back
# A servo that takes half as long again as the slowest sound one is worn. It waits a frame, and a tile that was pushed
# over falls for 0.1 s before its sensor answers.
_LEAST_US_PER_S, _FRAME_S, _FALLS_S = SLOWEST_US_PER_S / 1.5, 0.02, 0.1


def measure_slotted(tile: Slotted) -> Search[Proposal]:
    """Measure the pulses of one tile and its moves with them; leave it standing and free. Raises `NotMeasured`."""
    ends = yield from find_slot_ends(tile)
    shut_s: list[float | None] = []
    open_s: list[float | None] = []
    for _ in range(_MOVES):
        shut_s.append((yield from _move(ends, Position.SHUT, Position.SHUT)))
        open_s.append((yield from _move(ends, Position.OPEN, Position.OPEN if tile.sees_open else None)))
    down, up = ([each for each in times if each is not None] for times in (shut_s, open_s))
    travel = abs((ends.shut_us - ends.open_us) / (tile.shut_us - tile.open_us))
    pushes_us, lifts_us = (travel * abs(edge_us - tile.rest_us) for edge_us in (tile.falls_us, tile.stands_us))
    arrives = len(down) == _MOVES and median(down) <= _FRAME_S + pushes_us / _LEAST_US_PER_S + _FALLS_S
    if tile.sees_open:
        arrives = arrives and len(up) == _MOVES and median(up) <= _FRAME_S + lifts_us / _LEAST_US_PER_S
    kept = ends.clamped()
    cut_us = max(abs(kept.open_us - ends.open_us), abs(kept.shut_us - ends.shut_us))
    repeat_s = max(_spread_s(down), _spread_s(up))
    # Play only lengthens the slot, and both edges were found as they are.
    evidence = Evidence(doubt_deg=0.0, play_deg=0.0, travel=travel, way_s=0.0 if arrives else math.inf)
    verdict, reason = judge(evidence, cut_us=cut_us, repeat_s=repeat_s)
    return Proposal(
        open_us=round(kept.open_us),
        shut_us=round(kept.shut_us),
        shut_s=median(down) if down else None,
        open_s=median(up) if up else None,
        repeat_s=repeat_s,
        verdict=verdict,
        reason=reason,
        rest_us=round(kept.rest_us) if kept.rest_us is not None else None,
    )


def _move(ends: EndPoints, towards: Position, to: Position | None) -> Search[float | None]:
    """Move the tile and bring its rod to rest; return the seconds to the sensor of `to`, if it answered."""
    seen = yield Stroke(ends.pulse_us(towards), to)
    if rest := ends.to_rest:
        yield rest
    return seen.arrived_s


def _spread_s(times_s: list[float]) -> float:
    """Return the spread of the times without the earliest and the latest: a kick spoils one in ten."""
    inner_s = sorted(times_s)[1:-1]
    return inner_s[-1] - inner_s[0] if inner_s else 0.0
