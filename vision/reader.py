"""From one picture to one reading: straighten, find spots, try faces, account for everything else."""

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.box import FieldLayout
from vision.colours import colour_name
from vision.face import FaceFit, look_at
from vision.field import Field, locate_field, whole_picture_field
from vision.frame import Frame, Pixels
from vision.lattice import candidates, single
from vision.markers import marker_shows
from vision.pips import Spots, find_spots
from vision.quality import BLURRED_SAY, is_blurred, light_of
from vision.reading import DieReading, Reading, Reason, read, refused
from vision.segment import Thing, things_on_baize
from vision.trace import Trace
from vision.view import View, straighten

_EDGES = (0.64, 1.38)  # dice of another size than the box's own are read too, within these factors
_LARGER_ABOVE = 1.05  # the top of a die is nearer to the camera than the baize
_WHOLE_EDGES = (0.055, 0.62)  # edge of a die as a part of a whole picture's longer side
_PIP_RADII = (0.06, 0.18)  # pip radius in edges
_WINDOW = 0.6  # a spot is compared with the mean of a window of this many edges
_OVERLAP = 0.75  # middles of two dice are at least this many edges apart
_ROUND = 0.72
_BASE = 0.955  # a die's foot lies nearer to the picture's middle than its top by about this factor
_SURE = 0.5
_CONTRARY = 0.6  # spots of the other sign within a face this strong beside its pips may be the true pips
_INSIDE = 0.45
_AROUND = 0.9  # a closer look goes this many edges beyond what is not explained
_CLOSER_WINDOWS = (0.3, 0.45)
_CLOSER_LOOKS = 6
_PIP_LIKE = 2.0  # pips of the dice of one throw differ in radius by less than this factor
_PIP_SIZE = 1.4  # ... and mostly by less than this
_CLEAR_SQUARE = 0.8
_LEVEL = 0.84  # pips of a level die are rounder than this; tilted by 33 degrees they are not
_LEVEL_ONE = 0.9  # the only pip of a 1 is large and clear
_STRONG, _VERY_STRONG = 60, 100  # contrast of spots that only a die has: two of the first, or one of the second
_BESIDE_MM = 8.0  # the top of a die at the wall is seen this far outside the baize
_REACH = 1.1  # a die's own side pips lie within this many edges of its middle
_HAND_MM2 = 2500.0

_Box = tuple[float, float, float, float]


def read_dice(
    picture: Frame | Pixels,
    *,
    layout: FieldLayout | None,
    die_mm: float,
    expected: int | None = None,
    trace: Trace | None = None,
) -> Reading:
    """Read the dice that lie on the baize.

    `layout` describes the field and its markers; None takes the whole picture, at any scale. `die_mm` is the
    edge of the box's dice, a hint. With `expected`, another number of dice is refused. `trace` collects the
    pictures of the stages. What cannot be read is a `Reading` with a verdict, never an exception.
    """
    pixels = picture.pixels if isinstance(picture, Frame) else picture
    bad_light = light_of(pixels)
    if bad_light is not None:
        return bad_light
    field = whole_picture_field(pixels) if layout is None else locate_field(pixels, layout)
    if field is None:
        if is_blurred(pixels):
            return refused(Reason.BLURRED, BLURRED_SAY)
        return refused(Reason.NO_FIELD, "I do not see the markers in the corners of the baize.")
    return read_field(pixels, field, die_mm=die_mm, expected=expected, trace=trace)


def read_field(
    pixels: Pixels, field: Field, *, die_mm: float, expected: int | None = None, trace: Trace | None = None
) -> Reading:
    """Read the dice in a picture whose field is known; see `read_dice`."""
    view = straighten(pixels, field)
    edges = _edges_px(view, field, die_mm)
    spots, beside = _off_markers(_spots(view, field, edges), view, field)
    fits = _fits(view, spots, edges)
    faces = _best(fits)
    things = _things(view, field, faces)
    unread = _unread(view, field, beside, faces, things, edges)
    if unread:
        faces = _best(fits + [fit for box in unread for fit in _closer(view, field, box, edges)])
        things = _things(view, field, faces)
    if trace is not None:
        _show(trace, view, spots, faces, things)
    refusal = _objection(view, field, spots, _stray_pips(view, beside, faces), faces, things) or _miscount(
        faces, expected
    )
    if refusal is not None:
        return refusal
    return read(tuple(_die(view, face) for face in faces))


