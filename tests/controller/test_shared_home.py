"""The home of a box that is a service: the service and the people of its group write it, and nobody else."""

import os
import re
import stat
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from controller.cli.options import Installation
from controller.errors import SettingsError
from controller.journal.recovery import open_journal
from controller.journal.store import Journal
from controller.odds.shutbox.tables import save_table, table_path
from controller.runtime import home as homes
from controller.runtime.home import Home, find_box_home, find_home
from controller.runtime.locks import lock
from controller.web.network import daemon_runs
from controller.web.server import listen
from hardware.calibration import write_durably
from tests.support.said import text_of
from tests.support.users import GROUP, MEMBER, SERVICE, STRANGER, acting_as, folder_of_group, needs_root

pytestmark = needs_root
MODE = 0o2770  # of systemd/tmpfiles.conf


@pytest.fixture
def data(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with folder_of_group(MODE) as folder:
        for name in ("SHUTBOX_HOME", "STATE_DIRECTORY", "RUNTIME_DIRECTORY"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr(homes, "SERVICE_DATA", folder)
        yield folder


def write_all(home: Home) -> None:
    """What daemon, calibrations and self-test write into a home."""
    home.make()
    with lock(home.lock), Journal(home.journal) as journal:
        journal.append(journal.next_game_id(), "two-level-9", ())
    write_durably(home.wear("two-level-9", mock=False), b"{}")
    save_table(table_path(home.odds, "key"), "key", np.zeros(3))


@pytest.mark.parametrize("order", [(SERVICE, MEMBER), (MEMBER, SERVICE), (0, SERVICE), (SERVICE, MEMBER, SERVICE)])
def test_the_service_and_people_of_its_group_write_the_same_files(data: Path, order: tuple[int, ...]) -> None:
    for user in order:
        with acting_as(user, GROUP):
            write_all(find_box_home())

    with acting_as(SERVICE, GROUP), Journal(data / "journal.sqlite3") as journal:
        assert journal.game_ids() == list(range(1, len(order) + 1))
    found = {path.name: path.stat() for path in data.rglob("*")}
    assert {status.st_gid for status in found.values()} == {GROUP}
    assert {status.st_mode & (stat.S_IRGRP | stat.S_IRWXO) for status in found.values()} == {stat.S_IRGRP}


def test_what_root_writes_the_service_owns(data: Path) -> None:
    with acting_as(0):
        write_all(find_box_home())
    assert {path.stat().st_uid for path in data.rglob("*")} == {SERVICE}


@pytest.mark.parametrize("name", ["journal.sqlite3", "journal.mark", "."])
def test_a_file_of_roots_is_named_with_its_owner_and_the_cure_and_no_card_is_blamed(data: Path, name: str) -> None:
    """As restores of earlier versions left them."""
    with acting_as(SERVICE, GROUP):
        write_all(find_box_home())
    os.chown(data / name, 0, 0)
    (data / name).chmod(0o755 if name == "." else 0o640)

    with acting_as(SERVICE):
        journal, [found] = open_journal(data / "journal.sqlite3", date(2026, 11, 29))
    journal.close()

    assert (found.key, found.args["file"], found.args["owner"]) == ("journal.closed", (data / name).name, "root")
    told = f"{data / name} is root's and closed to {SERVICE}, and what cannot be kept does not count; "
    assert found.args["cause"] == f"{told}say `sudo chown -R {SERVICE} {data}`"
    assert "card" not in text_of((found,))


def test_a_lock_of_roots_in_a_home_of_ones_own_is_told_with_the_cure(data: Path) -> None:
    (data / "shutbox.lock").touch(mode=0o600)
    cure = rf"shutbox.lock is root's and closed to {SERVICE}; say `sudo chown -R {SERVICE} {re.escape(str(data))}`"
    with acting_as(SERVICE), pytest.raises(SettingsError, match=cure), lock(data / "shutbox.lock"):
        pass


def test_a_stranger_is_told_whose_the_box_is_and_how_to_get_in(data: Path) -> None:
    cure = rf"a service, and {data} is closed to {STRANGER}: say `sudo adduser {STRANGER} {GROUP}` and log in again"
    with acting_as(STRANGER), pytest.raises(SettingsError, match=f"{re.escape(cure)}, or put `sudo -u {SERVICE}`"):
        find_box_home()


def test_a_stranger_keeps_a_home_for_simulated_boxes(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/stranger")  # root's own may be closed to them
    with acting_as(STRANGER):
        assert Installation(mock=True).home == find_home() != Home(data, data)
        with pytest.raises(SettingsError, match="a service"):
            Installation("two-level-9").home.make()
        assert Installation("two-level-9").box == "two-level-9"  # what needs no home is for everybody


def test_a_named_home_goes_before_the_service(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHUTBOX_HOME", str(tmp_path))
    with acting_as(STRANGER):
        assert find_box_home() == Home(tmp_path, tmp_path, fixed=True)


def test_one_lock_keeps_people_and_service_apart(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    people = find_box_home()
    monkeypatch.setenv("STATE_DIRECTORY", str(data))
    monkeypatch.setenv("RUNTIME_DIRECTORY", "/run/shutbox")
    assert people.lock == find_home().lock
    assert set(find_home().sockets) <= set(people.sockets)
    assert people.guard_socket in find_home().guard_sockets


def test_a_lock_that_is_closed_says_who_may(data: Path) -> None:
    (data / "shutbox.lock").touch(mode=0o600)
    with (
        acting_as(MEMBER, GROUP),
        pytest.raises(SettingsError, match=rf"closed to {MEMBER}: it is for root alone; put `sudo -u root`"),
        lock(data / "shutbox.lock"),
    ):
        pass


def test_a_daemon_behind_a_closed_folder_is_not_taken_for_none() -> None:
    with folder_of_group(0o750) as folder, listen(folder / "shutbox.sock"):
        (folder / "shutbox.sock").chmod(0o666)
        home = Home(folder, folder, fixed=True)
        with acting_as(MEMBER, GROUP):
            assert daemon_runs(home)
        with acting_as(STRANGER), pytest.raises(SettingsError, match=f"a daemon: .* is closed to {STRANGER}: say"):
            daemon_runs(home)


def test_the_socket_of_the_service_lets_its_group_in() -> None:
    with folder_of_group(0o2770) as folder:
        home = Home(folder, folder, fixed=True)
        with acting_as(SERVICE, GROUP), listen(home.socket), acting_as(MEMBER, GROUP):
            assert daemon_runs(home)
