"""Families of tables: the cloth, the dice, the light and the camera that belong together, drawn within limits.

Nothing in a family is fixed: colours, sizes and places are drawn anew for every scene.
"""

import math
import random
from dataclasses import dataclass

from hardware.box import FieldLayout
from hardware.sim import DieLook
from vision.sim import looks
from vision.sim.cloth import Cloth, Kind
from vision.sim.light import Band, Lamp, Light
from vision.sim.optics import mount_variously
from vision.sim.scene import Scene
from vision.sim.sensor import Sensor

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Family:
    """The limits of one family. `hue`, `saturation` and `value` (0..1) are those of the cloth.

    A reader is measured family by family, so that one kind of table on which it fails does not drown in a mean.
    """

    name: str
    cloths: tuple[Kind, ...]
    hue: Span
    saturation: Span
    value: Span
    dice: looks.Draw
    lamps: tuple[int, int] = (1, 1)
    ambient: Span = (0.45, 0.7)
    lamp_size_mm: Span = (20.0, 120.0)
    warmth: Span = (-0.05, 0.15)
    tilt_deg: float = 8.0
    noise: Span = (1.0, 3.5)
    exposure: Span = (0.85, 1.1)
    bands: tuple[int, int] = (0, 0)
    grain: Span = (0.12, 0.35)
    jpeg: float = 0.2


FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        Family("club_green", ("felt",), (0.33, 0.44), (0.6, 0.85), (0.35, 0.55), looks.white),
        Family("casino_red", ("felt", "speckle"), (0.97, 1.02), (0.65, 0.9), (0.4, 0.62), looks.mixed, lamps=(1, 3)),
        Family("blue_weave", ("weave",), (0.55, 0.66), (0.5, 0.85), (0.3, 0.6), looks.drilled),
        Family("leather", ("leather",), (0.04, 0.1), (0.4, 0.7), (0.25, 0.5), looks.drilled, grain=(0.15, 0.4)),
        Family("striped", ("stripes",), (0, 1), (0.2, 0.7), (0.3, 0.75), looks.mixed, grain=(0.1, 0.25)),
        Family("night_asian", ("felt", "leather"), (0.5, 0.8), (0.2, 0.8), (0.15, 0.4), looks.asian),
        Family(
            "gems",
            ("felt", "plain"),
            (0.08, 0.4),
            (0.0, 0.3),
            (0.6, 0.85),
            looks.translucent,
            lamp_size_mm=(15.0, 60.0),
        ),
        Family("marble", ("speckle", "felt"), (0.08, 0.2), (0.1, 0.5), (0.55, 0.85), looks.marbled),
        Family("glossy", ("felt", "plain"), (0.3, 0.7), (0.3, 0.8), (0.3, 0.6), looks.glossy, lamps=(1, 3)),
        Family("mini", ("felt", "weave"), (0.3, 0.65), (0.4, 0.8), (0.3, 0.55), looks.mini),
        Family(
            *("daylight", ("felt", "weave"), (0, 1), (0.2, 0.8), (0.3, 0.7), looks.mixed),
            ambient=(0.35, 0.55),
            lamp_size_mm=(6.0, 25.0),
            warmth=(-0.15, 0.05),
            tilt_deg=12.0,
            bands=(1, 3),
        ),
        Family(
            *("evening", ("felt", "leather"), (0.3, 0.5), (0.4, 0.8), (0.3, 0.5), looks.mixed),
            warmth=(0.15, 0.35),
            noise=(3.5, 8.0),
            exposure=(0.5, 0.75),
            jpeg=0.5,
        ),
        Family("close_rows", ("felt",), (0.3, 0.75), (0.3, 0.8), (0.3, 0.6), looks.close_rows),
        Family(
            "anything",
            ("felt", "weave", "speckle", "stripes", "leather", "plain"),
            (0, 1),
            (0, 0.9),
            (0.15, 0.85),
            looks.anything,
        ),
    )
}


def empty_scene(rng: random.Random, family: Family, layout: FieldLayout, size_px: tuple[int, int]) -> Scene:
    """A table of this family without dice, well lit and in focus."""
    return Scene(
        mount_variously(rng, layout, size_px, math.radians(family.tilt_deg)),
        layout,
        cloth_of(rng, family),
        light_of(rng, family, layout),
        sensor_of(rng, family),
        wall_mm=rng.choice((0.0, rng.uniform(12, 26))),
        seed=rng.getrandbits(32),
        size_px=size_px,
    )


def cloth_of(rng: random.Random, family: Family) -> Cloth:
    """A piece of the family's cloth, and the wood about it."""
    tint = looks.colour(rng, family.hue, family.saturation, family.value)
    shift = rng.uniform(0.55, 0.8) if looks.grey_of(tint) > 90 else rng.uniform(1.3, 1.7)
    red, green, blue = (min(255, round(part * shift)) for part in tint)
    return Cloth(
        rng.choice(family.cloths),
        tint,
        rng.uniform(*family.grain),
        second=(red, green, blue),
        surround=looks.colour(rng, (0.05, 0.12), (0.1, 0.6), (0.2, 0.7)),
        rim=looks.colour(rng, (0.03, 0.1), (0.2, 0.7), (0.15, 0.5)),
        variant=rng.randrange(3),
    )


def light_of(rng: random.Random, family: Family, layout: FieldLayout) -> Light:
    """Lamps about the field, and the family's bands of shadow."""
    lamps = tuple(_lamp(rng, family) for _ in range(rng.randint(*family.lamps)))
    bands = tuple(_band(rng, layout) for _ in range(rng.randint(*family.bands)))
    return Light(lamps, rng.uniform(*family.ambient), bands, rng.uniform(0.03, 0.15))


def _lamp(rng: random.Random, family: Family) -> Lamp:
    warmth = rng.uniform(*family.warmth)
    return Lamp(
        rng.uniform(-0.6, 1.6),
        rng.uniform(-1.0, 1.2),
        rng.uniform(350, 900),
        rng.uniform(0.5, 1.0),
        rng.uniform(*family.lamp_size_mm),
        (1 + warmth, 1.0, 1 - warmth),
    )


def _band(rng: random.Random, layout: FieldLayout) -> Band:
    return Band(
        rng.uniform(0, layout.width_mm),
        rng.uniform(0, layout.depth_mm),
        rng.uniform(0, math.pi),
        rng.uniform(5, 45),
        rng.uniform(0.2, 0.5),
        rng.uniform(1, 12),
    )


def sensor_of(rng: random.Random, family: Family) -> Sensor:
    """A camera in focus, its white balance somewhat off."""
    red, blue = rng.uniform(0.92, 1.08), rng.uniform(0.92, 1.08)
    return Sensor(
        rng.uniform(*family.exposure),
        (red, 1.0, blue),
        noise=rng.uniform(*family.noise),
        defocus_px=rng.uniform(0.5, 1.1),
        jpeg_quality=rng.randint(55, 95) if rng.random() < family.jpeg else None,
    )


def looks_of(rng: random.Random, family: Family, count: int, cloth: Cloth) -> tuple[DieLook, ...]:
    """`count` looks of the family's dice that a person can read on this cloth; half of the time all alike."""
    alike = rng.random() < 0.5
    drawn = [looks.draw_readable(rng, family.dice, cloth.colour) for _ in range(1 if alike else count)]
    return tuple(drawn[index % len(drawn)] for index in range(count))