def _edges_px(view: View, field: Field, die_mm: float) -> tuple[float, float]:
    """The least and the largest edge of a die in view pixels."""
    if field.known_scale:
        edge = die_mm * view.px_per_mm * _LARGER_ABOVE
        return edge * _EDGES[0], edge * _EDGES[1]
    longer = max(view.pixels.shape[:2])
    return longer * _WHOLE_EDGES[0], longer * _WHOLE_EDGES[1]


def _spots(view: View, field: Field, edges: tuple[float, float]) -> Spots:
    radii = (_PIP_RADII[0] * edges[0], _PIP_RADII[1] * edges[1])
    if field.known_scale:
        windows: tuple[int, ...] = (_odd(_WINDOW * np.sqrt(edges[0] * edges[1])),)
    else:
        windows = tuple(_odd(_WINDOW * edge) for edge in np.geomspace(edges[0] * 1.4, edges[1] / 1.4, 3))
    return find_spots(view.pixels, radii, windows)


def _odd(size: float) -> int:
    return int(size) | 1


def _off_markers(spots: Spots, view: View, field: Field) -> tuple[Spots, Spots]:
    """The spots without those of whole markers, on which no die can lie; and those without any of a marker.

    A marker's modules look like pips. Where a die covers a part of one, its pips may look like modules.
    """
    free = np.ones(len(spots), bool)
    beside = free.copy()
    for number, quad in (view.marker_quads(field) | view.unseen_quads(field)).items():
        shows, whole = marker_shows(view.pixels, number, quad, spots.at)
        beside &= ~shows
        if whole:
            free &= ~_within(spots.at, quad)
    return spots.only(free), spots.only(beside & free)


def _within(at: NDArray[np.float64], quad: NDArray[np.float64]) -> NDArray[np.bool_]:
    outline = np.asarray(quad, np.float32)
    return np.array([cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0 for x, y in at], bool)


def _things(view: View, field: Field, faces: list[FaceFit]) -> list[Thing]:
    return things_on_baize(view, field, [_footprint(face, view) for face in faces]) if field.known_scale else []


def _unread(
    view: View, field: Field, spots: Spots, faces: list[FaceFit], things: list[Thing], edges: tuple[float, float]
) -> list[_Box]:
    """Where something is that no face explains: worth a closer look."""
    if not field.known_scale:
        return []
    stray = _stray_pips(view, spots, faces)
    boxes = [thing.box for thing in things if thing.area_mm2 < _HAND_MM2]
    boxes += [(x, y, x, y) for x, y in stray.at[np.argsort(-stray.strength)].tolist()]
    around = _AROUND * edges[1]
    apart: list[_Box] = []
    for left, top, right, bottom in boxes:
        x, y = (left + right) / 2, (top + bottom) / 2
        if not any(box[0] < x < box[2] and box[1] < y < box[3] for box in apart):
            apart.append((left - around, top - around, right + around, bottom + around))
    return apart[:_CLOSER_LOOKS]


def _closer(view: View, field: Field, box: _Box, edges: tuple[float, float]) -> list[FaceFit]:
    """The faces of one part of the view, looked at with windows so small that pips which touch come apart."""
    height, width = view.pixels.shape[:2]
    left, top = max(0, round(box[0])), max(0, round(box[1]))
    part = view.pixels[top : min(height, round(box[3])), left : min(width, round(box[2]))]
    radii = (_PIP_RADII[0] * edges[0], _PIP_RADII[1] * edges[1])
    usual = float(np.sqrt(edges[0] * edges[1]))
    spots = find_spots(np.ascontiguousarray(part), radii, tuple(_odd(window * usual) for window in _CLOSER_WINDOWS))
    return _fits(view, _off_markers(spots.moved(left, top), view, field)[0], edges)


