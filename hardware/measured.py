"""The base of every section of a calibration: when it was measured and by whom, and the three verdicts on it."""

from typing import Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict

Verdict = Literal["good", "fair", "poor"]


class CalibrationModel(BaseModel):
    """A part of a calibration: validated and immutable."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Measured(CalibrationModel):
    """When a part was calibrated, and by whom (login name)."""

    date: AwareDatetime
    author: str
