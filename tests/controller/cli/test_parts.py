"""`shutbox parts`: the list, the files of the box in wood, and wrong calls."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.controller.conftest import Shutbox

needs_cad = pytest.mark.skipif(find_spec("build123d") is None, reason="needs build123d: make setup-cad")


@pytest.fixture
def shutbox_home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def test_the_list_is_that_of_the_wiring(shutbox: Shutbox) -> None:
    for form in ((), ("--json",)):
        assert shutbox("parts", "--box", "classic-9", *form) == shutbox(
            "wiring", "--parts", "--box", "classic-9", *form
        )


def test_wrong_calls_are_one_line_and_write_nothing(shutbox: Shutbox, tmp_path: Path) -> None:
    taken, out = tmp_path / "taken", tmp_path / "out"
    taken.write_text("")
    calls: list[tuple[tuple[str, ...], str]] = [
        (("--part", "comb"), "--part goes with --files DIR"),
        (("--files", str(taken)), "is a file; name a folder"),
        # What cannot be built is told without the extra, too.
        (("--box", "rows-3", "--files", str(out)), "rows-3: 3 rows cannot be built yet"),
        (("--box", "dominoes-28", "--files", str(out)), "one row of dominoes cannot be built yet"),
        (("--box", "the-300", "--files", str(out)), "up to 12 columns can be built"),
    ]
    for call, line in calls:
        status, said, told = shutbox("parts", *call)
        assert (status, said, len(told.splitlines())) == (2, "", 1)
        assert line in told
    assert not out.exists()


def test_without_the_extra_one_line_says_how_to_get_it(
    shutbox: Shutbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.cli.parts._EXTRA", ("nothing_of_this_name",))
    status, _, told = shutbox("parts", "--box", "classic-9", "--files", str(tmp_path / "out"))
    assert status == 2
    assert told.splitlines()[-1].endswith("`make setup-cad` in a checkout, or `pip install 'shutbox[cad]'`")


@needs_cad
@pytest.mark.long
def test_one_part_is_written_or_the_parts_are_named(shutbox: Shutbox, tmp_path: Path) -> None:
    status, said, _ = shutbox("parts", "--box", "classic-9", "--files", str(tmp_path), "--part", "peg-collar", "--json")
    assert status == 0
    assert json.loads(said)["files"] == [
        "drawings/peg-collar.svg",
        "step/peg-collar.step",
        "stl/peg-collar.stl",
        "3mf/peg-collar.3mf",
    ]
    status, said, told = shutbox("parts", "--box", "classic-9", "--files", str(tmp_path), "--part", "lever-2000")
    assert (status, said) == (2, "")
    assert "no lever-2000 in classic-9; the parts are axle, " in told


@needs_cad
@pytest.mark.long
def test_a_manifest_is_there_only_once_all_files_are(
    shutbox: Shutbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "manifest.json").write_text("{}")

    def full(*_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("hardware.cad.cutlist.cut_list", full)
    monkeypatch.setattr("hardware.cad.drawings.STEPS", ())
    status, said, told = shutbox("parts", "--box", "classic-9", "--files", str(tmp_path))
    assert (status, said) == (2, "")
    assert "No space left on device" in told.splitlines()[-1]
    assert not (tmp_path / "manifest.json").exists()
