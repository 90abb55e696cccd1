"""Draws the frames of tests/data/frames: `python -m tests.support.frames`. With `CASE MEASURE ...` it tells answers.

Each case is a scene with one measure. On both sides of the measure at which the answer changes a frame is kept, named
by the case, the measure and the answer that is expected: "stacked-overhang_5-mm_stacked.jpg".
"""

import math
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from hardware.box import FieldLayout
from hardware.camera import Camera
from hardware.sim.dice import Colour, SimulatedDie
from tests.support.stage import BOX, RED, WHITE, die
from vision.capture.frame import Pixels
from vision.reader.reader import read_dice
from vision.sim.cloth import Cloth
from vision.sim.hand import Hand
from vision.sim.light import Light
from vision.sim.optics import mount
from vision.sim.scene import Scene, render
from vision.sim.sensor import Glare, Sensor
from vision.sim.table import marker_middles
from vision.sim.things import Thing

FRAMES = Path(__file__).parent.parent / "data" / "frames"
_QUALITY = 80
_PART = np.s_[60:665, 210:1015]  # the field with its markers
_LAYOUT = FieldLayout()
_FIVE, _THREE = die(5, 100, 90), die(3, 190, 120, RED)


@dataclass(frozen=True, slots=True)
class Case:
    """A scene by one measure in `unit`; `kept` are the measures of its frames, with the answers expected."""

    draw: Callable[[float], Scene]
    unit: str
    kept: tuple[tuple[float, str], ...]


def scene(*dice: SimulatedDie) -> Scene:
    """The usual table with these dice."""
    return Scene(mount(Camera(), _LAYOUT, 3), _LAYOUT, Cloth(), Light(), Sensor(), dice, seed=3)


def _stacked(mm: float) -> Scene:
    upper = replace(die(2, _FIVE.x_mm + mm, _FIVE.y_mm), angle_rad=_FIVE.angle_rad, lift_mm=16.0)
    return scene(_FIVE, upper, _THREE)


def _leaning(degrees: float) -> Scene:
    return scene(replace(_FIVE, lean_rad=math.radians(degrees), lean_to_rad=_FIVE.angle_rad), _THREE)


def _over_the_edge(mm: float) -> Scene:
    return scene(replace(die(4, 8.0 - mm, 100), angle_rad=0.0), _THREE)


def _coin(mm: float) -> Scene:
    coin = Thing("coin", 60, 150, 0.0, mm, (190, 150, 90))
    return replace(scene(_FIVE, _THREE), things=(coin,))


def _paper_over_marker(mm: float) -> Scene:
    x, y = marker_middles(_LAYOUT)[1]
    half, length = _LAYOUT.marker_mm / 2, 40.0
    paper = Thing("paper", x - half - length * 0.35 + mm, y, math.pi / 2, length, (200, 60, 50))
    return replace(scene(_FIVE, _THREE), things=(paper,))


def _hand(mm: float) -> Scene:
    hand = Hand(140, _LAYOUT.depth_mm + 70 - mm, -math.pi / 2, 1.0, False, (224, 172, 140), (60, 60, 90), 15)
    return replace(scene(_FIVE, _THREE), hand=hand)


def _dark(exposure: float) -> Scene:
    return replace(scene(_FIVE, _THREE), sensor=Sensor(exposure=exposure))


def _glare(mm: float) -> Scene:
    plain = scene(_FIVE, _THREE)
    (x, y), (right, _) = plain.optics.project(np.array([(100.0, 90.0, 16.0), (100.0 + mm, 90.0, 16.0)]))
    return replace(plain, sensor=Sensor(glares=(Glare(float(x), float(y), float(right - x), 1.4),)))


def _glare_on_light_cloth(mm: float) -> Scene:
    """On the cloth, with the die in it that the light hides."""
    plain = _glare(mm)
    return replace(plain, cloth=Cloth(colour=(212, 210, 204)))


def _shaken(px: float) -> Scene:
    return replace(scene(_FIVE, _THREE), sensor=Sensor(motion_px=(px, 0.0)))


def _out_of_focus(px: float) -> Scene:
    return replace(scene(_FIVE, _THREE), sensor=Sensor(defocus_px=px))


def _one_die_moving(px: float) -> Scene:
    return replace(scene(_FIVE, _THREE), smears_px=(px, 0.0))


