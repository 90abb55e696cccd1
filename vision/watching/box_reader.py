"""How one box reads a frame: pips or taught dice, and when the field has to be located afresh."""

from typing import TYPE_CHECKING

# Rooms, not names of them: they are loaded with the first frame, on the vision thread.
import vision.calibration
import vision.field
import vision.reader
import vision.taught
from hardware.box import FieldLayout
from hardware.calibration import CameraCalibration
from vision.capture import Frame, Pixels, refuse_bad_light
from vision.reading import Reading

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.field import Field
    from vision.taught import TaughtSet

_ENOUGH_MARKERS = 3  # so many where they were, and the camera and the tray have not moved


class BoxReader:
    """Reads frames of one camera over one field, and remembers where that field lies.

    Locating the field costs more than looking whether its markers still lie bare where they lay; so it is done afresh
    only when they do not.

    With a calibration its lens is used, and a marker that was moved on its own is refused: then nobody can say
    where the field is. A camera that was moved as a whole is coped with, for the markers tell where it looks now.

    With taught sets the dice of those are read, and no others. With `claims`, which loads a set, those of that one
    are read as they are laid for a claim.

    Lifetime: as long as the camera. Concurrency: one thread, the vision thread.
    """

    def __init__(
        self,
        layout: FieldLayout,
        die_mm: float,
        calibration: CameraCalibration | None = None,
        sets: "tuple[TaughtSet, ...]" = (),
        claims: "Callable[[], TaughtSet] | None" = None,
    ) -> None:
        self._layout = layout
        self._die_mm = die_mm
        self._calibration = calibration
        self._sets = sets
        self._load_claims = claims
        self._claims: TaughtSet | None = None
        self._field: Field | None = None

    def __call__(self, frame: Frame) -> Reading:
        """Read one frame; see `vision.reader.reader.read_dice`."""
        bad_light = refuse_bad_light(frame.pixels)
        if bad_light is not None:
            return bad_light
        field = self._locate(frame.pixels)
        if field is None:
            return vision.reader.refuse_no_field(frame.pixels)
        return self._refuse_moved_marker(field) or self._read(frame.pixels, field)

    def _read(self, pixels: Pixels, field: "Field") -> Reading:
        if self._load_claims is not None:
            self._claims = self._claims or self._load_claims()
            return vision.taught.read_claim(pixels, field, self._claims)
        if self._sets:
            return vision.taught.read_taught(pixels, field, self._sets)
        return vision.reader.read_field(pixels, field, die_mm=self._die_mm)

    def _locate(self, pixels: Pixels) -> "Field | None":
        """The field as it was, while enough markers lie bare where they lay; else located afresh."""
        if self._field is None or not _is_where_it_was(pixels, self._field):
            if self._calibration is None:
                self._field = vision.field.locate_field(pixels, self._layout)
            else:
                self._field = vision.calibration.locate_calibrated(pixels, self._layout, self._calibration)
        return self._field

    def _refuse_moved_marker(self, field: "Field") -> Reading | None:
        """The refusal for a marker that was moved by itself, which alone has a place; None for a moved camera."""
        moved = vision.calibration.check_camera_place(field, self._calibration)
        return moved if moved is not None and moved.at_px is not None else None


def _is_where_it_was(pixels: Pixels, field: "Field") -> bool:
    bare = (vision.field.is_unoccluded(pixels, number, corners) for number, corners in field.markers.items())
    return sum(bare) >= _ENOUGH_MARKERS
