"""What root writes in the home of a box is its owner's, file by file as if the owner had written it."""

import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.runtime import home as homes
from controller.runtime.home import Home
from tests.controller.conftest import Shutbox
from tests.support.homes import furnish
from tests.support.users import SERVICE, acting_as, folder_of_group, needs_root

pytestmark = needs_root

SERVICES_OWN, PRIVATE = 0o2770, 0o700  # of systemd/tmpfiles.conf, and of a home that a user named
COMMANDS = [
    ("backup", "HOME"),
    ("restore", "BACKUP", "--yes"),
    ("selftest", "--mock"),
    ("calibrate", "dice", "--forget", "stars"),
    ("doctor",),
    ("devices",),
    ("scores", "--all"),
    ("replay", "1"),
]
_STAMP = re.compile(r"\d{4}-\d\d-\d\d(T\d{6})?")


@pytest.fixture
def shutbox_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("loading")


def load(shutbox: Shutbox, folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    """Have the parts of Python loaded that a command needs: on this machine they may be closed to others than root."""
    monkeypatch.setenv("SHUTBOX_HOME", str(folder))
    furnish(Home(folder, folder))
    for each in (("backup", "BACKUP"), ("devices",), words):
        shutbox(*(str(folder / "saved.tar.gz") if word in ("HOME", "BACKUP") else word for word in each))


@contextmanager
def played_at(mode: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    """A home of the service in which it has played."""
    with folder_of_group(mode) as data:
        os.chown(data, SERVICE, SERVICE)
        data.chmod(mode)
        monkeypatch.setenv("SHUTBOX_HOME", str(data))
        if mode == SERVICES_OWN:
            monkeypatch.setattr(homes, "SERVICE_DATA", data)
        home = Home(data, data)
        with acting_as(SERVICE):
            furnish(home)
        yield home


def owners_of(home: Home) -> dict[str, tuple[int, int, int]]:
    """User, group and mode of everything in a home, with dates left out of the names."""
    found = ((path, path.lstat()) for path in (home.data, *home.data.rglob("*")))
    return {
        _STAMP.sub("DATE", str(path.relative_to(home.data))): (each.st_uid, each.st_gid, stat.S_IMODE(each.st_mode))
        for path, each in found
    }


@pytest.mark.parametrize(
    ("mode", "words"),
    [*((PRIVATE, words) for words in COMMANDS), *((SERVICES_OWN, words) for words in COMMANDS[:3])],
    ids=str,
)
def test_after_a_command_of_root_the_home_is_as_after_one_of_its_owner(
    shutbox: Shutbox,
    shutbox_home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    mode: int,
    words: Sequence[str],
) -> None:
    load(shutbox, shutbox_home, monkeypatch, *words)
    found = []
    for user in (SERVICE, 0):
        with played_at(mode, monkeypatch) as home, folder_of_group(0o755) as outside:
            os.chown(outside, user, user)
            monkeypatch.chdir(outside)
            with acting_as(user):
                assert shutbox("backup", "saved.tar.gz")[0] == 0
                places = {"HOME": str(home.data), "BACKUP": "saved.tar.gz"}
                status, _, err = shutbox(*(places.get(word, word) for word in words))
            monkeypatch.chdir(tmp_path)
            assert (status in (0, 1), "Permission" in err) == (True, False), err
            found.append(owners_of(home))
    assert found[1] == found[0]
    assert {user for user, _, _ in found[0].values()} == {SERVICE}


def test_what_the_call_names_elsewhere_is_roots_and_may_be_closed_to_the_owner(
    shutbox: Shutbox, shutbox_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(shutbox, shutbox_home, monkeypatch, "selftest", "--mock", "--report", str(shutbox_home / "page.html"))
    with played_at(PRIVATE, monkeypatch):
        for words in (
            ("backup", str(tmp_path / "saved.tar.gz")),
            ("restore", str(tmp_path / "saved.tar.gz"), "--yes"),
            ("doctor", str(tmp_path / "report.txt")),
            ("selftest", "--mock", "--report", str(tmp_path / "page.html")),
        ):
            with acting_as(0):
                status, _, err = shutbox(*words)
            assert status == 0, err
    assert {path.name: path.stat().st_uid for path in tmp_path.iterdir()} == {
        "saved.tar.gz": 0,
        "report.txt": 0,
        "page.html": 0,
    }
