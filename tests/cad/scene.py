"""A box as it is built, in MuJoCo's renderer: the picture of its camera, what hides what, and a look from outside.

Lengths in mm and the axes of `hardware/cad/measures.py`; MuJoCo has metres. EGL draws without a screen.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import cv2
import mujoco
import numpy as np
from numpy.typing import NDArray

from hardware.cad.assembly import Kit, Placement, Pose
from hardware.cad.measures import BAIZE_Z_MM, FLOOR_Z_MM, MAST_TOP_MM, MAST_TUBE_MM, Measures
from hardware.cad.meshes import matrix_of
from hardware.cad.parts import mast
from hardware.cad.parts.part import Solid
from hardware.sim.dice import LOOKS, DieLook
from vision.sim.drawings import PIP_PLACES

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]

# Raspberry Pi Camera Module 3 product brief: 66 degrees across; its pixels are square.
VIEW_RAD = math.radians(66.0)
CARD_MM = 0.5  # thickness of the markers
MOST_DICE = 6
_FINE = 2  # a picture is drawn this many times finer, then averaged down as light
_GAMMA = 2.2
_DEFOCUS_PX, _NOISE = 0.7, 2.0  # standard deviations, in pixels of the picture and in levels of 255

_LAMPS = 4  # lights in a row for the bar
_BEAM_DEG, _SHADOWS_DEG = 80.0, 36.0  # of each of them to the side: light, and shadows of the field and its walls
_AMBIENT, _LAMP = 0.45, 0.55  # the light of the room and of the lamp on the middle of the baize

_TILE_MM, _TEXELS_PER_MM = 512.0, 2.0  # of the grain of felt and wood
_GRAIN = {"felt": 0.10, "plywood": 0.05}
_COARSE_MM = 25.0  # light is computed at the corners of triangles: large ones are divided
_TABLE, _ROOM = (0.48, 0.44, 0.40), 0.6  # what the box stands on, and what is behind it
_PAPER, _INK = 225, 30  # levels of matt paper and of print on it
_MODULES = 6  # along the edge of a field marker; its white rim adds one on each side
_MODULE_TEXELS, _FACE_TEXELS = 32, 128
_CASTS = 0.94  # the shadow of a die is cast by a smaller one inside it, so that none falls on its own round edges
_AWAY_M = (0.0, 0.0, -50.0)  # where dice are that are not in the throw

# Outward directions of a die whose 1, 2 and 3 run anticlockwise about their corner; opposite faces add to seven.
_NORMALS = {1: (0, 0, 1), 2: (0, -1, 0), 3: (1, 0, 0), 4: (-1, 0, 0), 5: (0, 1, 0), 6: (0, 0, -1)}


@dataclass(frozen=True, slots=True)
class LyingDie:
    """A die flat on the baize: the value on top, its middle in the box, and its turn about the vertical."""

    value: int
    x_mm: float
    y_mm: float
    turn_rad: float


def throw(measures: Measures, seed: int, count: int, apart_mm: float = 25.0) -> tuple[LyingDie, ...]:
    """Return dice at random places between the four markers, whatever face up and however turned."""
    rng = random.Random(f"{measures.box.name}/{seed}")
    paper_mm = measures.marker_margin_mm + measures.marker_mm * (1 + 1 / _MODULES)
    edge_mm = paper_mm + measures.die_mm / math.sqrt(2)
    (near, far), half = measures.field_y_mm, measures.field_mm[0] / 2
    lying: list[LyingDie] = []
    while len(lying) < count:
        x, y = rng.uniform(edge_mm - half, half - edge_mm), rng.uniform(near + edge_mm, far - edge_mm)
        if all(math.hypot(x - other.x_mm, y - other.y_mm) >= apart_mm for other in lying):
            lying.append(LyingDie(rng.randint(1, 6), x, y, rng.uniform(0.0, 2 * math.pi)))
    return tuple(lying)


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """Triangles for the renderer: corners in mm (n, 3), normals (n, 3), places in the texture (n, 2), faces (m, 3)."""

    corners: Floats
    normals: Floats
    places: Floats
    faces: NDArray[np.int64]


def shape_of(kit: Kit, part: str) -> Shape:
    """Return a part with a grain that runs over each of its sides; large triangles of sheets are divided."""
    solid, mesh = kit.solids[part], kit.mesh(part)
    if solid.sheet is not None:
        mesh = mesh.subdivide_to_size(_COARSE_MM, max_iter=12)
    corners = np.asarray(mesh.triangles, np.float64).reshape(-1, 3)
    normals = np.repeat(np.asarray(mesh.face_normals, np.float64), 3, axis=0)
    axis = np.abs(normals).argmax(axis=1)
    along = np.array([(1, 2), (0, 2), (0, 1)])[axis]
    places = np.take_along_axis(corners, along, axis=1) / _TILE_MM
    return Shape(corners, normals, places, np.arange(len(corners)).reshape(-1, 3))


def card_shape(edge_mm: float, thick_mm: float) -> Shape:
    """Return a card on z = 0, its texture on the upper side and upright for who looks from the front."""
    half = edge_mm / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    top = np.column_stack((square, np.full(4, thick_mm)))
    foot = np.column_stack((square, np.zeros(4)))
    corners, normals, places = [top], [np.tile((0.0, 0.0, 1.0), (4, 1))], [square / edge_mm + 0.5]
    for one, other in pairwise((0, 1, 2, 3, 0)):
        way = square[other] - square[one]
        corners.append(np.array([foot[one], foot[other], top[other], top[one]]))
        normals.append(np.tile((way[1] / edge_mm, -way[0] / edge_mm, 0.0), (4, 1)))
        places.append(np.full((4, 2), 0.01))  # the white rim
    quads = np.array([(0, 1, 2), (0, 2, 3)])
    faces = np.concatenate([quads + 4 * side for side in range(5)])
    return Shape(np.concatenate(corners), np.concatenate(normals), np.concatenate(places), faces)


def die_shape(look: DieLook) -> Shape:
    """Return a die with round edges, its middle in the origin; its faces 1 to 6 lie side by side in the texture."""
    half, core = look.edge_mm / 2, 1 - 2 * look.rounding
    bend = np.linspace(core, 1, 5)
    steps = np.concatenate((-bend[::-1], np.linspace(-core, core, 7)[1:-1], bend))
    s, t = (each.ravel() for each in np.meshgrid(steps, steps, indexing="ij"))
    count = len(steps)
    first = np.arange(count * count).reshape(count, count)[:-1, :-1].ravel()
    quads = np.concatenate(
        [np.stack((first, first + count, first + count + 1), 1), np.stack((first, first + count + 1, first + 1), 1)]
    )
    corners, normals, places, faces = [], [], [], []
    for value, direction in _NORMALS.items():
        normal = np.array(direction, np.float64)
        across = np.roll(normal, 1) * normal.sum()
        cube = normal + s[:, None] * across + t[:, None] * np.cross(normal, across)
        inner = np.clip(cube, -core, core)
        outward = cube - inner
        outward /= np.linalg.norm(outward, axis=1, keepdims=True)
        corners.append(half * (inner + (1 - core) * outward))
        normals.append(outward)
        places.append(np.column_stack(((value - 1 + (s + 1) / 2) / 6, (t + 1) / 2)))
        faces.append(quads + (value - 1) * count * count)
    return Shape(np.concatenate(corners), np.concatenate(normals), np.concatenate(places), np.concatenate(faces))


def die_texture(look: DieLook) -> Pixels:
    """Return the six faces of a die side by side, 1 to 6: (h, 6 h, 3) RGB."""
    side, bits = _FACE_TEXELS, 4
    drawn = np.empty((side, 6 * side, 3), np.uint8)
    drawn[:] = look.body
    for value, pips in PIP_PLACES.items():
        for column, row in pips:
            x, y = ((0.5 + look.pitch * step) * side - 0.5 for step in (column, row))
            middle = round((x + (value - 1) * side) * 2**bits), round(y * 2**bits)
            cv2.circle(drawn, middle, round(look.pip_radius * side * 2**bits), look.pip, -1, cv2.LINE_AA, bits)
    return drawn


def marker_texture(number: int, marker_mm: float) -> Pixels:
    """Return a marker with its white rim as the sheet has it: (h, h, 3) RGB."""
    side = _MODULES * _MODULE_TEXELS
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    marker = np.asarray(cv2.aruco.generateImageMarker(dictionary, number, side), np.uint8)
    card = np.pad(marker, _MODULE_TEXELS, constant_values=255)
    # The sheet prints a small square where the marker's upper left corner is.
    low, high = (round(mm / marker_mm * side) for mm in (0.3, 1.2))
    card[low:high, low:high] = 0
    grey = np.where(card > 127, _PAPER, _INK).astype(np.uint8)
    return np.repeat(grey[:, :, None], 3, axis=2)


def grain_texture(solid: Solid) -> Pixels:
    """Return a piece of felt or wood of `_TILE_MM`: (h, h, 3) RGB."""
    side = round(_TILE_MM * _TEXELS_PER_MM)
    noise = np.random.default_rng(7).standard_normal((side, side), np.float32)
    spread = (0.8, 0.8) if solid.material == "felt" else (8.0, 0.8)
    soft = cv2.GaussianBlur(noise, (0, 0), spread[0], sigmaY=spread[1])
    shade = 1 + _GRAIN[solid.material] * soft / float(soft.std())
    return np.asarray(np.clip(255 * shade[:, :, None] * np.array(solid.colour), 0, 255), np.uint8)


def open_window(width: int, height: int) -> Any:
    """Open something to draw on, as the current one. Raises `OSError` where EGL cannot."""
    try:
        from mujoco.egl import GLContext

        window = GLContext(width, height)
        window.make_current()
    except (ImportError, AttributeError, RuntimeError) as error:
        raise OSError(f"EGL cannot be opened: {error}") from error
    return window


class Stage:
    """A kit before MuJoCo's renderer, its lid open and its mast up, with the camera at its lens.

    Lifetime: opened once for some tests, ended by `close`. Concurrency: one thread.
    Raises `OSError` as `open_window` does.
    """

    def __init__(self, kit: Kit) -> None:
        self.kit = kit
        self._look = DieLook(kit.measures.die_mm, *LOOKS[0])
        self._camera = kit.measures.box.camera
        self._model = self._build().compile()
        self._data = mujoco.MjData(self._model)
        bodies = [*(each.label for each in self._placements(Pose())), *(f"die {n}" for n in range(1, MOST_DICE + 1))]
        self._labels = [["table", *bodies][body] for body in self._model.geom_bodyid]
        self._scene = mujoco.MjvScene(self._model, maxgeom=len(self._labels) + 100)
        self._option = mujoco.MjvOption()
        size = self._camera.width_px * _FINE, self._camera.height_px * _FINE
        self._window = open_window(*size)
        self._context = mujoco.MjrContext(self._model, mujoco.mjtFontScale.mjFONTSCALE_100)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._context)
        self.pose(Pose())
        self.lay(())

    def close(self) -> None:
        self._context.free()
        self._window.free()

    # What is seen.

    def pose(self, pose: Pose) -> None:
        """Move tiles, rods and horns; the lid stays open and the mast up."""
        still = range(self._model.nmocap - MOST_DICE)
        for mocap, placement in zip(still, self._placements(pose), strict=True):
            self._data.mocap_pos[mocap], self._data.mocap_quat[mocap] = _place(placement)

    def lay(self, dice: Sequence[LyingDie]) -> None:
        """Lay these dice on the baize, and no others."""
        for number in range(MOST_DICE):
            mocap = self._model.nmocap - MOST_DICE + number
            self._data.mocap_pos[mocap] = _AWAY_M
            if number < len(dice):
                die = dice[number]
                middle = die.x_mm, die.y_mm, BAIZE_Z_MM + self.kit.measures.die_mm / 2
                self._data.mocap_pos[mocap] = np.array(middle) / 1000
                self._data.mocap_quat[mocap] = _quaternion(_turn(die.turn_rad) @ _raised(die.value))

    # Pictures.

    def picture(self, seed: int = 0) -> Pixels:
        """Return the camera's picture, (h, w, 3) BGR: a little soft and with noise, as a sensor gives it."""
        fine = self._draw(self._fixed_camera(), self._camera.width_px * _FINE, self._camera.height_px * _FINE)
        return develop(fine, seed)

    def outside(self, azimuth: float, elevation: float, metres: float, towards_mm: Sequence[float]) -> Pixels:
        """Return a look at the box from outside, (h, w, 3) BGR; angles in degrees, azimuth 90 looks to the back."""
        camera = mujoco.MjvCamera()
        camera.azimuth, camera.elevation, camera.distance = azimuth, elevation, metres
        camera.lookat[:] = np.array(towards_mm) / 1000
        return develop(self._draw(camera, self._camera.width_px * _FINE, self._camera.height_px * _FINE), 0)

    def seen(self) -> NDArray[np.str_]:
        """Return the label of what each pixel of the camera's picture shows, (h, w); empty where nothing is."""
        width, height = self._camera.width_px, self._camera.height_px
        flags = (mujoco.mjtRndFlag.mjRND_SEGMENT, mujoco.mjtRndFlag.mjRND_IDCOLOR)
        for flag in flags:
            self._scene.flags[flag] = True
        colours = self._draw(self._fixed_camera(), width, height).astype(np.int64)
        for flag in flags:
            self._scene.flags[flag] = False
        numbers = colours @ (1, 256, 65536)
        labels = np.full(self._scene.ngeom + 1, "", dtype="<U32")
        for geom in self._scene.geoms[: self._scene.ngeom]:
            if geom.segid >= 0:
                labels[geom.segid + 1] = self._labels[geom.objid]
        return np.asarray(labels[numbers], np.str_)

    def to_px(self, points_mm: Floats) -> Floats:
        """Map places (n, 3) in the box to places (n, 2) in the picture, by the measures alone."""
        x, y, z = mast.lens_at(self.kit.measures)
        width, height = self._camera.width_px, self._camera.height_px
        focal_px = width / 2 / math.tan(VIEW_RAD / 2)
        depths = z - points_mm[:, 2]
        across = (points_mm[:, 0] - x) / depths
        down = (y - points_mm[:, 1]) / depths
        return np.asarray(focal_px * np.column_stack((across, down)) + ((width - 1) / 2, (height - 1) / 2), np.float64)

    def _fixed_camera(self) -> mujoco.MjvCamera:
        camera = mujoco.MjvCamera()
        camera.type, camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, 0
        return camera

    def _draw(self, camera: mujoco.MjvCamera, width: int, height: int) -> Pixels:
        mujoco.mj_kinematics(self._model, self._data)
        mujoco.mj_camlight(self._model, self._data)
        every = mujoco.mjtCatBit.mjCAT_ALL
        mujoco.mjv_updateScene(self._model, self._data, self._option, None, camera, every, self._scene)
        self._window.make_current()
        drawn, rect = np.empty((height, width, 3), np.uint8), mujoco.MjrRect(0, 0, width, height)
        mujoco.mjr_render(rect, self._scene, self._context)
        mujoco.mjr_readPixels(drawn, None, rect, self._context)
        return np.ascontiguousarray(drawn[::-1])

    # The model.

    def _placements(self, pose: Pose) -> list[Placement]:
        return [each for each in self.kit.placements(pose) if each.part != "die"]

    def _build(self) -> mujoco.MjSpec:
        measures, spec = self.kit.measures, mujoco.MjSpec()
        width, height = self._camera.width_px, self._camera.height_px
        visual = spec.visual
        visual.global_.offwidth, visual.global_.offheight = width * _FINE, height * _FINE
        visual.quality.shadowsize, visual.quality.offsamples = 1024, 0
        spec.stat.extent, spec.stat.center = 1.0, (0.0, 0.0, 0.0)
        visual.map.znear, visual.map.zfar = 0.004, 10.0
        visual.map.shadowscale = _SHADOWS_DEG / _BEAM_DEG
        visual.headlight.ambient, visual.headlight.diffuse = (_AMBIENT,) * 3, (0.0,) * 3
        visual.headlight.specular = (0.0,) * 3

        placements = self._placements(Pose())
        for part in sorted({each.part for each in placements if each.part != "marker"}):
            solid = self.kit.solids[part]
            grained = solid.material in _GRAIN
            look = f"{solid.material} {solid.colour}"
            if grained and spec.texture(look) is None:
                _add_texture(spec, look, grain_texture(solid))
            _add_mesh(spec, part, shape_of(self.kit, part))
            if spec.material(look) is None:
                _add_material(spec, look, look) if grained else _add_material(spec, look, colour=solid.colour)
        card_mm = measures.marker_mm * (1 + 2 / _MODULES)
        _add_mesh(spec, "marker", card_shape(card_mm, CARD_MM))
        _add_mesh(spec, "a die", die_shape(self._look))
        _add_mesh(spec, "in a die", die_shape(replace(self._look, edge_mm=_CASTS * self._look.edge_mm)))
        _add_texture(spec, "a die", die_texture(self._look))
        _add_material(spec, "a die", "a die", gloss=0.25)
        for placement in placements:
            solid = self.kit.solids[placement.part]
            material = f"{solid.material} {solid.colour}"
            if placement.part == "marker":
                material = placement.label
                _add_texture(spec, material, marker_texture(int(material.removeprefix("marker-")), measures.marker_mm))
                _add_material(spec, material, material)
            _add_body(spec, placement.part, material)
        for _ in range(MOST_DICE):
            _add_body(spec, "a die", "a die", inner="in a die")
        spec.add_texture(
            name="room",
            type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
            builtin=mujoco.mjtBuiltin.mjBUILTIN_FLAT,
            rgb1=(_ROOM,) * 3,
            rgb2=(_ROOM,) * 3,
            width=8,
            height=8,
        )
        ground = (0.0, 0.0, (FLOOR_Z_MM - measures.sheet_mm) / 1000 - 0.001)
        _add_material(spec, "table", colour=_TABLE)
        plane = mujoco.mjtGeom.mjGEOM_PLANE
        spec.worldbody.add_geom(
            type=plane, size=(0.8, 0.8, 0.02), pos=ground, material="table", contype=0, conaffinity=0
        )

        lens = mast.lens_at(measures)
        fovy = 2 * math.degrees(math.atan(math.tan(VIEW_RAD / 2) * height / width))
        spec.worldbody.add_camera(name="camera", pos=np.array(lens) / 1000, fovy=fovy)
        lamp_mm = BAIZE_Z_MM + measures.camera_mm + MAST_TOP_MM - MAST_TUBE_MM / 2 - mast.LAMP_MM[2] - 0.5
        reach = (lamp_mm - BAIZE_Z_MM) / 1000
        for place in range(_LAMPS):
            x = mast.LAMP_MM[0] * ((place + 0.5) / _LAMPS - 0.5)
            spec.worldbody.add_light(
                name=f"lamp {place}",
                type=mujoco.mjtLightType.mjLIGHT_SPOT,
                pos=np.array((x, lens[1] + mast.LAMP_Y_MM, lamp_mm)) / 1000,
                dir=(0.0, 0.0, -1.0),
                diffuse=(_LAMP / _LAMPS,) * 3,
                specular=(1.0 / _LAMPS,) * 3,
                ambient=(0.0,) * 3,
                attenuation=(0.0, 0.0, 1 / reach**2),
                cutoff=_BEAM_DEG,
                exponent=1.0,
                castshadow=True,
            )
        return spec


