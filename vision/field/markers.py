"""Finds the ArUco markers of the field: at a glance, then patiently, then by their drawing where they must lie."""

from collections.abc import Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.capture.arrays import Flags, Grey, Real, Real32
from vision.capture.frame import Pixels
from vision.libraries import cv2

_ALONG = np.linspace(0.12, 0.88, 14)  # places along a side that are sampled, as parts of it
_REACH = 0.75 / 6  # search range to either side, as a part of the edge of the marker: most of a module
_STEP_PX = 0.5
_LEAST_STEP = 2.0  # least rise outwards in linear light, of 255 a pixel
_LEAST_PLACES = 7  # half of those on a side: a side that is hidden further is not clear
_STRAIGHT_PX = 0.8  # places further from the line through the others are no part of the side

# Cameras store about the 2.2nd root of the light (sRGB, softer in the dark), in which white spills over black: edges
# are searched in linear light.
_LIGHT = (255 * (np.arange(256) / 255) ** 2.0).astype(np.float32)


def move_to_edges(grey: NDArray[np.uint8], corners: Real) -> Real:
    """Move the corners (n, 4, 2) of n markers to where the lines along the four sides of each cross.

    A marker with an unclear side keeps its corners. Across each side the steepest step from dark inside to bright
    outside is taken: that is the end of the black border, however thin the rim outside it. All markers are done at
    once: one by one takes half as long again.
    """
    along = np.roll(corners, -1, axis=1) - corners
    lengths = np.linalg.norm(along, axis=2)
    # Clockwise from the upper left, as pictures have it: outside lies to the left of the way.
    outward = np.stack((along[..., 1], -along[..., 0]), axis=2) / lengths[..., None]
    places = corners[:, :, None] + _ALONG[:, None] * along[:, :, None]
    reaches = _REACH * lengths.mean(axis=1)
    firsts, counts = -reaches - _STEP_PX, np.ceil(2 * reaches / _STEP_PX).astype(int) + 3
    slopes = np.full((*places.shape[:3], int(counts.max())), -np.inf)
    for index, (first, count) in enumerate(zip(firsts, counts, strict=True)):
        steps = first + _STEP_PX * np.arange(count)
        at = places[index, :, :, None] + steps[:, None] * outward[index, :, None, None]
        slopes[index, :, :, :count] = _slopes(grey, at)
    offsets, clear = _steepest(slopes, counts)
    offsets += firsts[:, None, None]
    keep = clear
    for limit_px in (np.inf, 4 * _STRAIGHT_PX, 2 * _STRAIGHT_PX, _STRAIGHT_PX):
        slope, start = _fit_lines(offsets, keep)
        off = np.abs(slope[..., None] * _ALONG + start[..., None] - offsets)
        keep = clear & (off < limit_px)
    slope, start = _fit_lines(offsets, keep)
    straight = keep.sum(axis=2) >= _LEAST_PLACES
    off = slope[..., None] * _ALONG[[0, -1]] + start[..., None]
    moved = _crossings(places[:, :, [0, -1]] + off[..., None] * outward[:, :, None])
    found = np.asarray(straight.all(axis=1), np.bool_)
    return np.where(found[:, None, None], moved, corners)


