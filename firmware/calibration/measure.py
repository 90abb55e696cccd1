"""Measuring one tile, from the first step to its end points: a search that ends with a proposal and a verdict."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from firmware.calibration.ends import SPAN_DEG, Ends, Nominal, find_ends, find_shut_edge, stays_shut
from firmware.calibration.fit import OPEN_OFF_DEG, Route, Travels, fit, travel
from firmware.calibration.strokes import TICK_US, NotMeasured, Search, Stroke
from hardware.box import LEAST_TRAVEL_US, LEAST_US, MOST_US, PULSE_MARGIN_US
from hardware.calibration import Verdict
from hardware.tiles import Position

# The play is known to 1.5 degrees, half of them the switch's own. A sound linkage has up to 5 degrees, and so shows up
# to 6.5; one with 10, which is to be tightened, shows at least 8.5.
_LOOSE_DEG = 7.5
# Switches are accurate to 3 degrees (see `fit.py`), and times to 1, so a larger doubt has another cause.
_DOUBT_DEG = 4.0
# A servo as sold takes 0.10 to 0.13 s for 60 degrees, so a warm one at most 0.22 s for the whole way.
_WAY_S = 0.33
_REPEAT_S = 0.04  # a servo acts once per frame of 20 ms, so moves that differ by two frames are uneven
# Pulse per degree relative to the profile's: boards' clocks and servos together differ by 15 %.
_TRAVEL = (0.8, 1.25)

# All in degrees of the profile's tile, from which a real one may differ by a sixth.
# From a sensor's edge to the place where its servo stalls: the sensor's angle (19 degrees from the stop, 30 from the
# ledge), a play, and a step too early.
_TO_STOP_DEG, _TO_LEDGE_DEG = 32.0, 40.0
# From there on the sensor surely answers, and its servo does not stall yet.
_SURELY_DEG = 3.0
# From the shut sensor's edge to a place above its hysteresis, and below the stop: where no sensor shows either.
_BLIND_DEG = 50.0
# A falling tile with much play has not caught up with its rod where a keen Hall sensor answers, and seems tight. But a
# sensor that answers FAR_DEG before the ledge, less half a sound play and an error, has a hysteresis of more than
# LIFT_DEG and a sound play: a lifted tile swings on by its play, and only a loose one out of the sensor's reach.
FAR_DEG, LIFT_DEG = 32.0, 10.5
_SHUT_ON_DEG = 76.0  # the middle of what Hall sensors of the parts list and their gaps give

_LOOSE = "loose: it follows its servo late. Tighten horn and rod, then measure it again."
_SLOW = "slow: it does not arrive in time. Look at its gears, its wires and what rubs, or replace the servo."
_UNEVEN = "uneven: its moves differ by {:.0f} ms. Look at its gears and its wires, or replace the servo."
_STRANGE = "its travel would be {:.0%} of the profile's: check whether horn and rod are those of the drawing."
_CUT = f"its servo would have to go beyond {LEAST_US} or {MOST_US} us: set its horn on again, some splines further."
_DOUBT = (
    "sensors and travel time differ by {:.1f} degrees about its ends: check whether it rubs or a sensor is shifted."
)
_BLIND = "it has no open sensor: how loose it is was not measured."
_FINE = "both ends found."


@dataclass(frozen=True, slots=True)
class Evidence:
    """Findings about a tile besides its end points, in degrees; None for those not measured.

    travel: its pulse per degree relative to the profile's.
    way_s: seconds for the whole way, without waits; infinite if it does not arrive.
    stays_shut: lifted by less than its shut sensor's hysteresis, it still shows shut (as far as was tried).
    """

    doubt_deg: float | None = None
    play_deg: float | None = None
    travel: float | None = None
    way_s: float = math.inf
    stays_shut: bool = True


def judge(evidence: Evidence, *, cut_us: float, repeat_s: float) -> tuple[Verdict, str]:
    """Return a verdict and its reason. `cut_us`: how far the end points had to be moved into the range of servos."""
    poor = None
    if evidence.way_s > _WAY_S:
        poor = _SLOW
    elif not evidence.stays_shut or (evidence.play_deg is not None and evidence.play_deg > _LOOSE_DEG):
        poor = _LOOSE
    elif repeat_s > _REPEAT_S:
        poor = _UNEVEN.format(1000 * repeat_s)
    elif evidence.travel is not None and not _TRAVEL[0] <= evidence.travel <= _TRAVEL[1]:
        poor = _STRANGE.format(evidence.travel)
    elif cut_us > PULSE_MARGIN_US:
        poor = _CUT
    if poor is not None:
        return "poor", poor
    if evidence.play_deg is None or evidence.doubt_deg is None:
        return "fair", _BLIND
    if evidence.doubt_deg > _DOUBT_DEG:
        return "fair", _DOUBT.format(evidence.doubt_deg)
    if cut_us > TICK_US:
        return "fair", _CUT
    return "good", _FINE


@dataclass(frozen=True, slots=True)
class EndPoints:
    """Pulses in microseconds that bring a tile to where it is open and shut; `rest_us` lets a slotted rod go."""

    open_us: float
    shut_us: float
    rest_us: float | None = None

    def pulse_us(self, towards: Position) -> float:
        return self.shut_us if towards is Position.SHUT else self.open_us

    @property
    def to_rest(self) -> Stroke | None:
        """The stroke that lets a slotted rod go; None for a rigid one."""
        return None if self.rest_us is None else Stroke(self.rest_us)

    def clamped(self) -> "EndPoints":
        """Return the pulses within the range of servos."""
        return EndPoints(_clamp(self.open_us), _clamp(self.shut_us), self.rest_us and _clamp(self.rest_us))


@dataclass(frozen=True, slots=True)
class Proposal:
    """Proposed end points of one tile, with a verdict and its reason; with a slotted rod also the pulse of its rest.

    shut_s, open_s: seconds from the first pulse to the sensor's answer, down and up; None where no sensor sees it.
    repeat_s: how much its moves differ.
    """

    open_us: int
    shut_us: int
    shut_s: float | None
    open_s: float | None
    repeat_s: float
    verdict: Verdict
    reason: str
    rest_us: int | None = None

    @property
    def surely(self) -> EndPoints:
        """Pulses that surely bring it to its ends, and so out of another tile's way; a slotted rod's always do."""
        way_us = PULSE_MARGIN_US if self.shut_us > self.open_us else -PULSE_MARGIN_US
        if self.rest_us is not None:
            way_us = 0
        return EndPoints(_clamp(self.open_us - way_us), _clamp(self.shut_us + way_us), self.rest_us)


def find_rough_ends(nominal: Nominal) -> Search[EndPoints]:
    """Find pulses that surely bring the tile to its ends, and so out of another's way. Raises `NotMeasured`."""
    ends = yield from find_ends(nominal)
    edge = ends.first_between or ends.last_between - _BLIND_DEG * nominal.us_per_deg
    opened = edge - _TO_STOP_DEG * nominal.us_per_deg
    shut = ends.last_between + _TO_LEDGE_DEG * nominal.us_per_deg
    return EndPoints(_clamp(ends.sign * opened), _clamp(ends.sign * shut))