def _small_die(mm: float) -> Scene:
    return scene(replace(_FIVE, look=replace(WHITE, edge_mm=mm)), _THREE)


def _near_each_other(mm: float) -> Scene:
    beside = replace(_FIVE, angle_rad=0.0)
    return scene(beside, replace(die(6, beside.x_mm + 16 + mm, beside.y_mm), angle_rad=0.0), _THREE)


def _times(colour: Colour, share: float) -> Colour:
    red, green, blue = (round(part * share) for part in colour)
    return red, green, blue


def _brighter_than_cloth(percent: float) -> Scene:
    """Out of focus, in dim light, a die in the cloth's own colour but for so much, whose pips hardly show."""
    cloth = Cloth(colour=(112, 100, 62))
    brighter = 1 + percent / 100
    alike = replace(
        _FIVE, look=replace(WHITE, body=_times(cloth.colour, brighter), pip=_times(cloth.colour, 0.8 * brighter))
    )
    return replace(scene(alike, _THREE), cloth=cloth, sensor=Sensor(exposure=0.6, defocus_px=2.6))


CASES = {
    "stacked-overhang": Case(_stacked, "mm", ((5.0, "cocked"), (8.0, "stacked"))),
    "leaning": Case(_leaning, "degrees", ((4.0, "3-5"), (15.0, "cocked"))),
    "over-the-edge": Case(_over_the_edge, "mm", ((3.0, "3-4"), (9.0, "off_field"))),
    "coin": Case(_coin, "mm", ((3.0, "3-5"), (6.0, "unexplained"), (15.0, "unexplained"))),
    "paper-over-marker": Case(_paper_over_marker, "mm", ((5.0, "unexplained"), (12.0, "unexplained"))),
    "hand": Case(_hand, "mm", ((40.0, "3-5"), (180.0, "hand"))),
    "dark": Case(_dark, "exposure", ((0.15, "dark"), (0.4, "3-5"))),
    "glare": Case(_glare, "mm", ((0.4, "3-5"), (3.0, "glare"), (6.0, "glare"), (12.0, "glare"))),
    "glare-on-light-cloth": Case(_glare_on_light_cloth, "mm", ((0.5, "3-5"), (16.0, "glare"))),
    "shaken": Case(_shaken, "px", ((3.0, "3-5"), (12.0, "blurred"))),
    "out-of-focus": Case(_out_of_focus, "px", ((2.0, "3-5"), (6.0, "blurred"))),
    "one-die-smeared": Case(_one_die_moving, "px", ((3.0, "3-5"), (4.0, "unsure"))),
    "small-die": Case(_small_die, "mm", ((7.0, "unexplained"), (11.5, "3-5"), (20.5, "3-5"), (26.0, "unexplained"))),
    "brighter-than-cloth": Case(_brighter_than_cloth, "percent", ((45.0, "blurred"),)),
    "near-each-other": Case(_near_each_other, "mm", ((0.5, "3-5-6"),)),
}


def answer_of(pixels: Pixels) -> str:
    """The answer in a word: the values that are read, or the reason of the refusal."""
    reading = read_dice(pixels, layout=BOX.field, die_mm=BOX.die_mm)
    return "-".join(map(str, reading.values)) if reading.is_read else str(reading.reason)


def frames() -> dict[str, tuple[Case, float, str]]:
    """The names of all frames, with their case, measure and answer."""
    return {
        f"{name}_{measure:g}-{case.unit}_{answer}.jpg": (case, measure, answer)
        for name, case in CASES.items()
        for measure, answer in case.kept
    }


def draw_all() -> None:
    """Draw every frame anew."""
    FRAMES.mkdir(exist_ok=True)
    for name, (case, measure, _) in frames().items():
        picture = render(case.draw(measure))[_PART]
        cv2.imwrite(str(FRAMES / name), picture, (cv2.IMWRITE_JPEG_QUALITY, _QUALITY))


def tell(case: Case, measures: Iterable[float]) -> None:
    """Print the answers of a case at these measures."""
    for measure in measures:
        print(f"{measure:g} {case.unit}: {answer_of(render(case.draw(measure)))}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        tell(CASES[sys.argv[1]], map(float, sys.argv[2:]))
    else:
        draw_all()
