"""Errors of a box's description (C-1xx), and `Fault`, which names what is wrong with the box itself in every room.

BoxError (ValueError)     C-100
├── BoxProfileError       C-101   a box profile that cannot be right
└── CalibrationError      C-102   a calibration that cannot be right, or is another box's
(C-103 is a finding of the self-test: nothing was measured of this box)

BoxFault                          something on the table is not as it should be; the other rooms hang their
                                  trees here (firmware/errors.py H-2xx, H-3xx; vision/errors.py V-1xx)
"""

from dataclasses import dataclass
from typing import Literal

FaultKind = Literal["bus", "motion", "camera", "description", "computer", "journal", "box"]
# The families of codes; the trees of errors give out codes of their own family only.
_KINDS: dict[str, FaultKind] = {
    "H-2": "bus",
    "H-3": "motion",
    "V-1": "camera",
    "C-1": "description",
    "C-3": "computer",
    "J-1": "journal",
}


class BoxError(ValueError):
    """Something is wrong with the description of a box. `code` names it, `cure` says what to do."""

    code = "C-100"
    cure = "Correct the file and start again."


class BoxProfileError(BoxError):
    """A box profile has an unknown key, a wire used twice, a missing tile or a number out of range."""

    code = "C-101"

    def __init__(self, file: str, line: int, problem: str) -> None:
        # Line 0: it is about the whole file, or there is none.
        super().__init__(f"{file}:{line}: {problem}" if line else f"{file}: {problem}")
        self.file = file
        self.line = line
        self.problem = problem


class CalibrationError(BoxError):
    """A calibration cannot be read, holds a number out of range, or belongs to another box."""

    code = "C-102"
    cure = "Calibrate again, or move calibration.toml away."


@dataclass(frozen=True, slots=True)
class Fault:
    """A named fault, for the person at the box: which part, what was expected, what is seen, what to do."""

    code: str
    part: str
    expected: str
    seen: str
    cure: str

    @property
    def kind(self) -> FaultKind:
        """The thing at fault: the electronics (bus), one tile (motion), and so on; `box` where the code says no more.

        No field: journals and programs know a fault by the five above, and the code says it already.
        """
        return _KINDS.get(self.code[:3], "box")

    def __str__(self) -> str:
        return f"{self.code} {self.part}: expected {self.expected}, seen {self.seen}. {self.cure}"


class BoxFault(Exception):
    """A part of the box does not do what it should. Each kind has a `code` and a one-sentence `cure`.

    `cure` in a call is for this one case, where what is seen says more than the kind does.
    """

    code = "H-000"
    cure = "Run the self-test."

    def __init__(self, part: str, *, expected: str, seen: str, cure: str | None = None) -> None:
        self.cure = cure or self.cure
        self.fault = Fault(self.code, part, expected, seen, self.cure)
        super().__init__(str(self.fault))
