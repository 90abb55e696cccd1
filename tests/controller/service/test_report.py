"""The report on an installation tells what helps, of a broken one too, and nothing that is nobody else's matter."""

import base64
import random
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from controller.journal.store import Journal
from controller.runtime.home import Home
from controller.runtime.machine import open_port
from controller.service.doctor import Redaction, make_report
from controller.service.restarts import RunCounts
from firmware.computer import ComputerHealth
from tests.support.homes import furnish, play_game

TOKEN = "k3J9-xQz0aPq4LmN8vRt2yUw6sEd1fGh5bXc7"  # noqa: S105  nobody gave it
LOG = (f"2026-11-24T20:00:00 shutbox: Bob takes a seat, token {TOKEN}", "ann throws in /home/annette/games")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path, tmp_path)
    furnish(home)
    return home


def report_on(home: Home, log: Sequence[str] = LOG, *, runs: bool = False, names: bool = False) -> dict[str, str]:
    report = make_report(home, log, daemon_runs=runs, names=names)
    return {section.title: "\n".join(section.lines) for section in report}


def test_a_report_tells_versions_settings_health_runs_events_and_log(home: Home) -> None:
    home.settings.write_text('dice = "stars"\n')
    home.runs.write_text(RunCounts(ended=3, failed=1, killed=2, unplugged=4).model_dump_json())

    told = report_on(home)

    assert list(told) == ["versions", "computer", "settings", "health", "runs", "events", "log"]
    assert "shutbox 0." in told["versions"]
    assert "fastapi " in told["versions"]
    assert "pytest" not in told["versions"]
    assert told["settings"] == 'dice = "stars"'
    assert "the camera of two-level-9: calibrated on 2026-11-01" in told["health"]
    assert "the servos of two-level-9: not calibrated" in told["health"]
    assert "ended in order: 3; ended by an error: 1; killed: 2" in told["runs"]
    assert "unplugged without being asked: 4 times" in told["runs"]
    assert "move chosen: tiles" in told["events"]
    assert "throws in" in told["log"]


def test_a_run_that_nobody_ended_is_counted_unless_it_goes_on(home: Home) -> None:
    home.runs.write_text(RunCounts(running_in="another start").model_dump_json())

    assert "asked: 1 time" in report_on(home)["runs"]
    assert "asked: 0 times" in report_on(home, runs=True)["runs"]


