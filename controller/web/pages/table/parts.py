"""The parts of the pages that show the table: each drawn once for all who are shown the same."""

import logging
from collections import deque
from collections.abc import Mapping

from controller.game import Snapshot
from controller.web.newest import MOST_BEHIND
from controller.web.pages.scene import TilePictures
from controller.web.pages.table.audience import Audience, View
from controller.web.pages.table.chairs import chairs_of
from controller.web.pages.table.drawer import drawer_of
from controller.web.pages.table.ending import ending_of
from controller.web.pages.table.fault import fault_of
from controller.web.pages.table.view import table_for
from controller.web.pages.templates import Templates
from controller.words import Language, words_in

_OF_PLAY = (
    "top",
    "say",
    "box",
    "flags",
    "under",
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
# By view, the parts of it: each is a template, and an element of that name in the page.
PARTS: Mapping[View, tuple[str, ...]] = {
    "play": _OF_PLAY,
    "kiosk": (*_OF_PLAY, "welcome"),
    "wall": ("say", "box", "beside"),
    "start": ("lobby",),
    "join": ("chairs", "sit"),
}
_MOST_AUDIENCES = 64  # whose parts of one snapshot are remembered; more are drawn again and again
_LOG = logging.getLogger(__name__)

# By name, as HTML.
Parts = Mapping[str, str]


class CannotDraw(Exception):
    """Parts that a template fails to draw; the log says why."""


class DrawnParts:
    """The parts as they were drawn of the last few snapshots, for every audience that asked.

    Those of one snapshot are not enough: of two watchers, one may be some snapshots behind the other.

    Lifetime: as the application. Concurrency: one event loop.
    """

    def __init__(self, pictures: TilePictures | None = None) -> None:
        """`pictures`: those that are drawn on tiles; None: of an application without a home."""
        self.pictures = pictures or TilePictures(None)
        self._templates: dict[Language, Templates] = {}
        self._moments: deque[tuple[Snapshot, dict[Audience, Parts | None]]] = deque(maxlen=MOST_BEHIND + 1)

    def templates(self, language: Language) -> Templates:
        """The templates in a language."""
        if language not in self._templates:
            self._templates[language] = Templates(words_in(language))
        return self._templates[language]

    def of(self, snapshot: Snapshot, audience: Audience) -> Parts:
        """The parts of the audience's view.

        Raises `CannotDraw` for all of the audience, whatever a template stumbles over; the first time, it is logged.
        """
        drawn = self._drawn_at(snapshot)
        if audience not in drawn:
            drawn[audience] = self._try_to_draw(snapshot, audience)
        parts = drawn[audience]
        if parts is None:
            raise CannotDraw(f"the page {audience.view} cannot be drawn")
        return parts

    def _drawn_at(self, snapshot: Snapshot) -> dict[Audience, Parts | None]:
        for known, drawn in self._moments:
            if known is snapshot and len(drawn) <= _MOST_AUDIENCES:
                return drawn
        fresh: dict[Audience, Parts | None] = {}
        self._moments.appendleft((snapshot, fresh))
        return fresh

    def _try_to_draw(self, snapshot: Snapshot, audience: Audience) -> Parts | None:
        try:
            return self._draw(snapshot, audience)
        except Exception:  # whatever it is, the game goes on, and other pages do
            _LOG.exception("the page %s cannot be drawn in %s", audience.view, audience.language)
            return None

    def _draw(self, snapshot: Snapshot, audience: Audience) -> Parts:
        templates = self.templates(audience.language)
        words = templates.words
        table = table_for(snapshot, audience, words, self.pictures)
        shown = {
            "table": table,
            "ending": ending_of(snapshot, words),
            "fault": fault_of(table, words),
            "drawer": drawer_of(table, words),
            "chairs": chairs_of(table),
        }
        return {part: templates.render(f"parts/{part}.html", **shown) for part in PARTS[audience.view]}
