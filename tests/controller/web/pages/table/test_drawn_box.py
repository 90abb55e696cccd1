"""The drawn box is the simulated wood: in random positions of every box, read back from the page's elements."""

import random
from contextlib import suppress

import pytest

from controller.game.core.commands import ConfirmTiles, StartGame
from controller.game.core.players import Player
from controller.game.core.sight import CameraState, SnapshotContext
from controller.game.table.caller import Caller
from controller.game.table.snapshot import snapshot_of
from controller.web.pages.table.audience import Audience
from controller.web.pages.table.parts import DrawnParts
from hardware.box import box_names, load_box
from hardware.sim.world import World
from hardware.tiles import Position
from tests.controller.web.pages.elements import tiles_of
from tests.support.long import long_but_every
from tests.support.stories import play

POSITIONS = 200
POSITIONS_OF = {
    "open": Position.OPEN,
    "hidden": Position.OPEN,
    "shut": Position.SHUT,
    "stuck": Position.BETWEEN,
}
DRAWN = DrawnParts()
_HANDS = 4  # tiles that a hand tips from one position to the next
WATCHER = Audience("wall", "en", Caller(role="spectator"))


def game_for(box: str) -> StartGame:
    """A game that has every tile of this box."""
    profile = load_box(box)
    ann = (Player("Ann"),)
    if box.startswith("dominoes"):
        return StartGame(ann, game="dominoes", options={"domino_set": profile.columns})
    if profile.rows > 1:
        return StartGame(ann, options={"rows": profile.rows, "columns": profile.columns})
    if box == "the-300":
        return StartGame(ann, game=box)
    return StartGame(ann, game="pub", options={"tiles": profile.columns})


def tip_some(world: World, chance: random.Random) -> None:
    """A hand tips some tiles, where no wood is in the way."""
    for tile in chance.sample(world.box.tile_ids, k=min(_HANDS, len(world.box.tile_ids))):
        with suppress(ValueError):
            world.hand_moves(tile, chance.choice((Position.OPEN, Position.SHUT, Position.BETWEEN)))


@pytest.mark.parametrize("box", long_but_every(8, box_names()))
def test_the_drawn_box_equals_the_wood_in_200_random_positions(box: str) -> None:
    world, chance = World(load_box(box), lambda: 0.0, seed=1), random.Random(box)
    game = play(None, game_for(box), ConfirmTiles())
    met: set[str] = set()
    for number in range(POSITIONS):
        tip_some(world, chance)
        wood = {str(tile): world.position(tile) for tile in world.box.tile_ids}
        snapshot = snapshot_of(game, SnapshotContext(number, 1, box, sight=CameraState(tiles=wood)))

        shown = tiles_of(DRAWN.of(snapshot, WATCHER)["box"])

        assert {name: POSITIONS_OF[each["data-s"]] for name, each in shown.items()} == wood
        met.update(each["data-s"] for each in shown.values())
    assert met >= {"open", "shut", "stuck"}
