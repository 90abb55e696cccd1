"""The world's own file: tiles stay where they lay, whatever ends the process."""

import errno
import json
import os
from pathlib import Path

import pytest

from hardware.box import load_box
from hardware.errors import BoxError
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from tests.support.hand_clock import HandClock

BOX = load_box("two-level-9")
FRONT_2, FRONT_7 = TileId(1, 2), TileId(1, 7)


def world_of(store: Path) -> tuple[World, HandClock]:
    clock = HandClock()
    return World(BOX, clock, 1, store), clock


def test_a_box_without_a_file_stands(tmp_path: Path) -> None:
    world, _ = world_of(tmp_path / "sub" / "tiles.json")
    assert {world.position(tile) for tile in BOX.tile_ids} == {Position.OPEN}


def test_what_a_hand_moved_is_there_in_the_next_world(tmp_path: Path) -> None:
    world, _ = world_of(tmp_path / "sub" / "tiles.json")
    world.hand_moves(FRONT_7, Position.SHUT)
    again, _ = world_of(tmp_path / "sub" / "tiles.json")
    assert again.position(FRONT_7) is Position.SHUT
    assert not again.level(BOX.tiles[FRONT_7].shut)


def test_a_domino_is_kept_by_its_pips(tmp_path: Path) -> None:
    box, store = load_box("dominoes-28"), tmp_path / "tiles.json"
    World(box, HandClock(), 1, store).hand_moves(TileId.parse("2-5"), Position.SHUT)
    assert json.loads(store.read_text("utf-8"))["tiles"]["2-5"] == 95.0
    again = World(box, HandClock(), 1, store)
    assert {str(tile) for tile in box.tile_ids if again.position(tile) is Position.SHUT} == {"2-5"}


def test_a_kill_in_the_middle_of_a_move_keeps_what_had_come_to_rest(tmp_path: Path) -> None:
    world, clock = world_of(tmp_path / "tiles.json")
    world.set_line(BOX.panel.output_enable, False)
    world.drive(BOX.tiles[FRONT_2].servo, 2000)
    clock.pass_s(0.5)
    world.drive(BOX.tiles[FRONT_7].servo, 2000)
    clock.pass_s(0.08)
    assert world.position(FRONT_7) is Position.BETWEEN
    again, _ = world_of(tmp_path / "tiles.json")
    assert again.position(FRONT_2) is Position.SHUT
    assert again.position(FRONT_7) is Position.OPEN


def test_nothing_but_the_file_is_left(tmp_path: Path) -> None:
    world, _ = world_of(tmp_path / "tiles.json")
    world.hand_moves(FRONT_7, Position.SHUT)
    assert [file.name for file in tmp_path.iterdir()] == ["tiles.json"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "is damaged"),
        ("[]", "is not a file of simulated tiles"),
        ('{"format": 2}', "format 1"),
        ('{"format": 1, "box": "classic-9", "tiles": {}}', "belongs to the box 'classic-9'"),
        ('{"format": 1, "box": "two-level-9", "tiles": {"front-1": 0}}', "has no angle for front-2"),
        ('{"format": 1, "box": "two-level-9", "tiles": 3}', "has no angle for front-1"),
    ],
)
def test_a_damaged_file_is_named_with_what_to_do(tmp_path: Path, content: str, says: str) -> None:
    file = tmp_path / "tiles.json"
    file.write_text(content, "utf-8")
    with pytest.raises(BoxError, match=says) as caught:
        world_of(file)
    assert str(file) in str(caught.value)
    assert "delete the file" in str(caught.value)


def test_a_tile_at_rest_is_not_written_again_and_again(tmp_path: Path) -> None:
    world, clock = world_of(tmp_path / "tiles.json")
    world.hand_moves(FRONT_7, Position.SHUT)
    (tmp_path / "tiles.json").unlink()
    clock.pass_s(100)
    world.position(FRONT_7)
    assert not (tmp_path / "tiles.json").exists()


def test_the_file_is_for_people_too(tmp_path: Path) -> None:
    world, _ = world_of(tmp_path / "tiles.json")
    world.hand_moves(FRONT_7, Position.SHUT)
    data = json.loads((tmp_path / "tiles.json").read_text("utf-8"))
    assert data["box"] == "two-level-9"
    assert data["tiles"]["front-7"] == 95.0


def test_a_disk_that_takes_nothing_is_no_fault_of_the_wires(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    world, _ = world_of(tmp_path / "tiles.json")

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as disk:
        disk.setattr(Path, "write_text", full)
        world.hand_moves(FRONT_7, Position.SHUT)
    assert "No space left on device" in caplog.text
    world.hand_moves(FRONT_2, Position.SHUT)
    again, _ = world_of(tmp_path / "tiles.json")
    assert again.position(FRONT_7) is again.position(FRONT_2) is Position.SHUT
