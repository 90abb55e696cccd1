"""The progress of long work: a bar at a terminal, or else lines on standard error; short work shows nothing."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from rich.progress import Progress as Bar

from controller.runtime.terminal import say, words

Progress = Callable[[float], None]

FIRST_S = 0.2  # shorter work shows nothing; a whole start of the program takes less than a second, too
_LOOK_S = 0.1  # between two looks at the progress
_QUIET_LOOKS = 50  # after this many, a line is printed though little has changed
_STEP = 0.1  # of the work: the part for which a line is printed


@contextmanager
def show_progress(work: str, tell: Callable[[str], None] | None = None) -> Iterator[Progress]:
    """Show the progress of long work, which tells the callable the fraction done; the shown one only rises.

    Nothing is shown before the first fraction, so that the answer to a wrong call is one line. Another thread shows it:
    work that tells nothing for a while is still seen to go on. tell: prints a line in place of a bar.
    """
    told, ended = _Told(), Event()
    thread = Thread(target=_show, args=(work, told, ended, tell), name="progress", daemon=True)
    thread.start()
    try:
        yield told.note
    finally:
        ended.set()
        thread.join()


class _Told:
    """Holds the greatest fraction told so far; None before the first."""

    def __init__(self) -> None:
        self.done: float | None = None

    def note(self, fraction: float) -> None:
        self.done = max(self.done or 0.0, fraction)


def _show(work: str, told: _Told, ended: Event, tell: Callable[[str], None] | None) -> None:
    # Until the work has taken a while, and has told a fraction, it may still end unseen.
    is_over = ended.wait(FIRST_S)
    while told.done is None and not is_over:
        is_over = ended.wait(_LOOK_S)
    if is_over:
        return
    if tell is None and words.is_terminal:
        with Bar(console=words, transient=True) as bar:
            task = bar.add_task(work, total=1.0)
            while not ended.wait(_LOOK_S):
                bar.update(task, completed=told.done)
        return
    shown, looks = -1.0, 0
    while True:
        done = min(told.done or 0.0, 0.99)  # the answer itself says that all is done
        if done >= shown + _STEP or (looks >= _QUIET_LOOKS and done > shown) or shown < 0:
            (tell or say)(f"{work}: {100 * done:.0f} %")
            shown, looks = done, 0
        if ended.wait(_LOOK_S):
            return
        looks += 1
