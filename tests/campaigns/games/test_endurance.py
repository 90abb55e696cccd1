"""The campaign of endurance in short form, and that it notices what grows."""

from dataclasses import replace

import pytest

from controller.runtime.output import Exit
from tests.campaigns.games.endurance import EnduranceReport, Measure, bench_endurance

STEADY = [Measure(games, 90.0, 17, games * 5_000, games * 40) for games in range(100, 1100, 100)]


@pytest.mark.long
def test_games_one_after_the_other_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_endurance(3, 1, as_json=False) is Exit.DONE
    said = capsys.readouterr().out
    assert said.startswith("3 games, ")
    assert "Open files: " in said
    assert "do not tell whether memory grows" in said


def test_what_stays_as_it_is_passes() -> None:
    report = EnduranceReport(STEADY)
    assert report.passed
    assert (report.mb_per_1000, report.is_flat, report.bytes_per_event) == (0.0, True, 125.0)


@pytest.mark.parametrize(
    "grown",
    [
        [replace(each, memory_mb=90 + each.games / 900) for each in STEADY],
        [*STEADY[:-1], replace(STEADY[-1], open_files=18)],
        [replace(each, journal_bytes=each.events * 201) for each in STEADY],
    ],
    ids=["memory", "files", "journal"],
)
def test_what_grows_is_noticed(grown: list[Measure]) -> None:
    assert not EnduranceReport(grown).passed


def test_caches_that_fill_in_the_first_games_do_not_count() -> None:
    assert EnduranceReport([replace(STEADY[0], memory_mb=60.0), *STEADY[1:]]).passed
