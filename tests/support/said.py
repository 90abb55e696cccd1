"""What messages say, as an English terminal and every program is told it."""

from collections.abc import Iterable

from controller.game.core.message import Message
from controller.messages.words import ENGLISH


def text_of(messages: Iterable[Message]) -> str:
    """What messages say together; empty for none."""
    return ENGLISH.say_at_terminal(messages)


def said(message: Message) -> str:
    """What one message says."""
    return text_of((message,))
