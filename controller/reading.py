"""Reading pictures from files for the command line."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr
from vision.files import load_picture

from hardware.box import Box
from vision.reader import read_dice
from vision.reading import Reading

FieldChoice = Literal["auto", "whole"]


class PictureQuestion(BaseModel):
    """One line of a batch: a file, and how many dice must be there (None: any)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: StrictStr
    dice: StrictInt | None = Field(default=None, ge=1, le=6)


@dataclass(frozen=True, slots=True)
class PictureReader:
    """Reads files as the camera of `box` would see them. `stopwatch` gives wall seconds."""

    box: Box
    field: FieldChoice
    stopwatch: Callable[[], float]

    def answer(self, question: PictureQuestion) -> dict[str, Any]:
        """What is to be said about one file. Raises `OSError` if there is none to read."""
        began_s = self.stopwatch()
        reading = self._read(question)
        return _answer(question.file, reading, ms=1000 * (self.stopwatch() - began_s))

    def _read(self, question: PictureQuestion) -> Reading:
        picture = load_picture(question.file)
        if isinstance(picture, Reading):
            return picture
        layout = self.box.field if self.field == "auto" else None
        return read_dice(picture, layout=layout, die_mm=self.box.die_mm, expected=question.dice)


def _answer(file: str, reading: Reading, *, ms: float) -> dict[str, Any]:
    dice = [
        {
            "value": die.value,
            "center_px": [round(place, 1) for place in die.center_px],
            "confidence": round(die.confidence, 3),
            "colour": die.colour,
        }
        for die in reading.dice
    ]
    took = {"dice": dice, "ms": round(ms, 1)}
    if reading.is_read:
        return {"file": file, "verdict": "read", "values": list(reading.values), **took}
    refusal: dict[str, Any] = {"file": file, "verdict": "refused", "reason": reading.reason, "say": reading.say}
    if reading.at_px is not None:
        refusal["at_px"] = [round(place, 1) for place in reading.at_px]
    return {**refusal, "likely": [list(values) for values in reading.likely], **took}
