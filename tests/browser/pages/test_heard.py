"""What a screen reader tells of a game equals the transcripts under tests/data/heard, which a command writes anew.

`make heard` does: read what has changed, as somebody who cannot see the table.
"""

import difflib
from typing import TYPE_CHECKING

import pytest

from controller.messages.words import LANGUAGES
from tests.browser.pages.heard import FOLDER, tell, tell_first_start
from tests.browser.whole_games import WHOLE_GAMES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_is_heard_as_it_was_kept(browser: "Browser", language: str) -> None:
    compare(tell(browser, language), language)


# A minute and a half in real time each.
@pytest.mark.parametrize("language", LANGUAGES if WHOLE_GAMES else LANGUAGES[:1])
def test_a_first_start_is_heard_as_it_was_kept(browser: "Browser", language: str) -> None:
    compare(tell_first_start(browser, language), f"first-start-{language}")


def compare(told: str, name: str) -> None:
    kept = (FOLDER / f"{name}.txt").read_text("utf-8")
    assert told == kept, "\n".join(difflib.unified_diff(kept.splitlines(), told.splitlines(), lineterm=""))
