"""The end of a guided session: whether its result is saved, by whom it is signed, and what a program is told of it."""

import asyncio
import getpass
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from controller.calibrate.conversation import Conversation
from controller.game import JobQuestion
from hardware.measured import Measured

Saved = TypeVar("Saved")


async def confirm(conversation: Conversation, question: str) -> bool:
    """Ask for a yes or a no. Raises `Cancelled`."""
    return (await conversation.ask(JobQuestion(question, ("yes", "no")))).name == "yes"


async def confirm_saving(conversation: Conversation, *, ask: bool, poor: str | None) -> bool:
    """Decide whether the result is kept: whoever is asked decides, else what is poor is not.

    `poor` says why the result is poor; None for one that is not.
    """
    if poor is not None:
        conversation.say(poor)
    return await confirm(conversation, "Save it?") if ask else poor is None


async def save_beside(save: Callable[[], Saved]) -> Saved:
    """What `save` returns, which writes beside the loop: a slow card would hold up tiles and pages.

    It writes to its end, whoever is cancelled meanwhile. Raises what it raises.
    """
    writing = asyncio.ensure_future(asyncio.to_thread(save))
    try:
        return await asyncio.shield(writing)
    except asyncio.CancelledError:
        await asyncio.wait([writing])
        raise


def file_json(file: Path | None) -> dict[str, Any]:
    """The keys of an answer that say whether the result was saved, and in which file; None for nothing."""
    return {"saved": file is not None, "file": str(file) if file else None}


def date_now() -> datetime:
    """The time now, without microseconds, so that the date in a file is the one in its name."""
    return datetime.now().astimezone().replace(microsecond=0)


def sign_now() -> Measured:
    """Sign a result: now is its date, and whoever runs the program its author."""
    return Measured(date=date_now(), author=getpass.getuser())
