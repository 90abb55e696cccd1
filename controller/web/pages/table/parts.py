"""The parts of the pages that show the table, each drawn once for all clients that see the same."""

import json
import logging
from collections import deque
from collections.abc import Mapping
from weakref import WeakKeyDictionary

from controller.game.core.message import Language
from controller.game.table.snapshot import Snapshot
from controller.messages.calls import calls_of
from controller.messages.words import words_in
from controller.web.pages.scene import TilePictures
from controller.web.pages.table.audience import Audience, View
from controller.web.pages.table.chairs import chairs_of
from controller.web.pages.table.drawer import drawer_of
from controller.web.pages.table.ending import ending_of
from controller.web.pages.table.fault import fault_of
from controller.web.pages.table.view import table_for
from controller.web.pages.templates import Templates
from controller.web.watching import MOST_BEHIND

_OF_PLAY = (
    "top",
    "say",
    "box",
    "flags",
    "under",
    "news",
    "ending",
    "own",
    "seats",
    "sheet",
    "fault",
    "moves",
    "acts",
    "foot",
    "drawer",
    "hand",
    "calls",
)
# The parts of each view. Each is a template, and an element of that name in the page.
PARTS: Mapping[View, tuple[str, ...]] = {
    "play": _OF_PLAY,
    "kiosk": (*_OF_PLAY, "welcome"),
    "wall": ("say", "box", "beside", "calls"),
    "start": ("lobby",),
    "join": ("chairs", "sit"),
}
_MOST_AUDIENCES = 64  # kept for each snapshot; with more, all are drawn afresh
_LOG = logging.getLogger(__name__)

# By name, as HTML.
Parts = Mapping[str, str]


class CannotDraw(Exception):
    """A template failed to draw parts; the log says why."""


class Shown:
    """What one audience is shown of a snapshot, and what the page of a watcher is told to come to it.

    What is told depends only on what that page shows before, so it is put into words once for all watchers alike.
    """

    def __init__(self, parts: Parts, number: int = 0, **state: object) -> None:
        """number: of the snapshot. state: what else a page is to know of it."""
        self.parts = parts
        self._number, self._state = number, state
        self._told = WeakKeyDictionary[Shown, str | None]()

    def since(self, before: "Shown") -> str | None:
        """Return the JSON for a page that shows `before`; None if nothing of it has changed but the number.

        A part that has changed is a list of its lines. In place of lines that it had before, one after the other, stand
        the numbers of the first of them and of the line after the last.
        """
        if before not in self._told:
            changed = {
                name: _changes(before.parts.get(name), part)
                for name, part in self.parts.items()
                if before.parts.get(name) != part
            }
            is_news = changed or self._state != before._state
            told = {"number": self._number, **self._state, "parts": changed}
            self._told[before] = json.dumps(told, ensure_ascii=False, separators=(",", ":")) if is_news else None
        return self._told[before]


NOTHING = Shown({})  # before the first message to a page


def _changes(before: str | None, part: str) -> list[str | list[int]]:
    old = [] if before is None else before.split("\n")
    places = {line: place for place, line in enumerate(old)}
    found: list[str | list[int]] = []
    for line in part.split("\n"):
        last = found[-1] if found else line
        if isinstance(last, list) and old[last[1] : last[1] + 1] == [line]:
            last[1] += 1
        elif line in places:
            found.append([places[line], places[line] + 1])
        else:
            found.append(line)
    return found


class DrawnParts:
    """The parts of the last few snapshots as they were drawn for each audience.

    Those of the last snapshot alone are not enough: one watcher may be several snapshots behind another.

    Lifetime: that of the application. Concurrency: one event loop.
    """

    def __init__(self, pictures: TilePictures | None = None) -> None:
        """`pictures`: for the tiles; None for an application without a home."""
        self.pictures = pictures or TilePictures(None)
        self._templates: dict[Language, Templates] = {}
        self._moments: deque[tuple[Snapshot, dict[Audience, Shown | None]]] = deque(maxlen=MOST_BEHIND + 1)

    def templates(self, language: Language) -> Templates:
        if language not in self._templates:
            self._templates[language] = Templates(words_in(language))
        return self._templates[language]

    def of(self, snapshot: Snapshot, audience: Audience) -> Parts:
        """Return the parts of the audience's view. Raises as `shown`."""
        return self.shown(snapshot, audience).parts

    def shown(self, snapshot: Snapshot, audience: Audience) -> Shown:
        """Return what the audience is shown of a snapshot.

        Raises `CannotDraw` for the whole audience if a template fails in any way; the first failure is logged.
        """
        for known, drawn in self._moments:
            if known is snapshot and len(drawn) <= _MOST_AUDIENCES:
                break
        else:
            drawn = {}
            self._moments.appendleft((snapshot, drawn))
        if audience not in drawn:
            templates = self.templates(audience.language)
            words = templates.words
            try:
                table = table_for(snapshot, audience, words, self.pictures)
                shown = {
                    "table": table,
                    "ending": ending_of(snapshot, words),
                    "fault": fault_of(table, words),
                    "drawer": drawer_of(table, words),
                    "chairs": chairs_of(table),
                    "calls": calls_of(snapshot, words),
                }
                names = PARTS[audience.view]
                drawn[audience] = Shown(
                    {name: templates.render(f"parts/{name}.html", **shown) for name in names},
                    snapshot.number,
                    daemon=snapshot.daemon,
                    game_id=snapshot.game_id,
                    event=snapshot.event,
                    seen=snapshot.seen,
                )
            except Exception:  # whatever it is, the game and other pages go on
                _LOG.exception("page cannot be drawn view=%s language=%s", audience.view, audience.language)
                drawn[audience] = None
        found = drawn[audience]
        if found is None:
            raise CannotDraw(f"the page {audience.view} cannot be drawn")
        return found
