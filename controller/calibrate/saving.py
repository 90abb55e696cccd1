"""The end of a guided session: confirm, sign and save the result, and report it to a program."""

import asyncio
import getpass
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from controller.calibrate.conversation import Dialog
from controller.game.core.sight import JobQuestion
from hardware.measured import Measured

Saved = TypeVar("Saved")


async def confirm(conversation: Dialog, question: str) -> bool:
    """Ask for a yes or a no. Raises `Cancelled`."""
    return (await conversation.ask(JobQuestion(question, ("yes", "no")))).name == "yes"


async def confirm_saving(conversation: Dialog, *, ask: bool, poor: str | None) -> bool:
    """Decide whether the result is kept: ask the operator (`ask`), or keep every result that is not poor.

    poor: the reason why the result is poor; None if it is not.
    """
    if poor is not None:
        conversation.say(poor)
    return await confirm(conversation, "Save it?") if ask else poor is None


async def save_in_thread(save: Callable[[], Saved]) -> Saved:
    """Run `save` in a thread, because a slow card would hold up tiles and pages, and return its result.

    A cancellation meanwhile waits until the write is complete. Raises what `save` raises.
    """
    writing = asyncio.ensure_future(asyncio.to_thread(save))
    try:
        return await asyncio.shield(writing)
    except asyncio.CancelledError:
        await asyncio.wait([writing])
        raise


def file_json(file: Path | None) -> dict[str, Any]:
    """Return the keys of an answer that report whether the result was saved, and in which file (None: not saved)."""
    return {"saved": file is not None, "file": str(file) if file else None}


def date_now() -> datetime:
    """Return the time without microseconds, so that the date in a file equals the one in its name."""
    return datetime.now().astimezone().replace(microsecond=0)


def sign_now() -> Measured:
    """Return the signature of a result: the present date, and the user who runs the program as its author."""
    return Measured(date=date_now(), author=getpass.getuser())
