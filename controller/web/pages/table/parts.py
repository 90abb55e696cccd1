"""The parts of the pages that show the table, each drawn once for all clients that see the same."""

import logging
from collections import deque
from collections.abc import Mapping

from controller.game.core.message import Language
from controller.game.table.snapshot import Snapshot
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
)
# The parts of each view. Each is a template, and an element of that name in the page.
PARTS: Mapping[View, tuple[str, ...]] = {
    "play": _OF_PLAY,
    "kiosk": (*_OF_PLAY, "welcome"),
    "wall": ("say", "box", "beside"),
    "start": ("lobby",),
    "join": ("chairs", "sit"),
}
_MOST_AUDIENCES = 64  # kept for each snapshot; with more, all are drawn afresh
_LOG = logging.getLogger(__name__)

# By name, as HTML.
Parts = Mapping[str, str]


class CannotDraw(Exception):
    """A template failed to draw parts; the log says why."""


class DrawnParts:
    """The parts of the last few snapshots as they were drawn for each audience.

    Those of the last snapshot alone are not enough: one watcher may be several snapshots behind another.

    Lifetime: that of the application. Concurrency: one event loop.
    """

    def __init__(self, pictures: TilePictures | None = None) -> None:
        """`pictures`: for the tiles; None for an application without a home."""
        self.pictures = pictures or TilePictures(None)
        self._templates: dict[Language, Templates] = {}
        self._moments: deque[tuple[Snapshot, dict[Audience, Parts | None]]] = deque(maxlen=MOST_BEHIND + 1)

    def templates(self, language: Language) -> Templates:
        if language not in self._templates:
            self._templates[language] = Templates(words_in(language))
        return self._templates[language]

    def of(self, snapshot: Snapshot, audience: Audience) -> Parts:
        """Return the parts of the audience's view.

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
                }
                names = PARTS[audience.view]
                drawn[audience] = {name: templates.render(f"parts/{name}.html", **shown) for name in names}
            except Exception:  # whatever it is, the game and other pages go on
                _LOG.exception("page cannot be drawn view=%s language=%s", audience.view, audience.language)
                drawn[audience] = None
        parts = drawn[audience]
        if parts is None:
            raise CannotDraw(f"the page {audience.view} cannot be drawn")
        return parts
