"""Tiles as they are drawn: as the wood stands, believed where somebody vouches, doubtful where sensors contradict."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from controller.game.core.sight import CameraState, SnapshotContext
from controller.game.table.snapshot import Snapshot, snapshot_of
from controller.messages.words import words_in
from controller.web.pages.scene import DrawnTile, TilePictures, draw_tiles
from hardware.tiles import Position
from tests.controller.game.shutbox.test_actions import CHOOSING, MOMENTS, WAITING
from tests.support.stories import with_board

OPEN, SHUT, BETWEEN, UNKNOWN = Position.OPEN, Position.SHUT, Position.BETWEEN, Position.UNKNOWN
ENGLISH = words_in("en")


def seen(game: str | None = None, **places: Position) -> Snapshot:
    """The snapshot of a moment in which the sensors show these tiles so, and the others not at all."""
    sight = CameraState(tiles={name.replace("_", "-"): place for name, place in places.items()})
    return snapshot_of(MOMENTS[game] if game else WAITING, SnapshotContext(1, 1, "two-level-9", sight=sight))


def drawn(snapshot: Snapshot, *movable: str) -> Mapping[str, DrawnTile]:
    return {tile.name: tile for tile in draw_tiles(snapshot, movable, TilePictures(None), ENGLISH)}


def test_the_start_shows_the_front_row_and_hides_the_one_behind() -> None:
    tiles = drawn(seen())

    assert {tile.look for tile in tiles.values() if tile.row == 1} == {"open"}
    assert {tile.look for tile in tiles.values() if tile.row == 2} == {"hidden"}


def test_a_tile_that_a_hand_has_tipped_is_drawn_as_it_lies_and_marked() -> None:
    tiles = drawn(seen(front_3=SHUT))

    assert (tiles["front-3"].look, tiles["front-3"].doubtful) == ("shut", True)
    assert tiles["back-7"].look == "open"
    assert tiles["front-3"].name_spoken == "3 in front, shut, elsewhere than the game has it"


def test_a_tile_on_its_way_is_drawn_where_it_goes() -> None:
    tile = drawn(seen("the tiles move", front_8=OPEN))["front-8"]

    assert (tile.look, tile.moving, tile.doubtful) == ("shut", True, False)


def test_a_tile_that_has_stopped_the_game_half_way_is_stuck() -> None:
    snapshot = seen("a tile has stopped the game", front_7=BETWEEN)

    assert drawn(snapshot)["front-7"].look == "stuck"
    assert drawn(snapshot)["front-7"].name_spoken == "7 in front, stuck half way"


def test_tiles_by_which_the_box_counts_are_no_doubt_of_anybody() -> None:
    tiles = drawn(replace(seen(front_2=SHUT, front_3=BETWEEN), phase="counting"))

    assert {(tile.look, tile.doubtful) for tile in tiles.values() if tile.row == 1} == {
        ("open", False),
        ("shut", False),
    }


def test_of_sensors_that_contradict_each_other_the_game_is_believed_and_the_doubt_shown() -> None:
    tile = drawn(seen(front_3=UNKNOWN))["front-3"]

    assert (tile.look, tile.doubtful) == ("open", True)


def test_a_tile_on_somebody_s_word_is_drawn_by_it_whatever_sensors_say() -> None:
    game = replace(WAITING, believed=frozenset({"front-3"}))
    snapshot = snapshot_of(game, SnapshotContext(1, 1, "two-level-9", sight=CameraState(tiles={"front-3": SHUT})))
    tile = drawn(snapshot)["front-3"]

    assert (tile.look, tile.believed, tile.doubtful) == ("open", True, False)
    assert tile.name_spoken == "3 in front, open, taken on your word"


def test_a_lying_tile_under_another_shows_its_number_at_the_near_edge() -> None:
    tiles = drawn(seen(front_3=SHUT, back_7=SHUT))

    assert (tiles["front-3"].under, tiles["back-7"].under) == (True, False)


@pytest.mark.parametrize(("tile", "says"), [("front-8", "open"), ("front-9", "open, not part of a move now")])
def test_while_tiles_are_chosen_the_others_say_that_they_have_no_part_in_it(tile: str, says: str) -> None:
    snapshot = snapshot_of(CHOOSING, SnapshotContext(1, 1, "two-level-9"))
    movable = {name for move in snapshot.moves for name in move}

    assert drawn(snapshot, *movable)[tile].name_spoken == f"{tile[-1]} in front, {says}"
    assert drawn(snapshot)[tile].name_spoken == f"{tile[-1]} in front, open"


def test_of_equal_numbers_each_is_called_by_its_row_and_others_in_front_by_the_number_alone() -> None:
    tiles = drawn(snapshot_of(with_board(WAITING, "1 . . 4 5 6 7 8 9/9 8 7 6 5 4 3 2 1"), SnapshotContext(1, 1, "")))

    assert [tiles[name].called for name in ("front-7", "back-7")] == ["7 in front", "the 7 behind"]
    # A number that is seen once needs no row.
    assert [tiles[name].called for name in ("front-9", "front-4")] == ["9", "4"]