def measure(nominal: Nominal) -> Search[Proposal]:
    """Measure the end points of one tile on a rigid rod, and leave it open if possible. Raises `NotMeasured`."""
    ends = yield from find_ends(nominal)
    per_deg, sees_open = nominal.us_per_deg, nominal.sees_open
    edge = yield from find_shut_edge(ends, per_deg, sees_open=sees_open)
    # Where a tile shows open, or without an open sensor is far from shut.
    opened = edge - _BLIND_DEG * per_deg if ends.last_open is None else ends.last_open - _SURELY_DEG * per_deg
    shut = edge + _SURELY_DEG * per_deg
    stop, ledge = opened - _TO_STOP_DEG * per_deg, edge + _TO_LEDGE_DEG * per_deg
    route = Route(*(_clamp(ends.sign * pulse) for pulse in (stop, opened, shut, ledge)))
    travels = yield from travel(route, nominal.frame_s, sees_open=sees_open)
    if not travels.are_enough(nominal.frame_s):
        return _propose(_rough_end_points(ends, nominal), travels, Evidence())
    found = fit(opened, shut, edge, travels, nominal.frame_s, sees_open=sees_open)
    if found.us_per_deg <= 0:
        raise NotMeasured("its two sensors answer in the wrong order", "Check whether its sensors' wires are swapped.")
    best = EndPoints(ends.sign * found.open, ends.sign * found.shut)
    keeps = True
    if found.shut - edge > FAR_DEG * found.us_per_deg:
        keeps = yield from stays_shut(ends.sign, shut, edge - LIFT_DEG * found.us_per_deg, per_deg)
        yield Stroke(route.stop)
    evidence = Evidence(found.doubt_deg, found.play_deg, found.us_per_deg / per_deg, found.way_s, keeps)
    return _propose(best, travels, evidence)


def _rough_end_points(ends: Ends, nominal: Nominal) -> EndPoints:
    """Return the end points of a sound tile with typical sensors."""
    shut = ends.first_shut + (SPAN_DEG - _SHUT_ON_DEG) * nominal.us_per_deg
    opened = shut - SPAN_DEG * nominal.us_per_deg
    if ends.last_open is not None:
        opened = ends.last_open - OPEN_OFF_DEG * nominal.us_per_deg
    return EndPoints(_clamp(ends.sign * opened), _clamp(ends.sign * shut))


def _propose(best: EndPoints, travels: Travels, evidence: Evidence) -> Proposal:
    open_us, shut_us = round(_clamp(best.open_us)), round(_clamp(best.shut_us))
    if abs(shut_us - open_us) < LEAST_TRAVEL_US:
        raise NotMeasured("its two ends would lie side by side", "Look where its sensors and its magnet sit.")
    cut_us = max(abs(open_us - best.open_us), abs(shut_us - best.shut_us))
    shut_s = _mean([move.arrived_s for move in travels.down])
    open_s = _mean([move.arrived_s for move in travels.up]) if evidence.play_deg is not None else None
    verdict, reason = judge(evidence, cut_us=cut_us, repeat_s=travels.spread_s)
    return Proposal(open_us, shut_us, shut_s, open_s, travels.spread_s, verdict, reason)


def _clamp(pulse_us: float) -> float:
    return max(float(LEAST_US), min(float(MOST_US), pulse_us))


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None
