"""The command line's contract: JSON forms, exit statuses, and one line for a wrong call."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from controller.game.core.english import count
from controller.runtime.locks import lock_demonstration
from tests.controller.conftest import Shutbox, answers
from tests.support.journal_rows import DEMONSTRATION, DIGEST, digest_of, rows_of


@pytest.fixture
def shutbox_home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def test_moves_answer_one_object(shutbox: Shutbox) -> None:
    board = "1 2 3 4 5 6 7 8 9/9 8 7 6 5 4 3 2 1"
    call = ("moves", "--game", "two-level", "--set", "reveal=same_throw", "--board", board, "--throw", "5,5", "--json")

    status, out, err = shutbox(*call)

    [answer] = answers(out)
    assert (status, err, answer["turn_over"]) == (0, "", False)
    assert ["front-1", "back-9"] in answer["moves"]
    assert ["front-4", "front-6"] in answer["moves"]


def test_a_batch_answers_line_by_line_and_a_bad_line_with_its_error(shutbox: Shutbox) -> None:
    good = {"game": "pub", "set": {"tiles": 9, "one_die_forced": True}, "board": "1 2 3 4 5 6 7 8 9", "throw": [5, 3]}
    endless = '{"throw": [' + "9" * 5000 + ", 3]}"
    odd = ["nonsense", json.dumps(good | {"throw": [9, 3]}), endless]
    lines = [json.dumps(good | {"aim": "score"}), *odd, json.dumps(good)]

    status, out, _ = shutbox("moves", "--batch", "-", typed="\n".join(lines))

    first, second, third, fourth, fifth = answers(out)
    assert (status, first) == (0, fifth)
    assert "not JSON" in fourth["error"]
    assert len(first["moves"]) == 6
    assert "not JSON" in second["error"]
    assert "1 to 6" in third["error"]


def test_marks_in_a_batch_are_taken_as_strictly_as_those_of_a_file(shutbox: Shutbox) -> None:
    lines = [{"throw": "5,3", "game": "pub", "marks": {"values": {"1": value}}} for value in ("3", True, 3)]
    _, out, _ = shutbox("moves", "--batch", "-", typed="\n".join(map(json.dumps, lines)))
    text, truth, number = answers(out)
    assert ["moves" in each for each in (text, truth, number)] == [False, False, True]
    assert "values: 1: must be a whole number" in text["error"]


@pytest.mark.parametrize(
    ("command", "status", "said"),
    [
        (r"printf '{\"throw\":\"5,3\"}\n\377\n{\"throw\":\"5,3\"}\n' | $0 moves --batch -", 0, 3),
        ("$0 moves --batch - <&-", 0, 0),
        ("set -o pipefail; $0 faults --json | true", 0, 0),
    ],
)
def test_pipes_that_are_closed_or_hold_no_text_end_no_command(
    command: str, status: int, said: int, tmp_path: Path
) -> None:
    shutbox = [sys.executable, "-c", "from controller.cli.main import main; main()"]
    script = tmp_path / "shutbox"
    script.write_text(f'#!/bin/sh\nexec {shlex.join(shutbox)} "$@"\n')
    script.chmod(0o755)
    ended = subprocess.run(
        ["/bin/bash", "-c", command, str(script)],
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "PYTHONIOENCODING": "utf-8:strict",
            "PYTHONPATH": os.getcwd(),
            "SHUTBOX_HOME": str(tmp_path),
        },
        check=False,
    )
    assert (ended.returncode, ended.stderr, len(ended.stdout.splitlines())) == (status, "", said)


def test_games_name_every_option_with_its_values(shutbox: Shutbox) -> None:
    _, out, _ = shutbox("games", "--json")

    two_level = answers(out)[0]
    assert two_level["game"] == "two-level"
    assert two_level["options"]["reveal"] == {"default": "next_throw", "allowed": ["next_throw", "same_throw"]}


@pytest.mark.long
def test_a_game_is_looked_back_on_move_by_move(shutbox: Shutbox) -> None:
    shutbox(
        "demo",
        "--game",
        "pub",
        "--set",
        "tiles=6",
        "--players",
        "1",
        "--strength",
        "careless",
        "--games",
        "2",
        "--json",
    )
    journal = str(next(Path(os.environ["SHUTBOX_HOME"]).rglob("demo*.sqlite3")))

    [back] = answers(shutbox("replay", "1", "--journal", journal, "--json")[1])
    assert (back["game_id"], back["game"], back["missing"], len(back["turns"])) == (1, "pub", "", 1)
    for share in back["shares"]:
        assert share["expected"] + share["luck"] + share["errors"] == pytest.approx(share["result"], abs=1e-9)

    status, told, _ = shutbox("replay", "2", "--journal", journal)
    share = answers(shutbox("replay", "2", "--journal", journal, "--json")[1])[0]["shares"][0]
    assert (status, told.splitlines()[0]) == (0, "Game 2, pub.")
    points = count(round(share["result"]), "point")
    assert f"{share['name']}: {points} in 1 turn. {share['expected']:.1f} were" in told
    assert f"choices added {share['errors']:.1f}." in told

    assert shutbox("replay", "7", "--journal", journal) == (
        2,
        "",
        "shutbox: there is no game 7; the last one is 2\n",
    )


def test_every_setting_is_told_with_its_default_and_its_meaning(shutbox: Shutbox) -> None:
    home = Path(os.environ["SHUTBOX_HOME"])
    status, out, _ = shutbox("settings")
    assert (status, out.splitlines()[:2]) == (
        0,
        [f"Home folder: {home}", f"Settings: {home}/settings.toml (there is none yet: all is as it comes)"],
    )
    assert 'box = "two-level-9"\n    the box: a profile\'s name, or a file\n' in out

    home.mkdir()
    (home / "settings.toml").write_text('share = "no"\n[pace]\nhouse_thinks_s = 0.5\n')
    assert 'share = "no"   (default: "auto")' in shutbox("settings")[1]
    [told] = answers(shutbox("settings", "--json")[1])
    rows = {row["key"]: row for row in told["settings"]}
    assert (rows["pace.house_thinks_s"]["value"], rows["pace.house_thinks_s"]["default"]) == (0.5, 1.5)
    assert all(row["meaning"] for row in rows.values())
    # What is printed can be written into the file as it is.
    lines = [line for line in shutbox("settings")[1].splitlines() if " = " in line and not line.startswith(" ")]
    (home / "settings.toml").write_text("\n".join(line.partition("   (default")[0] for line in lines))
    assert answers(shutbox("settings", "--json")[1]) == [told]

    (home / "settings.toml").write_text("bocks = 1")
    status, out, err = shutbox("settings")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "bocks: unknown key" in err


@pytest.mark.parametrize(("command", "status"), [("play", 0), ("selftest", 1)])
def test_dice_that_nobody_has_taught_are_told_on_the_simulated_box_too(
    shutbox: Shutbox, command: str, status: int
) -> None:
    home = Path(os.environ["SHUTBOX_HOME"])
    home.mkdir()
    (home / "settings.toml").write_text('dice = "boats"')
    ended, out, err = shutbox(command, "--mock")
    assert (ended, "no dice 'boats' were taught" in " ".join(f"{out} {err}".split())) == (status, True)


@pytest.mark.skipif(os.path.exists("/proc/device-tree/model"), reason="this machine may be a Raspberry Pi")
@pytest.mark.parametrize("command", ["play", "run", "selftest", "park"])
def test_off_a_pi_without_mock_the_box_is_missed_in_one_line(shutbox: Shutbox, command: str) -> None:
    status, _, err = shutbox(command)

    assert (status, err) == (2, "shutbox: this machine is no Raspberry Pi; say --mock for the simulated box\n")


@pytest.mark.long
def test_a_demonstration_replays_and_repeats_itself_to_the_byte(shutbox: Shutbox) -> None:
    call = ("demo", *DEMONSTRATION, "--json")
    status, out, _ = shutbox(*call)
    [game] = answers(out)
    assert (status, game["game"], game["misreads"], game["faults"]) == (0, 1, 0, [])
    assert set(game["winner"]) <= set(game["scores"])

    status, replayed, _ = shutbox("replay", "--check", "--json")
    [check] = answers(replayed)
    assert (status, check["ok"], check["phase"], check["scores"]) == (0, True, "ended", game["scores"])

    journal = str(next(Path(os.environ["SHUTBOX_HOME"]).rglob("demo*.sqlite3")))
    assert digest_of(rows_of(Path(journal))) == DIGEST
    everybody = answers(shutbox("scores", journal, "--all", "--json")[1])
    assert {each["player"]: each["mean"] for each in everybody if each["turns"]} == check["scores"]
    assert sum(each["wins"] for each in everybody) == len(game["winner"])
    assert all(each["errors"] >= 0 for each in everybody)
    told = shutbox("scores", journal)[1]
    assert ". Per turn luck " in told
    assert f"choices cost {everybody[0]['errors']:.2f}." in told
    tiles = answers(shutbox("scores", journal, "--tiles", "--json")[1])
    assert all(0 <= tile["shut"] <= tile["turns"] == len(game["scores"]) for tile in tiles)
    assert "front-4, 3-down-extreme: shut in" in shutbox("scores", journal, "--tiles")[1]
    status, thrown, _ = shutbox("dice", journal, "--json")
    [dice] = answers(thrown)
    assert (status, dice["sides"], dice["fair"]) == (0, 6, True)
    assert dice["dice"] == sum(dice["counts"].values()) > 4
    assert "a verdict needs 500 dice or more" in shutbox("dice", journal)[1]
    [read] = answers(shutbox("dice", journal, "--misread", "--json")[1])
    assert (read["throws"] > 1, read["wrong"], read["corrected"]) == (True, 0, [])
    assert "; none of them had to be corrected." in shutbox("dice", journal, "--misread")[1]

    status, again, told = shutbox(*call)
    assert (status, again) == (0, out)
    assert "backup copy" not in told  # replacing that of the last demonstration is not worth a warning


def test_a_second_demonstration_leaves_the_journal_of_the_first_alone(shutbox: Shutbox, shutbox_home: Path) -> None:
    shutbox_home.mkdir()
    journal = shutbox_home / "demo.sqlite3"
    journal.write_bytes(b"of the first")
    with lock_demonstration(journal):
        status, out, err = shutbox("demo", "--game", "pub", "--json")
    assert (status, out, journal.read_bytes()) == (2, "", b"of the first")
    assert "another demonstration writes to" in err


@pytest.mark.long
def test_who_wins_without_a_turn_of_his_own_is_among_the_scores(shutbox: Shutbox, shutbox_home: Path) -> None:
    shutbox("demo", "--game", "two-level", "--set", "alternate=true", "--seed", "4")
    status, told, _ = shutbox("scores", str(shutbox_home / "demo.sqlite3"))
    assert status == 0
    assert "House, two-level: 1 game, 1 won; no turn with a score" in told
    assert "Ann, two-level: 1 game, 0 won; 1 turn, the best" in told


def test_a_demonstration_under_a_closed_lid_ends_with_the_fault(shutbox: Shutbox) -> None:
    status, out, _ = shutbox("demo", "--game", "pub", "--faults", "lid:closed", "--json")
    assert (status, answers(out)[0]["fault"]["code"]) == (1, "H-210")


@pytest.mark.long
def test_a_demonstration_goes_on_while_a_weak_supply_lets_tiles_stray(shutbox: Shutbox) -> None:
    status, out, _ = shutbox("demo", "--game", "pub", "--faults", "sag:supply", "--json")
    [game] = answers(out)
    assert (status, game["misreads"]) == (0, 0)
    assert game["refused"] < game["throws"]


@pytest.mark.long
def test_each_race_of_a_demonstration_is_told_once(shutbox: Shutbox) -> None:
    status, out, _ = shutbox("demo", "--game", "fleet", "--games", "2", "--seed", "3", "--json")
    first, second = answers(out)
    assert (status, first["scores"] == second["scores"]) == (0, False)


@pytest.mark.long
def test_a_race_is_told_in_claims_and_rounds(shutbox: Shutbox) -> None:
    status, out, told = shutbox("demo", "--game", "flash", "--players", "2", "--seed", "3")
    assert status == 0
    assert " claims in 8 rounds, " in out
    assert " claims, 0 misread; " in told
    assert "throw" not in out + told

    journal = str(next(Path(os.environ["SHUTBOX_HOME"]).rglob("demo.sqlite3")))
    scores = shutbox("scores", journal)[1]
    assert "flash: 1 game, " in scores
    assert "turn" not in scores


def test_a_selftest_passes_or_names_what_is_wrong_and_what_went_untested(shutbox: Shutbox) -> None:
    status, out, _ = shutbox("selftest", "--mock", "--json")
    assert (status, answers(out)) == (0, [{"passed": True, "findings": [], "untested": []}])

    status, out, _ = shutbox("selftest", "--mock", "--faults", "silent:0x41,camera:dead", "--json")
    [report] = answers(out)
    assert (status, report["passed"]) == (1, False)
    assert [(each["code"], each["part"]) for each in report["findings"]] == [("H-202", "0x41"), ("V-102", "camera")]
    assert report["untested"] == [f"back-{number}" for number in range(9, 0, -1)]


def test_pictures_that_are_none_are_refused_and_the_others_still_read(shutbox: Shutbox, tmp_path: Path) -> None:
    text, empty = tmp_path / "text.jpg", tmp_path / "empty.jpg"
    text.write_text("not a picture at all")
    empty.write_bytes(b"")

    status, out, err = shutbox("read", "--json", str(text), str(tmp_path / "missing.jpg"), str(empty))

    first, second, third = answers(out)
    assert (first["verdict"], first["reason"], third["reason"]) == ("refused", "not_a_picture", "not_a_picture")
    assert "error" in second
    assert "missing.jpg" in err
    assert status == 2


def test_a_file_name_that_cannot_be_is_an_answer_like_any_other(shutbox: Shutbox) -> None:
    status, out, _ = shutbox(
        "read", "--batch", "-", typed='{"file": "a\\u0000b"}\n{"file": "/nowhere.jpg", "dice": 2}\n'
    )

    assert (status, ["error" in answer for answer in answers(out)]) == (0, [True, True])


def test_a_home_that_cannot_be_used_is_one_line(shutbox: Shutbox, tmp_path: Path) -> None:
    (tmp_path / "home" / "shutbox.lock").mkdir(parents=True)

    status, _, err = shutbox("run", "--mock")

    assert (status, err.count("\n")) == (2, 1)
    assert "shutbox.lock" in err


def test_a_call_that_names_its_box_works_beside_settings_that_cannot_be_read(shutbox: Shutbox, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "settings.toml").write_text("box = 3")

    assert shutbox("wiring", "--box", "classic-9", "--parts")[0] == 0
    status, _, err = shutbox("wiring", "--parts")
    assert (status, err.count("\n")) == (2, 1)
    assert "settings.toml" in err


@pytest.mark.long
def test_a_seat_without_an_input_leaves_at_once(tmp_path: Path) -> None:
    command = f"{Path(sys.executable).parent / 'shutbox'} play --mock --seed 1 <&-"
    left = subprocess.run(
        ["/bin/sh", "-c", command],
        env=os.environ | {"SHUTBOX_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (left.returncode, left.stderr) == (0, "")
    assert "parked" in left.stdout
