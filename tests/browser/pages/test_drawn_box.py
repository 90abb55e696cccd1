"""The drawn box is the simulated wood in the browser too: read back from where its elements lie and how they tip.

What the HTML says of each tile, tests/controller/web/pages/table/test_drawn_box.py compares; this is what comes of it.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

import pytest

from controller.game.core.commands import ConfirmTiles
from controller.game.core.sight import CameraState, SnapshotContext
from controller.game.table.snapshot import Snapshot, TileView, snapshot_of
from controller.web.pages.table.parts import NOTHING
from controller.web.pages.templates import read_static
from hardware.box import box_names, load_box
from hardware.sim.world import World
from hardware.tiles import Position
from tests.browser.whole_games import WHOLE_GAMES
from tests.controller.web.pages.table.test_drawn_box import DRAWN, POSITIONS, WATCHER, game_for, tip_some
from tests.support.long import long_but_every
from tests.support.stories import play

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route, WebSocketRoute

FEW_POSITIONS = 4  # of each box, for `make test`; `make test-browser` looks at all
ADDRESS = "http://box.example"
TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "webmanifest": "application/manifest+json"}

# How each tile is turned about its hinge, which of its two faces are seen, and the frame around it on the screen.
_READ = """() => [...document.querySelectorAll(".tile")].map(tile => {
  const turned = new DOMMatrix(getComputedStyle(tile).transform);
  const isSeen = face => getComputedStyle(tile.querySelector(face)).visibility === "visible";
  const { left, right, top, bottom } = tile.getBoundingClientRect();
  const angle = Math.atan2(turned.m23, turned.m22) * 180 / Math.PI;
  return [tile.id, angle, isSeen("b"), isSeen("em"), (left + right) / 2, top, bottom];
})"""


class Wood(NamedTuple):
    """A tile as the browser draws it: degrees about its hinge, the faces that are seen, its place on the screen."""

    angle: float
    front: bool
    back: bool
    x: float
    top: float
    bottom: float

    @property
    def position(self) -> Position:
        if self.front and not self.back and abs(self.angle + 90) < 10:
            return Position.OPEN
        if self.back and not self.front:
            return Position.SHUT if abs(self.angle) > 170 else Position.BETWEEN
        raise AssertionError(f"this is no position of a tile: {self}")

    @property
    def hinge(self) -> float:
        """How far down the screen it is hinged: it stands above its hinge, and lies below."""
        return self.bottom if self.position is Position.OPEN else self.top


class Wall:
    """A page that is shown one snapshot after the other, without a box behind it."""

    def __init__(self, page: "Page") -> None:
        self._page = page
        self._live: list[WebSocketRoute] = []
        self._snapshot = Snapshot(0, "", "")
        page.route(f"{ADDRESS}/**", self._answer)
        page.route_web_socket("**/live/wall*", lambda live: self._live.append(live))

    def open(self, snapshot: Snapshot) -> None:
        """Open the page at this moment."""
        self._snapshot = snapshot
        self._page.goto(f"{ADDRESS}/wall")
        self._page.evaluate("document.addEventListener('drawn', event => { window.drawn = event.detail.number })")

    def show(self, snapshot: Snapshot) -> dict[str, Wood]:
        """What has changed is sent as the box sends it; the tiles as they are drawn then."""
        self._live[-1].send(DRAWN.shown(snapshot, WATCHER).since(NOTHING) or "")
        self._page.wait_for_function("number => window.drawn === number", arg=snapshot.number, polling=5)
        return {name: Wood(*rest) for name, *rest in self._page.evaluate(_READ)}

    def _answer(self, route: "Route") -> None:
        path = route.request.url.removeprefix(ADDRESS)
        if path == "/wall":
            shown = {"parts": DRAWN.of(self._snapshot, WATCHER), "view": "wall", "audience": WATCHER}
            # Between games the wall shows more, which is no part of the table.
            rest = {"sits_first": False, "last": None, "address": "", "quiet": ""}
            html = DRAWN.templates("en").render("wall.html", snapshot=self._snapshot, **shown, **rest)
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
        elif path.startswith("/evening/"):
            route.fulfill(status=204)  # there is none
        else:
            _, _, digest, name = path.split("/")
            route.fulfill(body=read_static(digest, name) or b"", content_type=TYPES[name.rpartition(".")[2]])


@pytest.fixture(scope="module")
def wall(browser: "Browser") -> Iterator[Wall]:
    with browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        yield Wall(page)


def assert_in_order(tiles: Sequence[TileView], drawn: Mapping[str, Wood]) -> None:
    """Columns go from left to right, and rows from the player to the back."""
    for _, row in by(tiles, lambda tile: tile.row):
        middles = [drawn[tile.name].x for tile in sorted(row, key=lambda tile: tile.column)]
        assert all(left < right for left, right in pairwise(middles))
    for _, column in by(tiles, lambda tile: tile.column):
        hinges = [drawn[tile.name].hinge for tile in sorted(column, key=lambda tile: tile.row)]
        assert all(behind < before for before, behind in pairwise(hinges))


def by(tiles: Sequence[TileView], key: Callable[[TileView], int]) -> Iterator[tuple[int, Iterator[TileView]]]:
    return groupby(sorted(tiles, key=key), key)


@pytest.mark.parametrize("name", long_but_every(5, box_names()))
def test_the_box_in_the_browser_equals_the_wood(wall: Wall, name: str) -> None:
    world, chance = World(load_box(name), lambda: 0.0, seed=1), random.Random(name)
    game = play(None, game_for(name), ConfirmTiles())
    for number in range(POSITIONS if WHOLE_GAMES else FEW_POSITIONS):
        tip_some(world, chance)
        wood = {str(tile): world.position(tile) for tile in world.box.tile_ids}
        snapshot = snapshot_of(game, SnapshotContext(number, 1, name, sight=CameraState(tiles=wood)))
        if not number:
            wall.open(snapshot)

        drawn = wall.show(snapshot)

        assert {each: tile.position for each, tile in drawn.items()} == wood
        assert_in_order(snapshot.tiles, drawn)
