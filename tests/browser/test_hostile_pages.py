"""Pages of strangers in a real Chromium read nothing of a box and change nothing, whatever they try."""

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright", reason="needs playwright: make lanes")

from playwright.sync_api import Error, sync_playwright

from tests.browser.attacks import ATTACKS, REBOUND
from tests.browser.box_thread import SECRET, BoxThread, serve_box
from tests.browser.stranger import serve_stranger

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

CHROMIUM = shutil.which("chromium")
# Both stand for this computer; in the second one's name, a stranger has led the browser to the box.
STRANGER, REBOUND_NAME = "stranger.example", "rebound.example"
PATIENCE_MS = 5000
BEGIN_MS = 20  # so long a page may take to begin a request that it does not wait for

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt install chromium")


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoxThread]:
    with serve_box(tmp_path_factory.mktemp("home")) as box:
        yield box


@pytest.fixture(scope="module")
def stranger() -> Iterator[int]:
    with serve_stranger() as port:
        yield port


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    rules = ", ".join(f"MAP {name} 127.0.0.1" for name in (STRANGER, REBOUND_NAME))
    arguments = [f"--host-resolver-rules={rules}", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()


class Visit:
    """Somebody's browser, in which one page after the other is opened."""

    def __init__(self, context: "BrowserContext") -> None:
        context.set_default_timeout(PATIENCE_MS)
        self._context = context
        self._page = context.new_page()
        self._out = 0
        context.on("request", lambda _: self._note(1))
        for end in ("requestfinished", "requestfailed"):
            context.on(end, lambda _: self._note(-1))

    def run(self, attack: str, page: str, own: str, box: str) -> str:
        """What an attack has read that a page runs."""
        self._page.goto(page)
        try:
            read = str(self._page.evaluate(attack, {"box": box, "own": own}))
        except Error:
            read = ""  # the browser has refused it
        self._wait()
        return read

    def framed(self, box: str) -> list[str]:
        """The frames in which the box itself stands: somebody could be led to press what is in them."""
        main = self._page.main_frame
        return [frame.url for frame in self._page.frames if frame != main and frame.url.startswith(box)]

    def leave(self) -> None:
        """Close the windows that were opened."""
        for page in self._context.pages:
            if page != self._page:
                page.close()

    def _note(self, change: int) -> None:
        self._out += change

    def _wait(self) -> None:
        """Wait until no request is on its way any more."""
        self._page.wait_for_timeout(BEGIN_MS)
        for _ in range(PATIENCE_MS // BEGIN_MS):
            if self._out <= 0:
                return
            self._page.wait_for_timeout(BEGIN_MS)


@pytest.fixture(scope="module")
def visit(browser: "Browser") -> Iterator[Visit]:
    with browser.new_context() as context:
        yield Visit(context)


# A stranger on another port of this computer is of the same site for the browser: cookies go with what it sends.
@pytest.mark.parametrize("host", ["127.0.0.1", STRANGER])
@pytest.mark.parametrize("name", ATTACKS)
def test_a_page_of_a_stranger_reads_and_changes_nothing(
    visit: Visit, box: BoxThread, stranger: int, name: str, host: str
) -> None:
    own, target, before = f"http://{host}:{stranger}", f"http://127.0.0.1:{box.port}", box.state()
    assert SECRET not in visit.run(ATTACKS[name], own, own, target)
    assert visit.framed(target) == []
    assert box.state() == before
    visit.leave()


@pytest.mark.parametrize("name", REBOUND)
def test_a_name_that_was_led_to_the_box_is_not_its_name(visit: Visit, box: BoxThread, name: str) -> None:
    own, before = f"http://{REBOUND_NAME}:{box.port}", box.state()
    read = visit.run(REBOUND[name], f"{own}/api/state", own, own)
    assert SECRET not in read
    assert read != "registered"
    assert box.state() == before


def test_what_a_page_reads_is_seen(visit: Visit, box: BoxThread) -> None:
    page = f"http://127.0.0.1:{box.port}/api/state"
    assert SECRET in visit.run(REBOUND["look"], page, "", "")


def test_what_a_page_changes_is_seen(box: BoxThread) -> None:
    before = box.state()
    box.park()
    assert box.state() != before
