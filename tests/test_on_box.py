"""The tests of a real box (tests/on_box) and their report: on a simulated box in this process.

Behind the wire: test_behind_wire.py.
"""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from controller.box.choose import choose_box
from controller.box.simulated_actions import Hands, parse_action
from controller.box.table import Table
from controller.runtime.home import Home
from controller.settings import Settings
from firmware.errors import BusFault, TileSlow
from firmware.selftest.findings import SelftestReport
from hardware.box import load_box
from hardware.tiles import TileId
from tests.on_box import test_electronics, test_tiles, test_vision
from tests.on_box.__main__ import empty_page
from tests.on_box.form import Entry, Form
from tests.on_box.people import Person, Reader, Request
from tests.on_box.visit import Visit, find_visit
from tests.test_house import ROOT
from vision.reading import DieReading, Reading, Reason, read, refused

PAGE = ROOT / "docs/evidence/on-hardware.md"


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    folder = tmp_path_factory.mktemp("home")
    return Home(folder, folder, fixed=True)


def typed(*answers: str) -> Person:
    return Reader(answers, lambda _text: None)


def visit_with(home: Home, person: Person, faults: Sequence[str] = ()) -> Visit:
    """A visit at a simulated box in this process."""
    chosen = choose_box("classic-9", Settings(), home, mock=True, faults=faults, seed=1)
    visit = Visit(home, chosen, person)
    visit.answering = chosen.box.chips
    return visit


# The form.


def test_the_form_in_the_repository_is_made_by_the_tests() -> None:
    assert PAGE.read_text("utf-8") == empty_page(), "python -m tests.on_box > docs/evidence/on-hardware.md"


def test_the_report_tells_what_failed_first_and_has_the_rows_of_the_form() -> None:
    form = Form(load_box("classic-9"))
    for entry in form.entries.values():
        entry.seen, entry.result = "as it should be", "pass"
    stuck = form.entries["test_the_sensors_see_the_tile", "front-5"]
    stuck.seen, stuck.result, stuck.why = "shut | open", "FAIL", "H-302 front-5: expected open.\nLook at it."
    form.entries["test_the_lamp", ""].result = ""
    lines = form.page().splitlines()
    wire = load_box("classic-9").tiles[TileId.parse("front-5")]
    assert lines[2].startswith(f"**{len(form.entries) - 2} pass, 1 FAIL, 0 skipped, 1 not reached.**")
    assert lines[4] == "- **sensors of front-5**: H-302 front-5: expected open. Look at it."
    wires = ", ".join(str(each) for each in (wire.shut, wire.open) if each is not None)
    row = rf"| sensors of front-5 | {wires} | both ends, and no other tile's | shut \| open; H-302 front-5: expected "
    assert f"{row}open. Look at it. | FAIL |" in lines
    empty = Form(load_box("classic-9")).empty_page().splitlines()
    rows = [[line.split(" | ")[0] for line in page if line.startswith("|")] for page in (lines, empty)]
    assert rows[0] == rows[1]


# A person's answers.


async def turn_servo(home: Home, *answers: str) -> Entry:
    visit = visit_with(home, typed(*answers))
    tile = TileId.parse("front-3")
    entry = visit.form.entries["test_the_servo_turns", str(tile)]
    async with visit.chosen.open_table() as table:  # type: ignore[union-attr]
        try:
            await test_tiles.test_the_servo_turns(visit, table, entry, tile)
        finally:
            assert not table.firmware.servos.is_driving
    return entry


async def test_a_servo_that_the_person_sees_turn_passes(home: Home) -> None:
    assert (await turn_servo(home, "", "y")).seen == "the person saw front-3"


async def test_a_servo_that_nobody_sees_turn_is_named(home: Home) -> None:
    with pytest.raises(pytest.fail.Exception, match=r"H-301 front-3: expected its servo \(0x40/2\) turns, seen none"):
        await turn_servo(home, "", "n")


async def test_another_arm_that_turns_is_named_with_the_one_that_was_driven(home: Home) -> None:
    with pytest.raises(pytest.fail.Exception, match=r"H-307 front-3: .* seen that of front-4"):
        await turn_servo(home, "", "Front-4")


