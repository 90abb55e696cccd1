"""Collect the stages of one reading for display: pictures and facts by name, and the time of each."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from enum import StrEnum

from vision.capture.frame import Pixels


class Stage(StrEnum):
    """The stages of a reading, in their order."""

    HEALTH = "health"
    FIELD = "field"
    SURVEY = "survey"
    FACES = "faces"
    VERDICT = "verdict"


@dataclass(slots=True)
class Trace:
    """The stages of one reading in their order; the caller passes it in, and nothing else keeps it.

    `ms` is the time of each stage; `stopwatch` gives seconds.
    """

    stopwatch: Callable[[], float] = time.perf_counter
    pictures: dict[str, Pixels] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)
    ms: dict[str, float] = field(default_factory=dict)

    def add(self, name: str, picture: Pixels) -> None:
        """Keep a copy of the picture of one stage."""
        self.pictures[name] = picture.copy()

    def tell(self, name: str, fact: object) -> None:
        """Keep a fact in words."""
        self.facts[name] = str(fact)

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Add the time that the block takes to the time of a stage."""
        began_s = self.stopwatch()
        try:
            yield
        finally:
            self.ms[name] = self.ms.get(name, 0.0) + 1000 * (self.stopwatch() - began_s)


def stage(trace: Trace | None, name: Stage) -> AbstractContextManager[None]:
    """Time a stage if there is a trace: `with stage(trace, Stage.FACES): ...`."""
    return nullcontext() if trace is None else trace.timed(name)
