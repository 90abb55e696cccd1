"""A clock that a test moves by hand."""


class HandClock:
    """Seconds; call it to read, `pass_s` to let time pass."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s

    def pass_s(self, seconds: float) -> None:
        self.now_s += seconds
