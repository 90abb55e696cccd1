"""Crowded tables drawn by Blender's path tracer: `python -m training.traced OUT SEED SECONDS BLENDER`.

Another's model of light, cloth and dice, so that the habits of one renderer are not learnt. BLENDER is the Python of an
environment with `bpy` (see `training/blender.py`). Writes each table as a picture and its `Scene`; `training.poses` and
`training.crops` cut crops from such a folder with `--tables OUT`.
"""

import math
import pickle
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.sim.dice import DieLook, SimulatedDie
from tools.scenes import looks
from tools.scenes.families import mount_variously
from tools.training import tables
from vision.capture.frame import Pixels
from vision.sim import drawings
from vision.sim.light import Lamp
from vision.sim.scene import Scene
from vision.sim.sensor import develop
from vision.sim.solids import solid_of
from vision.sim.table import RIM_MM, marker_middles

_CELLS = 44  # quads along a face's edge
_LIKE_CLOTH = 0.3  # part of the tables with dice of their cloth's colour
_CLEAR, _ROUND = 0.3, 0.25  # parts of the dice
_ALBEDO_OF_WHITE = 0.8
_PAPER = (225, 225, 220)

Real = NDArray[np.float64]
Packed = dict[str, NDArray[np.generic] | Real]


def scenes(rng: random.Random) -> Iterator[Scene]:
    """Tables without end, under cameras that hang askew, without a lens that bends: Blender's has none."""
    families = tables.families(held_out=False)
    while True:
        family = rng.choice(families)
        table = tables.table_of(rng, family)
        optics = mount_variously(rng, table.layout, table.size_px, tables.TILT_RAD)
        table = replace(
            table, optics=replace(optics, distortion=(0.0,) * 5), wall_mm=rng.choice((0.0, rng.uniform(8, 26)))
        )
        scene = tables.crowded(rng, table, family, rng.randint(16, 28))
        light = tables.any_light(rng, table.layout)
        yield replace(scene, dice=_variously_coloured(rng, scene), things=(), light=light)


def _variously_coloured(rng: random.Random, scene: Scene) -> tuple[SimulatedDie, ...]:
    like_cloth = rng.random() < _LIKE_CLOTH
    return tuple(replace(die, look=_recoloured(rng, die.look, scene, like_cloth)) for die in scene.dice)


def _recoloured(rng: random.Random, look: DieLook, scene: Scene, like_cloth: bool) -> DieLook:
    if like_cloth and rng.random() < 0.6:
        look = tables.like_cloth(rng, look, scene)
    if rng.random() < _ROUND:
        look = looks.rounded(rng, look)
    return replace(look, material="translucent") if rng.random() < _CLEAR else look


def packed(rng: random.Random, scene: Scene) -> Packed:
    """What `training/blender.py` reads; places are in Blender's right-handed axes (y away from the player)."""
    found: Packed = {"size_px": np.array(scene.size_px)}
    optics = scene.optics
    found["part"] = _part(scene)
    found["lens"] = np.array([optics.focal_px, *optics.centre_px])
    flip = np.diag([1.0, -1.0, -1.0])
    camera = np.eye(4)
    camera[:3, :3] = (flip @ optics.turn @ flip).T
    x, y, height = optics.pinhole_mm
    camera[:3, 3] = x, -y, height
    found["camera"] = camera
    found |= _lit(rng, scene) | _grounds(rng, scene)
    boxes = _walls(scene) if scene.wall_mm > 0 else []
    for index, body in enumerate(boxes):
        _add(found, f"box{index}", *body, _plain(rng, scene.cloth.rim), (rng.uniform(0.3, 0.8), 0.0, 0.0, 0.0))
    for number, middle in enumerate(marker_middles(scene.layout)):
        _add(found, f"marker{number}", *_sheet(rng, middle, scene), _print(number), (0.8, 0.0, 0.0, 0.0))
    for index, die in enumerate(scene.dice):
        clear = rng.uniform(0.5, 0.95) if die.look.material == "translucent" else 0.0
        gloss = (rng.uniform(0.04, 0.5), clear, rng.choice((0.0, rng.uniform(0, 1))), 1.0)
        _add(found, f"die{index}", *_body(rng, die), _skins(die.look), gloss)
    counts = {"boxes": len(boxes), "markers": 4, "dice": len(scene.dice)}
    return found | {name: np.array(count) for name, count in counts.items()}