def _slopes(grey: NDArray[np.uint8], at: Real) -> Real:
    """Return the rise of linear light along the last axis of places `at` (4, n, steps, 2), per pixel."""
    flat = at.reshape(-1, at.shape[2], 2)
    left, upper = np.clip(np.floor(flat.min(axis=(0, 1))).astype(int), 0, np.array(grey.shape[::-1]) - 1)
    right, lower = np.ceil(flat.max(axis=(0, 1))).astype(int) + 2
    part = _LIGHT[grey[upper : max(lower, upper + 1), left : max(right, left + 1)]]
    x, y = ((flat[:, :, axis] - start).astype(np.float32) for axis, start in enumerate((left, upper)))
    light = cv2.remap(part, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    smooth = cv2.GaussianBlur(light, (0, 0), sigmaX=1.2, sigmaY=0.01)
    return np.asarray(np.gradient(smooth, axis=1).reshape(at.shape[:3]) / _STEP_PX, np.float64)


def _steepest(slopes: Real, counts: NDArray[np.int64]) -> tuple[Real, Flags]:
    """Return how far outwards from the first step the steepest one is (n, 4, places), and where it is clear.

    The place of the steepest step is interpolated by a parabola through three steps. `counts` (n) are the steps that
    each marker has in `slopes` (n, 4, places, steps).
    """
    inner = np.where(np.arange(slopes.shape[3]) < counts[:, None, None, None] - 1, slopes, -np.inf)
    best = np.argmax(inner[..., 1:], axis=3)[..., None] + 1
    before, peak, after = (np.take_along_axis(slopes, best + shift, axis=3)[..., 0] for shift in (-1, 0, 1))
    bend = np.minimum(before - 2 * peak + after, -1e-6)
    offsets = (best[..., 0] + np.clip(0.5 * (before - after) / bend, -0.5, 0.5)) * _STEP_PX
    return offsets, peak > _LEAST_STEP


def _fit_lines(offsets: Real, keep: Flags) -> tuple[Real, Real]:
    """Fit a line by least squares to each side, over the places kept; return slope and start."""
    count = np.maximum(keep.sum(axis=2), 1)
    at, value = keep @ _ALONG / count, (keep * offsets).sum(axis=2) / count
    spread = keep * (_ALONG - at[..., None])
    slope = (spread * offsets).sum(axis=2) / np.maximum((spread * spread).sum(axis=2), 1e-9)
    return slope, value - slope * at


def _crossings(ends: Real) -> Real:
    """Return the points (n, 4, 2) in which each line (n, 4, 2, 2), given by two points, crosses the one before it."""
    starts, ways = ends[:, :, 0], ends[:, :, 1] - ends[:, :, 0]
    before, before_start = np.roll(ways, 1, axis=1), np.roll(starts, 1, axis=1)
    gap = starts - before_start
    turn = before[..., 0] * ways[..., 1] - before[..., 1] * ways[..., 0]
    part = (gap[..., 0] * ways[..., 1] - gap[..., 1] * ways[..., 0]) / turn
    return np.asarray(before_start + part[..., None] * before, np.float64)


FIELD_MARKERS = range(4)  # numbers in the dictionary 4X4_50, clockwise from the far left corner
_LEAST_PX = 64  # in a smaller picture there is nothing to find
_GLANCE_PX, _GLANCE_WINDOWS = 640, (9, 29, 20)
# Windows from less than a module to more than a marker: thin rims and soft shadows need both.
_LOOK_PX, _LOOK_WINDOWS = 1280, (5, 45, 10)
_SLACK_PX = 12  # the picture is widened by this, so that a marker at its very edge has a rim
_EVEN_PART = 21  # shadows are evened out over this part of the longer side of a picture: somewhat more than a marker
_MIDDLE_GREY, _GREY_STEP = 128, 60
_ALIKE = 0.62  # least correlation of a marker with its drawing
_DRAWN_PX = 72  # size in which a marker is compared: four pixels a millimetre for the usual one
_LOOSE_PX = 14  # largest distance from the expected place
_RIM_PX = 15  # its white rim: places this far outside belong to the modules next to them
_PLAIN_LEVELS, _PLAIN_PART = 20.0, 0.4  # less spread than this is plain: in the drawing, in the picture
_SHOWS = 0.6  # least correlation around a place where the marker is visible
_CLEARLY = 0.05  # a rim is accepted when the drawing with it correlates better by this much
_RIMS_PX = range(10)  # widths of white rims that may have been mistaken for a part of a marker

Corners = NDArray[np.float64]


def find_markers(pixels: Pixels) -> Mapping[int, Corners]:
    """Find the markers of the field: number 0..3 to its corners (4, 2) in pixels, clockwise from its own upper left.

    The first look is at a small picture and suffices where all four show plainly. Fewer than two after the second, at
    the usual size, call for a third: in the brightest colour of each pixel, in which a marker without a white rim still
    stands out from coloured baize, and with shadows evened out. A number seen twice is dropped.
    """
    if min(pixels.shape[:2]) < _LEAST_PX:
        return {}
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    found = _detect(grey, _GLANCE_PX, _GLANCE_WINDOWS)
    if len(found) == len(FIELD_MARKERS):
        return found
    found = _detect(grey, _LOOK_PX, _LOOK_WINDOWS)
    if len(found) >= 2:
        return found
    brightest = np.asarray(pixels.max(axis=2), np.float32)
    even = _even_out(brightest, max(pixels.shape[:2]) // _EVEN_PART)
    evened = np.clip(_MIDDLE_GREY + _GREY_STEP * even, 0, 255).astype(np.uint8)
    return {**_detect(evened, _LOOK_PX, _LOOK_WINDOWS), **found}


def match_marker(view: Grey, number: int, expected: tuple[float, float], edge: float, reach: float) -> Corners | None:
    """Return the corners (4, 2) of a marker that must lie near `expected` (its far left corner) in a straightened view.

    `edge` is the edge of the marker and `reach` the search range on every side, both in view pixels. None when
    nothing there looks enough like it: it is covered, or missing.
    """
    left, top = (max(0, round(place - reach)) for place in expected)
    right, bottom = (round(place + edge + reach) for place in expected)
    window = view[top:bottom, left:right]
    drawing = draw_marker(number, max(6, round(edge)))
    if window.shape[0] < drawing.shape[0] or window.shape[1] < drawing.shape[1]:
        return None
    soft = _even_out(np.asarray(cv2.GaussianBlur(drawing, (0, 0), 1.0), np.float32), round(edge))
    even = _even_out(np.asarray(window, np.float32), round(edge))
    _, best, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(even, soft, cv2.TM_CCOEFF_NORMED))
    if best < _ALIKE:
        return None
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) * edge
    corner = np.array([left + x - 0.5, top + y - 0.5])
    return np.asarray(square + corner, np.float64)


