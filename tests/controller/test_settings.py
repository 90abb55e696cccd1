"""Where things lie and what people set."""

from pathlib import Path

import pytest

from controller.errors import SettingsError
from controller.settings import Settings, find_home, load_settings


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "settings.toml") == Settings()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("box = 'classic-9'\nbocks = 1", r"settings\.toml:2: bocks: unknown key; allowed are box, players"),
        ("[pace]\nhouse_thinks_s = -1", r"settings\.toml:2: pace\.house_thinks_s: input should be greater"),
        ("\npins = 'pigpio'", r"settings\.toml:2: pins: .*'lgpio' or 'rpigpio'"),
        ("box = ", r"settings\.toml:1: not TOML"),
    ],
)
def test_a_typo_is_an_error_with_file_line_and_what_is_allowed(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text)

    with pytest.raises(SettingsError, match=says):
        load_settings(path)


def test_shutbox_home_moves_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHUTBOX_HOME", str(tmp_path))

    home = find_home()

    assert {home.journal.parent, home.socket.parent, home.settings.parent} == {tmp_path}


def test_systemd_says_where_state_and_socket_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHUTBOX_HOME", raising=False)
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/shutbox")
    monkeypatch.setenv("RUNTIME_DIRECTORY", "/run/shutbox")

    home = find_home()

    assert (str(home.journal), str(home.socket)) == ("/var/lib/shutbox/journal.sqlite3", "/run/shutbox/shutbox.sock")


def test_a_home_that_cannot_be_made_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SHUTBOX_HOME", str(tmp_path / "file" / "home"))

    with pytest.raises(SettingsError, match="cannot be made"):
        find_home().make()
