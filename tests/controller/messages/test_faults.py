"""Faults in the words of somebody at the table."""

from dataclasses import asdict

import pytest

from controller.game.core.commands import StartGame
from controller.game.core.message import Message, compose
from controller.game.core.players import Player
from controller.game.table.snapshot import tiles_of
from controller.messages.words import ENGLISH
from controller.rules.tiles import Marks
from firmware.errors import (
    BusHung,
    ChipSilent,
    LidDown,
    SensorDoubtful,
    SupplyOverdrawn,
    TileJammed,
    TileMoved,
    TileRestless,
)
from hardware.errors import BoxFault
from tests.controller.game.shutbox.test_actions import WAITING
from tests.support.said import said
from tests.support.stories import play
from vision.errors import CameraDead, FieldDark

PUB = StartGame((Player("Ann"),), "pub")


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (
            TileJammed("front-5", expected="OPEN", seen="SHUT"),
            "front-5 will not come up. "
            "Take your hand off it, or free it where it is stuck, and let the box try again. (code H-301)",
        ),
        (
            TileJammed("back-5", expected="SHUT", seen="OPEN"),
            "back-5 will not go down. "
            "Take your hand off it, or free it where it is stuck, and let the box try again. (code H-301)",
        ),
        (
            TileMoved("front-2", expected="OPEN", seen="SHUT"),
            "front-2 is down and should be up. "
            "Put it up by hand and the game continues. Or keep your hands off and let the box do it. (code H-303)",
        ),
        (
            TileMoved("front-2", expected="SHUT", seen="BETWEEN"),
            "front-2 is half way and should be down. "
            "Put it down by hand and the game continues. Or keep your hands off and let the box do it. (code H-303)",
        ),
        (
            SensorDoubtful("front-2", expected="SHUT", seen="UNKNOWN"),
            "The box cannot tell whether front-2 is up or down; it should be down. "
            "If it is half way, free it and let the box try again; if it is down, tell the box and keep playing. "
            "(code H-302)",
        ),
        (
            TileRestless("front-2", expected="SHUT", seen="OPEN"),
            "front-2 does not stay where it is put. "
            "Check whether something springs back under it, and let the box try again. (code H-309)",
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
            "the game is saved. (code H-201)",
        ),
        (
            SupplyOverdrawn("V+", expected="at most 0.95 A", seen="2.13 A"),
            "The motors draw too much current. "
            "Pull the plug of the motors' power if something is warm; the box needs a repair. (code H-214)",
        ),
        (
            CameraDead("camera", expected="a picture", seen="none"),
            "Type what the dice show. The camera gives no picture. "
            "Check that its cable is plugged in at both ends. (code V-102)",
        ),
        (
            FieldDark("camera", expected="light", seen="none"),
            "Type what the dice show. It is too dark to read the dice. "
            "Switch the lamp on; is something in front of the camera? (code V-104)",
        ),
    ],
)
def test_a_fault_says_what_is_wrong_what_to_do_and_last_its_code(fault: BoxFault, says: str) -> None:
    assert said(message_of(fault)) == says


def message_of(fault: BoxFault) -> Message:
    return compose("game.halted", **asdict(fault.fault))


def test_pages_name_a_tile_by_its_mark_and_its_row_where_there_are_several_and_no_code() -> None:
    jammed = message_of(TileJammed("front-5", expected="SHUT", seen="OPEN"))
    assert ENGLISH.say(jammed, tiles_of(play(None, PUB), {})).startswith("The 5 will not go down.")
    told = ENGLISH.say(jammed, tiles_of(WAITING, {}))
    assert told.startswith("The 5 in front will not go down.")
    assert "H-301" not in told


def test_what_no_player_knows_wants_a_repair() -> None:
    class Strange(BoxFault):
        code = "H-211"
        cure = "Check the wire."

    told = said(message_of(Strange("INT", expected="a low line", seen="a high one")))
    assert told == "Something is wrong with INT: the box needs a repair. (code H-211)"


def test_marks_may_hold_anything() -> None:
    marks = Marks(tiles={"front-7": "{x}", "front-8": "{"})
    tiles = tiles_of(play(None, StartGame((Player("Ann"),), marks=marks)), {})
    for tile in ("front-7", "front-8"):
        for kind in (TileJammed, TileMoved, SensorDoubtful):
            told = ENGLISH.say(message_of(kind(tile, expected="SHUT", seen="OPEN")), tiles)
            assert told.startswith(("The tile {", "The box cannot tell whether the tile {"))
