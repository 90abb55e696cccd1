"""Tiles: names that read back, columns, neighbours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.tiles import TileId, tile_at, tile_in_front, tiles_of

TILES = st.builds(TileId, row=st.integers(1, 6), number=st.integers(1, 24))


@given(TILES)
def test_a_name_reads_back(tile: TileId) -> None:
    assert TileId.parse(str(tile)) == tile


@pytest.mark.parametrize("text", ["", "front", "front-0", "row1-3", "row7-1", "Front-1", "front-01", "front-1 "])
def test_other_words_are_refused_with_the_forms_allowed(text: str) -> None:
    with pytest.raises(ValueError, match="front-7, back-3 or row3-5"):
        TileId.parse(text)


def test_front_and_back_of_a_column_add_up_to_ten() -> None:
    for tile in tiles_of(2, 9)[9:]:
        ahead = tile_in_front(tile, 9)
        assert ahead is not None
        assert ahead.number + tile.number == 10


def test_the_front_row_has_nothing_in_front() -> None:
    assert tile_in_front(TileId(1, 5), 9) is None


@given(st.integers(1, 6), st.integers(1, 24), st.data())
def test_column_and_place_are_inverse(row: int, columns: int, data: st.DataObject) -> None:
    column = data.draw(st.integers(1, columns))
    assert tile_at(row, column, columns).column(columns) == column


def test_the_rows_run_from_left_to_right() -> None:
    assert [str(tile) for tile in tiles_of(2, 3)] == [
        "front-1",
        "front-2",
        "front-3",
        "back-3",
        "back-2",
        "back-1",
    ]