def develop(fine: Pixels, seed: int) -> Pixels:
    """Return what a sensor makes of a picture (h, w, 3) RGB drawn `_FINE` times finer, as BGR; blur mixes light."""
    table = ((np.arange(256) / 255) ** _GAMMA).astype(np.float32)
    light = cv2.resize(table[fine[:, :, ::-1]], None, fx=1 / _FINE, fy=1 / _FINE, interpolation=cv2.INTER_AREA)
    levels = 255 * cv2.GaussianBlur(light, (0, 0), _DEFOCUS_PX) ** (1 / _GAMMA)
    noise = np.random.default_rng(seed).standard_normal(levels.shape, np.float32)
    return np.asarray(np.clip(np.round(levels + _NOISE * noise), 0, 255), np.uint8)


def _place(placement: Placement) -> tuple[Floats, Floats]:
    """Return where a part is, in m, and its turn as a quaternion."""
    matrix = matrix_of(placement.at)
    return matrix[:3, 3] / 1000, _quaternion(matrix[:3, :3])


def _quaternion(turn: Floats) -> Floats:
    found = np.empty(4)
    mujoco.mju_mat2Quat(found, np.ascontiguousarray(turn).ravel())
    return found


def _turn(turn_rad: float) -> Floats:
    cos, sin = math.cos(turn_rad), math.sin(turn_rad)
    return np.array([(cos, -sin, 0.0), (sin, cos, 0.0), (0.0, 0.0, 1.0)])