def _part(scene: Scene) -> Real:
    """The part of the picture (left, low, right, high, of 1 each, upwards) that shows the field and its walls."""
    layout, out = scene.layout, 4 * RIM_MM  # a die beside the field is seen whole
    x, y = (-out, layout.width_mm + out), (-out, layout.depth_mm + out)
    seen = (
        scene.optics.project(np.array([(a, b, c) for a in x for b in y for c in (0.0, scene.wall_mm)])) / scene.size_px
    )
    (left, top), (right, bottom) = np.clip(seen.min(axis=0), 0, 1), np.clip(seen.max(axis=0), 0, 1)
    return np.array([left, 1 - bottom, right, 1 - top])


def _add(
    found: Packed, name: str, places: Real, quads: Real, uvs: Real, faces: Real, skins: Pixels, gloss: tuple[float, ...]
) -> None:
    parts: Packed = {
        "places": places * (1.0, -1.0, 1.0),
        "quads": quads[:, ::-1],
        "uvs": uvs,
        "faces": faces,
        "skins": skins,
    }
    found |= {f"{name}/{part}": value for part, value in parts.items()} | {f"{name}/gloss": np.array(gloss)}


def _lit(rng: random.Random, scene: Scene) -> Packed:
    """Lamps and sky, together as bright as the sensor's exposure asks for.

    A disc of power P at distance d on its axis gives E = P / (pi d^2); white paper then has the radiance
    albedo E / pi (Lambert).
    """
    layout, lamps = scene.layout, scene.light.lamps
    bright = min(1.1, max(0.35, scene.sensor.exposure)) * rng.uniform(0.75, 1.0) / _ALBEDO_OF_WHITE
    ambient = scene.light.ambient
    rows = [_lamp(rng, lamp, layout.width_mm, layout.depth_mm, bright * (1 - ambient) / len(lamps)) for lamp in lamps]
    tint = rng.uniform(-0.1, 0.1)
    return {"lamps": np.array(rows), "sky": np.array([1 + tint, 1.0, 1 - tint, bright * ambient])}


def _lamp(rng: random.Random, lamp: Lamp, width: float, depth: float, bright: float) -> list[float]:
    x, y, z = lamp.x_part * width, lamp.y_part * depth, lamp.height_mm
    aim = (width / 2, depth / 2)
    away = math.dist((x, y, z), (*aim, 0.0))
    power = bright * math.pi**2 * away**2 / max(0.3, z / away)
    return [x, -y, z, max(10.0, 2 * lamp.size_mm), *lamp.colour, power, aim[0], -aim[1]]


def _grounds(rng: random.Random, scene: Scene) -> Packed:
    layout, out = scene.layout, 0.0 if scene.wall_mm > 0 else RIM_MM * (rng.random() < 0.5)
    wood = _linear(scene.cloth.surround)
    cloth = np.array([_linear(scene.cloth.colour), _linear(scene.cloth.second)])
    return {
        "wood": np.array([[-400.0, -layout.depth_mm - 400], [layout.width_mm + 400, 400.0]]),
        "wood_colour": np.array([wood, 0.6 * wood]),
        "cloth": np.array([[-out, -layout.depth_mm - out], [layout.width_mm + out, out]]),
        "cloth_colour": cloth,
        "grain": np.array(
            [rng.uniform(0.05, 0.7), math.exp(rng.uniform(math.log(0.15), math.log(2.0))), rng.uniform(0.005, 0.05)]
        ),
    }


def _linear(colour: tuple[int, int, int]) -> Real:
    """sRGB levels to linear light (IEC 61966-2-1), by the usual power of 2.2."""
    return (np.array(colour, np.float64) / 255) ** 2.2


