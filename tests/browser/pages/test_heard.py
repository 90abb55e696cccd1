"""What a screen reader tells of a game equals the transcripts under tests/data/heard, which a command writes anew.

`make heard` does: read what has changed, as somebody who cannot see the table.
"""

import difflib
from typing import TYPE_CHECKING

import pytest

from controller.messages.words import LANGUAGES
from tests.browser.pages.heard import FOLDER, tell

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_is_heard_as_it_was_kept(browser: "Browser", language: str) -> None:
    told = tell(browser, language)
    kept = (FOLDER / f"{language}.txt").read_text("utf-8")
    assert told == kept, "\n".join(difflib.unified_diff(kept.splitlines(), told.splitlines(), lineterm=""))
