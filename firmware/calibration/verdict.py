"""The verdict on a tile, good, fair or poor, and its reason in words."""

from dataclasses import dataclass

from firmware.calibration.fit import SHUT_PLAY_DEG
from firmware.calibration.strokes import TICK_US
from hardware.box import LEAST_US, MOST_US, PULSE_MARGIN_US
from hardware.measured import Verdict

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
_STRANGE = "its travel would be {:.0%} of the profile's: look whether horn and rod are those of the drawing."
_CUT = f"its servo would have to go beyond {LEAST_US} or {MOST_US} us: set its horn on again, some splines further."
_DOUBT = "sensors and travel time differ by {:.1f} degrees about its ends: look whether it rubs or a sensor is shifted."
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
