"""Box profiles: the shipped ones load; a wrong one is refused with file, line and what is allowed."""

import re
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.box import (
    LEAST_DRIVE_S,
    LONGEST_DRIVE_S,
    Box,
    Motion,
    Supply,
    box_names,
    load_box,
    mirrored_us,
    parse_box,
)
from hardware.camera import CAMERA_MODULES, Camera, ModuleName
from hardware.errors import BoxProfileError
from hardware.tiles import TileId, dominoes_of
from hardware.wires import ExpanderPin
from tests.support.together import together

GOOD = """\
name = "two"
summary = "Two tiles"
rows = 1
columns = 2

[motion]
timeout_s = 0.7

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


DOMINOES = """\
name = "pips"
summary = "15 dominoes"
kind = "dominoes"
rows = 1
columns = 15

[panel]
output_enable = "GPIO22"

[tiles]
""" + "".join(
    f'{tile} = {{ servo = "0x40/{tile.column(15)}", shut = "GPIO{tile.number + 3}" }}\n' for tile in dominoes_of(15)
)

# Rows and columns of every build.
BUILDS = {
    "classic-9": (1, 9),
    "classic-10": (1, 10),
    "classic-12": (1, 12),
    "two-level-9": (2, 9),
    "two-level-12": (2, 12),
    "rows-3": (3, 9),
    "rows-4": (4, 9),
    "rows-5": (5, 9),
    "rows-6": (6, 9),
    "the-300": (1, 24),
    "dominoes-15": (1, 15),
    "dominoes-21": (1, 21),
    "dominoes-28": (1, 28),
}


def test_there_is_a_profile_for_every_build() -> None:
    assert set(box_names()) == set(BUILDS)


@together(("name", "size"), BUILDS.items())
def test_a_shipped_profile_has_all_its_tiles_each_on_wires_of_its_own(name: str, size: tuple[int, int]) -> None:
    box = load_box(name)
    assert box.name == name
    assert (box.rows, box.columns) == size
    assert list(box.tiles) == list(box.tile_ids), "in the order of the wood"
    wires = [wire for _, wire in box.wires()]
    assert len(wires) == len(set(wires)) == 3 * box.rows * box.columns + 6, "three to a tile, six to the panel"
    late = [wire for wire in wires if isinstance(wire, ExpanderPin) and wire.pin in (7, 15)]
    assert not late, "A7 and B7 are outputs only (DS20001952D)"


@together("name", BUILDS)
def test_the_tiles_of_a_shipped_profile_are_named_as_in_its_file(name: str) -> None:
    box = load_box(name)
    names = [str(tile) for tile in box.tile_ids]
    assert [TileId.parse(each) for each in names] == list(box.tile_ids)
    assert names[0] == ("1-2" if name.startswith("dominoes") else "front-1")
    text = files("hardware").joinpath("boxes", f"{name}.toml").read_text("utf-8")
    assert re.findall(r"^(\S+) = \{", text, re.MULTILINE) == names


def test_a_column_runs_from_front_to_back() -> None:
    assert " ".join(map(str, load_box("rows-4").in_column(2))) == "front-2 back-8 row3-2 row4-8"
    assert " ".join(map(str, load_box("dominoes-15").in_column(8))) == "2-5"


def test_the_reference_build() -> None:
    box = load_box("two-level-9")
    assert box.servo_boards == (0x40, 0x41)
    assert box.expanders == (0x20, 0x21)
    assert box.servos_at_once == 5
    assert str(box.tiles[TileId.parse("back-3")].servo) == "0x41/6"
    front = TileId.parse("front-1")
    pulses = (box.pulse_us(front, shut=False), box.rest_us(front), box.pulse_us(front, shut=True))
    assert pulses == (820, 1655, 2090)


def supply_of(**values: float) -> Supply:
    return Supply.model_validate(values)


def test_a_stalled_servo_draws_more_at_a_higher_voltage() -> None:
    assert Supply().stalling_a == 0.65
    assert supply_of(volts=6.0).stalling_a == pytest.approx(0.78)
    assert supply_of(volts=6.0, stalled_a=0.7, stalled_at_v=4.8).stalling_a == pytest.approx(0.875)


@pytest.mark.parametrize(
    ("supply", "at_once"),
    [
        ({}, 5),  # 6 x 0.65 + 12 x 0.01 A would be over 4.0
        ({"limit_a": 4.02}, 6),
        ({"limit_a": 3.9, "idle_a": 0.0}, 6),
        ({"volts": 6.0}, 4),
        ({"stalled_a": 0.68, "stalled_at_v": 6.0}, 6),
    ],
)
def test_as_many_servos_may_move_as_the_supply_feeds_beside_the_others(supply: dict[str, float], at_once: int) -> None:
    box = load_box("two-level-9").model_copy(update={"supply": supply_of(**supply)})
    assert box.servos_at_once == at_once


@given(
    limit=st.integers(1000, 40_000),
    volts=st.integers(48, 60),
    stalled=st.integers(200, 3000),
    stalled_at=st.integers(45, 84),
    idle=st.integers(0, 100),
)
def test_the_budget_is_kept_and_used(limit: int, volts: int, stalled: int, stalled_at: int, idle: int) -> None:
    """Currents in mA, voltages in tenths of a volt."""
    supply = supply_of(
        limit_a=limit / 1000,
        volts=volts / 10,
        stalled_a=stalled / 1000,
        stalled_at_v=stalled_at / 10,
        idle_a=idle / 1000,
    )
    box = load_box("classic-9").model_copy(update={"supply": supply})

    def drawn_a(moving: int) -> float:
        return moving * supply.stalling_a + (len(box.tiles) - moving) * supply.idle_a

    assert drawn_a(box.servos_at_once) <= supply.limit_a + 1e-6
    assert drawn_a(box.servos_at_once + 1) > supply.limit_a


def test_a_profile_that_names_no_module_has_a_camera_module_3() -> None:
    camera = parse_box(GOOD, "two.toml").camera
    assert camera.module == "camera-module-3"
    assert str(camera.sensor_mode) == "2304 x 1296 with 10 bits"


@pytest.mark.parametrize("name", CAMERA_MODULES)
def test_the_least_mode_that_has_the_picture_is_taken(name: ModuleName) -> None:
    least, most = CAMERA_MODULES[name].modes
    assert Camera(module=name, width_px=least.width_px, height_px=720).sensor_mode == least
    assert Camera(module=name, width_px=least.width_px + 1, height_px=720).sensor_mode == most
    assert Camera(module=name, height_px=least.height_px + 1).sensor_mode == most


def test_a_good_profile_is_taken() -> None:
    assert parse_box(GOOD, "two.toml").motion.timeout_s == 0.7


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("timeout_s = 0.7", "time_s = 0.5", 7, "motion.time_s: unknown key; allowed are link, open_us"),
        ("timeout_s = 0.7", "timeout_s = 1.5", 7, "motion.timeout_s: must be at most 0.8"),
        ("timeout_s = 0.7", "timeout_s = 0.69", 7, "motion.timeout_s: must be at least 0.7"),
        ("timeout_s = 0.7", "attempts = 6", 7, "motion.attempts: must be at most 5"),
        ("timeout_s = 0.7", "shut_us = 2401", 7, "motion.shut_us: must be at most 2400"),
        ("timeout_s = 0.7", "open_us = 499", 7, "motion.open_us: must be at least 500"),
        ('shut = "GPIO5"', 'shut = "GPIO4"', 14, "GPIO4 is used already by tiles.front-1.shut"),
        ('"0x40/1"', '"0x40/0"', 14, "0x40/0 is used already by tiles.front-1.servo"),
        ('"0x40/1"', '"0x40/16"', 14, "channels 0 to 15"),
        ('"0x40/1"', '"0x70/1"', 14, "not 0x70"),
        ('"GPIO5"', '"GPIO2"', 14, "GPIO4 to GPIO27"),
        ('"0x20/A0"', '"0x28/A0"', 13, "0x20/A0 to 0x27/B7"),
        ('"GPIO22"', '"GPIO4"', 13, "is used already by panel.output_enable"),
        ("front-2 =", "front-3 =", 14, "no such tile; allowed are front-1 to front-2"),
        ("front-2 =", "side-2 =", 14, "is not a tile"),
        ("front-2 =", "1-3 =", 14, "tiles.1-3: this box has no such tile; allowed are front-1 to front-2"),
        ("rows = 1", 'rows = 1\nkind = "cards"', 4, "kind: must be 'numbers' or 'dominoes', not 'cards'"),
        ("columns = 2", "columns = 3", 12, "front-3 is missing"),
        ("columns = 2", "columns = 29", 4, "must be at most 28"),
        ("columns = 2", "columns = two", 4, "not TOML"),
        ('name = "two"\n', "", 1, "name is missing"),
        ("[motion]", '[camera]\nmodule = "imx708"\n[motion]', 7, "camera.module: must be 'camera-module-1', "),
        (
            "[motion]",
            '[camera]\nmodule = "camera-module-1"\nwidth_px = 3000\n[motion]',
            6,
            "camera: width_px x height_px (3000 x 720) is more than the sensor has (2592 x 1944 with 10 bits)",
        ),
        ("[motion]", "[camera]\nsensor = { width_px = 1456 }\n[motion]", 7, "camera.sensor.height_px is missing"),
        (
            "[motion]",
            '[supply]\ncurrent_sensor = "0x40"\n[motion]',
            7,
            "supply.current_sensor: 0x40 is a servo board; set the sensor to another address, 0x40 to 0x4f",
        ),
        (
            "[motion]",
            '[supply]\ncurrent_sensor = "0x50"\n[motion]',
            7,
            "supply.current_sensor: a current sensor's address is 0x40 to 0x4f",
        ),
        (
            "[motion]",
            '[supply]\ncurrent_sensor = "0x44"\nlimit_a = 15.5\n[motion]',
            8,
            "supply.limit_a: the current sensor measures up to 15 A; leave out current_sensor",
        ),
        ("[motion]", "[supply]\nvolts = 6.1\n[motion]", 7, "supply.volts: must be at most 6"),
        ("[motion]", "[supply]\nvolts = 4.7\n[motion]", 7, "supply.volts: must be at least 4.8"),
        (
            "[motion]",
            "[supply]\nstalled_a = 0.05\nidle_a = 0.06\n[motion]",
            6,
            "supply: idle_a must be less than a stalled servo draws (0.05 A)",
        ),
        (
            "[motion]",
            "[supply]\nlimit_a = 0.78\nvolts = 6.0\n[motion]",
            7,
            "supply.limit_a: no servo may move; one that stalls (0.78 A) and 1 at rest (0.01 A each) draw 0.79 A",
        ),
    ],
)
def test_a_wrong_profile_is_refused_by_line_and_reason(old: str, new: str, line: int, says: str) -> None:
    error = refused(GOOD.replace(old, new))
    assert says in error.problem
    assert error.line == line
    assert str(error).startswith(f"two.toml:{line}: ")


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("rows = 1", "rows = 2", 3, "kind: dominoes are one row (rows = 1) with columns = one of 15, 21, 28"),
        ("columns = 15", "columns = 16", 3, "with columns = one of 15, 21, 28"),
        ("2-5 =", "front-8 =", 18, "tiles.front-8: this box has no such tile; allowed are 1-2, 1-3, "),
        ("2-5 =", "5-2 =", 18, "'5-2' is not a tile"),
        ("2-5 =", "2-2 =", 18, "tiles.2-2: this box has no such tile"),
        ('"GPIO11"', '"GPIO4"', 18, "tiles.2-5.shut: GPIO4 is used already by tiles.1-2.shut"),
        ("columns = 15", "columns = 21", 10, "1-1 is missing; all 21 tiles"),
    ],
)
def test_a_wrong_box_of_dominoes_is_told_by_pips(old: str, new: str, line: int, says: str) -> None:
    assert parse_box(DOMINOES, "two.toml").kind == "dominoes"
    error = refused(DOMINOES.replace(old, new))
    assert says in error.problem
    assert error.line == line


def test_pulses_too_close_together_are_no_travel() -> None:
    error = refused(GOOD.replace('shut = "GPIO5" }', 'shut = "GPIO5", shut_us = 1200 }'))
    assert "tiles.front-2: open_us and shut_us" in error.problem


def test_a_tile_with_end_points_of_its_own_is_driven_three_degrees_further_but_never_beyond_what_servos_take() -> None:
    def limits_us(open_us: int, shut_us: int) -> tuple[int, int]:
        ends = f'shut = "GPIO5", open_us = {open_us}, shut_us = {shut_us} }}'
        return parse_box(GOOD.replace('shut = "GPIO5" }', ends), "two.toml").pulse_limits_us(TileId(1, 2))

    assert limits_us(1000, 1900) == (967, 1933)
    assert limits_us(1900, 1000) == (967, 1933)
    assert limits_us(510, 2390) == (500, 2400)


def test_the_mirrored_pulses_of_a_reversed_servo_are_within_what_servos_take() -> None:
    turned = parse_box(GOOD.replace('shut = "GPIO5" }', 'shut = "GPIO5", reversed = true }'), "two.toml")
    assert turned.pulse_limits_us(TileId(1, 2)) == (600, 2400)
    assert tuple(map(mirrored_us, (600, 2400))) == (2400, 600)


def test_a_servo_is_given_up_then_cut_before_it_may_be_driven_no_longer() -> None:
    for motion in (Motion(), Motion(timeout_s=LEAST_DRIVE_S)):
        # What is given up is let go over the bus, which takes a look and its transfers; an alarm may be 30 ms late.
        assert motion.give_up_s + 0.03 < motion.cut_s < motion.timeout_s - 0.03
    assert Motion().timeout_s == LONGEST_DRIVE_S <= 0.8, "the design's limit for a servo that stalls"


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(BoxProfileError, match=r"classic-9, dominoes-15, .*, two-level-12, two-level-9,"):
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


def test_a_profile_with_digital_servos_is_refused_and_says_why() -> None:
    text = files("hardware").joinpath("boxes", "two-level-9.toml").read_text("utf-8")
    assert parse_box(text, "mine.toml").motion.servos == "analog"
    head, found, rest = text.partition("[motion]\n")
    text = f'{head}[motion]\nservos = "digital"\n{rest}' if found else f'{text}\n[motion]\nservos = "digital"\n'
    with pytest.raises(BoxProfileError, match=r"^mine.toml:\d+: motion.servos: digital servos hold on when") as caught:
        parse_box(text, "mine.toml")
    assert "\n" not in str(caught.value)
