"""One moment in front of the simulated camera, as data, and the order in which it is painted."""

from dataclasses import dataclass, field, replace
from functools import lru_cache

from hardware.box import FieldLayout
from hardware.sim.dice import SimulatedDie
from vision.capture.frame import Pixels
from vision.sim.canvas import Canvas
from vision.sim.cloth import Cloth
from vision.sim.dice import paint_dice
from vision.sim.hand import Hand, paint_hand
from vision.sim.light import Light
from vision.sim.optics import Optics
from vision.sim.sensor import Sensor, develop, expose
from vision.sim.table import EmptyTable, light_table
from vision.sim.things import Thing, paint_things, paint_upon


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a picture shows. A value, so that the same scene gives the same picture, byte by byte."""

    optics: Optics
    layout: FieldLayout  # the field with its markers (mm)
    cloth: Cloth = field(default_factory=Cloth)
    light: Light = field(default_factory=Light)
    sensor: Sensor = field(default_factory=Sensor)
    dice: tuple[SimulatedDie, ...] = ()
    things: tuple[Thing, ...] = ()
    hand: Hand | None = None
    markers: tuple[int, ...] = (0, 1, 2, 3)  # numbers of those that are there, glued on as `seed` determines
    wall_mm: float = 0.0  # height of the walls along the edges of the field (0: a flat rim)
    smears_px: tuple[float, ...] = ()  # blur of each of the dice (standard deviation; empty: none)
    seed: int = 0
    noise_key: str = ""  # picks the noise: another key, another moment
    size_px: tuple[int, int] = (1280, 720)


def render(scene: Scene) -> Pixels:
    """Return the picture of a scene: (height, width, 3) uint8 BGR. The same scene gives the same picture."""
    return develop(_exposure(replace(scene, noise_key="")), scene.sensor, f"{scene.seed}/{scene.noise_key}")


@lru_cache(maxsize=1)
def _exposure(scene: Scene) -> Pixels:
    """Paint a scene before the noise: while nothing moves, frame after frame is painted once."""
    table = EmptyTable(scene.optics, scene.layout, scene.cloth, scene.markers, scene.seed, scene.wall_mm, scene.size_px)
    empty, bright = light_table(table, scene.light)
    canvas = Canvas(empty.copy(), bright, scene.optics, scene.light, scene.layout)
    paint_things(canvas, scene.things)
    paint_dice(canvas, scene.dice, scene.smears_px)
    paint_upon(canvas, scene.things)
    if scene.hand is not None:
        paint_hand(canvas, scene.hand)
    return expose(canvas.picture, scene.sensor)
