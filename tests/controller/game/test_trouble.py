"""Faults in the words of somebody at the table."""

import pytest

from controller.game.trouble import describe_trouble
from controller.rules import rules_of
from firmware.errors import BusHung, ChipSilent, LidDown, SensorDoubtful, TileJammed, TileMoved, TileRestless
from hardware.errors import BoxFault
from vision.errors import CameraDead, FieldDark

TWO_ROWS, ONE_ROW, THREE_ROWS = rules_of("two-level"), rules_of("pub"), rules_of("two-level", {"rows": 3})


@pytest.mark.parametrize(
    ("fault", "begins"),
    [
        (
            TileJammed("front-5", expected="OPEN", seen="SHUT"),
            "Tile 5 in front does not come up. Take your hand off it",
        ),
        (TileJammed("back-5", expected="SHUT", seen="OPEN"), "Tile 5 at the back does not go down."),
        (
            TileMoved("front-2", expected="OPEN", seen="SHUT"),
            "Tile 2 in front lies and should stand. Put the tile back",
        ),
        (TileMoved("front-2", expected="SHUT", seen="BETWEEN"), "Tile 2 in front is half way."),
        (SensorDoubtful("front-2", expected="SHUT", seen="UNKNOWN"), "The sensors of tile 2 in front contradict"),
        (TileRestless("front-2", expected="SHUT", seen="OPEN"), "Tile 2 in front does not stay where it is put."),
        (LidDown("lid", expected="open", seen="closed"), "The lid is closed. Open it,"),
        (ChipSilent("0x41", expected="an answer", seen="none"), "A board of the box, 0x41, does not answer. Check"),
        (BusHung("i2c", expected="an end", seen="none"), "The box's electronics are stuck. Switch"),
        (
            CameraDead("camera", expected="a picture", seen="none"),
            "Type what the dice show. The camera gives no picture.",
        ),
        (FieldDark("camera", expected="light", seen="none"), "Type what the dice show. It is too dark"),
    ],
)
def test_a_fault_says_what_is_wrong_what_to_do_and_last_its_code(fault: BoxFault, begins: str) -> None:
    told = describe_trouble(fault.fault, TWO_ROWS.layout)
    assert told.startswith(begins)
    assert told.endswith(f"{fault.fault.cure} ({fault.fault.code})")


def test_a_tile_is_named_by_its_mark_and_by_its_row_where_there_are_several() -> None:
    fault = TileJammed("front-5", expected="SHUT", seen="OPEN").fault
    assert describe_trouble(fault, ONE_ROW.layout).startswith("Tile 5 does not go down.")
    middle = next(tile.name for tile in THREE_ROWS.layout.by_name.values() if tile.row == 2)
    fault = TileJammed(middle, expected="SHUT", seen="OPEN").fault
    assert "in row 2 does not go down." in describe_trouble(fault, THREE_ROWS.layout)


def test_what_no_player_knows_is_told_as_it_was_measured() -> None:
    class Strange(BoxFault):
        code = "H-211"
        cure = "Check the wire."

    told = describe_trouble(Strange("INT", expected="a low line", seen="a high one").fault, TWO_ROWS.layout)
    assert told == "INT: expected a low line, seen a high one. Check the wire. (H-211)"
