"""A short form of the campaign of power cuts, and that it notices what must not be."""

import itertools
import json
from collections.abc import AsyncGenerator

import pytest

from controller.game.shutbox.state import Game
from controller.game.table.resume_point import ResumePoint
from controller.referee.jobs.outcomes import Compared
from controller.referee.jobs.tiles import TileJobs
from controller.runtime.output import Exit
from tests.campaigns.games.cuts import bench_cuts, play_cut_game

_ASKED = 5  # a seed by which hands move tiles


def test_every_difference_is_told_and_the_answers_are_right(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_cuts(3, _ASKED, as_json=True) is Exit.DONE
    counts = json.loads(capsys.readouterr().out)
    assert counts["problems"] == []
    assert counts["runs"] == sum(counts["phases"].values()) == sum(counts["answers"].values()) == 3
    assert counts["told"] == counts["differing"] > 0


def test_a_box_that_does_not_compare_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def compare(_jobs: TileJobs, _game: Game, _left_off: ResumePoint) -> AsyncGenerator[Compared, None]:
        yield Compared()

    monkeypatch.setattr(TileJobs, "compare", compare)
    runs = (play_cut_game(seed).problems for seed in itertools.count(_ASKED))
    assert "asked: False" in next(problems for problems in runs if problems)[0]
