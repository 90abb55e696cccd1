"""The page of the events of the journal: each with its tag, its meaning and its fields, and the types in them."""

from collections.abc import Mapping
from inspect import getdoc
from typing import Any

from controller.game.core import events as core
from controller.game.fleet import events as fleet
from controller.game.shutbox import events as shutbox
from controller.game.table.wire import EVENT
from tools.reference.markdown import code, heading, paragraphs, prose
from tools.reference.schema import Schema, describe_object

_AREA = "events"
_FAMILIES = (core, shutbox, fleet)


def events_page() -> str:
    """Return the page of all events, family by family, and of the types in them."""
    schema = EVENT.json_schema()
    types: Mapping[str, Any] = schema["$defs"]
    tags = {name: each["properties"]["kind"]["const"] for name, each in types.items() if _is_event(each)}
    families = (
        paragraphs(
            heading(f"Events of {code(family.__name__)}", 2),
            prose(getdoc(family) or ""),
            *(_event(types[name], name, tags[name]) for name in vars(family) if name in tags and _is_of(name, family)),
        )
        for family in _FAMILIES
    )
    others = (describe_object(name, each, _AREA) for name, each in types.items() if name not in tags)
    return paragraphs(heading("Events"), *families, heading("Types in events", 2), *others)


def _is_event(schema: Schema) -> bool:
    return "const" in schema.get("properties", {}).get("kind", {})


def _is_of(name: str, family: object) -> bool:
    """Return True for an event that is defined there, and not only imported."""
    return bool(vars(family)[name].__module__ == vars(family)["__name__"])


def _event(schema: Schema, name: str, tag: str) -> str:
    fields = {field: each for field, each in schema["properties"].items() if field != "kind"}
    return describe_object(name, {**schema, "properties": fields}, _AREA, title=code(tag))
