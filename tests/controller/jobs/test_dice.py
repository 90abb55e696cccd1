"""`shutbox calibrate dice`: the guided teaching, its file, and every way out of it that changes nothing."""

import json
from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import cv2
import pytest
import typer

from controller.box.job_requests import DiceOrder
from controller.box.rigs import DiceRig
from controller.box.simulated_rigs import open_simulated_dice_rig
from controller.cli.calibrate import colours_of, labels_of
from controller.errors import SettingsError
from controller.jobs.dice import dice_session
from controller.jobs.terminal import run_at_terminal
from controller.runtime.clock import run_jumping
from controller.runtime.home import Home
from controller.runtime.locks import lock
from controller.runtime.output import Exit
from controller.settings import load_settings, save_setting
from hardware.box import load_box
from hardware.sim.world import World
from tests.controller.conftest import Shutbox
from tests.support.long import long_but_every
from vision.custom_dice.storage import DiceFolder
from vision.custom_dice.teaching import WantedShot
from vision.errors import BadDice
from vision.sim.camera import SimulatedCamera
from vision.sim.custom_dice import SimulatedTeacher

BOX = load_box("two-level-9")
LABELS = ((1, "boat"), (2, "2"), (3, "3"))
ALL = ((1, "1"), (2, "2"), (3, "3"), (4, "4"), (5, "5"), (6, "6"))
SHOTS = 3


async def typed(lines: Sequence[str]) -> AsyncIterator[str]:
    for line in lines:
        yield line


def teach(home: Path, lines: Sequence[str] = (), *, ask: bool = False, seed: int = 1) -> Exit:
    order = DiceOrder("fleet", 6, LABELS, (), SHOTS, ask)

    def open_rig() -> DiceRig:
        return open_simulated_dice_rig(BOX, order, seed)

    session = dice_session(open_rig, DiceFolder(home), order, home / "settings.toml")
    return run_jumping(run_at_terminal(session, typed(lines), waits=ask, as_json=False)).status


