"""A module whose functions put every call on record, with what their package says that they take."""

import inspect
import tomllib
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any

PACKAGES = tomllib.loads((Path(__file__).parent / "signatures.toml").read_text("utf-8"))

Call = tuple[str, tuple[Any, ...]]


class RecordingModule(ModuleType):
    """A stand-in for a package of `signatures.toml`: its constants, and those of our own methods that it has too."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.calls: list[Call] = []
        package = PACKAGES[name]
        for constant, value in package["constants"].items():
            setattr(self, constant, value)
        for function in package["functions"]:
            setattr(self, function, self._recorded(function, getattr(self, f"_{function}")))

    def of(self, gpio: int) -> list[Call]:
        """The calls about one line, reads and questions left out."""
        questions = ("gpio_read", "gpio_get_mode", "gpio_function", "input", "gpio_get_line_info")
        place = 1 if self.__name__ == "lgpio" else 0
        return [
            (name, words) for name, words in self.calls if name not in questions and words[place : place + 1] == (gpio,)
        ]

    def _recorded(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function)

        @wraps(function)
        def call(*words: Any, **named: Any) -> Any:
            bound = signature.bind(*words, **named)
            bound.apply_defaults()
            self.calls.append((name, bound.args))
            return function(*words, **named)

        return call
