"""One Chromium for all tests of this lane; where it or what drives it is not present, they say so and are skipped."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.chromium import CHROMIUM, NEEDS_CHROMIUM, launch

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="package")
def browser() -> Iterator["Browser"]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: make lanes")
    if CHROMIUM is None:
        pytest.skip(NEEDS_CHROMIUM)
    with sync_api.sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()