def files(home: Path) -> dict[str, bytes]:
    return {str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*") if path.is_file()}


def test_a_taught_set_is_saved_listed_read_and_forgotten(shutbox: Shutbox, tmp_path: Path) -> None:
    words = ("calibrate", "dice", "--name", "fleet", "--faces", "2,3,4,5,6,boat", "--shots", "3", "--mock", "--json")
    status, out, _ = shutbox(*words)
    told = json.loads(out)
    assert (status, told["saved"], told["verdict"]) == (0, True, "good")
    assert json.loads(shutbox("calibrate", "dice", "--list", "--json")[1])["faces"] == ["2", "3", "4", "5", "6", "boat"]

    world = World(BOX, lambda: 0.0, 1)
    labels = ((1, "boat"), *ALL[1:])
    SimulatedTeacher(world, BOX, 6, labels, ()).lay(WantedShot("", value=1))
    cv2.imwrite(str(tmp_path / "boat.png"), SimulatedCamera(world, BOX).capture().pixels)
    status, out, _ = shutbox("read", "--json", "--dice-set", "fleet", str(tmp_path / "boat.png"))
    [die] = json.loads(out)["dice"]
    assert (die["value"], die["label"]) == (1, "boat")

    assert shutbox("calibrate", "dice", "--forget", "fleet")[0] == 0
    assert files(tmp_path / "dice") == {}


def test_a_set_that_is_taught_again_keeps_the_one_before(tmp_path: Path) -> None:
    assert teach(tmp_path) is Exit.DONE
    [(name, before)] = files(tmp_path).items()
    folder = DiceFolder(tmp_path)
    later = datetime.now().astimezone() + timedelta(days=1)
    folder.save(folder.load("fleet"), later)
    kept = {file: data for file, data in files(tmp_path).items() if file != name}
    assert list(kept.values()) == [before]
    assert folder.names == ("fleet",)
    assert folder.taught_at("fleet") == later


@pytest.mark.parametrize("answered", long_but_every(3, [0, 1, SHOTS * len(LABELS)]))
@pytest.mark.parametrize("last", [["q"], []])
def test_leaving_at_any_step_changes_no_file(tmp_path: Path, answered: int, last: list[str]) -> None:
    (tmp_path / "dice").mkdir()
    (tmp_path / "dice" / "fleet.npz").write_bytes(b"as it was")
    before = files(tmp_path)
    assert teach(tmp_path, [""] * answered + last, ask=True) is Exit.NO
    assert files(tmp_path) == before


def test_who_says_yes_at_the_end_gets_a_file(tmp_path: Path) -> None:
    assert teach(tmp_path, [""] * SHOTS * len(LABELS) + ["y", "", "perhaps", "n"], ask=True) is Exit.DONE
    assert DiceFolder(tmp_path).load("fleet").label_of(1) == "boat"
    assert not (tmp_path / "settings.toml").exists()


def test_who_wants_to_play_with_the_set_has_it_in_his_settings_beside_what_he_wrote(tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text('# mine\nplayers = ["Ann", "Bea"]  # always\n', "utf-8")
    assert teach(tmp_path, [""] * SHOTS * len(LABELS) + ["y", "y"], ask=True) is Exit.DONE
    assert settings.read_text("utf-8") == '# mine\nplayers = ["Ann", "Bea"]  # always\ndice = "fleet"\n'
    assert load_settings(settings).dice == "fleet"


def test_who_cannot_have_the_set_in_his_settings_has_it_saved_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "settings.toml").write_text('dice = "pips\n', "utf-8")
    assert teach(tmp_path, [""] * SHOTS * len(LABELS) + ["y", "y"], ask=True) is Exit.DONE
    assert "The dice are saved" in capsys.readouterr().err
    assert DiceFolder(tmp_path).load("fleet").label_of(1) == "boat"


def test_settings_that_cannot_be_read_are_one_line_and_stay(tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    for text in ('dice = "pips\n', 'house = "x"\n'):
        settings.write_text(text, "utf-8")
        with pytest.raises(SettingsError, match=r"settings\.toml"):
            save_setting(settings, "dice", "fleet")
        assert settings.read_text("utf-8") == text


@pytest.mark.parametrize(
    "words",
    [
        ("--name", "fleet"),
        ("--name", "Fleet!", "--mock"),
        ("--name", "pips", "--mock"),
        ("--name", "fleet", "--sides", "8", "--mock"),
        ("--name", "fleet", "--faces", "1,1", "--mock"),
        ("--name", "fleet", "--shots", "2", "--mock"),
        ("--forget", "fleet"),
        (),
    ],
)
def test_a_wrong_call_is_one_line_and_status_2(shutbox: Shutbox, words: tuple[str, ...]) -> None:
    status, out, err = shutbox("calibrate", "dice", *words)
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_while_a_daemon_runs_nothing_is_taught(shutbox: Shutbox, tmp_path: Path) -> None:
    with lock(Home(tmp_path, tmp_path).lock):
        status, _, err = shutbox("calibrate", "dice", "--name", "fleet", "--mock")
    assert (status, err.count("\n")) == (2, 1)
    assert "daemon" in err


def test_a_damaged_file_is_named_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "dice").mkdir()
    (tmp_path / "dice" / "fleet.npz").write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(BadDice, match=r"fleet\.npz: [^\n]+$"):
        DiceFolder(tmp_path).load("fleet")


def test_faces_without_a_number_get_what_is_left() -> None:
    assert labels_of("2,3,4,5,6,boat", 6) == ((2, "2"), (3, "3"), (4, "4"), (5, "5"), (6, "6"), (1, "boat"))
    assert labels_of("boat=3, bolt", 6) == ((3, "boat"), (1, "bolt"))
    assert labels_of(None, 20)[-1] == (20, "20")


@pytest.mark.parametrize("words", ["", "1,2,3,4,5,6,7", "0", "boat=9", "boat,boat", "boat=x"])
def test_faces_that_cannot_be_are_refused(words: str) -> None:
    with pytest.raises(typer.BadParameter):
        labels_of(words, 6)


@pytest.mark.parametrize("words", ["red,red", "red,,blue", ""])
def test_colours_that_cannot_be_are_refused(words: str) -> None:
    with pytest.raises(typer.BadParameter):
        colours_of(words)


def test_a_name_that_is_a_path_leads_nowhere(tmp_path: Path) -> None:
    for name in ("../fleet", "a/b", "", "x" * 40):
        with pytest.raises(BadDice):
            DiceFolder(tmp_path).path(name)