def marker_shows(view: Pixels, number: int, quad: Corners, at: Corners) -> Flags:
    """Return True for the places `at` (n, 2) of a straightened view in which a marker near `quad` (4, 2) is visible.

    A marker half in shadow or half covered is not detected; where it is visible, its modules follow its drawing in
    the local light. A place on the white rim belongs to the modules next to it; places beyond are False.
    """
    ring = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * _DRAWN_PX + _LOOSE_PX
    upright = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), ring)
    size = _DRAWN_PX + 2 * _LOOSE_PX
    grey = cv2.cvtColor(cv2.warpPerspective(view, upright, (size, size)), cv2.COLOR_BGR2GRAY).astype(np.float32)
    drawing = draw_marker(number, _DRAWN_PX)
    model = np.asarray(cv2.GaussianBlur(drawing, (0, 0), 1.5), np.float32)
    even = _even_out(np.asarray(grey, np.float32), _DRAWN_PX)
    _, _, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(even, _even_out(model, _DRAWN_PX), cv2.TM_CCOEFF_NORMED))
    likeness = _likeness(np.asarray(grey[y : y + _DRAWN_PX, x : x + _DRAWN_PX]), model, _DRAWN_PX // 3)
    places = cv2.perspectiveTransform(np.asarray(at, np.float64).reshape(1, -1, 2), upright)[0] - (x, y)
    near = np.all((places > -_RIM_PX) & (places < _DRAWN_PX + _RIM_PX), axis=1)
    module = _DRAWN_PX // 6
    columns, rows = np.clip(np.round(places), module // 2, _DRAWN_PX - module // 2 - 1).astype(int).T
    return np.asarray(near & (likeness[rows, columns] > _SHOWS), np.bool_)


def draw_marker(number: int, edge_px: int) -> Grey:
    """Draw a marker of the field, black 0 and white 255: (edge_px, edge_px) with its black border."""
    return np.asarray(cv2.aruco.generateImageMarker(_dictionary(), number, edge_px), np.uint8)


def _dictionary() -> "cv2.aruco.Dictionary":
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def _even_out(grey: Real32, window: int) -> Real32:
    """Divide every place by the contrast around it, so that shadows vanish."""
    mean, square = (cv2.blur(part, (window, window)) for part in (grey, grey * grey))
    return np.asarray((grey - mean) / np.sqrt(np.maximum(square - mean * mean, 9.0)), np.float32)


def _likeness(seen: Real32, model: Real32, window: int) -> Real32:
    """Return the correlation of two pictures around each place."""
    one, other, both, one_square, other_square = (
        cv2.blur(part, (window, window)) for part in (seen, model, seen * model, seen * seen, model * model)
    )
    spread = np.sqrt(np.maximum(one_square - one**2, 4.0))
    drawn = np.sqrt(np.maximum(other_square - other**2, 4.0))
    # Where the drawing is plain, the picture must be plain too.
    plain = (spread < _PLAIN_PART * float(seen.std())).astype(np.float32)
    return np.asarray(np.where(drawn < _PLAIN_LEVELS, plain, (both - one * other) / (spread * drawn)), np.float32)


def _detect(grey: Grey, longer_px: int, windows: tuple[int, int, int]) -> dict[int, Corners]:
    """Detect the markers in a picture shrunk to this longer side; their corners are refined in the full one."""
    factor = max(1.0, max(grey.shape) / longer_px)
    size = (round(grey.shape[1] / factor), round(grey.shape[0] / factor))
    small = grey if factor == 1 else cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    slack = _SLACK_PX
    widened = cv2.copyMakeBorder(small, slack, slack, slack, slack, cv2.BORDER_REPLICATE)
    quads, numbers, _ = _detector(windows).detectMarkers(widened)
    if len(quads) == 0:
        return {}
    seen = [int(number) for number in np.asarray(numbers).ravel()]
    found = {
        number: np.asarray(quad, np.float64).reshape(4, 2)
        for number, quad in zip(seen, quads, strict=True)
        if number in FIELD_MARKERS and seen.count(number) == 1
    }
    if not found:
        return {}
    inner = np.stack([_black_border(np.asarray(widened, np.uint8), number, quad) for number, quad in found.items()])
    corners = (inner - _SLACK_PX + 0.5) * factor - 0.5
    return dict(zip(found, move_to_edges(grey, move_to_edges(grey, corners)), strict=True))


def _black_border(grey: Grey, number: int, quad: Corners) -> Corners:
    """Return the corners of the black border, where a thin white rim was mistaken for a part of the marker.

    The rim that makes the drawing most like the picture is taken off.
    """
    size = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64) * (_DRAWN_PX - 1)
    upright = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), np.asarray(size, np.float32))
    seen = cv2.warpPerspective(grey, upright, (_DRAWN_PX, _DRAWN_PX)).astype(np.float32).ravel()
    seen -= seen.mean()
    likes = np.array([seen @ model for model in _drawings_with_rims(number)]) / max(float(np.linalg.norm(seen)), 1.0)
    best = int(np.argmax(likes))
    if likes[best] < likes[0] + _CLEARLY:
        return quad
    rim = _RIMS_PX[best]
    inner = size + np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * float(rim)
    found = cv2.perspectiveTransform(inner.reshape(1, 4, 2), np.linalg.inv(upright))
    return np.asarray(found, np.float64).reshape(4, 2)


