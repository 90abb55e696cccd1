"""The consoles of a process, and a bar for what takes long. Asked for through `controller.output`."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from rich.console import Console
from rich.progress import track

Thing = TypeVar("Thing")


class _Terminal(Console):
    def on_broken_pipe(self) -> None:
        """Whoever read our words has enough; the work goes on without them."""
        self.quiet = True


words = _Terminal(stderr=True, highlight=False, soft_wrap=True)
answers = _Terminal(highlight=False, soft_wrap=True)
table = _Terminal(highlight=False)


def counted(things: Sequence[Thing], what: str) -> Iterable[Thing]:
    """The same things one after the other, with a bar where somebody looks at a terminal."""
    return track(things, what, console=words, transient=True, disable=not words.is_terminal)
