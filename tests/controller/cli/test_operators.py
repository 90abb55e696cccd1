"""`shutbox pin`, `pair`, `devices` and `code`: what the person at the box types and reads."""

import asyncio
import io
import json
import re
from pathlib import Path

import pytest

import controller.cli.main as cli
from controller.access import pin as pins
from controller.access.access import open_access

PIN = "402817"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(pins, "_COST", 16)
    monkeypatch.setattr(pins, "_PASSES", 1)
    monkeypatch.setenv("SHUTBOX_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


class Keyboard(io.StringIO):
    """Somebody types, and no program."""

    def isatty(self) -> bool:
        return True


class Terminal:
    """One person at it."""

    def __init__(self, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]) -> None:
        self.patch = patch
        self.capture = capture

    def __call__(self, line: str, typed: str | io.StringIO = "") -> tuple[int, str]:
        """Say `shutbox` and this; the status, and what is printed."""
        self.patch.setattr("sys.argv", ["shutbox", *line.split("|")])
        self.patch.setattr("sys.stdin", io.StringIO(typed) if isinstance(typed, str) else typed)
        with pytest.raises(SystemExit) as end:
            cli.main()
        out, err = self.capture.readouterr()
        assert max(map(len, (out + err).splitlines()), default=0) <= 100
        return int(end.value.code or 0), out + err


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(monkeypatch, capsys)


def test_a_pin_is_set_shown_and_forgotten(terminal: Terminal) -> None:
    assert terminal("pin|--show")[1].startswith("There is no PIN: devices become operators' by pairing alone")
    assert terminal("pin", f"{PIN}\n") == (0, "A PIN is set.\n")
    assert json.loads(terminal("pin|--show|--json")[1]) == {"set": True, "wrong": 0, "wait_s": 0}
    assert terminal("pin|--unlock") == (0, "A PIN is set.\n")
    assert terminal("pin|--forget")[1].startswith("There is no PIN")


@pytest.mark.parametrize("typed", ["", "\n", "123456\n", "12\n", "ann\n"])
def test_a_pin_that_cannot_be_set_leaves_the_one_before(terminal: Terminal, typed: str) -> None:
    terminal("pin", f"{PIN}\n")
    status, said = terminal("pin", typed)

    assert (status, said.count("\n")) == (2, 1)
    assert terminal("pin|--show") == (0, "A PIN is set.\n")


def test_a_pin_is_typed_twice_at_a_terminal(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter([PIN, "402818", PIN, PIN])
    monkeypatch.setattr("controller.cli.access.getpass", lambda _prompt: next(typed))

    assert terminal("pin", Keyboard())[0] == 2
    assert terminal("pin", Keyboard()) == (0, "A PIN is set.\n")


def test_one_thing_is_done_at_a_time(terminal: Terminal) -> None:
    assert terminal("pin|--forget|--unlock")[0] == 2


@pytest.mark.parametrize(
    ("left", "wrong", "said"),
    [
        (1, 0, ""),
        (1, 1, " 1 wrong one in a row."),
        (0, 5, " 5 wrong ones in a row. The next try is looked at in 120 seconds."),
        (0, 0, " The next try is looked at in 120 seconds."),
        (1, 10, " 10 wrong ones in a row. It is locked: `shutbox pin --unlock` opens it."),
    ],
)
def test_wrong_tries_are_told(terminal: Terminal, home: Path, left: int, wrong: int, said: str) -> None:
    terminal("pin", f"{PIN}\n")
    kept = json.loads((home / "access.json").read_text())
    (home / "access.json").write_text(json.dumps(kept | {"tries": {"left": left, "wrong": wrong}}))

    assert terminal("pin|--show")[1] == f"A PIN is set.{said}\n"


def test_devices_are_listed_and_revoked_by_name(terminal: Terminal, home: Path) -> None:
    assert terminal("devices") == (0, "No device is an operator's; the box's own terminal always is.\n")
    asyncio.run(_pair(home, "Ann's phone", "Wall"))
    assert re.fullmatch(
        r"  1  Ann's phone +since \d{4}-\d\d-\d\d, used \d{4}-\d\d-\d\d\n  2  Wall .*\n", terminal("devices")[1]
    )
    status, said = terminal("devices|--revoke|Bob")
    assert (status, "there are Ann's phone and Wall" in said) == (2, True)
    assert terminal("devices|--revoke|ann's phone")[1].startswith("  2  Wall")
    assert json.loads(terminal("devices|--json")[1])["name"] == "Wall"
    assert terminal("devices|--revoke|all|--json") == (0, "")


async def _pair(home: Path, *names: str) -> None:
    with open_access(home / "access.json") as access:
        for name in names:
            access.begin_pairing(name)
            await access.confirm_held(0)


def test_a_code_is_shown_and_renewed(terminal: Terminal) -> None:
    shown = terminal("code")[1]
    typed = json.loads(terminal("code|--json")[1])["typed"]

    assert shown.splitlines()[0] == f"Today's code: {typed[:3]} {typed[3:]}"
    assert "phones are let in with on = true under [web]" in shown
    assert json.loads(terminal("code|--new|--json")[1])["typed"] != typed


def test_a_number_that_nobody_waits_with_is_a_no(terminal: Terminal) -> None:
    assert terminal("pair|4711") == (1, "no device with the number 4711 waits to be paired\n")
