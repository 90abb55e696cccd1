"""The pages of the API, made of its own OpenAPI description: one for each group of addresses, and one of all types."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from controller.web.api.openapi import describe_api
from controller.web.roles import LEAST
from tools.reference.markdown import Row, code, fence, heading, link, paragraphs, prose, table, text, toctree
from tools.reference.schema import Schema, describe_object, limits_of, type_of

_AREA, _TYPES = "api", "types"
Operation = tuple[str, str, Schema]  # method, path, description


def api_pages() -> dict[str, str]:
    """Return a page for each group of addresses, one of the types, and one that lists all of it."""
    document = describe_api()
    groups = _groups(document)
    pages = {f"{_AREA}/{group}.md": _group_page(group, operations) for group, operations in groups.items()}
    return {f"{_AREA}/index.md": _overview(document, groups), **pages, f"{_AREA}/{_TYPES}.md": _types(document)}


def _groups(document: Schema) -> Mapping[str, list[Operation]]:
    groups = defaultdict[str, list[Operation]](list)
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            groups[operation["tags"][0]].append((method.upper(), path, operation))
    return groups


def _overview(document: Schema, groups: Mapping[str, Sequence[Operation]]) -> str:
    pages = {(method, path): f"{group}.md" for group, operations in groups.items() for method, path, _ in operations}
    addresses = (
        (code(method), link(code(path), pages[method, path]) if (method, path) in pages else code(path), text(least))
        for (method, path), least in LEAST.items()
    )
    return paragraphs(
        heading("API"),
        toctree((*groups, _TYPES), hidden=True),
        prose(document["info"]["summary"]),
        _as_it_is(document["info"]["description"]),
        table(
            ("group", "addresses"), ((link(text(name), f"{name}.md"), _paths(each)) for name, each in groups.items())
        ),
        heading("Refusals", 2, label="api-refusals"),
        table(("status", "meaning", "for example"), _refusals(document)),
        heading("Who may use each address", 2),
        table(("method", "address", "least role"), addresses),
    )


def _as_it_is(description: str) -> str:
    """Return a description that is Markdown already: bold stands in it."""
    return "\n\n".join(" ".join(each.split()) for each in description.split("\n\n"))


def _paths(operations: Sequence[Operation]) -> str:
    return ", ".join(dict.fromkeys(code(path) for _, path, _ in operations))


def _refusals(document: Schema) -> Iterator[Row]:
    for name, refused in document["components"]["responses"].items():
        shown = {key: each for key, each in refused["content"]["application/json"]["example"].items() if key != "state"}
        yield code(name.removeprefix("Refused")), text(refused["description"]), code(json.dumps(shown))


def _group_page(group: str, operations: Sequence[Operation]) -> str:
    return paragraphs(heading(f"API: {text(group)}"), *(_operation(*each) for each in operations))


def _operation(method: str, path: str, operation: Schema) -> str:
    body, answers = operation.get("requestBody", {}).get("content", {}), operation["responses"]
    refused = [status for status, answer in answers.items() if "$ref" in answer]
    return paragraphs(
        heading(code(f"{method} {path}"), 2),
        prose(operation["description"]),
        f"Least role: {text(operation['x-role'])}.",
        table(("parameter", "in", "type", "limits", "example"), map(_parameter, operation.get("parameters", ()))),
        _contents("Request", body),
        *(
            _contents(f"Answer {status}", answer.get("content", {}))
            for status, answer in answers.items()
            if "$ref" not in answer
        ),
        f"{link('Refusals', '#api-refusals')}: {', '.join(map(code, sorted(refused)))}.",
    )


def _parameter(parameter: Schema) -> Row:
    schema, example = parameter["schema"], parameter.get("example")
    shown = "" if example is None else code(json.dumps(example, ensure_ascii=False))
    return code(parameter["name"]), text(parameter["in"]), type_of(schema, _AREA), limits_of(schema), shown


def _contents(title: str, content: Schema) -> str:
    """Return what a request or an answer is made of, with its examples."""
    blocks = []
    for media, each in content.items():
        schema = each.get("schema", {})
        blocks.append(f"{title} ({code(media)}): {type_of(schema, _AREA)}" if schema else f"{title}: {code(media)}")
        examples = {name: one["value"] for name, one in each.get("examples", {}).items()}
        if "example" in each:
            examples[""] = each["example"]
        for about, example in examples.items():
            words = f"For example, {text(about)}:" if about else "For example:"
            shown = example if isinstance(example, str) else json.dumps(example, indent=2, ensure_ascii=False)
            blocks += (words, fence(shown, "text" if isinstance(example, str) else "json"))
    return paragraphs(*blocks)


def _types(document: Schema) -> str:
    types: Mapping[str, Any] = document["components"]["schemas"]
    return paragraphs(
        heading("Types of the API"), *(describe_object(name, each, _AREA, level=2) for name, each in types.items())
    )
