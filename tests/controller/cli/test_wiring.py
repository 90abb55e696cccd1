"""`shutbox wiring`: tables, JSON and a drawing of the box that is asked for."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hardware.box import box_names, load_box
from hardware.wires import ExpanderPin, GpioPin
from hardware.wiring.plan import expander_leg, pin_of
from tests.controller.conftest import Shutbox, answers


@pytest.fixture
def shutbox_home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.mark.parametrize("name", box_names())
def test_the_tables_name_every_wire_with_its_pin(shutbox: Shutbox, name: str) -> None:
    status, out, err = shutbox("wiring", "--box", name)

    wires_only = out.partition(": parts")[0].splitlines()
    cells = [[cell.strip() for cell in row.split("│")[1:-1]] for row in wires_only if "│" in row]
    rows = {first: rest for first, *rest in cells}
    box = load_box(name)
    assert (status, err) == (0, "")
    for tile, wires in box.tiles.items():
        servo, shut, is_open = rows[str(tile)]
        assert servo == f"0x{wires.servo.board:02x} channel {wires.servo.channel}"
        for role, said, wire in (("shut", shut, wires.shut), ("open", is_open, wires.open)):
            assert isinstance(wire, GpioPin | ExpanderPin)
            where = f"pin {pin_of(wire)}" if isinstance(wire, GpioPin) else f"leg {expander_leg(wire.pin)}"
            assert said == f"{wire}, {where}"
            assert not isinstance(wire, GpioPin) or rows[str(pin_of(wire))] == [str(wire), f"{tile} {role}"]
    used = sum(wires.servo.board == 0x40 for wires in box.tiles.values())
    assert rows["0x40"] == ["PCA9685", "A5..A0 = 000000", "none", f"{used} of 16"]
    assert "0x41" not in rows or rows["0x41"][1:3] == ["A5..A0 = 000001", "A0"]
    assert rows["15"] == ["GPIO22", "/OE"]
    assert "1 kΩ in series with every line but /OE, SDA and SCL" in out


def test_the_box_of_the_settings_is_meant_if_none_is_named(shutbox: Shutbox, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.toml").write_text('box = "classic-9"\n')

    _, out, _ = shutbox("wiring", "--json")

    assert answers(out)[0]["box"] == "classic-9"


def test_json_has_header_chips_parts_and_checklist(shutbox: Shutbox) -> None:
    status, out, err = shutbox("wiring", "--box", "two-level-9", "--json")

    [told] = answers(out)
    assert (status, err) == (0, "")
    assert list(told) == ["box", "header", "boards", "expanders", "current_sensor", "parts", "checklist"]
    hall = {"pin": 7, "name": "GPIO4", "role": "shut", "use": "front-1 shut"}
    assert told["header"][6] == {**hall, "series_ohm": 1000, "pull_up_ohm": 4700}
    resistors = {"series_ohm": None, "pull_up_ohm": None}
    assert told["header"][1] == {"pin": 2, "name": "5V", "role": "free", "use": None, **resistors}
    assert told["header"][14] == {"pin": 15, "name": "GPIO22", "role": "output_enable", "use": "/OE", **resistors}
    assert sum(pin["series_ohm"] == 1000 for pin in told["header"]) == 23
    board = told["boards"][1]
    assert (board["address"], board["chip"], board["jumpers"]["A0"]) == ("0x41", "PCA9685", True)
    assert board["outlets"][8] == {"name": "8", "tile": "back-1", "role": "servo"}
    assert told["expanders"][0]["outlets"][8] == {"name": "B0", "tile": "front-8", "role": "open"}
    assert told["parts"][4]["quantity"] == 18
    assert told["checklist"][0] == {
        "stage": "The Pi alone, nothing on its header",
        "do": "Switch the Pi on; in raspi-config, Interface Options: I2C on, serial login shell and serial port off, "
        "SPI off, 1-Wire off.",
        "expect": "It starts, and starts again.",
    }


@pytest.mark.parametrize(("words", "keys"), [(["parts"], ["parts"]), (["checklist", "parts"], ["parts", "checklist"])])
def test_only_what_is_asked_for_is_told(shutbox: Shutbox, words: list[str], keys: list[str]) -> None:
    flags = [f"--{word}" for word in words]

    _, out, _ = shutbox("wiring", *flags, "--json")
    assert list(answers(out)[0]) == ["box", *keys]

    _, out, _ = shutbox("wiring", *flags)
    assert "two-level-9: parts" in out
    assert ("first power-up" in out) is ("checklist" in keys)
    assert "two-level-9: header" not in out


def test_the_drawing_goes_into_a_file_or_to_standard_output(shutbox: Shutbox, tmp_path: Path) -> None:
    file = tmp_path / "box.svg"
    file.write_text("an older drawing")

    assert shutbox("wiring", "--box", "rows-3", "--svg", str(file)) == (0, f"{file}\n", "")
    assert ET.parse(file).getroot().tag.endswith("svg")  # noqa: S314  the text is our own
    assert shutbox("wiring", "--box", "rows-3", "--svg", "-") == (0, file.read_text(), "")
    assert answers(shutbox("wiring", "--svg", str(file), "--json")[1]) == [{"files": [str(file)]}]


def test_a_profile_of_ones_own_is_drawn(shutbox: Shutbox, tmp_path: Path) -> None:
    profile = tmp_path / "mine.toml"
    profile.write_text(
        'name = "mine"\nsummary = "<b>"\nrows = 1\ncolumns = 1\n[panel]\noutput_enable = "GPIO8"\n'
        '[tiles]\nfront-1 = { servo = "0x7f/15", shut = "GPIO4" }\n'
    )

    status, out, _ = shutbox("wiring", "--box", str(profile), "--svg", "-")
    assert (status, "0x7f" in out, "<b>" in out) == (0, True, False)
    assert shutbox("wiring", "--box", str(profile))[0] == 0


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (("--box", "shoe"), "two-level-9"),
        (("--box", "/nowhere/box.toml"), "cannot be read"),
        (("--svg", "/nowhere/box.svg"), "/nowhere/box.svg: No such file"),
        (("--svg", "/"), "Is a directory"),
        (("--svg", "-", "--json"), "--svg - draws on standard output"),
        (("--svg", "box.svg", "--parts"), "leave out --parts"),
        (("--svg", "-", "--parts", "--checklist"), "leave out --parts, --checklist"),
        (("box.svg",), "leave out what does not belong here"),
        (("--mock",), "--mock goes with --check"),
    ],
)
def test_a_wrong_call_is_one_line_and_status_two(shutbox: Shutbox, call: tuple[str, ...], says: str) -> None:
    status, out, err = shutbox("wiring", *call)

    assert (status, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def test_the_wiring_of_a_box_is_looked_at_in_eighty_columns(shutbox: Shutbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    status, out, err = shutbox("wiring", "--check", "--mock")
    assert (status, out.splitlines()[-1]) == (0, "Everything is as it should be.")
    assert "chip 0x41: an answer" in err
    assert max(map(len, out.splitlines())) <= 80

    status, _, err = shutbox("wiring", "--check", "--parts")
    assert (status, err.count("\n")) == (2, 1)
