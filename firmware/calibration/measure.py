"""Measuring one tile, from the first step to its end points: a search that ends with a proposal and a verdict."""

from dataclasses import dataclass
from statistics import fmean

from firmware.calibration.edges import find_edges, find_shut_edges
from firmware.calibration.ends import SPAN_DEG, Ends, Nominal, find_ends
from firmware.calibration.fit import OPEN_ON_DEG, SHUT_ON_DEG, fit
from firmware.calibration.strokes import NotMeasured, Search, Stroke
from firmware.calibration.travels import Travels, travel
from firmware.calibration.verdict import Evidence, judge
from hardware.box import LEAST_TRAVEL_US, LEAST_US, MOST_US
from hardware.measured import Verdict


@dataclass(frozen=True, slots=True)
class EndPoints:
    """Pulses in microseconds that hold a tile open and shut."""

    open_us: float
    shut_us: float


@dataclass(frozen=True, slots=True)
class Proposal:
    """Proposed end points of one tile, with a verdict and its reason.

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

    @property
    def arrives(self) -> bool:
        """True if its moves reached their end in time."""
        return self.shut_s is not None

    @property
    def ends(self) -> EndPoints:
        return EndPoints(self.open_us, self.shut_us)


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
        raise NotMeasured("its two sensors answer in the wrong order", "Look whether its sensors' wires are swapped.")
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
