"""Turn a picture into a reading: read regions, check dice for leaning, and refuse whatever is in doubt."""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from vision.reader.reader import read_dice, read_field, refuse_no_field
    from vision.reader.refusal import STACKED_SAY, refuse_miscount
    from vision.reader.scan import HAND_MM2
    from vision.reader.trace import Stage, Trace
    from vision.reader.trace_drawing import PICTURE, draw_reading, save_drawing, sheet_of
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "HAND_MM2",
    "PICTURE",
    "STACKED_SAY",
    "Stage",
    "Trace",
    "draw_reading",
    "read_dice",
    "read_field",
    "refuse_miscount",
    "refuse_no_field",
    "save_drawing",
    "sheet_of",
]
