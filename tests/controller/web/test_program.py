"""The program of the docs plays a whole game, and the page shows the lines that it is made of."""

import asyncio
import inspect
import runpy
import textwrap
from pathlib import Path

from tests.support.evening import Evening

ROOT = Path(__file__).parents[3]


async def test_the_ten_lines_play_a_game_to_its_end(tmp_path: Path) -> None:
    play = runpy.run_path(str(ROOT / "tools" / "play.py"))["play"]
    async with Evening(tmp_path, 80).power() as stage, asyncio.timeout(600):
        said = await play(str(stage.socket))
        assert stage.snapshot.phase == "ended"
    assert said == stage.snapshot.say


def test_the_page_shows_these_lines() -> None:
    source = inspect.getsource(runpy.run_path(str(ROOT / "tools" / "play.py"))["play"])
    lines = textwrap.dedent(source.partition("# The ten lines.\n")[2].partition("    return ")[0])
    assert len(lines.splitlines()) == 10
    assert lines in (ROOT / "docs" / "reference" / "api.md").read_text("utf-8")
