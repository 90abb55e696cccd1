"""What is said where a line that somebody typed at a seat means nothing."""


class NotUnderstood(ValueError):
    """A line that means nothing here. The message says why; `asks_hint`: what can be typed instead is to follow."""

    def __init__(self, message: str, *, asks_hint: bool = False) -> None:
        super().__init__(message)
        self.asks_hint = asks_hint
