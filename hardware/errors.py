"""Errors in a box's description (C-1xx), and `Fault`, which names in every room what is wrong with the box itself.

BoxError (ValueError)     C-100
├── BoxProfileError       C-101   an invalid box profile
└── CalibrationError      C-102   an invalid calibration, or one of another box
(C-103 is a finding about the servos: not all of them were calibrated; see controller/errors.py)

BoxFault                          a part of the box is not as it should be; the other rooms derive their trees
                                  from it (firmware/errors.py H-2xx, H-3xx; vision/errors.py V-1xx)
"""

from dataclasses import dataclass
from typing import Literal

FaultKind = Literal["bus", "motion", "camera", "description", "computer", "journal", "box"]
# The families of codes; each tree of errors uses only codes of its own family.
_KINDS: dict[str, FaultKind] = {
    "H-2": "bus",
    "H-3": "motion",
    "V-1": "camera",
    "C-1": "description",
    "C-3": "computer",
    "J-1": "journal",
}


class BoxError(ValueError):
    """The description of a box is wrong.

    code, cure: the name of the error, and what to do.
    """

    code = "C-100"
    cure = "Correct the file and start again."


class BoxProfileError(BoxError):
    """A box profile has an unknown key, a wire used twice, a missing tile or a number out of range."""

    code = "C-101"

    def __init__(self, file: str, line: int, problem: str) -> None:
        # Line 0: the problem concerns the whole file, or there is no file.
        super().__init__(f"{file}:{line}: {problem}" if line else f"{file}: {problem}")
        self.file = file
        self.line = line
        self.problem = problem


class CalibrationError(BoxError):
    """A calibration cannot be read, holds a number out of range, or belongs to another box."""

    code = "C-102"
    cure = "Put an earlier one, kept beside it, in its place; or move calibration.toml away, and calibrate again."


@dataclass(frozen=True, slots=True)
class Fault:
    """A named fault for the person at the box: the part, what was expected, what is seen, what to do."""

    code: str
    part: str
    expected: str
    seen: str
    cure: str

    @property
    def kind(self) -> FaultKind:
        """The kind of part at fault: the electronics (bus), one tile (motion) and so on; `box` if the code is general.

        It is not a field, because the code tells it and journals keep only the five fields above.
        """
        return _KINDS.get(self.code[:3], "box")

    def __str__(self) -> str:
        return f"{self.code} {self.part}: expected {self.expected}, seen {self.seen}. {self.cure}"


class BoxFault(Exception):
    """A part of the box does not do what it should.

    code, cure: each class has its own, a cure of one sentence; one that is given replaces it where the observation
    allows a better one.
    """

    code = "H-000"
    cure = "Run the self-test."

    def __init__(self, part: str, *, expected: str, seen: str, cure: str | None = None) -> None:
        self.cure = cure or self.cure
        self.fault = Fault(self.code, part, expected, seen, self.cure)
        super().__init__(str(self.fault))
