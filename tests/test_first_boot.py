"""The first boot of a card, the machine's programs played: what is done in which order, and what the console says."""

import importlib.util
import io
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SOURCE = Path(__file__).parents[1] / "systemd/card/first_boot.py"
QR = "█▀▀█\n█▄▄█\n"


@pytest.fixture(scope="module")
def first_boot() -> ModuleType:
    spec = importlib.util.spec_from_file_location("first_boot", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The root folder of a machine whose card has an update file."""
    for folder in ("etc/systemd/system", "boot/firmware/shutbox"):
        (tmp_path / folder).mkdir(parents=True)
    with tarfile.open(tmp_path / "boot/firmware/shutbox.tar", "w") as tar:
        wheel = io.BytesIO()
        with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("controller.py", "print('here')\n" * 99)
        member = tarfile.TarInfo("shutbox-1.0-py3-none-any.whl")
        member.size = wheel.tell()
        wheel.seek(0)
        tar.addfile(member, wheel)
    return tmp_path


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch, first_boot: ModuleType) -> list[tuple[str, ...]]:
    """The programs that are run; that of the QR code draws one."""
    said: list[tuple[str, ...]] = []

    def run(*command: str) -> str:
        said.append(command)
        return QR if "segno" in command[0] else ""

    monkeypatch.setattr(first_boot, "run", run)
    monkeypatch.setattr("shutil.chown", lambda *_: None)
    monkeypatch.setattr("socket.gethostname", lambda: "parlour")
    return said


@pytest.fixture
def card(first_boot: ModuleType, root: Path) -> Any:
    return first_boot.Card(root, root / "boot/firmware")


def overwrite(path: Path, place: int) -> None:
    """Have the card forget a few bytes of a file: 512 name its first wheel, 43 the module that is packed there."""
    with path.open("r+b") as file:
        file.seek(place)
        file.write(b"\xff" * 8)


def test_a_card_is_installed_and_only_then_marked(
    card: Any, root: Path, commands: list[tuple[str, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    card.install()

    installed = next(each for each in commands if "install" in each)
    assert installed[-2:] == ("install", str(root / "boot/firmware/shutbox.tar"))
    assert commands[-1] == ("systemctl", "enable", "--now", "shutbox.service")
    assert (root / "var/lib/shutbox/settings.toml").read_text() == "[web]\non = true\n"
    assert (root / "etc/modules-load.d/shutbox.conf").read_text() == "i2c-dev\n"
    assert card.done.exists()
    assert [path.name for path in card.done.parent.iterdir()] == ["installed"]  # and nothing that was unpacked
    assert "installing from the card" in capsys.readouterr().out


def test_the_program_that_installs_is_that_of_the_update_file(
    first_boot: ModuleType, card: Any, monkeypatch: pytest.MonkeyPatch, commands: list[tuple[str, ...]]
) -> None:
    seen: list[str] = []

    def run(*command: str) -> str:
        if "install" in command:
            seen.extend(path.name for path in Path(command[-3]).iterdir())
        return ""

    monkeypatch.setattr(first_boot, "run", run)
    card.install()
    assert seen == ["controller.py"]


def test_settings_of_an_owner_are_kept(card: Any, root: Path, commands: list[tuple[str, ...]]) -> None:
    settings = root / "var/lib/shutbox/settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[web]\non = false\n")
    card.install()
    assert settings.read_text() == "[web]\non = false\n"


def test_keys_and_an_unsigned_file_are_the_cards_own_choice(
    card: Any, root: Path, commands: list[tuple[str, ...]]
) -> None:
    marks = root / "boot/firmware/shutbox"
    (marks / "unsigned").touch()
    (marks / "keys").mkdir()
    (marks / "keys" / "ann.pub").write_text("key")
    card.install()

    assert next(each for each in commands if "install" in each)[-1] == "--unsigned"
    assert (root / "etc/shutbox/keys/ann.pub").read_text() == "key"


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda update: update.unlink(), "There is no shutbox.tar on the card's boot partition. Copy shutbox.tar"),
        (lambda update: os.truncate(update, 600), "is damaged, or not all of it is there"),
        (lambda update: overwrite(update, 512 + 43), "is damaged, or not all of it is there"),
        (lambda update: update.write_text("no tar"), "is damaged, or not all of it is there"),
    ],
)
def test_a_card_that_is_not_whole_is_told_and_not_marked(
    first_boot: ModuleType,
    card: Any,
    root: Path,
    commands: list[tuple[str, ...]],
    spoil: Callable[[Path], object],
    told: str,
) -> None:
    spoil(root / "boot/firmware/shutbox.tar")
    with pytest.raises(first_boot.CardError, match=told) as failed:
        card.install()

    assert "\n" not in str(failed.value)
    assert str(failed.value).endswith("then switch off and on.")
    assert not card.done.exists()
    assert not [each for each in commands if "install" in each or "systemctl" in each]


def test_the_last_line_of_a_program_that_fails_is_told(first_boot: ModuleType) -> None:
    with pytest.raises(first_boot.CardError, match=r"^no room; make some$"):
        first_boot.run("sh", "-c", "echo installing >&2; echo 'shutbox: no room; make some' >&2; exit 1")
    with pytest.raises(first_boot.CardError, match="no-such-program cannot be run"):
        first_boot.run("no-such-program")


def test_the_console_says_where_the_page_is_and_how_to_get_in(
    card: Any, root: Path, commands: list[tuple[str, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    settings = root / "var/lib/shutbox/settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[web]\non = true\nport = 80\n")
    card.tell(*card.welcome())

    said = capsys.readouterr().out
    assert said.startswith("Shut the Box: http://parlour.local:80\n█▀▀█\n█▄▄█\n")
    assert "sudo shutbox pair NUMBER" in said
    assert commands[0][-1] == "http://parlour.local:80/operator"
    assert (root / "run/issue.d/shutbox.issue").read_text() == f"{said}\n"
    assert commands[-1] == ("agetty", "--reload")


@pytest.mark.parametrize("settings", [None, "", "[web]\non = false\n", "bocks ="])
def test_where_no_phone_is_let_in_nothing_is_said(card: Any, root: Path, settings: str | None) -> None:
    if settings is not None:
        (root / "var/lib/shutbox").mkdir(parents=True)
        (root / "var/lib/shutbox/settings.toml").write_text(settings)
    assert card.welcome() == []


def test_what_a_login_prompt_would_replace_is_shown_as_it_is(
    card: Any, root: Path, commands: list[tuple[str, ...]]
) -> None:
    card.tell("C:\\n")  # \n is the name of the machine there
    assert (root / "run/issue.d/shutbox.issue").read_text() == "C:\\\\n\n\n"


def test_set_up_puts_script_and_unit_into_the_system_and_waits_for_nothing(
    card: Any, root: Path, commands: list[tuple[str, ...]]
) -> None:
    card.set_up()

    assert (root / "usr/local/lib/shutbox-card/first_boot.py").read_bytes() == SOURCE.read_bytes()
    unit = (root / "etc/systemd/system/shutbox-card.service").read_text()
    assert "ExecStart=/usr/bin/python3 -I /usr/local/lib/shutbox-card/first_boot.py\n" in unit
    assert commands == [
        ("systemctl", "daemon-reload"),
        ("systemctl", "enable", "shutbox-card.service"),
        ("systemctl", "start", "--no-block", "shutbox-card.service"),
    ]