def _walls(scene: Scene) -> list[tuple[Real, Real, Real, Real]]:
    width, depth, out, high = scene.layout.width_mm, scene.layout.depth_mm, RIM_MM, scene.wall_mm
    spans = (
        ((-out, -out), (width + out, 0.0)),
        ((-out, depth), (width + out, depth + out)),
        ((-out, 0.0), (0.0, depth)),
        ((width, 0.0), (width + out, depth)),
    )
    return [_box(low, far, high) for low, far in spans]


def _box(low: tuple[float, float], far: tuple[float, float], high: float) -> tuple[Real, Real, Real, Real]:
    places = np.array([(x, y, z) for x in (low[0], far[0]) for y in (low[1], far[1]) for z in (0.0, high)])
    quads = np.array([(1, 5, 7, 3), (0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6)])
    return places, quads, places[:, :2] / 50, np.zeros(len(quads))


def _sheet(rng: random.Random, middle: tuple[float, float], scene: Scene) -> tuple[Real, Real, Real, Real]:
    half, turn = scene.layout.marker_mm * 8 / 6 / 2, rng.uniform(-0.05, 0.05)
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float)
    across, along = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
    flat = middle + half * (square[:, :1] * across + square[:, 1:] * along)
    return np.column_stack((flat, np.full(4, 0.15))), np.array([[3, 2, 1, 0]]), _uvs(square / 2), np.zeros(1)


def _print(number: int) -> Pixels:
    marker = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), number, 48)
    rimmed = cv2.copyMakeBorder(marker, 8, 8, 8, 8, cv2.BORDER_CONSTANT, value=(255,)).astype(np.float32) / 255
    colour = 25 + rimmed[:, :, None] * (np.array(_PAPER, np.float32) - 25)
    sheet = np.dstack((colour, np.zeros(rimmed.shape))).astype(np.uint8)
    # An eighth of the cells a texel, so that edges stay sharp.
    return np.asarray(cv2.resize(sheet, None, fx=4, fy=4, interpolation=cv2.INTER_NEAREST)[None], np.uint8)


def _plain(rng: random.Random, colour: tuple[int, int, int]) -> Pixels:
    return np.full((1, 4, 4, 4), (*colour, 0), np.uint8)


def _uvs(square: Real) -> Real:
    """Places on a face (-0.5 to 0.5, right and down) to Blender's texture coordinates (up)."""
    return np.column_stack((square[:, 0] + 0.5, 0.5 - square[:, 1]))


def _body(rng: random.Random, die: SimulatedDie) -> tuple[Real, Real, Real, Real]:
    """The rounded cube with its hollows: places, quads, texture coordinates, and the face of each quad."""
    solid = solid_of(die)
    line = np.linspace(-0.5, 0.5, _CELLS + 1)
    u, v = (part.ravel() for part in np.meshgrid(line, line))
    row = np.arange(_CELLS)[:, None] * (_CELLS + 1) + np.arange(_CELLS)
    cells = np.stack((row, row + 1, row + _CELLS + 2, row + _CELLS + 1), axis=-1).reshape(-1, 4)
    axes = np.array([face.normal for face in solid.faces[:3]])
    flat_half = die.look.edge_mm / 2 - solid.radius_mm
    depth = rng.uniform(0.25, 0.7) * die.look.pip_radius * die.look.edge_mm
    places, quads, uvs, faces = [], [], [], []
    for index, face in enumerate(solid.faces):
        sharp = face.middle + die.look.edge_mm * (u[:, None] * face.across + v[:, None] * face.along)
        local = (sharp - solid.middle) @ axes.T
        core = np.clip(local, -flat_half, flat_half)
        out = local - core
        length = np.linalg.norm(out, axis=1, keepdims=True)
        surface = solid.middle + (core + solid.radius_mm * out / np.maximum(length, 1e-9)) @ axes
        if die.look.drilled:
            surface = surface - depth * _hollow(die.look, die.look.faces[face.value - 1], u, v)[:, None] * face.normal
        places.append(surface)
        quads.append(cells + index * len(u))
        uvs.append(_uvs(np.column_stack((u, v))))
        faces.append(np.full(len(cells), index))
    return np.concatenate(places), np.concatenate(quads), np.concatenate(uvs), np.concatenate(faces)


