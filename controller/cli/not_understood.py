"""The answer to a typed line that means nothing."""


class NotUnderstood(ValueError):
    """A line that means nothing here. The message says why; after `asks_hint` the seat shows what can be typed."""

    def __init__(self, message: str, *, asks_hint: bool = False) -> None:
        super().__init__(message)
        self.asks_hint = asks_hint
