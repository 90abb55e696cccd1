"""The page of a self-test: the box drawn by its health, the findings, and the travel times of every tile.

It is a page of the box, and a self-contained file that needs neither server nor network.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection

from controller.messages.words import Words
from controller.web.dependencies import language_of
from controller.web.pages.page import drawn_of
from controller.web.pages.phrases import describe_box, say_number
from controller.web.pages.templates import Templates, sheet_text
from hardware.tiles import TileId

if TYPE_CHECKING:
    # Only for annotations: a daemon that tests nothing does not load the self-test.
    from firmware.selftest.wear import Health, SelftestResult

_SHEETS = ("base.css", "places.css", "pages.css", "strip.css")
_SIGNS: Mapping["Health", str] = {"well": "✓", "worn": "!", "broken": "✕", "untested": "?"}
_LEAST_SCALE_S = 0.5  # the least time of a full bar: without it every bar of a quick box would be full


@dataclass(frozen=True, slots=True)
class TravelBar:
    """The time of one way, in words, and as parts of the longest bar (0..1): now, and in earlier tests."""

    text: str
    part: float
    earlier: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class TestedTile:
    """One tile: its name, its mark, its health as a sign and in words, its travel down and up, its moves so far."""

    name: str
    mark: str
    health: "Health"
    sign: str
    state: str
    down: TravelBar | None
    up: TravelBar | None
    moves: int
    retries: int


def answer_selftest(connection: HTTPConnection, examined: "SelftestResult", *, alone: bool) -> str:
    """Return the page as the box serves it. alone: with its style sheets in it."""
    return _draw(examined, drawn_of(connection).templates(language_of(connection)), alone=alone)


def draw_selftest(examined: "SelftestResult", words: Words) -> str:
    """Return the page as a self-contained file."""
    return _draw(examined, Templates(words), alone=True)


def _draw(examined: "SelftestResult", templates: Templates, *, alone: bool) -> str:
    sheet = sheet_text(*_SHEETS) if alone else ""
    described = describe_selftest(examined, templates.words)
    return templates.render("selftest.html", sheets=_SHEETS, sheet=sheet, **described)


def describe_selftest(examined: "SelftestResult", words: Words) -> dict[str, object]:
    """Return what the template of a self-test draws."""
    # Loaded here: a daemon that tests nothing does not load the self-test.
    from firmware.selftest.wear import TileWear

    columns = examined.box.columns
    _ = words.gettext
    said: dict[Health, str] = {
        "well": _("fine"),
        "worn": _("look at it"),
        "broken": _("broken"),
        "untested": _("not tested"),
    }
    times_s = {each.tile: (each.down_s, each.up_s) for each in examined.report.tiles}
    before_s = [pair for test in examined.earlier for pair in test.times_s.values()]
    known_s = (time for pair in (*before_s, *times_s.values()) for time in pair if time is not None)
    most_s = max([_LEAST_SCALE_S, *known_s])

    def bar(tile: TileId, way: int) -> TravelBar | None:
        now_s = times_s.get(tile, (None, None))[way]
        if now_s is None:
            return None
        earlier_s = [test.times_s.get(str(tile), (None, None))[way] for test in examined.earlier]
        text = _("{seconds} s").format(seconds=say_number(now_s, words, 2))
        return TravelBar(text, now_s / most_s, tuple(each / most_s for each in earlier_s if each is not None))

    def row(tile: TileId, health: "Health") -> TestedTile:
        wear, mark = examined.book.tiles.get(str(tile), TileWear()), tile.mark or str(tile.number)
        ways = bar(tile, 0), bar(tile, 1)
        return TestedTile(str(tile), mark, health, _SIGNS[health], said[health], *ways, wear.moves, wear.retries)

    tiles = [row(tile, health) for tile, health in examined.health.items()]
    return {
        "examined": examined,
        "size": describe_box(examined.box, words),
        "report": examined.report,
        "when": f"{examined.date:%Y-%m-%d %H:%M}",
        "before": examined.earlier[-1] if examined.earlier else None,
        # As the tiles stand in the box, the back row first.
        "rows": [tiles[at : at + columns] for at in reversed(range(0, len(tiles), columns))],
        "tiles": tiles,
        "legend": [(health, _SIGNS[health], said[health]) for health in dict.fromkeys(examined.health.values())],
    }
