"""The parts of the pages that show the table: each drawn once for all who are shown the same."""

from collections.abc import Mapping

from controller.game import Snapshot
from controller.web.pages.scene import TilePictures
from controller.web.pages.table.audience import Audience, View
from controller.web.pages.table.drawer import drawer_of
from controller.web.pages.table.fault import fault_of
from controller.web.pages.table.view import table_for
from controller.web.pages.templates import Templates
from controller.words import Language, words_in

_OF_PLAY = ("top", "say", "box", "flags", "under", "seats", "fault", "moves", "acts", "foot", "drawer")
# By view, the parts of it: each is a template, and an element of that name in the page.
PARTS: Mapping[View, tuple[str, ...]] = {
    "play": _OF_PLAY,
    "kiosk": (*_OF_PLAY, "welcome"),
    "wall": ("say", "box", "beside"),
    "start": ("lobby",),
    "join": ("chairs",),
}
_MOST_AUDIENCES = 64  # that are remembered; more are drawn again and again


class DrawnParts:
    """The parts as they were drawn of the last snapshot, for every audience that asked.

    Lifetime: as the application. Concurrency: one event loop.
    """

    def __init__(self, pictures: TilePictures | None = None) -> None:
        """`pictures`: those that are drawn on tiles; None: of an application without a home."""
        self.pictures = pictures or TilePictures(None)
        self._templates: dict[Language, Templates] = {}
        self._snapshot: Snapshot | None = None
        self._drawn: dict[Audience, Mapping[str, str]] = {}

    def templates(self, language: Language) -> Templates:
        """The templates in a language."""
        if language not in self._templates:
            self._templates[language] = Templates(words_in(language))
        return self._templates[language]

    def of(self, snapshot: Snapshot, audience: Audience) -> Mapping[str, str]:
        """The parts of the audience's view, as HTML."""
        if self._snapshot is not snapshot or len(self._drawn) > _MOST_AUDIENCES:
            self._snapshot, self._drawn = snapshot, {}
        if audience not in self._drawn:
            self._drawn[audience] = self._draw(snapshot, audience)
        return self._drawn[audience]

    def _draw(self, snapshot: Snapshot, audience: Audience) -> Mapping[str, str]:
        templates = self.templates(audience.language)
        words = templates.words
        table = table_for(snapshot, audience, words, self.pictures)
        shown = {"table": table, "fault": fault_of(table, words), "drawer": drawer_of(table, words)}
        return {part: templates.render(f"parts/{part}.html", **shown) for part in PARTS[audience.view]}
