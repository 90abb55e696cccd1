"""The frame of every campaign of `shutbox bench`: make its trials, show a bar, take Ctrl-C, report the outcomes.

A file of its own for each campaign adds what a trial is, how it is made, and what is reported; processes, words or
JSON and the exit status are decided here.
"""

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from controller.runtime.output import Exit, print_json
from controller.runtime.terminal import say, words
from tests.campaigns.builds import AS_DRAWN, Build
from tests.campaigns.pool import pool_map

Trial = TypeVar("Trial")
Outcome = TypeVar("Outcome")


@dataclass(slots=True)
class Results(Generic[Outcome]):
    """The outcomes so far, in the order of their trials, the seconds they took, and whether somebody broke off.

    A campaign may take hours: it is filled while the trials go on, so that Ctrl-C loses only the trial of the moment.
    """

    outcomes: list[Outcome] = field(default_factory=list)
    seconds: float = 0.0
    interrupted: bool = False

    @contextmanager
    def take_time(self) -> Iterator[None]:
        """Time the block; Ctrl-C ends the block and is noted in `interrupted`, not raised."""
        began_s = time.perf_counter()
        try:
            yield
        except KeyboardInterrupt:
            self.interrupted = True
        finally:
            self.seconds = time.perf_counter() - began_s


@dataclass(frozen=True, slots=True)
class Campaign(Generic[Trial, Outcome]):
    """Trials of one kind, called `name` on the bar, and `attempt`, which makes one of them.

    One process a core makes them, each of which starts with `begin` and takes `chunk` at a time: a trial is all
    computing. Up to `in_place` trials are made in this process, because a pool takes seconds to start. Trials,
    outcomes and `attempt` travel between processes, so they can be pickled.
    """

    name: str
    trials: Sequence[Trial]
    attempt: Callable[[Trial], Outcome]
    in_place: int
    chunk: int = 1
    begin: Callable[[], None] | None = None

    def outcomes(self) -> Generator[Outcome, None, None]:
        """Make every trial, in order. Raises what `attempt` raises."""
        with pool_map(in_place=len(self.trials) <= self.in_place, chunk=self.chunk, begin=self.begin) as each:
            yield from each(self.attempt, self.trials)

    def run(self, describe: Callable[[Outcome], str] | None = None) -> Results[Outcome]:
        """Make every trial, or as many as there are before Ctrl-C; `describe` says on the bar how it goes.

        Raises what `attempt` raises.
        """
        results = Results[Outcome]()
        with (
            results.take_time(),
            show_progress(self.name, len(self.trials)) as advance,
            closing(self.outcomes()) as outcomes,
        ):
            for outcome in outcomes:
                results.outcomes.append(outcome)
                advance(describe(outcome) if describe else "")
        return results


def repeating(campaign: str, seed: int, runs: int = 1, build: Build = AS_DRAWN) -> str:
    """The command that makes the trial of `seed` again and no other; a campaign gives it with what went wrong there."""
    return f"python -m tests.campaigns {campaign} --runs {runs} --seed {seed}{build.words}"


def count_kinds(counter: Mapping[str, int]) -> str:
    """How many there were of each kind, most first; "none" for no kind."""
    ordered = sorted(counter.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{name} {count}" for name, count in ordered) or "none"


class Report(Protocol):
    """The report of a campaign, once its trials are made: for people or for programs."""

    @property
    def passed(self) -> bool:
        """True if everything was as it must be."""

    def as_json(self) -> Mapping[str, Any]:
        """All of it, for a program."""

    def show(self) -> None:
        """Print it for a person."""


def print_report(report: Report, results: Results[Any], *, as_json: bool, summary: str = "") -> Exit:
    """Print the report of a campaign on standard output, and its `summary` on standard error; NO if it has not passed.

    One that was broken off is reported as far as it went; then Ctrl-C goes on its way as `KeyboardInterrupt`.
    """
    if as_json:
        print_json(report.as_json())
    else:
        report.show()
    if summary:
        say(summary)
    if results.interrupted:
        raise KeyboardInterrupt
    return Exit.DONE if report.passed else Exit.NO


@contextmanager
def show_progress(name: str, total: int) -> Iterator[Callable[[str], None]]:
    """Show a bar where somebody looks at a terminal. What it yields counts one trial more, and says how it goes."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=words, transient=True, disable=not words.is_terminal) as progress:
        bar = progress.add_task(name, total=total)

        def advance(description: str) -> None:
            progress.update(bar, advance=1, description=description or None)

        yield advance
