"""Families of tables: cloth, dice, light and camera that belong together, drawn within limits.

Nothing in a family is fixed: colours, sizes and places are drawn anew for every scene.
"""

import math
import random
from dataclasses import dataclass, replace

import numpy as np

from hardware.box import FieldLayout
from hardware.sim.dice import DieLook
from tools.scenes import looks
from vision.sim.cloth import Cloth, Kind
from vision.sim.light import Band, Lamp, Light
from vision.sim.optics import Optics
from vision.sim.scene import Scene
from vision.sim.sensor import Sensor

Span = tuple[float, float]

_MILD = ((-0.12, 0.06), (-0.02, 0.03), (-0.001, 0.001), (-0.001, 0.001))  # k1, k2, p1, p2


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
    """Draw a table of this family without dice, well lit and in focus."""
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


def mount_variously(
    rng: random.Random, layout: FieldLayout, size_px: tuple[int, int] = (1280, 720), tilt_rad: float = math.radians(12)
) -> Optics:
    """Mount a camera 330..480 mm up, tilted by at most `tilt_rad`, its lens bending a little.

    It looks at the middle of the field; the field fills 70..95 % of the half of the picture that it fills most.
    """
    height_mm, tilt, towards = rng.uniform(330, 480), rng.uniform(0, tilt_rad), rng.uniform(0, 2 * math.pi)
    aside = height_mm * math.tan(tilt)
    dx, dy = aside * math.cos(towards), aside * math.sin(towards)
    pitch = math.atan2(dy, height_mm)
    roll = math.atan2(-dx, math.hypot(dy, height_mm))
    pinhole = (
        layout.width_mm / 2 - dx + rng.uniform(-5, 5),
        layout.depth_mm / 2 - dy + rng.uniform(-5, 5),
        height_mm,
    )
    centre = (size_px[0] / 2 + rng.uniform(-6, 6), size_px[1] / 2 + rng.uniform(-6, 6))
    k1, k2, p1, p2 = (rng.uniform(*span) for span in _MILD)
    yaw = math.radians(rng.uniform(-4, 4))
    unit = Optics(1.0, (0.0, 0.0), pinhole, (roll, pitch, yaw), (k1, k2, p1, p2, 0.0))
    corners = [(x, y, 0.0) for x in (0, layout.width_mm) for y in (0, layout.depth_mm)]
    across, down = np.abs(unit.project(np.array(corners))).max(axis=0)
    focal_px = rng.uniform(0.70, 0.95) * min(size_px[0] / 2 / across, size_px[1] / 2 / down)
    return replace(unit, focal_px=float(focal_px), centre_px=centre)


def cloth_of(rng: random.Random, family: Family) -> Cloth:
    """Draw a piece of the cloth of the family, and the wood around it."""
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
    """Draw lamps around the field, and the bands of shadow of the family."""
    lamps = []
    for _ in range(rng.randint(*family.lamps)):
        warmth = rng.uniform(*family.warmth)
        place = rng.uniform(-0.6, 1.6), rng.uniform(-1.0, 1.2), rng.uniform(350, 900)
        strength, size_mm = rng.uniform(0.5, 1.0), rng.uniform(*family.lamp_size_mm)
        lamps.append(Lamp(*place, strength, size_mm, (1 + warmth, 1.0, 1 - warmth)))
    bands = tuple(
        Band(
            rng.uniform(0, layout.width_mm),
            rng.uniform(0, layout.depth_mm),
            rng.uniform(0, math.pi),
            rng.uniform(5, 45),
            rng.uniform(0.2, 0.5),
            rng.uniform(1, 12),
        )
        for _ in range(rng.randint(*family.bands))
    )
    return Light(tuple(lamps), rng.uniform(*family.ambient), bands, rng.uniform(0.03, 0.15))


def sensor_of(rng: random.Random, family: Family) -> Sensor:
    """Draw a camera in focus, its white balance slightly off."""
    red, blue = rng.uniform(0.92, 1.08), rng.uniform(0.92, 1.08)
    return Sensor(
        rng.uniform(*family.exposure),
        (red, 1.0, blue),
        noise=rng.uniform(*family.noise),
        defocus_px=rng.uniform(0.5, 1.1),
        jpeg_quality=rng.randint(55, 95) if rng.random() < family.jpeg else None,
    )


def looks_of(rng: random.Random, family: Family, count: int, cloth: Cloth) -> tuple[DieLook, ...]:
    """Draw `count` looks of the dice of the family that a person can read on this cloth; half of the time all alike."""
    alike = rng.random() < 0.5
    drawn = [looks.draw_readable(rng, family.dice, cloth.colour) for _ in range(1 if alike else count)]
    return tuple(drawn[index % len(drawn)] for index in range(count))
