"""What people may set on this box: every key with its value and its meaning, and one of them set."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr

from controller.settings import Home, SettingRow, SettingValue, load_settings, save_setting, setting_rows
from controller.web.gate import GatedRoute
from controller.web.provided import TheLookups

router = APIRouter(route_class=GatedRoute)

# As TOML has them: whether one fits its key is said by the settings.
OneValue = StrictBool | StrictInt | StrictFloat | Annotated[StrictStr, Field(max_length=1000)]


@dataclass(frozen=True, slots=True)
class SettingRequest:
    """The value that a key is to have."""

    __pydantic_config__ = ConfigDict(extra="forbid", allow_inf_nan=False)

    value: OneValue | Annotated[list[Annotated[StrictStr, Field(max_length=1000)]], Field(max_length=100)]


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """Every key; those of a table by `table.key`. The daemon reads them when it starts, and then only."""

    settings: tuple[SettingRow, ...]


@router.get("/api/settings")
async def settings(lookups: TheLookups) -> SettingsPage:
    """Every setting with its value in the file, its default and its meaning."""
    return await lookups.ask(_read)


@router.put("/api/settings/{key}")
async def set_one(
    key: Annotated[str, Path(max_length=100)], asked: SettingRequest, lookups: TheLookups
) -> SettingsPage:
    """Set one key in the file; answers with all of them. It takes effect when the daemon is started next.

    The file is checked as a whole before it is written; its other lines and comments stay.
    """
    return await lookups.ask(_set, key, asked.value)


def _read(home: Home) -> SettingsPage:
    return SettingsPage(tuple(setting_rows(load_settings(home.settings))))


def _set(home: Home, key: str, value: SettingValue) -> SettingsPage:
    save_setting(home.settings, key, value)
    return _read(home)
