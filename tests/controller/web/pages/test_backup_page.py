"""The page of the backup: what is saved, what was sent and would be replaced, and what waits for the next start."""

from datetime import UTC, datetime
from pathlib import Path

from controller.messages.words import ENGLISH
from controller.runtime.home import Home
from controller.service.backup import save_backup
from controller.service.contents import SAVED
from controller.service.pending import confirm, receive
from controller.service.played import Played
from controller.service.received import check_received
from controller.web.pages.workshop.backup import say_kinds, say_played
from tests.support.api import open_api

NOW = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)
PAGE = "/workshop/backup"


def send_own(home: Home, folder: Path) -> str:
    with receive(home) as file:
        file.write(save_backup(home, folder / "own.tar.gz", NOW, lambda _: None).file.read_bytes())
    return check_received(home, NOW).digest


async def test_the_page_saves_a_backup_and_asks_for_the_file_of_one(tmp_path: Path) -> None:
    async with open_api(tmp_path) as api:
        page = (await api.here.get(PAGE)).text
    assert '<a class="b go" href="/api/backup" download id="keep">' in page
    assert 'id="send" data-most="500000000"' in page
    assert 'id="confirm"' not in page


async def test_what_is_in_a_backup_and_what_it_replaces_is_told_before_anything_changes(tmp_path: Path) -> None:
    async with open_api(tmp_path) as api:
        digest = send_own(api.home, tmp_path)
        page = (await api.here.get(PAGE)).text
    assert f'id="confirm" data-digest="{digest}"' in page
    assert "all games, the settings" in page
    assert "Nothing has changed yet." in page
    assert 'name="anyway"' not in page


async def test_doubts_are_told_and_agreed_to(tmp_path: Path) -> None:
    async with open_api(tmp_path) as api:
        send_own(api.home, tmp_path)
        api.home.settings.write_text('box = "classic-9"\n')
        with receive(api.home) as file:
            file.write((tmp_path / "own.tar.gz").read_bytes())
        check_received(api.home, NOW)
        page = (await api.here.get(PAGE)).text
    assert "it is of the box two-level-9, and this one is classic-9" in page
    assert '<input type="checkbox" name="anyway" required>' in page


async def test_what_waits_for_the_next_start_can_be_withdrawn_and_started_where_that_is_possible(
    tmp_path: Path,
) -> None:
    async with open_api(tmp_path) as api:
        confirm(api.home, send_own(api.home, tmp_path), anyway=False)
        alone = (await api.here.get(PAGE)).text
        api.app.state.restart = lambda: None
        as_service = (await api.here.get(PAGE)).text
    for page in (alone, as_service):
        assert "At the next start of the program this backup replaces what is here." in page
        assert 'data-send="DELETE" data-path="/api/restore"' in page
    assert ("data-restart>" in alone, "data-restart>" in as_service) == (False, True)
    assert "End it at its terminal" in alone


async def test_who_is_no_operator_is_led_to_where_one_becomes_one(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        refused = await api.away.get(PAGE, headers={"Accept": "text/html"})
    assert refused.status_code == 403
    assert "This page is for the operators of the box." in refused.text
    assert 'href="/operator"' in refused.text


def test_every_kind_of_file_has_words_of_its_own() -> None:
    assert say_kinds(tuple(kind.what for kind in SAVED), ENGLISH).startswith("all games, the settings")
    assert say_kinds((), ENGLISH) == "nothing"


def test_how_much_was_played_is_told_in_words() -> None:
    assert say_played(Played(None), NOW, ENGLISH) == "They cannot be read."
    assert say_played(Played(), NOW, ENGLISH) == "0 games"
    assert say_played(Played(1, NOW), NOW, ENGLISH) == "1 game, the last one: today, 09:00"
