"""The settings of this box: every key with its value and meaning, and a way to set one."""

from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr

from controller.box.dice import load_dice
from controller.box.stored_calibration import load_real_camera, load_real_servos
from controller.errors import SettingsError
from controller.runtime.home import Home
from controller.settings import SettingRow, Settings, SettingValue, load_settings, save_setting, setting_rows
from controller.web.api.examples import Example, example
from controller.web.dependencies import TheLookups, TheReferee
from controller.web.security.principal import AuthorizedRoute
from hardware.box import load_box
from hardware.errors import BoxProfileError, CalibrationError
from vision.errors import BadDice

router = APIRouter(route_class=AuthorizedRoute)

# The values that TOML has; the settings check whether one fits its key.
OneValue = StrictBool | StrictInt | StrictFloat | Annotated[StrictStr, Field(max_length=1000)]


@dataclass(frozen=True, slots=True)
class SettingRequest:
    """The new value of a key."""

    __pydantic_config__ = ConfigDict(extra="forbid", allow_inf_nan=False)

    value: OneValue | Annotated[list[Annotated[StrictStr, Field(max_length=1000)]], Field(max_length=100)]


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """Every key; those in a table as `table.key`. The daemon reads them only when it starts."""

    settings: tuple[SettingRow, ...]


_ROW = SettingRow("evidence.keep", 0, 0, "how many throws have their picture kept; 0: none")


@router.get("/api/settings")
@example(lambda: Example(answer=SettingsPage((_ROW,))))
async def settings(lookups: TheLookups) -> SettingsPage:
    """Every setting with its value in the file, its default and its meaning."""
    return await lookups.ask(_read)


@router.put("/api/settings/{key}")
@example(
    lambda: Example(
        {"key": "evidence.keep"}, request=SettingRequest(20), answer=SettingsPage((replace(_ROW, value=20),))
    )
)
async def set_one(
    key: Annotated[str, Path(max_length=100)], asked: SettingRequest, lookups: TheLookups, referee: TheReferee
) -> SettingsPage:
    """Set one key in the file; answers with all of them. It takes effect at the next start of the daemon.

    Before it is written, the whole file is checked, and that the box can start with it; its other lines and comments
    stay.
    """
    return await lookups.ask(change_setting, key, asked.value, not referee.snapshot.simulated)


def _read(home: Home) -> SettingsPage:
    return SettingsPage(tuple(setting_rows(load_settings(home.settings))))


def change_setting(home: Home, key: str, value: SettingValue, is_metal: bool) -> SettingsPage:
    """Set a key and return all of them. Raises `SettingsError` if the daemon would no longer start.

    is_metal: the box is not simulated.
    """

    def check_start(changed: Settings) -> None:
        try:
            box = load_box(changed.box)
            load_dice(home, changed.dice)
            if is_metal:
                # The calibration must be that of this very box.
                load_real_camera(home.data, box)
                load_real_servos(home.data, box)
        except (BoxProfileError, BadDice, CalibrationError) as error:
            raise SettingsError(str(error)) from error

    save_setting(home.settings, key, value, check=check_start)
    return _read(home)
