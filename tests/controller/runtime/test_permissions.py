"""Who was turned away from a file hears whose it is and what lets them in."""

import grp
import pwd
from pathlib import Path

import pytest

from controller.runtime.locks import why_closed
from tests.support.users import MEMBER, SERVICE, acting_as, folder_of_group, needs_root

pytestmark = needs_root


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The service's user and group have names, and so has the one who asks; the list is who is in the group."""
    users = {SERVICE: "shutbox", MEMBER: "anna", 0: "root"}
    members: list[str] = []
    monkeypatch.setattr(
        pwd, "getpwuid", lambda number: pwd.struct_passwd((users[number], "x", number, number, "", "/", "/bin/sh"))
    )
    monkeypatch.setattr(grp, "getgrgid", lambda number: grp.struct_group(("shutbox", "x", number, members)))
    return members


def told(place: Path) -> str:
    with acting_as(MEMBER):
        return why_closed(place).replace(str(place), "PLACE")


@pytest.mark.parametrize("name", ["", "shutbox.sock", "dice/red.npz"])
def test_a_folder_of_a_group_is_opened_by_joining_it(names: list[str], name: str) -> None:
    with folder_of_group(0o2770) as folder:
        assert told(folder / name) == (
            "PLACE is closed to anna: say `sudo adduser anna shutbox` and log in again, "
            "or put `sudo -u shutbox` before the command"
        )


def test_a_device_of_root_and_a_group_is_no_reason_to_become_root(names: list[str]) -> None:
    with folder_of_group(0o755) as folder:
        device = folder / "i2c-1"
        device.touch(mode=0o660)
        assert told(device) == "PLACE is closed to anna: it is for root alone; put `sudo -u root` before the command"
        folder.chmod(0o2775)
        device.unlink()
        device.touch(mode=0o660)
        assert told(device) == "PLACE is closed to anna: say `sudo adduser anna shutbox` and log in again"


def test_a_member_whose_session_is_older_logs_in_again(names: list[str]) -> None:
    names.append("anna")
    with folder_of_group(0o2770) as folder:
        assert told(folder) == (
            "PLACE is closed to anna, whose session began before the group shutbox let them in; log in again"
        )


def test_what_is_for_its_owner_alone_needs_its_owner(names: list[str]) -> None:
    with folder_of_group(0o700) as folder:
        assert told(folder / "x") == (
            "PLACE is closed to anna: it is for shutbox alone; put `sudo -u shutbox` before the command"
        )
