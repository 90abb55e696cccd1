"""The section `servos` of a calibration: what it holds, what it does to a box, and what came before it."""

from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path

import pytest

from hardware.box import MOST_US, PULSE_MARGIN_US, load_box, mirrored_us, parse_box
from hardware.calibration import (
    FILE_NAME,
    ServoCalibration,
    ServoTile,
    earlier_calibrations,
    load_calibration,
    save_section,
    without_end_points,
)
from hardware.errors import BoxProfileError, CalibrationError
from hardware.tiles import TileId
from tests.support.small_box import rigid_box

NOON = datetime(2026, 11, 3, 12, 30, 5, tzinfo=UTC)
BOX = load_box("two-level-9")
FRONT_7, BACK_3 = TileId(1, 7), TileId(2, 3)


def tile(open_us: int = 1012, shut_us: int = 1987) -> ServoTile:
    return ServoTile(
        date=NOON, author="ann", open_us=open_us, shut_us=shut_us, shut_s=0.19, verdict="good", reason='"fine", é'
    )


def servos(date: datetime = NOON, **tiles: ServoTile) -> ServoCalibration:
    named = {TileId.parse(name.replace("_", "-")): each for name, each in tiles.items()}
    return ServoCalibration(date=date, author="ann", clocks={"0x40": 1.03}, tiles=named)


def test_what_is_saved_is_read_back(tmp_path: Path) -> None:
    measured = servos(front_7=tile(), back_3=tile(2100, 1020))
    assert save_section(tmp_path, BOX.name, "servos", measured) is None
    assert load_calibration(tmp_path, BOX.name).servos == measured


def test_it_replaces_the_profiles_pulses_and_clocks_of_what_was_measured() -> None:
    used = servos(back_3=tile(2100, 1020)).apply_to(BOX)
    assert (used.pulse_us(BACK_3, shut=False), used.pulse_us(BACK_3, shut=True)) == (2100, 1020)
    assert (used.pulse_us(FRONT_7, shut=False), used.pulse_us(FRONT_7, shut=True)) == (820, 2090)
    assert (used.clock_factor(0x40), used.clock_factor(0x41)) == (1.03, 1.0)


def test_a_rest_that_was_not_measured_lies_between_the_ends_as_in_the_profile() -> None:
    used = servos(back_3=tile(2100, 1020)).apply_to(BOX)
    assert used.rest_us(FRONT_7) == 1655
    assert used.rest_us(BACK_3) == round(2100 - 1080 * (1655 - 820) / (2090 - 820))
    assert rigid_box().rest_us(FRONT_7) is None


def test_a_tile_with_end_points_is_not_driven_beyond_them_and_their_margin() -> None:
    used = servos(back_3=tile(MOST_US - 10, 1020)).apply_to(BOX)
    assert used.pulse_limits_us(BACK_3) == (1020 - PULSE_MARGIN_US, MOST_US)
    assert used.pulse_limits_us(FRONT_7) == (500, MOST_US)


def test_a_box_to_be_calibrated_has_its_clocks_but_no_end_points() -> None:
    known = servos(back_3=tile())
    bare = without_end_points(known.apply_to(BOX), known, {"0x41": 0.97})
    assert bare.pulse_limits_us(BACK_3) == (500, MOST_US)
    assert (bare.clock_factor(0x40), bare.clock_factor(0x41)) == (1.03, 0.97)


def test_a_clock_that_the_profile_has_got_since_leaves_what_was_measured_as_it_truly_is() -> None:
    measured = servos(front_7=tile(1000, 2000), back_3=tile(1000, 2000))
    used = measured.apply_to(BOX.model_copy(update={"clocks": {"0x40": 0.98, "0x41": 1.05}}))
    assert (used.clock_factor(0x40), used.clock_factor(0x41)) == (1.03, 1.05)
    # Board 0x41 was measured as if its clock were right: it is told 5 % less now, and is asked for 5 % more.
    assert (used.pulse_us(BACK_3, shut=False), used.pulse_us(BACK_3, shut=True)) == (1050, 2100)
    assert (used.pulse_us(FRONT_7, shut=False), used.pulse_us(FRONT_7, shut=True)) == (1000, 2000)


def test_another_clock_leaves_the_pulses_that_tiles_get_as_they_are() -> None:
    known = servos(front_7=tile(1000, 2000), back_3=tile())
    told = known.with_clocks({"0x40": 1.00}, BOX)
    assert (told.tiles[FRONT_7].open_us, told.tiles[FRONT_7].shut_us) == (971, 1942)
    assert told.tiles[BACK_3] == known.tiles[BACK_3]
    assert told.clocks == {"0x40": 1.00}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("shut_us = 1987", "shut_us = 1100", "less than 300 us"),
        ("open_us = 1012", "open_us = 400", "500"),
        ('verdict = "good"', 'verdict = "splendid"', "good"),
        ("front-7", "fron-7", "is not a tile"),
        ("1.03", "1.5", "1.1"),
    ],
)
def test_what_cannot_be_right_is_refused_with_file_and_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    save_section(tmp_path, BOX.name, "servos", servos(front_7=tile()))
    file = tmp_path / FILE_NAME
    file.write_text(file.read_text().replace(old, new))
    with pytest.raises(CalibrationError, match=rf"toml:\d+: servos.*{said}"):
        load_calibration(tmp_path, BOX.name)


def test_the_versions_before_come_newest_first_and_damaged_ones_are_left_out(tmp_path: Path) -> None:
    for k in range(12):
        # Two each second: the order within a second counts too.
        save_section(
            tmp_path, BOX.name, "servos", servos(NOON + timedelta(seconds=k // 2), front_7=tile(open_us=1000 + k))
        )
    kept = [version.servos.tiles[FRONT_7].open_us for version in earlier_calibrations(tmp_path) if version.servos]
    assert kept == [1000 + k for k in reversed(range(11))]
    newest = max(tmp_path.glob("calibration-*.toml"))
    newest.write_text("box =")
    assert len(list(earlier_calibrations(tmp_path))) == 10


def test_a_profile_may_name_the_clocks_of_its_boards() -> None:
    text = files("hardware").joinpath("boxes", "two-level-9.toml").read_text("utf-8")
    box = parse_box(text.replace("[tiles]", "[clocks]\n0x41 = 1.02\n\n[tiles]"), "my.toml")
    assert (box.clock_factor(0x40), box.clock_factor(0x41)) == (1.0, 1.02)
    with pytest.raises(BoxProfileError, match=r"my.toml:\d+: clocks.0x7f: this box has no such servo board"):
        parse_box(text.replace("[tiles]", "[clocks]\n0x7f = 1.02\n\n[tiles]"), "my.toml")
    with pytest.raises(BoxProfileError, match=r"my.toml:\d+: clocks.0x41.*1.1"):
        parse_box(text.replace("[tiles]", "[clocks]\n0x41 = 2\n\n[tiles]"), "my.toml")


def test_another_clock_leaves_the_pulses_of_a_reversed_servo_as_they_are_too() -> None:
    turned = BOX.tiles[FRONT_7].model_copy(update={"reversed": True})
    box = BOX.model_copy(update={"tiles": {**BOX.tiles, FRONT_7: turned}})
    before = servos(front_7=tile())
    after = before.with_clocks({"0x40": 1.05}, box)
    was, now = (each.tiles[FRONT_7] for each in (before, after))
    # It is sent the mirrored pulses: these grow as those of all others.
    for asked, former in ((now.open_us, was.open_us), (now.shut_us, was.shut_us)):
        assert mirrored_us(asked) == pytest.approx(mirrored_us(former) * 1.05 / 1.03, abs=1)
