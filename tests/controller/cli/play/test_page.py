"""The page as the terminal tells of it: a line, a QR code that fits beside the first prompt, a browser where one is."""

import asyncio
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from rich.console import Console

from controller.cli.play import page
from controller.cli.play.page import draw_qr, open_browser, settings_with_page, show_page
from controller.game.core.message import Language
from controller.messages.words import words_in
from controller.runtime.machine import open_port
from controller.runtime.tokens import JoinCode
from controller.settings import Settings, Web
from tests.controller.conftest import Shutbox

if TYPE_CHECKING:
    from controller.web.access_client import AccessClient

CODE = JoinCode("H7K2MP", "vQ3mTn8fXr2bLk5cWd9hZg")
HOME_LINK = "7tYb2wRz9KpLq4mXc8vNsA"
HERE = Web(on=True, address="127.0.0.1", port=8080)
NETWORK = Web(on=True, address="192.0.2.7", port=8080)


class Door:
    async def code(self) -> JoinCode:
        return CODE

    async def home_link(self) -> str:
        return HOME_LINK


def shown(web: Web, wanted_port: int, *, terminal: bool, language: Language = "en") -> str:
    out = io.StringIO()
    console = Console(file=out, width=80, height=24, force_terminal=terminal, color_system=None)
    asyncio.run(show_page(cast("AccessClient", Door()), web, console, wanted_port, words_in(language)))
    return out.getvalue()


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []
    monkeypatch.setattr(page, "open_browser", found.append)
    return found


def test_the_address_and_its_code_leave_room_for_the_first_prompt(opened: list[str]) -> None:
    lines = shown(NETWORK, 8080, terminal=True).splitlines()

    assert lines[0] == f"The page of this table: http://192.0.2.7:8080/join/{CODE.link}"
    assert (len(lines), max(map(len, lines))) == (17, 73)
    assert "\n".join(lines[1:]) + "\n" == draw_qr(f"http://192.0.2.7:8080/join/{CODE.link}")
    assert opened == [f"http://192.0.2.7:8080/join/{CODE.link}"]


def test_a_laptops_own_page_has_one_address_for_all_games_and_no_code_for_phones(opened: list[str]) -> None:
    said = shown(HERE, 8080, terminal=True)

    link = f"http://127.0.0.1:8080/join/{HOME_LINK}"
    assert said == f"The page of this table: {link}\n"
    assert opened == [f"http://127.0.0.1:8080/join/{HOME_LINK}"]


def test_in_a_pipe_there_is_one_line_and_no_browser(opened: list[str]) -> None:
    said = shown(HERE.model_copy(update={"port": 49152}), 8080, terminal=False)

    assert said == f"Port 8080 is taken; the page: http://127.0.0.1:49152/join/{HOME_LINK}\n"
    assert opened == []


def test_the_line_is_in_the_language_of_the_terminal(opened: list[str]) -> None:
    said = shown(HERE, 8080, terminal=False, language="de")

    assert said == f"Die Seite dieses Tisches: http://127.0.0.1:8080/join/{HOME_LINK}\n"
    assert opened == []


def test_a_daemon_without_a_page_is_told(opened: list[str]) -> None:
    assert "web.on is false" in shown(Web(), 8080, terminal=True)
    assert opened == []


def test_the_page_of_a_laptop_is_for_that_laptop_and_a_taken_port_is_no_hindrance() -> None:
    with open_port("127.0.0.1", 0) as taken:
        port = int(taken.getsockname()[1])
        settings = settings_with_page(Settings(web=Web(port=port)))

    assert (settings.web.on, settings.web.address, settings.share) == (True, "127.0.0.1", "yes")
    assert settings.web.port != port


def test_a_page_for_the_network_is_that_of_the_settings_and_each_phone_has_a_chair_of_its_own() -> None:
    with open_port("127.0.0.1", 0) as taken:
        port = int(taken.getsockname()[1])
        kept = Settings(web=Web(address="127.0.0.1", name="box.example.org", port=port))
        settings = settings_with_page(kept, network=True)

    assert (settings.web.on, settings.web.address, settings.share) == (True, "127.0.0.1", "auto")
    assert settings.web.name == "box.example.org"
    assert settings.web.port != port


def test_what_an_owner_has_set_stays() -> None:
    of_owner = Settings(web=Web(on=True, port=9000))

    assert settings_with_page(of_owner) is of_owner
    assert settings_with_page(of_owner, network=True) is of_owner
    assert settings_with_page(Settings(share="no", web=Web(port=9000))).share == "no"


@pytest.mark.parametrize(
    ("environ", "user", "opens"),
    [
        ({"DISPLAY": ":0"}, 1000, True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, 1000, True),
        ({}, 1000, False),
        ({"DISPLAY": ":0"}, 0, False),
    ],
)
def test_a_browser_is_opened_where_a_desktop_is(
    environ: dict[str, str], user: int, opens: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[dict[str, Any]] = []

    class Now:
        def __init__(self, target: Any, args: Any, kwargs: Any, daemon: bool) -> None:
            assert target is subprocess.run
            assert daemon
            called.append({"command": args[0], **kwargs})

        def start(self) -> None:
            pass

    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(page, "Thread", Now)
    open_browser("http://127.0.0.1:8080/")

    assert bool(called) == opens
    assert all(each["stdout"] == each["stderr"] == subprocess.DEVNULL for each in called)


def test_the_code_of_a_game_tells_where_the_page_is(
    shutbox: Shutbox, shutbox_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = json.loads(shutbox("code", "--json")[1])
    (shutbox_home / "settings.toml").write_text('[web]\non = true\naddress = "192.0.2.7"\n')
    with_page = json.loads(shutbox("code", "--json")[1])
    said = shutbox("code")[1]

    assert without["pages"] == []
    assert with_page["pages"] == [f"http://192.0.2.7:8080/join/{with_page['link']}"]
    assert f"Page: {with_page['pages'][0]}\n" in said
    assert "█" not in said  # no picture for a program


def test_a_qr_code_is_drawn_in_half_lines() -> None:
    lines = draw_qr("http://127.0.0.1:8080/join/vQ3mTn8fXr2bLk5cWd9hZg").splitlines()
    assert (len(lines), {len(line) for line in lines}) == (16, {31})
