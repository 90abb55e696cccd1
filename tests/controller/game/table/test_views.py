"""A picture of the table is drawn from a snapshot's plain values alone, in every phase of every game."""

import json
import random
from typing import Any

import pytest

from controller.game.core.commands import Believe, ConfirmTiles, ReportFault, StartGame
from controller.game.core.players import Player
from controller.game.core.sight import SnapshotContext
from controller.game.shutbox.commands import Choose, TakeThrow
from controller.game.shutbox.state import Game
from controller.game.table.snapshot import SNAPSHOT, snapshot_of
from hardware.errors import Fault
from tests.controller.game.shutbox.test_random_matches import AuditedMatch, next_command, start_of
from tests.support.stories import play


def drawn(game: Game) -> dict[str, Any]:
    """The snapshot as a client gets it."""
    told = json.loads(SNAPSHOT.dump_json(snapshot_of(game, SnapshotContext(1, 1, "two-level-9"))))
    assert isinstance(told, dict)
    return told


def board_of(told: dict[str, Any]) -> str:
    """The board as text, by somebody who knows nothing of the rules."""
    rows = sorted({tile["row"] for tile in told["tiles"]})
    lines = [sorted((t for t in told["tiles"] if t["row"] == row), key=lambda t: t["column"]) for row in rows]
    return "/".join(" ".join(t["mark"] if t["state"] in ("showing", "hidden") else "." for t in line) for line in lines)


@pytest.mark.parametrize("batch", range(3))
def test_the_board_can_be_drawn_in_every_phase_of_every_game(batch: int) -> None:
    chance = random.Random(f"views/{batch}")
    for _ in range(15):
        match = AuditedMatch(closely=False)
        match.do(start_of(chance))
        for _ in range(40):
            assert match.game is not None
            if match.game.is_over:
                break
            told = drawn(match.game)
            assert board_of(told) == told["board"]
            assert {tile["name"] for tile in told["tiles"] if tile["state"] == "showing"} == {
                tile.name for tile in match.game.board.showing
            }
            match.do(next_command(chance, match.game))


def test_who_sits_where_is_told_with_the_strength_of_the_house() -> None:
    players = (Player("Ann"), Player("House", house=True, strength="skilled"))
    told = drawn(play(None, StartGame(players, options={"first": "chosen"})))

    assert told["seats"] == [
        {"name": "Ann", "house": None, "plays": True, "held": None, "here": False},
        {"name": "House", "house": "skilled", "plays": True, "held": None, "here": False},
    ]


def test_a_believed_tile_is_marked_and_so_are_those_the_game_is_played_without() -> None:
    jam = Fault("H-301", "front-8", "SHUT", "OPEN", "Free the tile.")
    start = StartGame((Player("Ann"),), options={"first": "chosen"})
    game = play(None, start, ConfirmTiles(), TakeThrow((5, 3)), Choose(("front-8",)), ReportFault(jam), Believe())
    assert [tile["name"] for tile in drawn(game)["tiles"] if tile["believed"]] == ["front-8"]

    extreme = drawn(play(None, StartGame((Player("Ann"),), "3-down-extreme")))
    assert [tile["name"] for tile in extreme["tiles"] if tile["state"] == "absent"] == ["front-1", "front-2", "front-3"]
