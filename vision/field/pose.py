"""The pose of the camera over the field, fitted to the markers, and the map from heights over the baize to pixels."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace

import numpy as np

from hardware.box import FieldLayout
from vision.capture.arrays import Real
from vision.field.lens import Lens, bend
from vision.libraries import cv2

_ROUNDS = 12
# Prior knowledge of a camera over a table, one standard deviation each.
_FOCAL_PART = 0.2  # of the logarithm: 50 to 75 degrees instead of 66
HEIGHT_PART = 0.12  # of the logarithm: 330 to 480 mm instead of 400
_TILT_RAD = 0.12
_BEND = 0.06  # k1 of the lens
_INSET_MM = 1.5  # people lay the markers by hand,
_PLACE_MM = 0.8  # each of them some way off,
_TURN_RAD = 0.03  # and turned
_SIZE_PART = 0.02  # Light spills over black, and printers scale.
_CORNER_PX = 0.4  # accuracy of a corner of a marker that is found,
_LOOSE_CORNER_PX = 2.0  # and of one that is only matched


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """A camera over the field.

    `turn` maps field axes (x right, y towards the player, the third down) to those of the camera (right, down, ahead).
    """

    lens: Lens
    turn: Real  # (3, 3)
    camera_mm: Real  # the pinhole: x and y in the field, and its height over the baize

    def to_px(self, points_mm: Real, height_mm: float = 0.0) -> Real:
        """Map points (n, 2) in mm on the plane at that height over the baize to picture points (n, 2)."""
        x, y, height = self.camera_mm
        points = np.asarray(points_mm, np.float64).reshape(-1, 2)
        seen = (points - (x, y)) @ self.turn[:, :2].T + (height - height_mm) * self.turn[:, 2]
        return self.lens.to_px(seen[:, :2] / seen[:, 2:])

    def to_mm(self, points_px: Real, height_mm: float = 0.0) -> Real:
        """Map picture points (n, 2) to points (n, 2) in mm on the plane at that height over the baize."""
        rays = self.lens.rays(np.asarray(points_px, np.float64).reshape(-1, 2))
        away = np.column_stack((rays, np.ones(len(rays)))) @ self.turn
        reach = (self.camera_mm[2] - height_mm) / away[:, 2:]
        return np.asarray(self.camera_mm[:2] + away[:, :2] * reach, np.float64)


def project_to_plane(points_mm: Real, from_mm: float, to_mm: float, camera_mm: Real) -> Real:
    """Map points (n, 2) at one height over the baize to where the camera (3,) sees them on the plane at another."""
    foot, high = camera_mm[:2], float(camera_mm[2])
    return np.asarray(foot + (points_mm - foot) * ((high - to_mm) / (high - from_mm)), np.float64)


def marker_corners_mm(number: int, layout: FieldLayout, inset_mm: float) -> Real:
    """Return the corners (4, 2) of a marker on the baize in mm, clockwise from the far left one."""
    edge = layout.marker_mm
    left = inset_mm if number in (0, 3) else layout.width_mm - inset_mm - edge
    far = inset_mm if number in (0, 1) else layout.depth_mm - inset_mm - edge
    return np.array([[left, far], [left + edge, far], [left + edge, far + edge], [left, far + edge]])


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """The pose that best explains some markers."""

    pose: Pose
    inset_mm: float  # how far from the edges of the field they were found to lie
    errors_mm: Mapping[int, float]  # how far each lies from its place (root mean square of its corners)
    strain: float  # how far all is from the prior of markers and camera, in standard deviations (root mean square)


@dataclass(frozen=True, slots=True)
class FieldPrior:
    """The prior knowledge of the camera that is weighed against the markers."""

    layout: FieldLayout
    lens: Lens  # fits the size of the picture; only a guess unless `known_lens`
    known_lens: bool = False
    expected_height_mm: float = 400.0  # of the pinhole over the baize
    height_part: float = HEIGHT_PART  # uncertainty of that height (one standard deviation, as a part of it)


def fit_pose(markers: Mapping[int, Real], prior: FieldPrior, loose: Set[int] = frozenset()) -> Fit:
    """Return the pose that best explains the corners of the markers ((4, 2) each, pixels); Gauss-Newton least squares.

    Turn, pinhole and inset are unknown, and the focal length too where the lens is only guessed; each is held
    near what a camera over a table can have, so that two markers already suffice. A marker as a whole may lie a little
    off and turned, while its shape is trusted to a fraction of a pixel; that of a `loose` one less.
    """
    return _Solver(markers, prior, loose).solve()


class _Solver:
    """Lifetime: one fit. Concurrency: none.

    The nine unknowns: three small turns after a first turn about the plumb line, the place x and y of the pinhole, the
    logarithms of its height and of the focal length relative to the expected ones, the inset, and the bend of the lens.
    """

    def __init__(self, markers: Mapping[int, Real], prior: FieldPrior, loose: Set[int]) -> None:
        self._numbers = sorted(markers)
        self._seen = np.concatenate([markers[number] for number in self._numbers])
        self._lens = prior.lens
        self._height_mm, self._inset_mm = prior.expected_height_mm, prior.layout.marker_margin_mm
        self._free = np.array([0, 1, 2, 3, 4, 5, 7] if prior.known_lens else range(9))
        without, within = (
            np.concatenate([marker_corners_mm(number, prior.layout, inset_mm) for number in self._numbers])
            for inset_mm in (0.0, 1.0)
        )
        self._at_no_inset, self._inwards = without, within - without
        self._first, self._start = self._from_straight_above()
        self._px_per_mm = self._lens.focal_px / (self._height_mm * float(np.exp(self._start[5])))
        self._weights = np.stack(
            [
                _weights(markers[number], self._px_per_mm, _LOOSE_CORNER_PX if number in loose else _CORNER_PX)
                for number in self._numbers
            ]
        )
        self._expected = np.array([0.0, 0.0, 0.0, 0.0, self._inset_mm, 0.0])
        self._spread = np.array([_TILT_RAD, _TILT_RAD, prior.height_part, _FOCAL_PART, _INSET_MM, _BEND])

    def solve(self) -> Fit:
        unknowns = self._start.copy()
        steps = np.diag(_STEPS)[self._free]
        for _ in range(_ROUNDS):
            residual, *moved = self._residuals(np.vstack((unknowns, unknowns + steps)))
            slopes = (np.array(moved) - residual).T / _STEPS[self._free]
            change = np.linalg.lstsq(slopes, residual, rcond=None)[0]
            unknowns[self._free] -= np.clip(change, -_LONGEST[self._free], _LONGEST[self._free])
            unknowns = np.clip(unknowns, -_FARTHEST, _FARTHEST)
            if bool(np.all(np.abs(change) < _STEPS[self._free])):
                break
        small, _ = cv2.Rodrigues(unknowns[:3])
        focal_px = self._lens.focal_px * float(np.exp(unknowns[6]))
        radial = (self._lens.radial[0] + float(unknowns[8]), self._lens.radial[1])
        height = self._height_mm * float(np.exp(unknowns[5]))
        turn = np.asarray(small, np.float64) @ self._first
        lens = replace(self._lens, focal_px=focal_px, radial=radial)
        pose = Pose(lens, turn, np.array([unknowns[3], unknowns[4], height]))
        model = self._at_no_inset + unknowns[7] * self._inwards
        off = (pose.to_px(model) - self._seen) / self._px_per_mm
        errors = np.sqrt(np.mean(np.sum(off.reshape(-1, 4, 2) ** 2, axis=2), axis=1))
        strain = float(np.sqrt(np.mean(self._residuals(unknowns[None]) ** 2)))
        return Fit(pose, float(unknowns[7]), dict(zip(self._numbers, errors.tolist(), strict=True)), strain)

    def _from_straight_above(self) -> tuple[Real, Real]:
        """Fit a scaled turn to the markers as laid out, as if the camera looked straight down."""
        rays = self._lens.rays(self._seen)
        model = self._at_no_inset + self._inset_mm * self._inwards
        one, other = model[:, 0] + 1j * model[:, 1], rays[:, 0] + 1j * rays[:, 1]
        base = one - one.mean()
        factor = np.vdot(base, other) / np.vdot(base, base)
        factor = factor if abs(factor) > 1e-9 else 1e-9 + 0j
        below = one.mean() - other.mean() / factor
        turn = factor / abs(factor)
        first = np.array([[turn.real, -turn.imag, 0.0], [turn.imag, turn.real, 0.0], [0.0, 0.0, 1.0]])
        height = -np.log(abs(factor) * self._height_mm)
        return first, np.array([0.0, 0.0, 0.0, below.real, below.imag, height, 0.0, self._inset_mm, 0.0])

    def _residuals(self, tries: Real) -> Real:
        """Return the residuals (n, 8 markers + 6) for tries of the unknowns (n, 9), in standard deviations.

        All at once: a slope needs as many tries as there are unknowns, and the calls cost more than their sums.
        """
        turns = np.stack([cv2.Rodrigues(turn)[0] for turn in tries[:, :3]]) @ self._first
        heights = self._height_mm * np.exp(tries[:, 5])
        away = self._at_no_inset + tries[:, 7, None, None] * self._inwards - tries[:, None, 3:5]
        seen = away @ turns[:, :, :2].transpose(0, 2, 1) + (heights[:, None] * turns[:, :, 2])[:, None]
        radial = (self._lens.radial[0] + tries[:, 8, None], self._lens.radial[1])
        bent = bend(seen[..., :2] / seen[..., 2:], radial, self._lens.tangential)
        focal_px = self._lens.focal_px * np.exp(tries[:, 6])
        corners_px = focal_px[:, None, None] * bent + np.asarray(self._lens.centre_px)
        off = (corners_px - self._seen).reshape(len(tries), -1, 8, 1)
        held = (tries[:, _HELD] - self._expected) / self._spread
        return np.hstack(((self._weights @ off).reshape(len(tries), -1), held))


# For the nine unknowns of `_Solver`, in its order: the indices of those with prior knowledge; the step for a numeric
# slope, which also ends the search; the largest change in one round; and the largest absolute value.
_HELD = [0, 1, 5, 6, 7, 8]
_STEPS = np.array([1e-6, 1e-6, 1e-6, 1e-3, 1e-3, 1e-6, 1e-6, 1e-3, 1e-6])
_LONGEST = np.array([0.3, 0.3, 0.5, 150.0, 150.0, 0.5, 0.3, 10.0, 0.2])
_FARTHEST = np.array([0.7, 0.7, 4.0, 5000.0, 5000.0, 3.0, 1.0, 100.0, 0.3])


def _weights(corners: Real, px_per_mm: float, corner_px: float) -> Real:
    """Return the matrix (8 x 8) that makes the coordinates of the corners of a marker independent and of size one.

    Shift (two ways) and turn of the whole marker are uncertain by how it was laid, its size by how far white
    spills over black, all else by the accuracy of corners.
    """
    spokes = corners - corners.mean(axis=0)
    length = max(float(np.linalg.norm(spokes)), 1e-9)
    turned = np.column_stack((-spokes[:, 1], spokes[:, 0]))
    modes = np.column_stack((np.tile(np.eye(2) / 2, (4, 1)), turned.ravel() / length, spokes.ravel() / length))
    place = 2 * _PLACE_MM * px_per_mm
    spread = np.hypot(corner_px, [place, place, _TURN_RAD * length, _SIZE_PART * length])
    return np.asarray((np.eye(8) - modes @ modes.T) / corner_px + modes @ np.diag(1 / spread) @ modes.T, np.float64)
