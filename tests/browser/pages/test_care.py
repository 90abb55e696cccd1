"""An operator looks after the box with a phone: a setting is changed, a backup is saved, and restored later."""

from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import pytest

from controller.runtime.home import Home
from controller.service.backup import save_backup
from controller.service.pending import restore_at_start
from controller.settings import load_settings
from controller.web.app import make_app
from tests.browser.box_thread import BoxThread
from tests.browser.pages.conftest import Use
from tests.browser.pages.device import PHONE, expect_text
from tests.browser.pages.newly_built import pair
from tests.browser.pages.states import start, throw
from tests.support.stage import camera, die
from vision.reading import DieReading, Reason, read, refused
from vision.watching.evidence import EvidenceFolder, Limits

pytestmark = pytest.mark.long

NOW = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)


def keep_pictures(folder: Path) -> list[str]:
    """Keep pictures of throws in the home of a box, one of them not read; the pages that show them."""
    pixels = camera([die(5, 120, 95), die(3, 170, 120)], 3).capture().pixels
    seen = read(tuple(DieReading(value, (100.0 * value, 90.0), 0.9, "white") for value in (5, 3)))
    with EvidenceFolder(folder / "evidence", Limits(10, 10**8)) as evidence:
        evidence.keep(pixels, seen)
        evidence.keep(pixels, refused(Reason.COCKED, "One die is leaning."))
    names = sorted(path.stem for path in (folder / "evidence").glob("*.jpg"))
    return ["/workshop/pictures", *(f"/workshop/pictures/{name}?again=true" for name in names)]


def test_a_phone_changes_a_setting_saves_a_backup_and_restores_it(box: BoxThread, take: Use, tmp_path: Path) -> None:
    home = Home(tmp_path, tmp_path)
    start(box)
    box.do("park")
    phone = pair(box, take(PHONE))
    page = phone.open("/workshop/settings").page

    pictures = page.get_by_role("spinbutton", name="How many throws have their picture kept")
    save = page.get_by_role("button", name="Save: How many throws")
    pictures.fill("-3")
    save.click()
    refused = page.locator("form[data-key='evidence.keep'] .refused")
    assert refused.text_content()
    pictures.fill("40")
    phone.press(save)
    expect_text(page.locator("form", has=pictures).get_by_role("status"), "Saved.")
    assert not refused.text_content()
    assert load_settings(home.settings).evidence.keep == 40
    page.get_by_role("textbox", name="Who plays").fill("Ann\nAnn")
    page.get_by_role("button", name="Save: Who plays").click()
    expect_text(page.locator("form[data-key=players]").get_by_role("alert"), "different names")

    page = phone.open("/workshop/backup").page
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save a backup").click()
    file = tmp_path.parent / saved.value.suggested_filename
    saved.value.save_as(file)
    page = phone.open("/workshop/settings").page
    page.get_by_role("button", name="Default: How many throws").click()
    expect_text(page.locator("form[data-key='evidence.keep']").get_by_role("status"), "Saved.")
    assert load_settings(home.settings).evidence.keep == 0

    page = phone.open("/workshop/backup").page
    other = tmp_path.parent / "letter.tar.gz"
    other.write_bytes(b"no backup")
    for path, seen in ((other, "no backup"), (file, "Nothing has changed yet.")):
        page.get_by_label("File of a backup").set_input_files(path)
        page.get_by_role("button", name="Send and check it").click()
        expect_text(page.locator("main"), seen)

    page.get_by_role("button", name="Restore it at the next start").click()
    expect_text(page.locator("main"), "At the next start of the program this backup replaces what is here.")
    assert load_settings(home.settings).evidence.keep == 0

    box.power_off()
    assert restore_at_start(home, NOW) == ()
    box.power_on()
    assert load_settings(home.settings).evidence.keep == 40
    expect_text(phone.open("/workshop/backup").page.locator("main"), "Send and check it")


def test_a_report_is_copied_where_a_page_may_copy_and_selected_where_it_may_not(box: BoxThread, take: Use) -> None:
    may = pair(box, take(PHONE, permissions=["clipboard-read", "clipboard-write"])).open("/workshop/report").page
    may.get_by_role("button", name="Copy the report").click()
    expect_text(may.get_by_role("status"), "Copied.")
    assert may.evaluate("() => navigator.clipboard.readText()").startswith("Versions\n  shutbox ")

    may_not = pair(box, take(PHONE))
    may_not.page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page = may_not.open("/workshop/report").page
    page.get_by_role("button", name="Copy the report").click()
    expect_text(page.get_by_role("status"), "copy it now")
    assert page.evaluate("() => getSelection().toString()").startswith("Versions\n  shutbox ")


def test_the_throw_on_the_baize_is_looked_at_again(box: BoxThread, take: Use) -> None:
    start(box)
    throw(box, 3, 5)
    page = pair(box, take(PHONE)).open("/workshop/pictures").page
    page.get_by_role("button", name="Look again").click()
    expect_text(page.get_by_role("status"), "The dice show the same: the throw stays.")
    assert sorted(box.snapshot.throw) == [3, 5]


def test_a_page_starts_the_program_again_and_comes_back_by_itself(
    box: BoxThread, take: Use, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, wanted = Home(tmp_path, tmp_path), Event()
    monkeypatch.setattr(
        "controller.cli.daemon.make_app", lambda *of, **given: make_app(*of, **given | {"restart": wanted.set})
    )
    box.power_off()
    home.settings.write_text("[evidence]\nkeep = 7\n")
    saved = save_backup(home, tmp_path.parent / "saved.tar.gz", NOW, lambda _: None).file
    home.settings.unlink()
    box.power_on()
    page = pair(box, take(PHONE)).open("/workshop/backup").page
    page.get_by_label("File of a backup").set_input_files(saved)
    page.get_by_role("button", name="Send and check it").click()
    page.get_by_role("button", name="Restore it at the next start").click()
    page.get_by_role("button", name="Start the program again now").click()
    expect_text(page.locator("[data-restarting]"), "This page comes back by itself.")
    assert wanted.wait(10)

    box.power_off()
    assert restore_at_start(home, NOW) == ()
    box.power_on()
    expect_text(page.locator("main"), "Send and check it")
    assert load_settings(home.settings).evidence.keep == 7
