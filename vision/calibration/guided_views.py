"""Which view of the calibration sheet comes next, what is wrong with the current one, and when it is taken.

A pure state machine: pictures of the sheet go in, advice comes out. Directions are those of the picture, which are
those of the player for a camera mounted as it should be: far is up, near is down.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from hardware.phrase import phrase
from vision.calibration.measure import LEAST_VIEWS
from vision.calibration.sheets import DEPTH_MM, WIDTH_MM, SheetView
from vision.capture.arrays import Real
from vision.field.lens import usual_lens
from vision.libraries import cv2

Kind = Literal["flat", "lean", "corner", "near", "far", "any"]
Problem = Literal["unseen", "dark", "partly", "blurred", "alike", "otherwise", "moving"]

# Limits of a useful view; lengths are parts of the width of the picture, so that they hold for every camera.
_DARK_LEVELS = 45.0  # less contrast than this between black and white
_BLURRED_PART = 2.0 / 1280  # more blur of the edges, as a part of the width of the picture
_ALIKE_PART = 0.012  # corners that moved less, on average
_STILL_PART = 2.0 / 1280  # corners of a sheet that is held still move less: more would blur them
# Limits of the view that is asked for. Leaning views separate the focal length from the distance, those in the
# corners show the bend of the lens.
_LEAN = 0.2  # rise of the sheet per length, beyond that of the flat view
_FLAT = 0.3  # the steepest rise per length that passes for flat
_NEAR, _FAR = 1.08, 0.96  # size relative to the flat view
_IN_CORNER = (0.13, 0.17)  # largest distance of the outermost corner from the edges, as a part of the picture


@dataclass(frozen=True, slots=True)
class WantedView:
    """A view that is asked for; `x` and `y` (-1, 0, 1) say on which side: right and near are 1."""

    kind: Kind
    say: str
    x: int = 0
    y: int = 0


VIEWS: tuple[WantedView, ...] = (
    WantedView("flat", phrase("Hold the sheet flat over the middle of the field, about 40 mm above the baize.")),
    WantedView("far", phrase("Lay the sheet flat on the baize.")),
    WantedView("lean", phrase("Lift the left edge by a hand's breadth."), x=-1),
    WantedView("lean", phrase("Lift the right edge by a hand's breadth."), x=1),
    WantedView("lean", phrase("Lift the far edge by a hand's breadth."), y=-1),
    WantedView("lean", phrase("Lift the near edge by a hand's breadth."), y=1),
    WantedView("corner", phrase("Move the sheet into the far left corner of the picture."), x=-1, y=-1),
    WantedView("corner", phrase("Move the sheet into the near right corner of the picture."), x=1, y=1),
    WantedView("corner", phrase("Move the sheet into the far right corner of the picture."), x=1, y=-1),
    WantedView("corner", phrase("Move the sheet into the near left corner of the picture."), x=-1, y=1),
    WantedView("near", phrase("Hold the sheet closer to the camera, about 100 mm above the baize.")),
)
ON_BAIZE = next(index for index, wanted in enumerate(VIEWS) if wanted.kind == "far")  # this view gives the height
_MORE = WantedView("any", phrase("Hold the sheet another way: leaning, elsewhere, higher or lower."))
MOST_VIEWS = 40  # more add nothing about the lens, and nobody holds a sheet for so long


@dataclass(frozen=True, slots=True)
class Advice:
    """A sentence for the person, and the problem with this view that it is about: None when the view is good."""

    problem: Problem | None
    say: str


@dataclass(frozen=True)
class SheetViews:
    """The views so far, and which one comes next; every step gives a new one.

    A value, so that the advice depends only on the views, and not on earlier calls.
    """

    width_px: int
    height_px: int
    views_wanted: int = len(VIEWS)  # 8..40
    taken: tuple[SheetView, ...] = ()
    still: SheetView | None = None  # a good view that must be seen once more, unmoved, to be taken

    def __post_init__(self) -> None:
        if not LEAST_VIEWS <= self.views_wanted <= MOST_VIEWS:
            raise ValueError(f"{LEAST_VIEWS} to {MOST_VIEWS} views, not {self.views_wanted}")

    @property
    def wanted(self) -> WantedView | None:
        """Return the view that comes next; None when there are enough."""
        count = len(self.taken)
        if count >= self.views_wanted:
            return None
        return VIEWS[count] if count < len(VIEWS) else _MORE

    def look(self, sheet: SheetView | None, *, dark: bool = False) -> tuple["SheetViews", Advice]:
        """Look at the sheet once (None: not seen): the advice, and the session with the view taken if it was good."""
        advice = self._judge(sheet, dark)
        if advice.problem is not None or sheet is None:
            return replace(self, still=None), advice
        if self.still is None or _mean_shift_px(self.still, sheet) > _STILL_PART * self.width_px:
            return replace(self, still=sheet), Advice("moving", phrase("Good: hold it still."))
        return self.take(sheet), Advice(None, phrase("Taken."))

    def take(self, sheet: SheetView) -> "SheetViews":
        """Return the session with this view taken, whatever was asked for."""
        return replace(self, taken=(*self.taken, sheet), still=None)

    def may_take(self, sheet: SheetView | None) -> bool:
        """Return True if a view is useful at all, even if it is not the one asked for."""
        return sheet is not None and self._flaw(sheet) is None

    def _judge(self, sheet: SheetView | None, dark: bool) -> Advice:
        wanted = self.wanted
        if wanted is None:
            return Advice("otherwise", phrase("There are enough views."))
        if sheet is None:
            if dark:
                return Advice("dark", phrase("It is too dark: switch the field lamp on."))
            return Advice("unseen", phrase("I do not see the sheet."))
        flaw = self._flaw(sheet)
        if flaw is not None:
            return flaw
        hold = _SeenPose(sheet, self.width_px, self.height_px)
        first = _SeenPose(self.taken[0], self.width_px, self.height_px) if self.taken else hold
        say = _correct(hold, first, wanted)
        return Advice("otherwise", say) if say else Advice(None, phrase("Good."))

    def _flaw(self, sheet: SheetView) -> Advice | None:
        """Return the reason why a view is useless, if it is."""
        if sheet.contrast < _DARK_LEVELS:
            return Advice("dark", phrase("It is too dark: switch the field lamp on."))
        if sheet.edge_px > _BLURRED_PART * self.width_px:
            return Advice("blurred", phrase("The picture is blurred: hold the sheet still, and check the focus."))
        if not sheet.is_whole:
            return Advice(
                "partly", phrase("Not all corners are seen: hands off the squares, all of the sheet into the picture.")
            )
        for number, earlier in enumerate(self.taken, 1):
            if _mean_shift_px(earlier, sheet) < _ALIKE_PART * self.width_px:
                return Advice("alike", phrase("This is too like view {number}.", number=number))
        return None


@dataclass(frozen=True)
class _SeenPose:
    """The pose of the sheet in a view, assuming the lens that the camera probably has: its own is measured later."""

    sheet: SheetView
    width_px: int
    height_px: int

    @cached_property
    def _pose(self) -> tuple[Real, Real]:
        lens = usual_lens(self.width_px, self.height_px)
        matrix = np.array([[lens.focal_px, 0, lens.centre_px[0]], [0, lens.focal_px, lens.centre_px[1]], [0, 0, 1.0]])
        points = np.column_stack((self.sheet.corners_mm, np.zeros(len(self.sheet.numbers))))
        points -= (WIDTH_MM / 2, DEPTH_MM / 2, 0.0)
        _, turn, place = cv2.solvePnP(points, self.sheet.corners_px, matrix, np.zeros(5))
        return np.asarray(cv2.Rodrigues(turn)[0], np.float64), np.asarray(place, np.float64).ravel()

    @property
    def distance_mm(self) -> float:
        """Return the distance from the camera to the middle of the sheet."""
        return float(self._pose[1][2])

    @property
    def slope(self) -> tuple[float, float]:
        """Return how the sheet falls away from the camera, per length, to the right and near side of the picture."""
        x, y, ahead = self._pose[0][:, 2]
        return -float(x / ahead), -float(y / ahead)

    @property
    def borders(self) -> tuple[float, float, float, float]:
        """Return the distances of the outermost corners from the left, far, right and near edges, in picture sizes."""
        parts = self.sheet.corners_px / (self.width_px, self.height_px)
        low, high = parts.min(axis=0), parts.max(axis=0)
        return float(low[0]), float(low[1]), float(1 - high[0]), float(1 - high[1])


def _correct(hold: _SeenPose, first: _SeenPose, wanted: WantedView) -> str | None:
    """Return one sentence that says what to change; None when the view is as it was asked for."""
    if wanted.kind == "flat":
        return phrase("Hold it flatter, parallel to the baize.") if max(map(abs, hold.slope)) > _FLAT else None
    if wanted.kind == "lean":
        rise = [seen - flat for seen, flat in zip(hold.slope, first.slope, strict=True)]
        # A lifted left edge makes the sheet fall away to the right.
        wrong = -wanted.x * rise[0] - wanted.y * rise[1] < _LEAN
        return phrase("{wanted} A little more.", wanted=wanted.say) if wrong else None
    if wanted.kind == "corner":
        left, far, right, near = hold.borders
        left_or_right = far_or_near = None
        if (left if wanted.x < 0 else right) > _IN_CORNER[0]:
            left_or_right = phrase("left") if wanted.x < 0 else phrase("right")
        if (far if wanted.y < 0 else near) > _IN_CORNER[1]:
            far_or_near = phrase("away from you") if wanted.y < 0 else phrase("towards you")
        if left_or_right and far_or_near:
            return phrase(
                "Further {left_or_right} and {far_or_near}.", left_or_right=left_or_right, far_or_near=far_or_near
            )
        way = left_or_right or far_or_near
        return phrase("Further {way}.", way=way) if way else None
    size = first.distance_mm / hold.distance_mm
    if wanted.kind == "near":
        return phrase("Closer to the camera.") if size < _NEAR else None
    if wanted.kind == "far":
        return phrase("Further from the camera, down on to the baize.") if size > _FAR else None
    return None


def _mean_shift_px(one: SheetView, other: SheetView) -> float:
    """Return the mean distance of the corners seen in both views; infinite when there is none."""
    _, here, there = np.intersect1d(one.numbers, other.numbers, return_indices=True)
    if len(here) == 0:
        return float("inf")
    return float(np.linalg.norm(one.corners_px[here] - other.corners_px[there], axis=1).mean())