def _hollow(look: DieLook, drawing: str, u: Real, v: Real) -> Real:
    """How deep a drawing is hollowed at places of its face, 0 to 1: round, deepest in the middle of a pip."""
    ink = _ink_of(look, drawing)
    inward = cv2.distanceTransform(ink, cv2.DIST_L2, 5) / (look.pip_radius * drawings.TEXELS)
    round_ = np.sqrt(np.maximum(0.0, 1 - (1 - np.minimum(inward, 1.0)) ** 2))
    x, y = ((part + 0.5) * drawings.TEXELS - 0.5 for part in (u, v))
    deep = cv2.remap(round_.astype(np.float32), x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
    return np.asarray(deep.ravel(), np.float64)


def _ink_of(look: DieLook, drawing: str) -> NDArray[np.uint8]:
    """The mask of what is drawn on a face: the same face in white on black."""
    plain = replace(look, body=(0, 0, 0), pip=(255, 255, 255), drilled=False, asian=False, material="solid")
    ink = drawings.texture(plain, drawing).colour[:, :, 0]
    if look.asian and drawing == "pip:1":
        ink = drawings.texture(replace(plain, asian=True), drawing).colour[:, :, 2]
    return (ink > 127).astype(np.uint8) * 255


def _skins(look: DieLook) -> Pixels:
    """The faces' colours (6, n, n, 4), RGB and ink; in the order of the solid's faces, which bear 1 to 6."""
    faces = []
    for drawing in look.faces:
        colour = drawings.texture(replace(look, drilled=False), drawing).colour[:, :, ::-1]
        faces.append(np.dstack((colour, _ink_of(look, drawing))))
    return np.stack(faces)


def exposed(scene: Scene, picture: Pixels) -> Pixels:
    """The picture as a camera gives it: soft, noisy, compressed."""
    soft = cv2.GaussianBlur(picture, (0, 0), max(0.3, scene.sensor.defocus_px))
    return develop(np.asarray(soft, np.uint8), scene.sensor, f"{scene.seed}/{scene.noise_key}")


def pictures(folder: Path) -> Iterator[tuple[Scene, Pixels]]:
    """The tables of a folder, with their pictures."""
    for path in sorted(folder.glob("*.png")):
        scene = pickle.loads(path.with_suffix(".scene").read_bytes())  # noqa: S301 - our own file
        yield scene, exposed(scene, np.asarray(cv2.imread(str(path)), np.uint8))


class Blender:
    """Draws packed tables by `training/blender.py`, in a process of the Python at `python` that has `bpy`.

    Lifetime: a `with` block. Raises `RuntimeError` if that process ends.
    """

    def __init__(self, python: str) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own script
            [python, str(Path(__file__).with_name("blender.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.communicate()

    def draw(self, rng: random.Random, scene: Scene, picture: Path) -> None:
        """Write the picture of a scene, as light alone makes it (see `exposed`), into this PNG."""
        table = picture.with_suffix(".npz")
        np.savez(table, allow_pickle=False, **packed(rng, scene))
        pipe, answers = self._process.stdin, self._process.stdout
        if pipe is None or answers is None:
            raise AssertionError("both are pipes")
        pipe.write(f"{table}\n")
        pipe.flush()
        while not answers.readline().startswith("rendered"):
            if self._process.poll() is not None:
                raise RuntimeError("Blender ended: run training/blender.py by hand and see what it says")
        table.unlink()


def main(folder: Path, seed: int, seconds: float, blender: str) -> None:
    """Draw tables for so many seconds."""
    folder.mkdir(parents=True, exist_ok=True)
    rng, until = random.Random(f"traced/{seed}"), time.monotonic() + seconds
    with Blender(blender) as drawer:
        for number, scene in enumerate(scenes(rng)):
            if time.monotonic() > until:
                break
            path = folder / f"{seed:03d}-{number:04d}.png"
            drawer.draw(rng, scene, path)
            path.with_suffix(".scene").write_bytes(pickle.dumps(scene))
            print(f"{number + 1} tables", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4])
