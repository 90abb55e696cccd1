"""The progress of long work: a bar at a terminal, lines on standard error elsewhere, nothing for what is soon done."""

import io
import threading

import pytest
from rich.console import Console

from controller.cli import progress
from controller.cli.progress import show_progress


class Looks(threading.Event):
    """Instead of time: one look after the other, each when the work says so."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.go_on = threading.Semaphore(0), threading.Semaphore(0)

    def wait(self, timeout: float | None = None) -> bool:
        self.asked.release()
        self.go_on.acquire()
        return self.is_set()

    def set(self) -> None:
        super().set()
        self.go_on.release()

    def look(self) -> None:
        """Let the progress be looked at, and wait until that has happened."""
        self.go_on.release()
        self.asked.acquire()


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Looks:
    found = Looks()
    monkeypatch.setattr(progress, "Event", lambda: found)
    return found


def test_off_a_terminal_lines_tell_of_every_tenth_and_only_rise(looks: Looks) -> None:
    said: list[str] = []
    with show_progress("working out the odds", said.append) as tell:
        looks.asked.acquire()
        for done in (0.02, 0.05, 0.5, 0.3, 0.58, 0.99, 1.0):
            tell(done)
            looks.look()

    assert said == [f"working out the odds: {per_cent} %" for per_cent in (2, 50, 99)]


def test_work_that_says_nothing_for_long_is_seen_to_go_on(looks: Looks) -> None:
    said: list[str] = []
    with show_progress("working out the odds", said.append) as tell:
        looks.asked.acquire()
        tell(0.0)
        looks.look()
        tell(0.01)
        for _ in range(60):
            looks.look()

    assert said == ["working out the odds: 0 %", "working out the odds: 1 %"]


def test_before_the_work_has_begun_nothing_is_shown(looks: Looks) -> None:
    said: list[str] = []
    with show_progress("working out the odds", said.append):
        looks.asked.acquire()
        for _ in range(5):
            looks.look()

    assert not said


def test_what_is_soon_done_shows_nothing(looks: Looks) -> None:
    said: list[str] = []
    with show_progress("working out the odds", said.append) as tell:
        looks.asked.acquire()
        tell(1.0)

    assert not said


def test_at_a_terminal_a_bar_is_drawn_and_goes_when_the_work_is_done(
    looks: Looks, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(progress, "words", Console(file=screen, force_terminal=True, width=80))
    with show_progress("working out the odds") as tell:
        looks.asked.acquire()
        tell(0.5)
        looks.look()
        looks.look()
        assert "working out the odds" in screen.getvalue()

    assert screen.getvalue().endswith("\x1b[2K")