def _fits(view: View, spots: Spots, edges: tuple[float, float]) -> list[FaceFit]:
    """The faces that stand up to a close look."""
    tries = list(candidates(spots, edges))
    taken: set[int] = set()
    fits = [fit for fit in (look_at(view.pixels, attempt, edges) for attempt in tries) if fit is not None]
    for fit in fits:
        taken.update(fit.spots)
    alone = [index for index in np.flatnonzero(spots.aspect > _ROUND) if int(index) not in taken]
    ones = (look_at(view.pixels, single(spots, int(index)), edges) for index in alone)
    return fits + [fit for fit in ones if fit is not None]


def _best(fits: list[FaceFit]) -> list[FaceFit]:
    """Of faces that overlap the one that explains more; from left to right."""
    kept: list[FaceFit] = []
    for fit in sorted(fits, key=lambda fit: (len(fit.spots), fit.quality), reverse=True):
        if all(_apart(fit, other) for other in kept):
            kept.append(fit)
    return sorted(kept, key=lambda fit: float(fit.middle[0]))


def _apart(one: FaceFit, other: FaceFit) -> bool:
    distance = float(np.linalg.norm(one.middle - other.middle))
    return distance > _OVERLAP * max(one.edge_px, other.edge_px)


def _footprint(face: FaceFit, view: View) -> NDArray[np.float64]:
    """The outline (8, 2) of a die's top and foot in view pixels; the foot lies towards the middle."""
    middle = np.array([view.pixels.shape[1], view.pixels.shape[0]]) / 2
    return np.concatenate((face.corners, middle + (face.corners - middle) * _BASE))


def _objection(
    view: View,
    field: Field,
    spots: Spots,
    stray: Spots,
    faces: list[FaceFit],
    things: list[Thing],
) -> Reading | None:
    """Why the faces found are not the whole truth, or None."""
    likely = (tuple(sorted(face.value for face in faces)),) if faces else ()
    hand = next((thing for thing in things if thing.area_mm2 > _HAND_MM2 and thing.from_outside), None)
    if hand is not None:
        return refused(Reason.HAND, "Take your hand out of the field.", at_px=view.original(*hand.middle))
    for face in faces:
        if field.known_scale and not _on_baize(face, view):
            at = view.original(float(face.middle[0]), float(face.middle[1]))
            return refused(Reason.OFF_FIELD, "One die lies outside the field. Throw again.", at_px=at)
    tilted = next((face for face in faces if field.known_scale and not _is_level(face)), None)
    if tilted is not None:
        at = view.original(float(tilted.middle[0]), float(tilted.middle[1]))
        return refused(Reason.COCKED, "One die leans on something. Throw again.", at_px=at, likely=likely)
    if things:
        say = "I see something on the baize that I cannot read: move the dice apart or take it away."
        return refused(Reason.UNEXPLAINED, say, at_px=view.original(*things[0].middle), likely=likely)
    another = len(stray) > 1 or bool((stray.strength > _VERY_STRONG).any() or _like_pips(view, stray, faces).any())
    if another and (faces or field.known_scale):
        at = view.original(float(stray.at[0, 0]), float(stray.at[0, 1]))
        say = "I see pips of a die that I cannot read: move the dice apart, away from the wall."
        return refused(Reason.UNSURE, say, at_px=at, likely=likely)
    doubtful = next((face for face in faces if face.quality < _SURE or _contradicted(spots, face)), None)
    if doubtful is not None:
        at = view.original(float(doubtful.middle[0]), float(doubtful.middle[1]))
        return refused(Reason.UNSURE, "I am not sure of one die: say what you threw.", at_px=at, likely=likely)
    if not faces:
        return refused(Reason.NO_DICE, "I see no dice on the baize.")
    return None


