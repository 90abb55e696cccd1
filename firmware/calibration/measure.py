"""Measuring one tile, from the first step to its end points: a search that ends with a proposal and a verdict."""

from dataclasses import dataclass
from statistics import fmean

from firmware.calibration.ends import SPAN_DEG, Ends, Nominal, find_edges, find_ends, find_shut_edges
from firmware.calibration.fit import OPEN_ON_DEG, SHUT_ON_DEG, SHUT_PLAY_DEG, Travels, fit, travel
from firmware.calibration.strokes import TICK_US, NotMeasured, Search, Stroke
from firmware.tiles.drive import short_of_rest_us
from hardware.box import LEAST_TRAVEL_US, LEAST_US, MOST_US, PULSE_MARGIN_US
from hardware.calibration import Verdict
from hardware.tiles import Position

# A tight linkage shows up to 1.4 degrees here (dead band and counts of the board); 5 degrees of play show at least 3.
_LOOSE_DEG = 2.0
# With a shut sensor alone, whose own play may be 20 degrees, only a linkage that is looser by that can be recognised.
_LOOSE_BLIND_DEG = SHUT_PLAY_DEG + _LOOSE_DEG
_DOUBT_DEG = 3.0  # sensors are accurate to 3 degrees (see `fit.py`), so a larger doubt has another cause
_REPEAT_S = 0.04  # a servo acts once per frame of 20 ms, so moves that differ by two frames are uneven
# Pulse per degree relative to the profile's: boards' clocks and servos together differ by 15 %.
_TRAVEL = (0.8, 1.25)

_LOOSE = "loose: it follows its servo only after {:.0f} degrees or more. Tighten horn and rod, then measure it again."
_SLOW = "slow: it does not arrive in time. Look at its gears, its wires and what rubs, or replace the servo."
_UNEVEN = "uneven: its moves differ by {:.0f} ms. Look at its gears and its wires, or replace the servo."
_STRANGE = "its travel would be {:.0%} of the profile's: check whether horn and rod are those of the drawing."
_CUT = f"its servo would have to go beyond {LEAST_US} or {MOST_US} us: set its horn on again, some splines further."
_DOUBT = (
    "sensors and travel time differ by {:.1f} degrees about its ends: check whether it rubs or a sensor is shifted."
)
_BLIND = "it has no open sensor: the open end follows from the shut one and the profile."
_FINE = "both ends found."


@dataclass(frozen=True, slots=True)
class Evidence:
    """Findings about a tile besides its end points, in degrees; None for those not measured.

    travel: its pulse per degree relative to the profile's.
    """

    doubt_deg: float | None = None
    play_deg: float | None = None
    travel: float | None = None
    arrives: bool = True
    blind: bool = False
    shut_play_deg: float | None = None


def judge(evidence: Evidence, *, cut_us: float, repeat_s: float) -> tuple[Verdict, str]:
    """Return a verdict and its reason. `cut_us`: how far the end points had to be moved into the range of servos."""
    poor = None
    if not evidence.arrives:
        poor = _SLOW
    elif evidence.play_deg is not None and evidence.play_deg > _LOOSE_DEG:
        poor = _LOOSE.format(evidence.play_deg)
    elif evidence.shut_play_deg is not None and evidence.shut_play_deg > _LOOSE_BLIND_DEG:
        poor = _LOOSE.format(evidence.shut_play_deg - SHUT_PLAY_DEG)
    elif repeat_s > _REPEAT_S:
        poor = _UNEVEN.format(1000 * repeat_s)
    elif evidence.travel is not None and not _TRAVEL[0] <= evidence.travel <= _TRAVEL[1]:
        poor = _STRANGE.format(evidence.travel)
    elif cut_us > PULSE_MARGIN_US:
        poor = _CUT
    if poor is not None:
        return "poor", poor
    if evidence.blind:
        return "fair", _BLIND
    if evidence.doubt_deg is not None and evidence.doubt_deg > _DOUBT_DEG:
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

    def stroke_to_rest(self, after: Position) -> Stroke | None:
        """Return the stroke that brings a slotted rod to rest after a move to that place; None for a rigid one."""
        if self.rest_us is None:
            return None
        return Stroke(self.rest_us, via_us=self.rest_us + short_of_rest_us(self.pulse_us(after) - self.rest_us))

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
    def ends(self) -> EndPoints:
        return EndPoints(self.open_us, self.shut_us, self.rest_us)


