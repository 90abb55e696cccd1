"""Where things lie and what people set."""

from pathlib import Path

import pytest

from controller.box.real import choose_camera
from controller.errors import SettingsError
from controller.runtime.home import find_home
from controller.settings import Settings, load_settings
from hardware.box import load_box
from vision.capture.film import FileCamera
from vision.pi.camera import PiCamera
from vision.pi.v4l2 import V4l2Camera


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "settings.toml") == Settings()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("box = 'classic-9'\nbocks = 1", r"settings\.toml:2: bocks: unknown key; allowed are box, players"),
        ("[pace]\nhouse_thinks_s = -1", r"settings\.toml:2: pace\.house_thinks_s: must be at least"),
        ("[evidence]\nkeep = -1", r"settings\.toml:2: evidence\.keep: must be at least"),
        ("[evidence]\nkeep = true", r"settings\.toml:2: evidence\.keep: must be a whole number, not true"),
        ("[web]\nport = true", r"settings\.toml:2: web\.port: must be a whole number, not true"),
        ('[web]\nport = "8080"', r"settings\.toml:2: web\.port: must be a whole number, not '8080'"),
        ("[web]\nproxies = ['caddy']", r"settings\.toml:2: web\.proxies: must be an address"),
        ("[web]\nproxies = ['127.0.0.1/8']", r"settings\.toml:2: web\.proxies: must be an address"),
        ("[web]\nproxies = '127.0.0.1'", r"settings\.toml:2: web\.proxies: "),
        ("[voice]\nquiet = '22-7'", r"settings\.toml:2: voice\.quiet: must be two times of day"),
        ("[voice]\nquiet = '24:00-07:00'", r"settings\.toml:2: voice\.quiet: must be two times of day"),
        ("[voice]\nquiet = '07:00-07:00'", r"settings\.toml:2: voice\.quiet: must be two times of day"),
        ("[voice]\nspeed = 500", r"settings\.toml:2: voice\.speed: must be at most"),
        ("[web]\non = 1", r"settings\.toml:2: web\.on: must be true or false, not 1"),
        ("\npins = 'pigpio'", r"settings\.toml:2: pins: .*'lgpio' or 'rpigpio'"),
        (
            "camera = 'webcam'",
            r"settings\.toml:1: camera: must be 'picamera2', 'v4l2:/dev/video0' or 'files:FOLDER', not 'we",
        ),
        ("camera = 'files:'", r"settings\.toml:1: camera: must be 'picamera2'"),
        ("[web]\nport = 0", r"settings\.toml:2: web\.port: must be at least"),
        ("[web]\non = true\naddress = 'home'", r"settings\.toml:3: web\.address: must be an address such as '192\.168"),
        ("[web]\nname = 'my box'", r"settings\.toml:2: web\.name: must be made of letters, digits"),
        ("box = ", r"settings\.toml:1: not TOML"),
    ],
)
def test_a_typo_is_an_error_with_file_line_and_what_is_allowed(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text)

    with pytest.raises(SettingsError, match=says):
        load_settings(path)


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("picamera2", PiCamera),
        ("v4l2:/dev/video2", V4l2Camera),
        ("v4l2:/dev/v4l/by-id/usb-Camera-index0", V4l2Camera),
        ("files:/home/box/throws of today", FileCamera),
    ],
)
def test_the_camera_is_the_one_that_the_settings_name(tmp_path: Path, words: str, kind: type) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(f'camera = "{words}"')

    assert type(choose_camera(load_settings(path), load_box("two-level-9"), lambda: 0.0)) is kind


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
