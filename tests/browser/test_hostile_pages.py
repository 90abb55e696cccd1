"""Pages of strangers in a real Chromium read nothing of a box and change nothing, whatever they try."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright", reason="needs playwright: make lanes")

from playwright.sync_api import Error

from tests.browser.attacks import ATTACKS, REBOUND
from tests.browser.box_thread import BoxThread, serve_box
from tests.browser.chromium import REBOUND_NAME, STRANGER
from tests.browser.stranger import serve_stranger

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.long

SECRET = "Zenobia"  # noqa: S105  stands in every snapshot: who has read it has read the box
PATIENCE_MS = 5000
BEGIN_MS = 20  # so long a page may take to begin a request that it does not wait for


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoxThread]:
    with serve_box(tmp_path_factory.mktemp("home")) as box:
        box.do("start", players=[{"name": SECRET}])
        box.rest()
        yield box


@pytest.fixture(scope="module")
def stranger() -> Iterator[int]:
    with serve_stranger() as port:
        yield port


class Visit:
    """Somebody's browser, in which one page after the other is opened."""

    def __init__(self, context: "BrowserContext") -> None:
        context.set_default_timeout(PATIENCE_MS)
        self._context = context
        self._out = 0
        context.on("request", lambda _: self._note(1))
        for end in ("requestfinished", "requestfailed"):
            context.on(end, lambda _: self._note(-1))

    def run(self, attack: str, url: str, own: str, box: str) -> tuple[str, list[str]]:
        """What an attack has read that a page runs, and the frames of that page in which the box stands then."""
        page = self._context.new_page()
        self._out = 0
        page.goto(url)
        try:
            read = str(page.evaluate(attack, {"box": box, "own": own}))
        except Error:
            read = ""  # the browser has refused it
        self._wait(page)
        framed = [frame.url for frame in page.frames if frame != page.main_frame and frame.url.startswith(box)]
        for each in self._context.pages:
            each.close()
        return read, framed

    def post(self, url: str, body: dict[str, str]) -> bool:
        """Post something with what the browser has, and no page's name; True if it was taken."""
        return bool(self._context.request.post(url, data=body).ok)

    def _note(self, change: int) -> None:
        self._out += change

    def _wait(self, page: "Page") -> None:
        """Wait until no request is on its way any more."""
        page.wait_for_timeout(BEGIN_MS)
        for _ in range(PATIENCE_MS // BEGIN_MS):
            if self._out <= 0:
                return
            page.wait_for_timeout(BEGIN_MS)


def sit_down(context: "BrowserContext", box: BoxThread) -> None:
    """Have the browser show, unasked, that somebody plays here and is an operator."""
    seat = {"names": [SECRET], "door": "page", "code": box.code()}
    assert context.request.post(f"{box.url}/api/seats", data=seat).ok
    asked = context.request.post(f"{box.url}/api/access/pairings", data={"name": "phone"})
    box.confirm(asked.json()["pairing"]["number"])
    assert context.request.get(f"{box.url}/api/access/me").json()["role"] == "operator"


@pytest.fixture(scope="module")
def visit(browser: "Browser", box: BoxThread) -> Iterator[Visit]:
    with browser.new_context() as context:
        sit_down(context, box)
        yield Visit(context)


# A stranger on another port of this computer is of the same site for the browser: cookies go with what it sends.
@pytest.mark.parametrize("host", ["127.0.0.1", STRANGER])
@pytest.mark.parametrize("name", ATTACKS)
def test_a_page_of_a_stranger_reads_and_changes_nothing(
    visit: Visit, box: BoxThread, stranger: int, name: str, host: str
) -> None:
    own, before = f"http://{host}:{stranger}", box.state()
    read, framed = visit.run(ATTACKS[name], own, own, box.url)
    assert SECRET not in read
    assert not framed, "somebody could be led to press what is in them"
    assert box.state() == before


@pytest.mark.parametrize("name", REBOUND)
def test_a_name_that_was_led_to_the_box_is_not_its_name(visit: Visit, box: BoxThread, name: str) -> None:
    own, before = f"http://{REBOUND_NAME}:{box.port}", box.state()
    read, _ = visit.run(REBOUND[name], f"{own}/api/state", own, own)
    assert SECRET not in read
    assert read != "registered"
    assert box.state() == before


def test_what_a_page_reads_is_seen(visit: Visit, box: BoxThread) -> None:
    read, _ = visit.run(REBOUND["look"], f"{box.url}/api/state", "", "")
    assert SECRET in read


def test_what_the_browser_changes_is_seen(visit: Visit, box: BoxThread) -> None:
    before = box.state()
    assert visit.post(f"{box.url}/api/commands", {"do": "park"})
    assert box.state() != before
