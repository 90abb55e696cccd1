"""A library that costs nothing until one of its names is used."""

from importlib import import_module
from typing import Any


class LibraryOnDemand:
    """A stand-in for a library that is loaded when one of its names is first used.

    A daemon that waits for a game reads no dice and computes no odds. Without OpenCV and NumPy, its largest libraries,
    it starts sooner. Concurrency: any thread.
    """

    def __init__(self, library: str) -> None:
        self._library = library

    def __getattr__(self, name: str) -> Any:
        found = getattr(import_module(self._library), name)
        setattr(self, name, found)  # later uses find the attribute directly
        return found
