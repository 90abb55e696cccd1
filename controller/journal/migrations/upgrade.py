"""Read journals of earlier formats as if they were written today: one step for each change of the events.

A step looks at the event itself, not at the format of the file: a journal has the newest format as soon as one game
was added to it, and still holds its old events. The stored events and their digests are not changed.

Other formats need no step. Format 3 added a kind of event (overridden sensors), format 4 the command keys, format 5 two
more kinds of events (tiles moved while the box was off). Format 6 stores the same events in another way.
"""

import json
from typing import Any

from controller.game.core.events import GameEvent
from controller.game.table.wire import EVENT
from controller.journal.migrations.hints import add_hints
from controller.journal.migrations.matches import add_matches
from controller.journal.migrations.undo import add_undo
from controller.rules.fleet.cards import CARDS

Body = dict[str, Any]


def read_event(text: str) -> GameEvent:
    """Return the event of a stored body in any format. Raises `ValueError` (Pydantic's too) if it is not an event."""
    try:
        body = json.loads(text)
    except RecursionError as error:
        raise ValueError("lists inside lists without end") from error
    # Races came with the last format and have other options.
    if isinstance(body, dict) and body.get("game") not in CARDS:
        body = add_hints(add_undo(add_matches(body)))
    return EVENT.validate_python(body)
