"""The lines typed at a seat; at a terminal they can be edited, recalled and completed.

The seat prints above the line that is being typed.
"""

import os
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import redirect_stdout

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.output import Output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.patch_stdout import StdoutProxy
from prompt_toolkit.shortcuts import CompleteStyle

from controller.process.keyboard import typed_lines

Complete = Callable[[str], Sequence[str]]
"""Returns the lines that the beginning of one may become."""

_PROMPT = "> "
_BETWEEN_WRITES_S = 0.02  # what is printed above the line appears at once, for a person


async def seat_lines(complete: Complete) -> AsyncIterator[str]:
    """Iterate over the lines typed; there are none without a standard input."""
    if sys.stdin is None:
        return
    if not (sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"):
        async for line in typed_lines():
            yield line
        return
    with StdoutProxy(sleep_between_writes=_BETWEEN_WRITES_S, raw=True) as above, redirect_stdout(above):
        output = Vt100_Output.from_pty(sys.__stdout__ or sys.stdout)
        output.enable_cpr = False
        async for line in edited_lines(complete, output):
            yield line


async def edited_lines(complete: Complete, output: Output | None = None) -> AsyncIterator[str]:
    """Iterate over the lines typed at a terminal; they end with Ctrl-C, or with Ctrl-D on an empty line.

    output: the terminal; None: the one of the session.
    """
    session: PromptSession[str] = PromptSession(
        completer=_Completer(complete),
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,
        # The table needs the whole screen: no room is kept for a menu, and no terminal is asked where it writes.
        reserve_space_for_menu=0,
        output=output,
    )
    while True:
        try:
            yield await session.prompt_async(_PROMPT, handle_sigint=False)
        except (EOFError, KeyboardInterrupt):
            return


class _Completer(Completer):
    """Replaces the typed text by whole lines."""

    def __init__(self, complete: Complete) -> None:
        self._complete = complete

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        typed = document.text_before_cursor
        return (Completion(line, start_position=-len(typed)) for line in self._complete(typed))
