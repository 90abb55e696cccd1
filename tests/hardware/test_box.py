"""Box profiles: the shipped ones load; a wrong one is refused with file, line and what is allowed."""

from pathlib import Path

import pytest

from hardware.box import Box, box_names, load_box, parse_box
from hardware.errors import BoxProfileError
from hardware.tiles import TileId

GOOD = """\
name = "two"
summary = "Two tiles"
rows = 1
columns = 2

[motion]
timeout_s = 0.5

[panel]
output_enable = "GPIO22"

[tiles]
front-1 = { servo = "0x40/0", shut = "GPIO4", open = "0x20/A0" }
front-2 = { servo = "0x40/1", shut = "GPIO5" }
"""


def refused(text: str) -> BoxProfileError:
    with pytest.raises(BoxProfileError) as caught:
        parse_box(text, "two.toml")
    assert caught.value.file == "two.toml"
    assert caught.value.code == "C-101"
    return caught.value


@pytest.mark.parametrize("name", box_names())
def test_every_shipped_profile_loads(name: str) -> None:
    box = load_box(name)
    assert box.name == name
    assert set(box.tiles) == set(box.tile_ids)


def test_the_reference_build() -> None:
    box = load_box("two-level-9")
    assert box.servo_boards == (0x40, 0x41)
    assert box.expanders == (0x20, 0x21)
    assert box.supply.servos_at_once == 6
    assert str(box.tiles[TileId.parse("back-3")].servo) == "0x41/6"
    assert box.pulse_us(TileId.parse("front-1"), shut=True) == 2000


def test_a_good_profile_is_taken() -> None:
    assert parse_box(GOOD, "two.toml").motion.timeout_s == 0.5


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("timeout_s = 0.5", "time_s = 0.5", 7, "motion.time_s: unknown key; allowed are open_us"),
        ("timeout_s = 0.5", "timeout_s = 1.5", 7, "motion.timeout_s: input should be less than or equal to 0.8"),
        ('shut = "GPIO5"', 'shut = "GPIO4"', 14, "GPIO4 is used already by tiles.front-1.shut"),
        ('"0x40/1"', '"0x40/0"', 14, "0x40/0 is used already by tiles.front-1.servo"),
        ('"0x40/1"', '"0x40/16"', 14, "channels 0 to 15"),
        ('"0x40/1"', '"0x70/1"', 14, "not 0x70"),
        ('"GPIO5"', '"GPIO2"', 14, "GPIO4 to GPIO27"),
        ('"0x20/A0"', '"0x28/A0"', 13, "0x20/A0 to 0x27/B7"),
        ('"GPIO22"', '"GPIO4"', 13, "is used already by panel.output_enable"),
        ("front-2 =", "front-3 =", 14, "no such tile; allowed are front-1 to front-2"),
        ("front-2 =", "side-2 =", 14, "is not a tile"),
        ("columns = 2", "columns = 3", 12, "front-3 is missing"),
        ("columns = 2", "columns = 25", 4, "less than or equal to 24"),
        ("columns = 2", "columns = two", 4, "not TOML"),
        ('name = "two"\n', "", 1, "name is missing"),
    ],
)
def test_a_wrong_profile_is_refused_by_line_and_reason(old: str, new: str, line: int, says: str) -> None:
    error = refused(GOOD.replace(old, new))
    assert says in error.problem
    assert error.line == line
    assert str(error).startswith(f"two.toml:{line}: ")


def test_pulses_too_close_together_are_no_travel() -> None:
    error = refused(GOOD.replace('shut = "GPIO5" }', 'shut = "GPIO5", shut_us = 1200 }'))
    assert "tiles.front-2: open_us and shut_us" in error.problem


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(BoxProfileError, match="classic-9, two-level-12, two-level-9"):
        load_box("three-level-9")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BoxProfileError, match="cannot be read: No such file"):
        load_box(str(tmp_path / "none.toml"))


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    file = tmp_path / "box.toml"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BoxProfileError, match="not a text file"):
        load_box(str(file))


def test_a_file_loads_as_the_shipped_one_does(tmp_path: Path) -> None:
    file = tmp_path / "box.toml"
    file.write_text(GOOD, "utf-8")
    assert isinstance(load_box(str(file)), Box)