def _raised(value: int) -> Floats:
    """Return a turn of the die that brings this value up."""
    up = np.array(_NORMALS[value], np.float64)
    near = np.roll(up, 1)
    return np.array([np.cross(near, up), near, up])


def _add_mesh(spec: mujoco.MjSpec, name: str, shape: Shape) -> None:
    spec.add_mesh(
        name=name,
        uservert=(shape.corners / 1000).ravel(),
        usernormal=shape.normals.ravel(),
        usertexcoord=(shape.places * (1, -1) + (0, 1)).ravel(),  # a texture begins at the top
        userface=shape.faces.ravel(),
        inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
    )


def _add_texture(spec: mujoco.MjSpec, name: str, drawn: Pixels) -> None:
    texture = spec.add_texture(name=name, type=mujoco.mjtTexture.mjTEXTURE_2D, nchannel=3)
    texture.height, texture.width = drawn.shape[:2]
    texture.data = drawn.tobytes()


def _add_material(
    spec: mujoco.MjSpec,
    name: str,
    texture: str = "",
    colour: tuple[float, float, float] = (1.0, 1.0, 1.0),
    gloss: float = 0.0,
) -> None:
    material = spec.add_material(name=name, rgba=(*colour, 1.0), specular=gloss, shininess=0.6)
    if texture:
        material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = texture


def _add_body(spec: mujoco.MjSpec, mesh: str, material: str, inner: str = "") -> None:
    """Add a body that is moved by hand; a mesh inside it may cast its shadow."""
    body = spec.worldbody.add_body(mocap=True)
    for name in (mesh, inner) if inner else (mesh,):
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_MESH,
            meshname=name,
            material=material,
            castshadow=name == (inner or mesh),
            contype=0,
            conaffinity=0,
        )
