"""How one box reads a frame: pips or custom dice, and when the field has to be located again."""

from typing import TYPE_CHECKING

from hardware.box import FieldLayout
from hardware.calibration import CameraCalibration
from vision.capture.frame import Frame, Pixels
from vision.capture.quality import refuse_bad_light
from vision.reading import Reading

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.custom_dice.faces import DiceSet
    from vision.field.field import Field

_ENOUGH_MARKERS = 3  # with this many in place, neither camera nor tray has moved


class BoxReader:
    """Reads frames of one camera over one field, and remembers where that field lies.

    Locating the field costs more than checking whether its markers still lie bare where they lay; so it is located
    again only when they do not.

    With a calibration its lens is used, and a marker that was moved on its own is refused, because then the place of
    the field is unknown. A camera that was moved as a whole is no problem, for the markers show where it looks now.

    With `sets` of custom dice those are read, and no others. With `claims`, which loads a set, dice of that set are
    read as they are laid for a claim.

    Lifetime: as long as the camera. Concurrency: one thread, the vision thread. Readers, and NumPy with them, are
    loaded with the first frame, on that thread.
    """

    def __init__(
        self,
        layout: FieldLayout,
        die_mm: float,
        calibration: CameraCalibration | None = None,
        sets: "tuple[DiceSet, ...]" = (),
        claims: "Callable[[], DiceSet] | None" = None,
    ) -> None:
        self._layout = layout
        self._die_mm = die_mm
        self._calibration = calibration
        self._sets = sets
        self._load_claims = claims
        self._claims: DiceSet | None = None
        self._field: Field | None = None

    def __call__(self, frame: Frame, counts: frozenset[int] = frozenset()) -> Reading:
        """Read one frame of so many dice; see `vision.reader.reader.read_field`."""
        bad_light = refuse_bad_light(frame.pixels)
        if bad_light is not None:
            return bad_light
        field = self._locate(frame.pixels)
        if field is None:
            from vision.reader.reader import refuse_no_field

            return refuse_no_field(frame.pixels)
        if self._calibration is not None:
            from vision.calibration.measure import check_camera_place

            moved = check_camera_place(field, self._calibration)
            # Only a marker that was moved by itself has a place.
            if moved is not None and moved.at_px is not None:
                return moved
        if self._load_claims is not None:
            from vision.custom_dice.claim import read_claim

            self._claims = self._claims or self._load_claims()
            return read_claim(frame.pixels, field, self._claims)
        if self._sets:
            from vision.custom_dice.reader import read_custom_field

            return read_custom_field(frame.pixels, field, self._sets)
        from vision.reader.reader import read_field

        return read_field(frame.pixels, field, die_mm=self._die_mm, counts=counts)

    def _locate(self, pixels: Pixels) -> "Field | None":
        """Return the field as it was, while enough markers lie bare where they lay; else locate it again."""
        from vision.field.field import locate_field
        from vision.field.markers import is_unoccluded

        if self._field is not None:
            bare = sum(is_unoccluded(pixels, number, corners) for number, corners in self._field.markers.items())
            if bare >= _ENOUGH_MARKERS:
                return self._field
        if self._calibration is None:
            self._field = locate_field(pixels, self._layout)
        else:
            from vision.calibration.measure import locate_calibrated

            self._field = locate_calibrated(pixels, self._layout, self._calibration)
        return self._field
