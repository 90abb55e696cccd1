"""The base of every section of a calibration: when it was measured, by whom, and the three marks of how good it is."""

from typing import Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict

Verdict = Literal["good", "fair", "poor"]


class CalibrationModel(BaseModel):
    """A piece of a calibration: checked, and never changed."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Measured(CalibrationModel):
    """When a part was calibrated, and by whom (login name)."""

    date: AwareDatetime
    author: str
