"""Damaged files: each is another one then, what a daemon shows is seen, and what is neither kept nor told is bad."""

import asyncio
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.game.core.message import compose
from controller.game.table.snapshot import Snapshot
from tests.campaigns.crashes.damages import Outcome, Trial, attempt, every_trial, report_damages
from tests.campaigns.crashes.file_damages import Damage
from tests.campaigns.crashes.first_look import FirstLook, Standing, look_at_home
from tests.campaigns.crashes.journal_play import play_until_power_goes
from tests.campaigns.crashes.stock import Stock
from tests.support.said import said, text_of


def play(folder: Path, seed: int, commits: int) -> Path:
    folder.mkdir()
    play_until_power_goes(folder / "journal.sqlite3", random.Random(seed), commits=commits)
    return folder


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Stock:
    """Homes as they are played, without any box: a game is over and another one under way."""
    folder = tmp_path_factory.mktemp("homes")
    path = play(folder / "played", 6, 0) / "journal.sqlite3"
    with closing(sqlite3.connect(path)) as reader:
        # As long as somebody reads, the log stays as a daemon leaves it that is killed.
        reader.execute("SELECT count(*) FROM event").fetchone()
        play_until_power_goes(path, random.Random(6), commits=60)
        shutil.copytree(folder / "played", folder / "killed")
    shutil.copytree(folder / "played", folder / "ended")
    older, middle, other = play(folder / "older", 1, 10), play(folder / "middle", 1, 20), play(folder / "other", 2, 30)
    return Stock(folder / "killed", folder / "ended", older, middle, other, Standing())


def contents(home: Path) -> dict[str, object]:
    """What is in each file, and what it is."""
    return {path.name: (path.lstat().st_mode, path.is_file() and path.read_bytes()) for path in home.iterdir()}


def test_there_are_many_damages_each_with_a_name_of_its_own_and_each_damages(stock: Stock, tmp_path: Path) -> None:
    trials = [*every_trial(stock)]
    assert len({trial.name for trial in trials}) == len(trials) >= 60
    for number, trial in enumerate(trials):
        home = shutil.copytree(trial.home, tmp_path / f"{number}")
        before = contents(home)
        trial.damage.befall(home)
        assert (contents(home) == before) == trial.damage.name.endswith("nothing"), trial.name


@pytest.mark.long
def test_a_game_that_is_there_and_one_that_is_not_are_told_apart(stock: Stock) -> None:
    home = stock.ended
    kept = asyncio.run(attempt(Trial(home, Damage("nothing", lambda _: None)), Standing()))
    assert kept.look.problem == ""
    wanted = kept.look.standing
    assert min(wanted.game_id, wanted.event) > 1
    assert Outcome("nothing", kept.look, wanted).verdict == "kept"

    [damage] = [trial for trial in every_trial(stock) if trial.name.endswith("the last three events removed")]
    harmed = asyncio.run(attempt(damage, wanted))
    assert harmed.look.problem == ""
    assert harmed.verdict in ("told", "untold")


@pytest.mark.long
def test_a_daemon_that_does_not_start_is_seen_with_its_last_line(tmp_path: Path) -> None:
    # Whatever lies in its home a daemon starts with, but a home that is no folder.
    (tmp_path / "home").write_text("")
    assert "cannot be made" in asyncio.run(look_at_home(tmp_path / "home")).problem


def test_what_no_good_start_says_is_told_and_the_moment_of_the_game_is_not() -> None:
    now, kept = compose("turn.done", player="Ann"), compose("game.resumed")
    lost = compose("game.unreadable", code="J-101")
    seen = Snapshot(1, "box", said(now), 2, 9, messages=(now, kept, lost), notice=f"{text_of((kept, lost))}")

    look = FirstLook.of(seen)
    assert (look.standing.event, look.told, look.said) == (9, ("game.unreadable",), seen.notice)


WANTED = Standing(2, 9)


@pytest.mark.parametrize(
    ("look", "verdict", "is_good"),
    [
        (FirstLook(WANTED), "kept", True),
        (FirstLook(WANTED, ("journal.mended",)), "kept", True),
        (FirstLook(Standing(2, 8), ("journal.mended",), "The last move is lost."), "told", True),
        (FirstLook(Standing(2, 8)), "untold", False),
        (FirstLook(Standing()), "untold", False),
        (FirstLook(problem="cannot be opened"), "no start", False),
    ],
)
def test_what_is_neither_kept_nor_told_is_bad(look: FirstLook, verdict: str, is_good: bool) -> None:
    outcome = Outcome("milk", look, WANTED)
    report = report_damages([outcome], 1.0)
    assert (outcome.verdict, report.passed) == (verdict, is_good)
    assert report.facts["verdicts"] == {verdict: 1}
