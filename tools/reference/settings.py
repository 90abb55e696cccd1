"""The page of the settings: every key of settings.toml, in the groups of the workshop's page."""

import json
from collections.abc import Iterator
from typing import Any

import tomlkit

from controller.messages.words import ENGLISH
from controller.settings import SettingRow, Settings, setting_rows
from controller.web.pages.workshop.setting_words import choice_name, groups_of
from tools.reference.markdown import Row, code, fence, heading, paragraphs, prose, table, text
from tools.reference.schema import Schema, limits_of, type_of

_FILE = """
They are keys of `settings.toml` in the home, which on an installed box is `/var/lib/shutbox`. `/workshop/settings`
changes them one at a time and checks each first; `shutbox settings` shows what they are. A change takes effect at the
next start of the daemon (`sudo systemctl restart shutbox`); one of `web.on`, `web.address` or `web.port` needs
`sudo shutbox install` before.
"""
_HEAD = ("key", "meaning", "type", "allowed", "default")


def settings_page() -> str:
    """Return the page of all settings. Raises `KeyError` for one that is in no group."""
    rows = {row.key: row for row in setting_rows(Settings())}
    groups = groups_of(ENGLISH)
    shown = dict.fromkeys(key for keys in groups.values() for key in keys)
    if missing := rows.keys() - shown:
        raise KeyError(f"in no group of setting_words: {', '.join(sorted(missing))}")
    described = Settings.model_json_schema()
    parts = (
        paragraphs(heading(text(title), 2), table(_HEAD, (_row(rows[key], described) for key in keys)))
        for title, keys in groups.items()
    )
    tables = (
        paragraphs(
            heading(code(f"[{name}]"), 3), prose(described["$defs"][field["$ref"].rpartition("/")[2]]["description"])
        )
        for name, field in described["properties"].items()
        if "$ref" in field
    )
    defaults = fence(tomlkit.dumps(Settings().model_dump(mode="json")), "toml")
    return paragraphs(
        heading("Settings"),
        prose(_FILE),
        *parts,
        heading("Tables of the file", 2),
        *tables,
        heading("All defaults", 2),
        defaults,
    )


def _row(row: SettingRow, described: dict[str, Any]) -> Row:
    field = _field(row.key, described)
    allowed = "; ".join((*_choices(row.key, field), *filter(None, [limits_of(field)])))
    kind = "text" if "enum" in field else type_of(field, "settings")
    return code(row.key), text(row.meaning), kind, allowed, code(json.dumps(row.default, ensure_ascii=False))


def _field(key: str, described: dict[str, Any]) -> Schema:
    """Return the description of a key (in a table: `table.key`)."""
    field: dict[str, Any] = described
    for name in key.split("."):
        field = field["properties"][name]
        if "$ref" in field:
            field = described["$defs"][field["$ref"].rpartition("/")[2]]
    return field


def _choices(key: str, field: Schema) -> Iterator[str]:
    for choice in field.get("enum", ()):
        words = choice_name(key, choice, ENGLISH)
        yield code(choice) if words == choice else f"{code(choice)} ({text(words)})"
