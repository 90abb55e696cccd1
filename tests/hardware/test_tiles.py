"""Tiles: names that read back, columns, neighbours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.tiles import TileId, dominoes_of, tile_at, tile_in_front, tiles_of
from tests.support.together import together

NUMBERS = st.builds(TileId, row=st.integers(1, 6), number=st.integers(1, 28))
TILES = NUMBERS | st.sampled_from(dominoes_of(28))


@given(TILES)
def test_a_name_reads_back(tile: TileId) -> None:
    assert TileId.parse(str(tile)) == tile


@together(
    "text",
    [
        "",
        "front",
        "front-0",
        "row1-3",
        "row7-1",
        "Front-1",
        "front-01",
        "front-1 ",
        "5-2",
        "1-0",
        "0-7",
        "2-5 ",
        "-2-5",
    ],
)
def test_other_words_are_refused_with_the_forms_allowed(text: str) -> None:
    with pytest.raises(ValueError, match="front-7, back-3 or row3-5, or a domino's pips: 2-5, not 5-2"):
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


def test_the_dominoes_lie_in_the_order_of_their_pips_then_doubles_then_blanks() -> None:
    names = [str(tile) for tile in dominoes_of(28)]
    assert " ".join(names[:15]) == "1-2 1-3 1-4 1-5 1-6 2-3 2-4 2-5 2-6 3-4 3-5 3-6 4-5 4-6 5-6"
    assert " ".join(names[15:21]) == "1-1 2-2 3-3 4-4 5-5 6-6"
    assert " ".join(names[21:]) == "0-0 0-1 0-2 0-3 0-4 0-5 0-6"
    assert [tile.column(28) for tile in dominoes_of(28)] == list(range(1, 29))
    assert dominoes_of(15) == dominoes_of(28)[:15]


def test_a_domino_is_not_the_numbered_tile_of_its_place() -> None:
    assert TileId.parse("2-5") != TileId.parse("front-8")
    assert TileId.parse("2-5") == TileId(1, 8, "2-5")
