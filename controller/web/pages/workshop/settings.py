"""The page of the settings: each with its meaning, its value and its default, in a control that fits it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from controller.errors import SettingsError
from controller.messages.words import Words, words_in
from controller.runtime.home import Home
from controller.settings import SettingRow, Settings, load_settings, setting_rows
from controller.web.dependencies import TheLookups, TheRestart, TheStoredHome, language_of
from controller.web.pages.page import PageRoute, draw_page
from controller.web.pages.workshop.setting_words import choice_name, groups_of
from controller.web.pages.workshop.work import list_dice
from hardware.box import box_names

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)

Kind = Literal["switch", "choice", "number", "list", "text"]
_KINDS: Mapping[str, Kind] = {"boolean": "switch", "number": "number", "integer": "number", "array": "list"}


@dataclass(frozen=True, slots=True)
class Control:
    """One setting as the page has it.

    limits: attributes of its field. choices: values with their names. known: values that are proposed. shown, usual:
    the value and the default as the field has them. default: as JSON.
    """

    key: str
    meaning: str
    kind: Kind
    limits: Mapping[str, object]
    choices: tuple[tuple[str, str], ...]
    known: tuple[str, ...]
    shown: str
    usual: str
    default: str

    @property
    def is_default(self) -> bool:
        """True if it is as it comes."""
        return self.shown == self.usual


@router.get("/workshop/settings")
async def settings(request: Request, home: TheStoredHome, lookups: TheLookups, restart: TheRestart) -> HTMLResponse:
    """Every setting; a change takes effect at the next start of the daemon."""
    words = words_in(language_of(request))
    try:
        rows, dice = await lookups.ask(read_settings)
    except SettingsError as problem:
        line = words.gettext("The file of the settings cannot be used. Correct it at the box.")
        return draw_page(
            request,
            "nothing.html",
            line=line,
            why=home.name_within(str(problem)),
            back="/workshop/report",
            back_to=words.gettext("To the report"),
        )
    known = {"box": box_names(), "dice": ("pips", *dice)}
    groups = {
        title: tuple(control_of(rows[key], known.get(key, ()), words) for key in keys)
        for title, keys in groups_of(words).items()
    }
    return draw_page(request, "workshop/settings.html", groups=groups, can_restart=restart is not None)


def read_settings(home: Home) -> tuple[Mapping[str, SettingRow], tuple[str, ...]]:
    """Return every setting of the file by its key, and the names of the taught dice. Raises `SettingsError`."""
    rows = {row.key: row for row in setting_rows(load_settings(home.settings))}
    return rows, list_dice(home)


def control_of(row: SettingRow, known: tuple[str, ...], words: Words) -> Control:
    """Return the control that fits a setting, by what is allowed for it."""
    allowed = _allowed()[row.key]
    kind: Kind = "choice" if "enum" in allowed else _KINDS.get(allowed["type"], "text")
    limits = {"min": allowed.get("minimum"), "max": allowed.get("maximum"), "maxlength": allowed.get("maxLength")}
    if kind == "number":
        limits["step"] = "any" if allowed["type"] == "number" else 1
    return Control(
        key=row.key,
        meaning=words.gettext(row.meaning),
        kind=kind,
        limits={name: limit for name, limit in limits.items() if limit is not None},
        choices=tuple((each, choice_name(row.key, each, words)) for each in allowed.get("enum", ())),
        known=known,
        shown=_in_field(row.value),
        usual=_in_field(row.default),
        default=json.dumps(row.default),
    )


def _in_field(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:g}"
        case list() | tuple():
            return "\n".join(map(str, value))
    return str(value)


@cache
def _allowed() -> Mapping[str, Mapping[str, Any]]:
    """Return the JSON schema of every setting by its key."""
    return dict(_schemas_in(Settings.model_json_schema()))


def _schemas_in(schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, each in schema["properties"].items():
        if "$ref" in each:
            table = schema["$defs"][each["$ref"].rpartition("/")[2]]
            yield from ((f"{name}.{key}", one) for key, one in _schemas_in(table))
        else:
            yield name, each