@cache
def _drawings_with_rims(number: int) -> tuple[Real32, ...]:
    """Return the drawing of a marker with white rims of rising width, each of mean 0 and length 1."""
    models = []
    for rim in _RIMS_PX:
        drawing = draw_marker(number, _DRAWN_PX - 2 * rim)
        full = cv2.copyMakeBorder(drawing, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=(255,))
        soft = cv2.GaussianBlur(full, (0, 0), 1.5).astype(np.float32).ravel()
        soft -= soft.mean()
        models.append(soft / float(np.linalg.norm(soft)))
    return tuple(models)


@cache
def _detector(windows: tuple[int, int, int]) -> "cv2.aruco.ArucoDetector":
    """Make a detector; `windows` are the least and greatest window of the threshold, and the step, in pixels."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 3
    parameters.adaptiveThreshWinSizeMin, parameters.adaptiveThreshWinSizeMax = windows[:2]
    parameters.adaptiveThreshWinSizeStep = windows[2]
    parameters.minMarkerPerimeterRate = 0.04
    parameters.polygonalApproxAccuracyRate = 0.05
    parameters.errorCorrectionRate = 1.0
    return cv2.aruco.ArucoDetector(_dictionary(), parameters)


_PX = 24  # pixels along a marker's edge, four a module
_SOFT_PX = 1.0  # so that an error of half a millimetre does not matter
_DRAWN_SOFT_PX = 1.25  # the lens has already softened the picture
_OFF = 0.27  # a covered quarter differs from its drawing by more than this part of black to white
_FADED = 12.0  # with fewer levels from black to white nothing can be decided

_FINE_PX = 2 * _PX  # cut in this size and halved, so that nothing is skipped
_UPRIGHT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * _FINE_PX - 0.5


def is_unoccluded(picture: Pixels, number: int, quad: Real) -> bool:
    """Return True when the marker with this number shows plainly between its corners `quad` (4, 2) in a picture.

    The drawing is fitted to each colour channel by its black and its white; then every quarter must be like
    it: a red die is dark in blue, and as bright as paper in red.
    """
    to_upright = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), _UPRIGHT)
    upright = cv2.warpPerspective(picture, to_upright, (_FINE_PX, _FINE_PX))
    small = cv2.resize(upright, (_PX, _PX), interpolation=cv2.INTER_AREA).astype(np.float32)
    seen = cv2.GaussianBlur(small, (0, 0), _SOFT_PX).reshape(_PX, _PX, 3)
    centred = _drawing(number)[:, :, None]
    contrast = (seen * centred).sum(axis=(0, 1)) / (centred * centred).sum()
    if contrast.min() < _FADED:
        return False
    off = (seen - seen.mean(axis=(0, 1)) - contrast * centred) / contrast
    quarters = (off * off).reshape(2, _PX // 2, 2, _PX // 2, 3).mean(axis=(1, 3))
    return bool(quarters.max() < _OFF**2)


@cache
def _drawing(number: int) -> Real32:
    """Draw the marker from black to white (1 apart), its mean taken off, a little out of focus."""
    marker = draw_marker(number, _PX).astype(np.float32)
    drawing = np.asarray(cv2.GaussianBlur(marker, (0, 0), _DRAWN_SOFT_PX), np.float32) / np.float32(255)
    return np.asarray(drawing - drawing.mean(), np.float32)