class Hand:
    """A person who lays this tile, and no other, whichever they are asked for, and sets it up again."""

    def __init__(self, tile: str) -> None:
        self._tile = tile
        self.hands: Hands | None = None
        self.loop = asyncio.get_running_loop()

    def answer(self, request: Request) -> str:
        assert self.hands is not None
        deed = parse_action(("tip", self._tile, request.deeds[0].split()[-1]))
        asyncio.run_coroutine_threadsafe(self.hands.do(deed), self.loop).result()
        return ""


async def sense(home: Home, asked: str, laid: str, *faults: str) -> Entry:
    hand, tile = Hand(laid), TileId.parse(asked)
    visit = visit_with(home, hand, faults)
    entry = visit.form.entries["test_the_sensors_see_the_tile", asked]
    async with visit.chosen.open_table() as table:  # type: ignore[union-attr]
        hand.hands = table.hands
        await test_tiles.test_the_sensors_see_the_tile(visit, table, entry, tile)
    return entry


async def test_sensors_that_see_their_tile_pass(home: Home) -> None:
    assert (await sense(home, "front-3", "front-3")).seen == "shut, then open"


async def test_sensors_of_another_tile_are_named(home: Home) -> None:
    with pytest.raises(pytest.fail.Exception, match="H-307 front-3: expected the shut sensor of front-3, seen that of"):
        await sense(home, "front-3", "front-4")


async def test_a_sensor_that_says_nothing_is_named_with_its_wire(home: Home) -> None:
    with pytest.raises(pytest.fail.Exception, match=r"H-302 front-3: expected shut \(GPIO\d+.*\), seen neither"):
        await sense(home, "front-3", "front-3", "stuck-open:front-3")


async def test_after_q_nothing_more_is_asked(home: Home) -> None:
    visit = visit_with(home, typed("s", "Q"))
    with pytest.raises(pytest.skip.Exception, match="the person skipped it"):
        await visit.ask(Request("Is it there?"))
    with pytest.raises(pytest.skip.Exception, match="the person stopped here"):
        await visit.ask(Request("Is it there?"))
    assert visit.reason == "the person stopped here"


def faces(*values: int) -> Reading:
    return read(tuple(DieReading(value, (50.0 * at, 50.0), 0.9, "white") for at, value in enumerate(values)))


async def examine_slow(home: Home, monkeypatch: pytest.MonkeyPatch, *times: set[str]) -> set[str]:
    """Have the self-test find these tiles slow, time after time; return those that fail, with what is named."""
    found = iter(times)

    async def examine(*_: object) -> SelftestReport:
        faults = (TileSlow(tile, expected="0.24 s", seen="0.3 s").fault for tile in sorted(next(found)))
        return SelftestReport(tuple(faults), ())

    monkeypatch.setattr(test_tiles, "examine", examine)
    visit, failed, table = visit_with(home, typed("")), set(), cast("Table", None)
    for tile in visit.box.tile_ids:
        try:
            await test_tiles.test_the_tile_goes_down_and_up(visit, table, visit.form.entries["test_the_lid", ""], tile)
        except pytest.fail.Exception as failure:
            failed.add(f"{tile} {str(failure).partition(':')[0]}")
    assert not list(found)
    return failed


