"""Faults in the words of somebody at the table."""

import pytest

from controller.game.core.trouble import describe_trouble
from controller.rules import Marks, rules_of
from firmware.errors import BusHung, ChipSilent, LidDown, SensorDoubtful, TileJammed, TileMoved, TileRestless
from hardware.errors import BoxFault
from vision.errors import CameraDead, FieldDark

TWO_ROWS, ONE_ROW, THREE_ROWS = rules_of("two-level"), rules_of("pub"), rules_of("two-level", {"rows": 3})


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (
            TileJammed("front-5", expected="OPEN", seen="SHUT"),
            "Tile 5 in front will not come up. "
            "Take your hand off it, or free it where it is stuck, and let the box try again. (code H-301)",
        ),
        (
            TileJammed("back-5", expected="SHUT", seen="OPEN"),
            "Tile 5 at the back will not go down. "
            "Take your hand off it, or free it where it is stuck, and let the box try again. (code H-301)",
        ),
        (
            TileMoved("front-2", expected="OPEN", seen="SHUT"),
            "Tile 2 in front is down and should be up. "
            "Put it up by hand, and the game goes on by itself; or let the box do it, hands off. (code H-303)",
        ),
        (
            TileMoved("front-2", expected="SHUT", seen="BETWEEN"),
            "Tile 2 in front is half way and should be down. "
            "Put it down by hand, and the game goes on by itself; or let the box do it, hands off. (code H-303)",
        ),
        (
            SensorDoubtful("front-2", expected="SHUT", seen="UNKNOWN"),
            "The box cannot tell whether tile 2 in front is up or down; it should be down. "
            "If it is half way, free it and let the box try again; if it is down, tell the box and play on. "
            "(code H-302)",
        ),
        (
            TileRestless("front-2", expected="SHUT", seen="OPEN"),
            "Tile 2 in front does not stay where it is put. "
            "Look whether something springs back under it, and let the box try again. (code H-309)",
        ),
        (
            LidDown("lid", expected="open", seen="closed"),
            "The lid is closed. Open it, and let the box try again. "
            "If it is open, its switch or its magnet needs a look. (code H-210)",
        ),
        (
            ChipSilent("0x41", expected="an answer", seen="none"),
            "A part of the box's electronics does not answer. Check that all plugs are in, and let the "
            "box try again. If that does not help, the box needs a repair. (code H-202)",
        ),
        (
            BusHung("i2c", expected="an end", seen="none"),
            "The box's electronics are stuck. Let the box try again; if that does not help, switch it off and on: "
            "the game is kept. (code H-201)",
        ),
        (
            CameraDead("camera", expected="a picture", seen="none"),
            "Type what the dice show. The camera gives no picture. "
            "Look whether its cable is in, at both ends. (code V-102)",
        ),
        (
            FieldDark("camera", expected="light", seen="none"),
            "Type what the dice show. It is too dark to read the dice. "
            "Switch the lamp on; is something before the camera? (code V-104)",
        ),
    ],
)
def test_a_fault_says_what_is_wrong_what_to_do_and_last_its_code(fault: BoxFault, says: str) -> None:
    assert describe_trouble(fault.fault, TWO_ROWS.layout) == says


def test_a_tile_is_named_by_its_mark_and_by_its_row_where_there_are_several() -> None:
    fault = TileJammed("front-5", expected="SHUT", seen="OPEN").fault
    assert describe_trouble(fault, ONE_ROW.layout).startswith("Tile 5 will not go down.")
    middle = next(tile.name for tile in THREE_ROWS.layout.by_name.values() if tile.row == 2)
    fault = TileJammed(middle, expected="SHUT", seen="OPEN").fault
    assert "in row 2 will not go down." in describe_trouble(fault, THREE_ROWS.layout)


def test_what_no_player_knows_is_told_as_it_was_measured() -> None:
    class Strange(BoxFault):
        code = "H-211"
        cure = "Check the wire."

    told = describe_trouble(Strange("INT", expected="a low line", seen="a high one").fault, TWO_ROWS.layout)
    assert told == "INT: expected a low line, seen a high one. Check the wire. (code H-211)"


def test_marks_may_hold_anything() -> None:
    layout = rules_of("two-level", {}, Marks(tiles={"front-7": "{x}", "front-8": "{"})).layout
    for tile in ("front-7", "front-8"):
        for kind in (TileJammed, TileMoved, SensorDoubtful):
            told = describe_trouble(kind(tile, expected="SHUT", seen="OPEN").fault, layout)
            assert told.startswith(("Tile {", "The box cannot tell whether tile {"))
