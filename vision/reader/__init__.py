"""A picture becomes a reading: regions, their verdicts, and why something is refused."""

from vision.reader.reader import no_field, read_dice, read_field
from vision.reader.refusal import STACKED_SAY, miscount
from vision.reader.scan import HAND_MM2
from vision.reader.trace import Stage, Trace
from vision.reader.trace_drawing import PICTURE, save_trace

__all__ = [
    "HAND_MM2",
    "PICTURE",
    "STACKED_SAY",
    "Stage",
    "Trace",
    "miscount",
    "no_field",
    "read_dice",
    "read_field",
    "save_trace",
]
