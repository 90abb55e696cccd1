"""Pictures in a row of a throw on the table's page, to be looked at: `python -m tests.browser.film FOLDER`."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from tests.browser.box_process import run_box
from tests.browser.chromium import launch
from tests.browser.pages.device import PHONE, TABLET, use
from tests.browser.pages.states import ANN, BEN
from tests.browser.pictures import Film

_AFTER_MS = 1500  # so long the film goes on once the dice are read


def film_throw(folder: Path) -> None:
    """Write what a phone and a tablet paint from a throw until its dice lie still, as real eyes read them."""
    with sync_playwright() as playwright, TemporaryDirectory() as home, run_box(Path(home)) as box:
        browser = launch(playwright)
        box.do("start", players=[ANN, BEN], options={"first": "chosen"})
        for name, kind in (("phone", PHONE), ("tablet", TABLET)):
            with use(browser, box, kind, reduced_motion="no-preference") as device:
                device.sit().open("/play").catch_up()
                film = Film(device)
                film.start()
                device.throw()
                device.moves.first.wait_for()
                device.page.wait_for_timeout(_AFTER_MS)
                film.stop()
                for number, frame in enumerate(film.frames):
                    at_ms = round(1000 * (frame.at_s - film.frames[0].at_s))
                    (folder / f"{name}-{number:03d}-{at_ms}ms.jpg").write_bytes(frame.picture)
                device.choose_first()
                device.catch_up()
        browser.close()


if __name__ == "__main__":
    film_throw(Path(sys.argv[1]))