def test_whether_phones_reach_the_box_is_told_where_they_are_let_in(home: Home) -> None:
    assert "network" not in report_on(home)["health"]
    with open_port("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        home.settings.write_text(f'[web]\non = true\naddress = "127.0.0.1"\nport = {port}\n')
        assert f"the network: the box answers at port {port} of 127.0.0.1" in report_on(home)["health"]
    assert f"the network: nobody answers at port {port} of 127.0.0.1" in report_on(home)["health"]
    [health] = [
        section.lines
        for section in make_report(home, LOG, daemon_runs=True, names=False, by_daemon=True)
        if section.title == "health"
    ]
    assert any(f"port {port} of 127.0.0.1 is to be open; `shutbox doctor`" in line for line in health)


class Told:
    """A computer that tells this of itself."""

    def __init__(self, word: int | None, warm_c: float | None) -> None:
        self._word = word
        self._warm_c = warm_c

    def throttled(self) -> int | None:
        return self._word

    def temperature_c(self) -> float | None:
        return self._warm_c


@pytest.mark.parametrize(
    ("word", "warm_c", "told"),
    [
        (0x0, 54.4, ("the supply: no under-voltage since the computer was started", "temperature: 54 degrees Celsius")),
        (0x50000, 61.0, ("H-208 supply: expected 4.63 V or more, seen under-voltage since the start", "61 degrees")),
        (0x50005, 85.0, ("seen under-voltage now (0x50005)", "H-212 computer: expected less than 80 degrees")),
        (None, None, ("the supply: this computer does not", "the temperature: this computer does not tell of it")),
    ],
)
def test_supply_and_temperature_are_told_where_the_computer_tells_them(
    home: Home, word: int | None, warm_c: float | None, told: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.service.doctor.own_computer", lambda: ComputerHealth(Told(word, warm_c)))

    health = report_on(home)["health"]

    assert [line for line in told if line not in health] == []
    assert ("no under-voltage" in health) == (word == 0)


@pytest.mark.parametrize("stays", [True, False])
def test_a_header_that_keeps_its_pulses_when_a_program_dies_is_told(
    home: Home, monkeypatch: pytest.MonkeyPatch, stays: bool
) -> None:
    monkeypatch.setattr("controller.service.doctor.leaves_pulses_on", lambda: stays)

    assert ("dtparam=strict_gpiod" in report_on(home)["health"]) is stays


def test_a_journal_that_was_put_aside_is_named_where_it_lies(home: Home) -> None:
    assert "put aside" not in report_on(home)["health"]
    for name in ("journal.damaged-2026-11-02.sqlite3", "journal.damaged-2026-11-02.sqlite3-wal"):
        (home.data / name).touch()

    health = report_on(home)["health"]

    assert f"a journal that was put aside, with what it still holds: {home.data}/journal.damaged-2026" in health
    assert "-wal" not in health


def test_people_tokens_and_homes_are_not_told(home: Home) -> None:
    whole = "\n".join(report_on(home).values())

    for secret in ("Ann", "Bob", "annette", TOKEN, "digest-of-a-token"):
        assert secret.casefold() not in whole.casefold()
    assert "player 2 takes a seat, token (removed)" in whole
    assert "player 1 throws in ~/games" in whole
    assert 'players = ["player 1", "player 2"]' in whole


def test_people_are_told_where_that_is_asked_for(home: Home) -> None:
    whole = "\n".join(report_on(home, names=True).values())

    assert 'players = ["Ann", "Bob"]' in whole
    assert TOKEN not in whole


def test_who_played_once_is_known_too(home: Home) -> None:
    home.settings.unlink()  # as it comes: `Player`, which stands for anybody

    assert "player 2 takes a seat" in report_on(home)["log"]


def test_the_last_events_are_told_the_oldest_first(home: Home) -> None:
    with Journal(home.journal) as journal:
        for seed in range(8):
            play_game(journal, random.Random(seed), throws=3)

    first, *events = report_on(home)["events"].splitlines()

    numbers = [int(event.partition(":")[0].removeprefix("game ")) for event in events]
    assert first == f"{numbers[-1]} games"
    assert numbers == sorted(numbers)
    assert len(set(numbers)) > 2
    assert len(events) == 50


@pytest.mark.parametrize(
    ("file", "section", "says"),
    [
        ("settings.toml", "settings", "cannot be read: .*settings.toml:1: not TOML"),
        ("settings.toml", "health", "cannot be read: .*settings.toml:1: not TOML"),
        ("calibration.toml", "health", "cannot be read: .*calibration.toml:1: not TOML"),
        ("journal.sqlite3", "events", "cannot be read: journal .*journal.sqlite3 cannot be opened"),
        ("journal.sqlite3", "health", "J-101"),
    ],
)
def test_what_is_broken_is_reported_and_the_rest_as_well(home: Home, file: str, section: str, says: str) -> None:
    (home.data / file).write_text("broken " * 100)

    told = report_on(home)

    assert re.search(says, told[section])
    assert told["runs"].startswith("no daemon runs")


def test_an_empty_home_is_reported_on(tmp_path: Path) -> None:
    told = report_on(Home(tmp_path, tmp_path), ())

    assert told["settings"] == "all as they come"
    assert told["events"] == "nobody has played yet"
    assert told["log"] == "none that this user can read"


@pytest.mark.parametrize(
    ("line", "hidden"),
    [
        ("Ann, ann's and Anna Ann-Marie", "player 1, player 1's and Anna player 2"),
        ("/home/ann/.local/share/shutbox", "~/.local/share/shutbox"),
        (f"token={TOKEN};", "token=(removed);"),
        ("tile front-7, 1 2 3 4 5 6 7 8 9/9 8 7 6 5 4 3 2 1", "tile front-7, 1 2 3 4 5 6 7 8 9/9 8 7 6 5 4 3 2 1"),
        ("2026-11-24T20:00:00.123+00:00", "2026-11-24T20:00:00.123+00:00"),
    ],
)
def test_names_are_replaced_as_whole_words(line: str, hidden: str) -> None:
    assert Redaction(["Ann", "Ann-Marie", "Ann"]).hide(line) == hidden


@pytest.mark.parametrize(
    ("line", "hidden"), [("Groß throws", "player 1 throws"), ("T\u0131m and TIM", "player 2 and player 2")]
)
def test_names_whose_signs_have_another_case_in_other_languages_are_hidden_too(line: str, hidden: str) -> None:
    assert Redaction(["Groß", "Tim"]).hide(line) == hidden


def test_a_game_without_any_event_keeps_nothing_from_being_told(home: Home) -> None:
    with closing(sqlite3.connect(home.journal)) as db, db:
        db.execute("DELETE FROM event WHERE game = (SELECT max(game) FROM event)")

    assert "versions" in report_on(home)


def test_whatever_a_token_is_made_of_it_is_removed() -> None:
    chance = random.Random(1)
    tokens = [base64.urlsafe_b64encode(chance.randbytes(24)).decode() for _ in range(1000)]

    assert {Redaction(()).hide(f"seat {token}, sha {chance.randbytes(32).hex()}") for token in tokens} == {
        "seat (removed), sha (removed)"
    }


def test_a_mask_without_people_hides_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/srv/bob")

    assert Redaction(()).hide("/srv/bob/x and Ann") == "~/x and Ann"
