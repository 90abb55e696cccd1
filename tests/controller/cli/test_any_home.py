"""A daemon comes up whatever lies in the place of a file that its start reads, tells which it is, and loses none."""

import asyncio
import os
import shutil
import socket
import stat
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from threading import Event

import pytest

import controller.cli.daemon as cli_daemon
import controller.cli.run as cli_run
from controller.access.state import AccessState, write_state
from controller.box.choose import choose_box_at_start
from controller.box.start import keep_settings, settings_at_start
from controller.cli.daemon import describe_doing, run_daemon
from controller.errors import NoBox, NotCalibrated, SettingsError
from controller.game.core.commands import StartGame
from controller.game.core.players import Player
from controller.journal.files import backup_copy_of, rebuilt_path_of
from controller.referee.referee import Referee
from controller.runtime.home import Home, find_home
from controller.runtime.swap import moves_of
from controller.service.restarts import RunCounts
from controller.settings import Settings
from controller.web.pages.start import read_presets
from firmware.messages import SensorReport
from firmware.selftest.wear import WearFile
from hardware.box import load_box
from hardware.sim.store import TileStore
from hardware.tiles import Position, TileId
from tests.controller.conftest import Shutbox
from tests.support.homes import BOX, furnish, leave_swap
from tests.support.long import long_but_every

HUGE_BYTES = 3 * 2**30
NEWER = {".toml": b"version = 99\n", ".json": b'{"version": 99}', ".npz": b"PK\x05\x06" + bytes(18)}