def find_rough_ends(nominal: Nominal) -> Search[EndPoints]:
    """Find end points good enough to move the tile out of another's way. Raises `NotMeasured`."""
    ends = yield from find_ends(nominal)
    return _rough_end_points(ends, nominal)


def measure(nominal: Nominal) -> Search[Proposal]:
    """Measure the end points of one tile, and leave it open if possible. Raises `NotMeasured`."""
    ends = yield from find_ends(nominal)
    rough = _rough_end_points(ends, nominal)
    down, up = yield from travel(rough.open_us, rough.shut_us, nominal.frame_s, sees_open=nominal.sees_open)
    if len(down.left_s) < down.asked or (nominal.sees_open and len(up.left_s) < up.asked):
        return _propose(rough, Travels(0, (), (), True), Travels(0, (), (), False), Evidence(arrives=False))
    if not nominal.sees_open:
        return (yield from _measure_blind(ends, nominal, down, up))
    edges = yield from find_edges(ends, nominal.us_per_deg)
    found = fit(edges, down, up, nominal.frame_s)
    if found.us_per_deg <= 0:
        raise NotMeasured("its two sensors answer in the wrong order", "Check whether its sensors' wires are swapped.")
    best = EndPoints(ends.sign * found.open, ends.sign * found.shut)
    return _propose(best, down, up, Evidence(found.doubt_deg, found.play_deg, found.us_per_deg / nominal.us_per_deg))


def _measure_blind(ends: Ends, nominal: Nominal, down: Travels, up: Travels) -> Search[Proposal]:
    per_deg = nominal.us_per_deg
    shut_off, shut_on = yield from find_shut_edges(ends, per_deg)
    best = _end_points_from_shut(ends.sign, shut_on, per_deg)
    play_deg = (shut_on - shut_off) / per_deg
    # No sensor would show that it does not stand; two strokes leave it open like the others.
    for _ in range(2):
        yield Stroke(_clamp(best.open_us))
    return _propose(best, down, up, Evidence(blind=True, shut_play_deg=play_deg))


def _rough_end_points(ends: Ends, nominal: Nominal) -> EndPoints:
    shut_edge = (ends.last_between + ends.first_shut) / 2
    if ends.last_open is None or ends.first_between is None:
        return _end_points_from_shut(ends.sign, shut_edge, nominal.us_per_deg)
    open_edge = (ends.last_open + ends.first_between) / 2
    per_deg = (shut_edge - open_edge) / (SHUT_ON_DEG - OPEN_ON_DEG)
    opened, shut = open_edge - OPEN_ON_DEG * per_deg, shut_edge + (SPAN_DEG - SHUT_ON_DEG) * per_deg
    return EndPoints(_clamp(ends.sign * opened), _clamp(ends.sign * shut))


def _end_points_from_shut(sign: int, shut_on: float, per_deg: float) -> EndPoints:
    opened, shut = shut_on - SHUT_ON_DEG * per_deg, shut_on + (SPAN_DEG - SHUT_ON_DEG) * per_deg
    return EndPoints(_clamp(sign * opened), _clamp(sign * shut))


def _propose(best: EndPoints, down: Travels, up: Travels, evidence: Evidence) -> Proposal:
    open_us, shut_us = round(_clamp(best.open_us)), round(_clamp(best.shut_us))
    if abs(shut_us - open_us) < LEAST_TRAVEL_US:
        raise NotMeasured("its two ends would lie side by side", "Look where its sensors and its magnet sit.")
    cut_us = max(abs(open_us - best.open_us), abs(shut_us - best.shut_us))
    shut_s, open_s = _mean(down.arrived_s), _mean(up.arrived_s)
    repeat_s = max(down.spread_s, up.spread_s)
    verdict, reason = judge(evidence, cut_us=cut_us, repeat_s=repeat_s)
    return Proposal(open_us, shut_us, shut_s, open_s, repeat_s, verdict, reason)


def _clamp(pulse_us: float) -> float:
    return max(float(LEAST_US), min(float(MOST_US), pulse_us))


def _mean(values: tuple[float, ...]) -> float | None:
    return fmean(values) if values else None
