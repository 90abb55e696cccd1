"""Journals of earlier formats, read as if they had been written today: one step a file, named after what it brings.

A step looks at the event itself, not at the format that the file says: a journal says the newest format as soon as
one game was added to it, and still holds its old events. What is on the disk stays as it is, with its digests.

From format 2 to 3 nothing changed but that there is one more kind of event (a tile that is believed). Format 4 also
keeps the keys of commands beside the events. Format 5 has two more kinds of events (tiles that were moved while the box
was off). Format 6 keeps the same events in another way.
"""

import json
from typing import Any

from controller.game import EVENT, GameEvent
from controller.journal.migrations import hints, matches, undo
from controller.rules.fleet import CARDS

__all__ = ["read_event"]

Body = dict[str, Any]
_STEPS = (matches.upgrade, undo.upgrade, hints.upgrade)


def upgrade(body: Body) -> Body:
    """The body of a journalled event, of any format, as an event of today's format has it. It may be the same one.

    Races are younger than all formats, and have other options.
    """
    if body.get("game") in CARDS:
        return body
    for step in _STEPS:
        body = step(body)
    return body


def read_event(text: str) -> GameEvent:
    """The event that a journalled body of any format stands for. Raises `ValueError` (Pydantic's too) for none."""
    try:
        body = json.loads(text)
    except RecursionError as error:
        raise ValueError("lists inside lists without end") from error
    return EVENT.validate_python(upgrade(body) if isinstance(body, dict) else body)
