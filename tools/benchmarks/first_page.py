"""The first page of a newcomer, in a real Chromium, against a page with one button on it that no box has drawn."""

import statistics
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tests.browser.box_thread import serve_box
from tests.browser.chromium import CHROMIUM, NEEDS_CHROMIUM, launch
from tools.benchmarks.measure import seconds

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_RUNS = 5
_PLAIN = "data:text/html,<button type=submit>Start</button>"


def _open(browser: "Browser", address: str) -> None:
    """Open a page on a device that has never seen it, until its button that starts something can be tapped."""
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(address)
        page.locator("button[type=submit]").wait_for()


def _time_first_page(browser: "Browser") -> float:
    """Seconds to the first page of a box that was just started, by the address in its QR code."""
    with TemporaryDirectory() as folder, serve_box(Path(folder)) as box:
        address = f"{box.url}{box.link()}"
        return seconds(lambda: _open(browser, address))


def main() -> None:
    """Print the comparison; where there is no Chromium, or nothing to drive it, say so."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("first page: needs playwright: make lanes")
        return
    if CHROMIUM is None:
        print(f"first page: {NEEDS_CHROMIUM}")
        return
    with sync_playwright() as playwright:
        browser = launch(playwright)
        _open(browser, _PLAIN)
        pairs = [(_time_first_page(browser), seconds(lambda: _open(browser, _PLAIN))) for _ in range(_RUNS)]
        browser.close()
    our_s, base_s = (statistics.median(side) for side in zip(*pairs, strict=True))
    print(
        f"{'first page complete, of a fresh box':46} ours {1000 * our_s:9.2f} ms   "
        f"baseline {1000 * base_s:9.2f} ms   ratio {our_s / base_s:6.3f}"
    )


if __name__ == "__main__":
    main()