def cut_in_two(place: Path) -> None:
    place.write_bytes(place.read_bytes()[: place.stat().st_size // 2] + b"\xff")


def write_newer(place: Path) -> None:
    place.write_bytes(NEWER.get(place.suffix, b"version 99 of something else\n"))


def make_noise(place: Path) -> None:
    place.write_bytes(bytes(range(256)) * 20)


def grow(place: Path) -> None:
    os.truncate(place, HUGE_BYTES)


def put(make: Callable[[Path], object]) -> Callable[[Path], None]:
    """Put something else in the place of a file."""

    def damage(place: Path) -> None:
        place.unlink()
        make(place)

    return damage


def bind(place: Path) -> None:
    # A path of a socket has 108 bytes at most.
    folder = os.open(place.parent, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"/proc/self/fd/{folder}/{place.name}")
    os.close(folder)


DAMAGES: dict[str, Callable[[Path], None]] = {
    "torn": cut_in_two,
    "noise": make_noise,
    "of a newer version": write_newer,
    "huge": grow,
    "a FIFO": put(os.mkfifo),
    "a device": put(lambda place: place.symlink_to("/dev/zero")),
    "a socket": put(bind),
    "a folder": put(Path.mkdir),
    "a loop of links": put(lambda place: place.symlink_to(place.name)),
    "a link to nothing": put(lambda place: place.symlink_to("gone")),
}
# The files that a start reads, each with the key or the code of what is told; "": nothing, since nothing is missed.
FILES = {
    "settings.toml": "C-323",
    "calibration.toml": "C-102",
    "ours.toml": "C-101",
    "dice/stars.npz": "C-323",
    f"simulated-{BOX}.json": "C-323",
    f"wear-simulated-{BOX}.json": "C-323",
    "runs.json": "C-323",
    "access.json": "access.damaged",
    "journal.sqlite3": "journal.damaged",
    "journal.mark": "journal.unmarked",
    "journal.good.sqlite3": "",
    ".journal.sqlite3.fresh": "",
    ".swap/moves.json": "C-323",
}
# Where a damage leaves all that is used: a journal knows its length, and a mark is there twice.
HARMLESS = {("journal.sqlite3", "huge"), ("journal.mark", "torn")}
CASES = [(file, damage) for file in FILES for damage in DAMAGES]


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with every file that a start reads."""
    folder = tmp_path_factory.mktemp("furnished")
    home = Home(folder, folder)
    furnish(home)
    shutil.copy(str(files("hardware").joinpath("boxes", f"{BOX}.toml")), folder / "ours.toml")
    write_state(home.access, AccessState())
    home.runs.write_text(RunCounts(ended=3).model_dump_json())
    box = load_box(BOX)
    TileStore(home.simulated_tiles(BOX), BOX, box.tile_ids).save(dict.fromkeys(box.tile_ids, 0.0))
    wear = WearFile(home.wear(BOX, mock=True), BOX)
    wear.note_moves([SensorReport(TileId.parse("front-7"), Position.SHUT, 0.0, took_s=0.2, tries=1)])
    wear.write()
    shutil.copy(home.journal, backup_copy_of(home.journal))
    return folder


@pytest.fixture
def home(furnished: Path, tmp_path: Path) -> Home:
    """A copy of that home, whose settings name its own profile and dice."""
    folder = tmp_path / "home"
    shutil.copytree(furnished, folder)
    home = Home(folder, folder, fixed=True)
    home.settings.write_text(f'box = "{folder}/ours.toml"\ndice = "stars"\nplayers = ["Ann"]\n')
    return home


@pytest.fixture(autouse=True)
def _without_doors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody comes to this table but by the referee: making the application takes longer than all the rest."""

    async def serve(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(cli_daemon, "make_app", lambda *_, **__: None)
    monkeypatch.setattr(cli_daemon, "serve_terminal", serve)


@asynccontextmanager
async def started(home: Home) -> AsyncIterator[Referee]:
    """A daemon on this home, as `shutbox run --mock --seed 1` starts it."""
    start = settings_at_start(home)
    box = choose_box_at_start(None, start, home, mock=True, faults=(), seed=1)
    async with run_daemon(box, home, start.now) as referee:
        yield referee


def kind_of(place: Path) -> object:
    """What cannot be read of a file, or is no file: its kind and where it leads; else what is in it."""
    status = place.lstat()
    if stat.S_ISLNK(status.st_mode):
        return place.readlink()
    if not stat.S_ISREG(status.st_mode):
        return stat.S_IFMT(status.st_mode), status.st_ino
    return status.st_size if status.st_size == HUGE_BYTES else place.read_bytes()


async def test_a_sound_home_has_nothing_to_tell(home: Home) -> None:
    async with started(home) as referee:
        assert referee.snapshot.notice == ""
    assert home.last_settings.read_bytes() == home.settings.read_bytes()


@pytest.mark.parametrize(("file", "damage"), long_but_every(3, CASES))
async def test_it_comes_up_tells_the_file_and_loses_nothing(home: Home, file: str, damage: str) -> None:
    place = home.data / file
    if place == rebuilt_path_of(home.journal):
        shutil.copy(home.journal, place)
    if place == moves_of(home.data):
        leave_swap(home.data, {}, old=["settings.toml"])
    DAMAGES[damage](place)
    before = kind_of(place)

    async with started(home) as referee:
        snapshot = referee.snapshot
        told = {str(each.args.get("code", each.key)): each for each in snapshot.notice_messages}

    if FILES[file] and (file, damage) not in HARMLESS:
        assert FILES[file] in told
    if FILES[file].startswith("C-"):
        fault = told[FILES[file]].args
        assert str(fault["part"]).partition(":")[0] == file
        assert fault["seen"]
        assert fault["cure"]
        assert f"{fault['part']}" in describe_doing(snapshot), "systemctl status says it too"
    if file != "journal.mark" or damage not in ("torn", "of a newer version"):  # what is no mark is written over
        assert before in [kind_of(each) for each in place.parent.iterdir()], "it is lost"


async def test_the_last_usable_settings_hold_and_the_line_that_is_wrong_is_told(home: Home) -> None:
    async with started(home):
        pass
    usable = home.settings.read_text()
    home.settings.write_text(f"{usable}bocks = 1\n")

    start = settings_at_start(home)
    assert (start.now.players, start.is_known) == (("Ann",), True)
    async with started(home) as referee:
        notice = referee.snapshot.notice
    assert "settings.toml:4" in notice
    assert "bocks: unknown key" in notice
    assert "those of settings.last.toml hold" in notice
    assert home.last_settings.read_text() == usable


def test_a_page_to_start_a_game_offers_the_last_usable_players(home: Home) -> None:
    keep_settings(home)
    home.settings.write_text("bocks = 1\n")
    home.journal.unlink()
    assert [player.name for player in read_presets(home).players] == ["Ann"]


@pytest.mark.parametrize("damage", ["a FIFO", "noise"])
def test_guard_and_parking_know_the_box_from_the_last_usable_settings(home: Home, damage: str) -> None:
    DAMAGES[damage](home.settings)
    with pytest.raises(SettingsError, match=r"settings\.toml"):
        _ = settings_at_start(home).known
    home.last_settings.write_text('pins = "rpigpio"\n')
    assert settings_at_start(home).known.pins == "rpigpio"


async def test_what_is_told_lasts_until_somebody_plays(home: Home) -> None:
    home.settings.write_text("bocks = 1\n")
    async with started(home) as referee:
        assert "settings.toml:1" in referee.snapshot.notice
        await referee.ask(StartGame((Player("Ann"),)))
        assert "settings.toml" not in referee.snapshot.notice


@pytest.mark.parametrize(("file", "code"), [("ours.toml", "C-101"), ("calibration.toml", "C-102")])
async def test_without_profile_or_calibration_no_game_begins(home: Home, file: str, code: str) -> None:
    (home.data / file).write_text("?")
    async with started(home) as referee:
        with pytest.raises(NotCalibrated, match=rf"{code} {file}:1"):
            await referee.ask(StartGame((Player("Ann"),)))


async def test_a_box_of_metal_whose_settings_are_unknown_is_not_opened(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.box.choose.require_pi", lambda: None)
    home.settings.write_text("bocks = 1\n")
    start = settings_at_start(home)
    assert start.now == Settings()
    box = choose_box_at_start(None, start, home, mock=False, faults=(), seed=None)
    assert not box.simulated
    async with run_daemon(box, home, start.now) as referee:
        assert not referee.snapshot.simulated
        with pytest.raises(NotCalibrated, match=r"C-101 settings\.toml"):
            await referee.ask(StartGame((Player("Ann"),)))
    with pytest.raises(NoBox, match="C-101"):
        box.rigs()


def test_a_box_that_the_call_itself_names_wrongly_is_a_wrong_call(shutbox: Shutbox) -> None:
    status, _, err = shutbox("run", "--mock", "--box", "two-levle-9")
    assert (status, err.splitlines()[-1].startswith("shutbox: two-levle-9: no such box")) == (2, True)


def test_a_service_that_cannot_start_shows_why_before_it_is_started_again(
    shutbox: Shutbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str | float] = []
    monkeypatch.setattr(cli_run, "started_by_systemd", lambda: True)
    monkeypatch.setattr(cli_run, "notify_status", shown.append)
    monkeypatch.setattr(Event, "wait", lambda _, pause_s: shown.append(pause_s))
    assert shutbox("run", "--mock", "--box", "nowhere")[0] == 2
    assert len(shown) == 2
    assert str(shown[0]).startswith("Does not start: nowhere: no such box")


@pytest.mark.parametrize("damage", ["noise", "a FIFO", "a folder"])
def test_a_question_about_settings_that_cannot_be_read_gets_one_line(
    home: Home, damage: str, shutbox: Shutbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    DAMAGES[damage](home.settings)
    monkeypatch.setenv("SHUTBOX_HOME", str(home.data))
    status, out, err = shutbox("settings")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "settings.toml" in err


def test_a_home_that_can_only_be_read_has_its_sockets_elsewhere_for_daemon_and_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / "home"
    closed.mkdir()
    monkeypatch.setenv("SHUTBOX_HOME", str(closed))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert find_home().socket.parent == closed
    monkeypatch.setattr(os, "access", lambda place, *_, **__: Path(place) != closed)
    home = find_home()
    home.make()
    assert {home.socket.parent, home.lock.parent} == {home.runtime}
    assert home.runtime.parent == tmp_path
    assert (find_home().socket, home.journal.parent) == (home.socket, closed)
