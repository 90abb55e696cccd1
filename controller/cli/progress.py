"""The progress of long work: a bar at a terminal, else lines on standard error; what is soon done shows nothing."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from rich.progress import Progress as Bar

from controller.process import say, words

Progress = Callable[[float], None]

FIRST_S = 0.2  # work that takes no longer shows nothing; the start of the program is to be over within a second, too
_LOOK_S = 0.1  # between two looks at how far it is
_QUIET_LOOKS = 50  # after so many a line is printed though little has changed
_STEP = 0.1  # of the work: a line for every such part


@contextmanager
def show_progress(work: str, tell: Callable[[str], None] | None = None) -> Iterator[Progress]:
    """A callable for long work, to be told the fraction done; what is shown only rises.

    Nothing is shown before it is told anything: a call that turns out to be wrong is answered by its one line.
    tell: prints a line, for whoever has no room for a bar. Another thread shows it: work that says nothing for a while
    is seen to go on all the same.
    """
    told, ended = _Told(), Event()
    show = _show_bar if tell is None and words.is_terminal else _show_lines
    thread = Thread(target=show, args=(work, told, ended, tell or say), name="progress", daemon=True)
    thread.start()
    try:
        yield told.note
    finally:
        ended.set()
        thread.join()


class _Told:
    """The greatest fraction told so far; None before the first."""

    def __init__(self) -> None:
        self.done: float | None = None

    def note(self, fraction: float) -> None:
        """Note the fraction done."""
        self.done = max(self.done or 0.0, fraction)


def _is_soon_done(told: _Told, ended: Event) -> bool:
    """Wait until there is something to show: the work has taken a while, and has begun. True if it ended before."""
    is_over = ended.wait(FIRST_S)
    while told.done is None and not is_over:
        is_over = ended.wait(_LOOK_S)
    return is_over


def _show_bar(work: str, told: _Told, ended: Event, _: Callable[[str], None]) -> None:
    if _is_soon_done(told, ended):
        return
    with Bar(console=words, transient=True) as bar:
        task = bar.add_task(work, total=1.0)
        while not ended.wait(_LOOK_S):
            bar.update(task, completed=told.done)


def _show_lines(work: str, told: _Told, ended: Event, tell: Callable[[str], None]) -> None:
    if _is_soon_done(told, ended):
        return
    shown, looks = -1.0, 0
    while True:
        done = min(told.done or 0.0, 0.99)  # the answer says that all is done
        if done >= shown + _STEP or (looks >= _QUIET_LOOKS and done > shown) or shown < 0:
            tell(f"{work}: {100 * done:.0f} %")
            shown, looks = done, 0
        if ended.wait(_LOOK_S):
            return
        looks += 1
