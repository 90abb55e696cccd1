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

from controller.cli.race.hints import keys_of_race
from controller.game.table.snapshot import Snapshot
from controller.messages.words import Words
from controller.runtime.keyboard import typed_lines


def keys_of_turn(words: Words, snapshot: Snapshot | None = None) -> dict[str, str]:
    """Return what can be typed in a turn, and what it does: no more than fits a terminal of 60 by 24.

    snapshot: of the present game; other families have other keys.
    """
    _ = words.gettext
    pause = _("pause: nothing moves until somebody presses Enter")
    more = _("more commands: for the board, faults, seats, and starting another game")
    if snapshot is not None and snapshot.race is not None:
        return {**keys_of_race(words), "p": pause, "q": _("leave; the game is saved"), "??": more}
    return {
        "Enter": _(
            "do the next thing: throw (on a real box, have the camera look at the dice now), take the only move, or "
            "have the box try again"
        ),
        "t 1": _("throw one die, if one is allowed"),
        _("a number"): _("take the move with that number"),
        "f7 b2": _("shut front-7 and back-2; tipping the tiles by hand does the same"),
        "d 5 3": _("if the camera is wrong or cannot read the dice: say that they show 5 and 3"),
        "c, c 2": _("if the camera offers other readings: take the first or the second"),
        "u": _("take back the last choice, as long as nobody has thrown since"),
        "h": _("a hint: the best moves by the odds"),
        "p": pause,
        "q": _("leave; the game is saved and continues when you start the program the same way"),
        "??": more,
    }


def other_keys(words: Words, snapshot: Snapshot | None = None) -> dict[str, str]:
    """Return what else can be typed, and what it does; it fits, too."""
    _ = words.gettext
    keys = {
        "b": _("the board: [9] is up, (9) is hidden behind another, _9_ is shut, !9! is not where it should be"),
        "s": _("after a fault: the tile is where it should be, go on"),
        "e": _("after a fault: end this turn; all tiles that were chosen in it count as shut"),
        "i": _("after a fault: technical details, for repairs"),
        "k": _("after a power cut: leave the tiles as they are and go on from there"),
        "new": _("start another game, once this one is over"),
        "give up": _("end this game for everybody; it asks once more"),
        "sit Ann": _("from now on only Ann plays at this terminal; other players need their own"),
        "stand": _("undo that: players without their own terminal play here"),
    }
    if snapshot is not None and snapshot.race is not None:
        keys["b"] = _(
            "the sheet: a number is the points of a chip, ▸ marks your combination; chip [3] is free, _3_ is taken"
        )
        del keys["e"], keys["k"]
    return keys


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
