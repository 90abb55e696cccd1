"""What stands on the screens of evenings at the table, line by line as it was read and found good."""

import re
from pathlib import Path

import pytest

from tests.support.long import long_but_every
from tests.support.together import together
from tests.support.transcripts import STORIES, WIDTHS, file_of, tell


@pytest.mark.parametrize("width", long_but_every(2, WIDTHS))
@pytest.mark.parametrize("name", long_but_every(3, STORIES))
async def test_a_story_stands_on_the_screen_as_it_was_kept(name: str, width: int, tmp_path: Path) -> None:
    """Where words were changed on purpose: `python -m tests.support.transcripts`, and read what became of them."""
    told = await tell(name, width, tmp_path)

    assert told == file_of(name, width).read_text("utf-8")


@together("width", WIDTHS)
@together("name", STORIES)
def test_nothing_is_wider_than_the_screen_nor_for_programmers(name: str, width: int) -> None:
    text = file_of(name, width).read_text("utf-8")
    # What `i` answers is for whoever repairs the box: there alone it is told what was measured.
    for_players = re.sub(r"^> i\n(?: {2}.*\n)+", "", text, flags=re.MULTILINE)

    assert max(map(len, text.splitlines())) <= width
    forbidden = ("None", "0x1000", "errno", "Error", "acknowledge", "servo", "horn", "bus", "sensors contradict")
    assert not [word for word in forbidden if word in for_players]
    assert "Traceback" not in text
