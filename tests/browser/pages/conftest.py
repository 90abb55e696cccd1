"""Boxes and devices for the tests of the pages, and pictures of what they showed."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.box_thread import FAST, BoxThread, serve_box
from tests.browser.pages.device import TABLET, Device, Kind, use

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Use = Callable[..., Device]
_PICTURES = Path(__file__).parents[3] / ".cache" / "pictures"


@pytest.fixture
def box(browser: "Browser", tmp_path: Path) -> Iterator[BoxThread]:
    """A box of two rows of nine, as fast as it can be."""
    # A socket's path is short.
    with serve_box(tmp_path, pace=FAST) as box:
        yield box


@pytest.fixture
def take(browser: "Browser", box: BoxThread, request: pytest.FixtureRequest) -> Iterator[Use]:
    """Take a device of some kind into one's hand; at the end there is a picture of what each showed last."""
    with ExitStack() as stack:
        taken: list[Device] = []

        def take_one(kind: Kind = TABLET, **of_context: Any) -> Device:
            taken.append(stack.enter_context(use(browser, box, kind, **of_context)))
            return taken[-1]

        yield take_one
        for number, device in enumerate(taken, start=1):
            keep_picture(device, f"{request.node.name}-{number}")


def keep_picture(device: Device, name: str) -> None:
    """Keep a picture of what the device shows, named by the test, for people to look at."""
    _PICTURES.mkdir(parents=True, exist_ok=True)
    device.page.screenshot(path=_PICTURES / f"{re.sub(r'[^A-Za-z0-9_-]+', '-', name)}.png")
