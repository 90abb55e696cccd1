"""Values as JSON Schema describes them, in tables: their types, limits, defaults and meanings."""

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

from tools.reference.markdown import code, heading, link, paragraphs, prose, table, text

Schema = Mapping[str, Any]
_NAMES = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false", "null": "null"}
_LIMITS = {
    "minimum": "at least {}",
    "exclusiveMinimum": "more than {}",
    "maximum": "at most {}",
    "exclusiveMaximum": "less than {}",
    "minLength": "length at least {}",
    "maxLength": "length at most {}",
    "minItems": "at least {} of them",
    "maxItems": "at most {} of them",
    "pattern": "form {}",
}


def type_of(schema: Schema, area: str) -> str:
    """Return the type of a value. area: the name of the page, which is part of the targets of its types."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return link(code(name), f"#{label_of(area, name)}")
    if "enum" in schema or "const" in schema:
        values = [code(json.dumps(each)) for each in schema.get("enum", [schema.get("const")])]
        return values[0] if len(values) == 1 else f"one of {', '.join(values)}"
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return " or ".join(dict.fromkeys(type_of(each, area) for each in schema[several]))
    match schema.get("type"):
        case "array":
            kinds = schema.get("prefixItems") or [schema.get("items", {})]
            return f"list of {', '.join(type_of(each, area) for each in kinds)}"
        case "object":
            named = (schema.get("additionalProperties"), *schema.get("patternProperties", {}).values())
            kinds = [type_of(each, area) for each in named if isinstance(each, Mapping)]
            return f"by name: {' or '.join(kinds)}" if kinds else "object"
        case kind:
            return _NAMES.get(str(kind), "any value")


def limits_of(schema: Schema) -> str:
    """Return what a value must keep to, and each value of a list."""
    kept = [words.format(_number(schema[name])) for name, words in _LIMITS.items() if name in schema]
    for inner in (*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else ())):
        kept += filter(None, [limits_of(inner)])
    return "; ".join(kept)


def _number(limit: object) -> str:
    """Return a limit as people write it: 0 and not 0.0; a form as code."""
    return f"{limit:g}" if isinstance(limit, float) else code(limit) if isinstance(limit, str) else str(limit)


def default_of(schema: Schema, *, is_required: bool) -> str:
    """Return the default of a field; nothing if it must be given, or has none that is plain."""
    return "" if is_required or "default" not in schema else code(json.dumps(schema["default"], ensure_ascii=False))


def label_of(area: str, name: str) -> str:
    """Return the target of a type on the page of an area."""
    return f"{area}-{name}".lower()


def describe_object(name: str, schema: Schema, area: str, level: int = 3, title: str = "") -> str:
    """Return a type with its heading, its meaning and its fields. title: its heading, if not its name."""
    fields: Schema = schema.get("properties", {})
    about, told = split_fields(schema.get("description", ""), fields)
    return paragraphs(
        heading(title or code(name), level, label_of(area, name)),
        about,
        "" if "properties" in schema else type_of(schema, area),
        fields_table(schema, area, told),
    )


def fields_table(schema: Schema, area: str, told: Mapping[str, str]) -> str:
    """Return the fields of an object. told: what its docstring says of fields."""
    required = schema.get("required", ())
    rows = (
        (
            code(name),
            type_of(each, area),
            "yes" if name in required else "",
            default_of(each, is_required=name in required),
            limits_of(each),
            text(each.get("description") or told.get(name, "")),
        )
        for name, each in schema.get("properties", {}).items()
    )
    return table(("field", "type", "required", "default", "limits", "meaning"), rows)


def split_fields(description: str, fields: Collection[str]) -> tuple[str, dict[str, str]]:
    """Split a docstring into its prose and what it says of fields: `one, other: what they are.`"""
    names = "|".join(map(re.escape, fields))
    begins = re.compile(rf"(?:(?<=^)|(?<=[.;] ))((?:{names})(?:, (?:{names}))*): ") if names else None
    about, told = list[str](), dict[str, str]()
    for paragraph in re.split(r"\n\s*\n", description):
        plain = " ".join(paragraph.split())
        before, *found = begins.split(plain) if begins else [plain]
        about.append(before)
        for listed, meaning in zip(found[::2], found[1::2], strict=True):
            told |= dict.fromkeys(listed.split(", "), meaning.strip().rstrip(";"))
    return prose("\n\n".join(about)), told