def _contradicted(spots: Spots, face: FaceFit) -> bool:
    """True when round spots of the other sign lie in the face: in a smeared picture the gaps may look like pips.

    One alone is believed only where the square about the face is unclear too: the plain middle of a 4 or 6 may
    look like a spot.
    """
    inside = np.linalg.norm(spots.at - face.middle, axis=1) < _INSIDE * face.edge_px
    strong = spots.strength > _CONTRARY * face.strength
    alike = (spots.radius > face.pip_px / _PIP_LIKE) & (spots.radius < face.pip_px * _PIP_LIKE)
    contrary = inside & strong & alike & (spots.light != face.light) & (spots.aspect > _ROUND)
    allowed = 1 if face.outline.agree > _CLEAR_SQUARE else 0
    return int(contrary.sum()) > allowed


def _stray_pips(view: View, spots: Spots, faces: list[FaceFit]) -> Spots:
    """Strong round spots that belong to no die that was read: there is another one."""
    left, top, right, bottom = view.baize
    beside = _BESIDE_MM * view.px_per_mm
    x, y = spots.at[:, 0], spots.at[:, 1]
    least = min([_STRONG, *(_CONTRARY * face.strength for face in faces)])
    keep = (spots.strength > least) & (spots.aspect > _ROUND)
    keep &= (x > left - beside) & (x < right + beside) & (y > top - beside) & (y < bottom + beside)
    for face in faces:
        keep &= np.linalg.norm(spots.at - face.middle, axis=1) > _REACH * face.edge_px
    if faces:
        usual = float(np.median([face.pip_px for face in faces]))
        keep &= (spots.radius > usual / _PIP_LIKE) & (spots.radius < usual * _PIP_LIKE)
    return spots.only(keep)


def _is_level(face: FaceFit) -> bool:
    return face.aspect > (_LEVEL_ONE if face.value == 1 else _LEVEL)


def _like_pips(view: View, stray: Spots, faces: list[FaceFit]) -> NDArray[np.bool_]:
    """Which stray spots lie on the baize and have the size of the pips that were read: one is enough."""
    left, top, right, bottom = view.baize
    x, y = stray.at[:, 0], stray.at[:, 1]
    inside = (x > left) & (x < right) & (y > top) & (y < bottom)
    usual = float(np.median([face.pip_px for face in faces])) if faces else np.inf
    ratio = stray.radius / usual
    return np.asarray(inside & (ratio > 1 / _PIP_SIZE) & (ratio < _PIP_SIZE), np.bool_)


def _on_baize(face: FaceFit, view: View) -> bool:
    middle = np.array([view.pixels.shape[1], view.pixels.shape[0]]) / 2
    x, y = middle + (face.middle - middle) * _BASE
    left, top, right, bottom = view.baize
    return bool(left < x < right and top < y < bottom)


def _miscount(faces: list[FaceFit], expected: int | None) -> Reading | None:
    if expected is None or len(faces) == expected:
        return None
    dice = "one die" if expected == 1 else f"{expected} dice"
    if len(faces) < expected:
        return refused(Reason.TOO_FEW, f"I see {len(faces)} of {dice}: throw {dice}.")
    return refused(Reason.TOO_MANY, f"I see {len(faces)} dice: leave only {dice} in the field.")


def _die(view: View, face: FaceFit) -> DieReading:
    at = view.original(float(face.middle[0]), float(face.middle[1]))
    return DieReading(face.value, at, round(face.quality, 3), colour_name(face.body))


def _show(trace: Trace, view: View, spots: Spots, faces: list[FaceFit], things: list[Thing]) -> None:
    trace.add("view", view.pixels)
    marked = view.pixels.copy()
    for (x, y), radius, light in zip(spots.at, spots.radius, spots.light, strict=True):
        colour = (0, 0, 255) if light else (255, 0, 0)
        cv2.circle(marked, (round(x), round(y)), round(radius) + 1, colour, 1)
    trace.add("spots", marked)
    for face in faces:
        cv2.polylines(marked, [np.round(face.corners).astype(np.int32)], True, (0, 255, 255), 2)
        at = (round(float(face.middle[0])) + 40, round(float(face.middle[1])))
        cv2.putText(marked, str(face.value), at, cv2.FONT_HERSHEY_SIMPLEX, 1.2, (255, 0, 255), 2)
    for thing in things:
        cv2.circle(marked, (round(thing.middle[0]), round(thing.middle[1])), 24, (0, 165, 255), 3)
    trace.add("faces", marked)
