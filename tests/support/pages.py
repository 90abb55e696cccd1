"""Pages that show the table, as they are told of it: what live.js does with a message, without a browser."""

import json
from collections.abc import Mapping
from typing import Any

Page = dict[str, list[str]]  # the lines of each part


def hear(page: Page, told: str) -> Mapping[str, Any]:
    """Do to a page what a message says; the message."""
    message: Mapping[str, Any] = json.loads(told)
    for name, lines in message["parts"].items():
        before = page.get(name, [])
        page[name] = [line for each in lines for line in ([each] if isinstance(each, str) else before[slice(*each)])]
    return message


def parts_of(page: Page) -> dict[str, str]:
    """The parts that a page shows, as HTML."""
    return {name: "\n".join(lines) for name, lines in page.items()}
