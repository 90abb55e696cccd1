"""What lies still under the simulated camera: wooden tray, baize, markers, lamp light."""

import colorsys
import random

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.box import Camera, FieldLayout
from vision.sim.optics import Optics

_EDGE_MM = 12.0  # the tray's rim runs this far outside the baize
_TEXEL = 4  # pixels of a marker's drawing per module

Real32 = NDArray[np.float32]


def empty_table(optics: Optics, camera: Camera, layout: FieldLayout, seed: int) -> Real32:
    """The table without dice in lamp light: (height, width, 3) float32 BGR, 0..255."""
    rng = random.Random(f"table/{seed}")
    noise = np.random.default_rng(rng.getrandbits(32))
    size = (camera.width_px, camera.height_px)
    picture = _wood(size, noise)
    to_px = optics.on_baize()
    _fill(picture, to_px, (-_EDGE_MM, -_EDGE_MM, layout.width_mm + _EDGE_MM, layout.depth_mm + _EDGE_MM), (38, 58, 84))
    baize = _baize(size, rng, noise)
    mask = np.zeros((camera.height_px, camera.width_px), np.float32)
    _fill(mask, to_px, (0.0, 0.0, layout.width_mm, layout.depth_mm), 1.0)
    picture += mask[:, :, None] * (baize - picture)
    _lay_markers(picture, to_px, layout, rng)
    return np.asarray(picture * _light(size, rng)[:, :, None], np.float32)


def _wood(size: tuple[int, int], noise: np.random.Generator) -> Real32:
    grain = cv2.GaussianBlur(60 * noise.standard_normal((size[1], size[0]), np.float32), (0, 0), 18, sigmaY=1)
    return np.asarray(np.array((58, 86, 118), np.float32) + grain[:, :, None], np.float32)


def _baize(size: tuple[int, int], rng: random.Random, noise: np.random.Generator) -> Real32:
    hue, value = rng.uniform(0.33, 0.44), rng.uniform(0.36, 0.5)
    red, green, blue = colorsys.hsv_to_rgb(hue, rng.uniform(0.6, 0.8), value)
    fibre = cv2.GaussianBlur(0.09 * noise.standard_normal((size[1], size[0]), np.float32), (0, 0), 0.8)
    cloud = cv2.resize(noise.normal(0, 0.03, (9, 16)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
    colour = np.array((blue * 255, green * 255, red * 255), np.float32)
    return np.asarray(colour * (1 + fibre + cloud)[:, :, None], np.float32)


def _light(size: tuple[int, int], rng: random.Random) -> Real32:
    across, down = np.meshgrid(np.linspace(-1, 1, size[0]), np.linspace(-1, 1, size[1]))
    far = (across - rng.uniform(-0.3, 0.3)) ** 2 + (down - rng.uniform(-0.3, 0.3)) ** 2
    return np.asarray(rng.uniform(0.95, 1.08) - rng.uniform(0.08, 0.16) * far, np.float32)


def _fill(
    picture: Real32, to_px: NDArray[np.float64], box_mm: tuple[float, float, float, float], colour: object
) -> None:
    left, far, right, near = box_mm
    corners = np.array([[[left, far], [right, far], [right, near], [left, near]]], np.float64)
    points = np.round(cv2.perspectiveTransform(corners, to_px) * 16).astype(np.int32)
    cv2.fillConvexPoly(picture, points, colour, cv2.LINE_8, 4)  # type: ignore[call-overload]


def _lay_markers(picture: Real32, to_px: NDArray[np.float64], layout: FieldLayout, rng: random.Random) -> None:
    inset = layout.marker_margin_mm + layout.marker_mm / 2
    middles = (
        (inset, inset),
        (layout.width_mm - inset, inset),
        (layout.width_mm - inset, layout.depth_mm - inset),
        (inset, layout.depth_mm - inset),
    )
    for number, (x, y) in enumerate(middles):
        _lay_marker(picture, to_px, number, (x, y), layout.marker_mm, rng.uniform(-0.05, 0.05))


def _lay_marker(
    picture: Real32,
    to_px: NDArray[np.float64],
    number: int,
    middle_mm: tuple[float, float],
    edge_mm: float,
    turn_rad: float,
) -> None:
    """Lay one marker with the white rim it is printed with (one module wide)."""
    drawing = _drawing(number)
    texels = drawing.shape[0]
    mm = edge_mm / (texels - 2 * _TEXEL)  # the rim lies outside the marker's edge
    cosine, sine = np.cos(turn_rad) * mm, np.sin(turn_rad) * mm
    middle = (texels - 1) / 2
    place = np.array(
        [
            [cosine, -sine, middle_mm[0] - (cosine - sine) * middle],
            [sine, cosine, middle_mm[1] - (sine + cosine) * middle],
            [0.0, 0.0, 1.0],
        ]
    )
    size = (picture.shape[1], picture.shape[0])
    cover = cv2.warpPerspective(np.ones_like(drawing), to_px @ place, size, flags=cv2.INTER_AREA)
    print_ = cv2.warpPerspective(drawing, to_px @ place, size, flags=cv2.INTER_AREA)
    picture += cover[:, :, None] * (print_ / np.maximum(cover, 1e-6) - picture.transpose(2, 0, 1)).transpose(1, 2, 0)


def _drawing(number: int) -> Real32:
    """A marker with its white rim as printed on matt paper: black 30, white 225."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    marker = cv2.aruco.generateImageMarker(dictionary, number, 6 * _TEXEL)
    rimmed = cv2.copyMakeBorder(marker, _TEXEL, _TEXEL, _TEXEL, _TEXEL, cv2.BORDER_CONSTANT, value=255)
    return np.asarray(30 + rimmed.astype(np.float32) * (195 / 255), np.float32)