async def test_a_tile_is_slow_if_it_is_so_every_time(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not await examine_slow(home, monkeypatch, {"front-1"}, {"front-2"})
    three = ({"front-1", "front-2"}, {"front-2", "front-3"}, {"front-2", "front-1"})
    assert await examine_slow(home, monkeypatch, *three) == {"front-2 H-306 front-2"}


async def test_a_wrong_reading_that_was_certain_is_told_first(home: Home) -> None:
    visit = visit_with(home, typed("yes", "", "5 3", "", "6,2", "", "1 1"))
    seen = iter((faces(3, 5), refused(Reason.COCKED, "One die leans."), faces(1, 4)))
    accepted: list[bool] = []
    corrected: list[tuple[int, ...]] = []

    async def look_now(_allowed: frozenset[int]) -> Reading:
        return next(seen)

    watcher = SimpleNamespace(
        keep_evidence=lambda _keep: None,
        look_now=look_now,
        accept=lambda: accepted.append(True),
        correct=corrected.append,
    )
    table: Any = SimpleNamespace(watcher=watcher)
    config: Any = SimpleNamespace(getoption=lambda _name: 3)
    entry = visit.form.entries["test_throws", ""]
    with pytest.raises(pytest.fail.Exception, match=r"throw 3: read \(1, 4\), lay \(1, 1\)"):
        await test_vision.test_throws(visit, table, entry, config)
    told = entry.seen.split("; ")
    assert told[0] == "wrong 1, asked 1, right 1 of 3"
    assert told[1:] == ["throw 3: read (1, 4), lay (1, 1)", "throw 2: cocked for (2, 6)"]
    assert (len(accepted), corrected) == (2, [(1, 1)])


async def test_a_camera_that_is_not_calibrated_is_calibrated_at_the_terminal_with_the_box_closed(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    visit, terminal = visit_with(home, typed("")), home.data / "terminal"
    monkeypatch.setattr(visit, "chosen", replace(visit.chosen, simulated=False))  # type: ignore[type-var]
    terminal.touch()
    monkeypatch.setattr(test_vision, "TERMINAL", terminal)

    def command(*words: str) -> tuple[str, ...]:
        assert visit.table is None
        return (sys.executable, "-c", f"print(*{words!r})")

    monkeypatch.setattr(test_vision, "shutbox_command", command)
    monkeypatch.setattr(test_vision, "load_real_camera", lambda _folder, _box: terminal.read_text("utf-8") or None)
    await visit.open_box()
    try:
        await test_vision.test_the_calibration(visit, visit.form.entries["test_the_calibration", ""])
        assert visit.table is not None
    finally:
        await visit.close_box()
    assert terminal.read_text("utf-8") == "calibrate camera\n"


# A real computer.


@pytest.fixture
def pi(home: Home, monkeypatch: pytest.MonkeyPatch) -> Path:
    """This computer says that it is a Pi; a file with what somebody types there."""
    monkeypatch.setenv("SHUTBOX_HOME", str(home.data))
    model, answers = home.data / "model", home.data / "answers"
    model.write_text("Raspberry Pi 4 Model B Rev 1.5\0")
    answers.write_text("Ann\n")
    monkeypatch.setattr("controller.runtime.machine._MODEL", model)
    return answers


async def test_on_a_pi_the_box_is_opened_as_a_game_opens_it_and_what_is_missing_is_named(pi: Path) -> None:
    visit = find_visit(None, pi, lambda _text: None)
    assert not visit.reason
    assert not visit.is_simulated
    entries = visit.form.entries
    await test_electronics.test_the_model(visit, entries["test_the_model", ""])
    assert entries["test_the_model", ""].seen.startswith("Raspberry Pi 4 Model B Rev 1.5, ")
    # This computer has no header.
    with pytest.raises(BusFault) as missing:
        await test_electronics.test_the_box_opens(visit, entries["test_the_box_opens", ""])
    assert missing.value.code in ("H-206", "H-207")
    assert (visit.form.head["who"], visit.table) == ("Ann", None)


def test_without_a_terminal_nobody_is_asked(pi: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.on_box.visit.TERMINAL", pi.with_name("no-terminal"))
    assert "start it in a terminal" in find_visit(None, None, lambda _text: None).reason


# Where there is no box.


def test_without_a_pi_the_reason_says_how_to_do_without(monkeypatch: pytest.MonkeyPatch, home: Home) -> None:
    monkeypatch.setenv("SHUTBOX_HOME", str(home.data))
    visit = find_visit(None, None, lambda _text: None)
    assert visit.reason.startswith("no box is tested: this machine is no Raspberry Pi; say --wire=FOLDER")


def test_without_a_mock_box_the_reason_says_how_to_start_one(home: Home) -> None:
    assert "start one with `shutbox mock-box`" in find_visit(home.data, None, lambda _text: None).reason
