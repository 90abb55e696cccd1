"""Campaign `endurance`: one game after another in one process: does anything grow that must not?"""

import os
import random
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from controller.box.simulated import open_simulated_world
from controller.errors import ShutboxError
from controller.game.core.commands import StartGame
from controller.journal.store import Journal
from controller.referee.referee import Referee, run_referee
from controller.rules.errors import RulesError
from controller.runtime.clock import run_jumping
from controller.runtime.output import Exit
from controller.runtime.terminal import answers
from controller.settings import Pace
from hardware.box import load_box
from tests.campaigns.campaign import Results, print_report, show_progress
from tests.campaigns.games.people import People, draw_game
from tests.campaigns.games.typed_dice import with_typed_dice
from tests.campaigns.pool import silenced

_MEASURES = 20  # so often it is measured
# What may grow for each thousand games, and how much of the journal an event may take.
_MB_PER_1000, _BYTES_PER_EVENT = 1.0, 200.0
_ENOUGH = 500  # games: caches still fill in fewer
_WARMING_UP = 0.2  # of all games: caches fill in them


@dataclass(frozen=True, slots=True)
class Measure:
    """After so many games: the memory of the process in MB (2**20 bytes, resident), its open files, and the journal:
    its bytes and its events.
    """

    games: int
    memory_mb: float
    open_files: int
    journal_bytes: int
    events: int


def bench_endurance(games: int, seed: int, *, as_json: bool) -> Exit:
    """Play so many games, one after the other, by typed throws on a clock that jumps; NO if anything grows too much."""
    results = Results[Measure]()
    with (
        silenced(),
        results.take_time(),
        show_progress("games", games) as advance,
        tempfile.TemporaryDirectory() as folder,
    ):
        run_jumping(_play(games, random.Random(f"{seed}/endurance"), Path(folder), results.outcomes, advance))
    if not results.outcomes:
        # It was broken off before anything was measured.
        raise KeyboardInterrupt
    return print_report(EnduranceReport(results.outcomes), results, as_json=as_json)


async def _play(
    games: int, chance: random.Random, folder: Path, measures: list[Measure], advance: Callable[[str], None]
) -> None:
    box = load_box("two-level-9")
    every = max(1, games // _MEASURES)
    async with open_simulated_world(box, seed=1) as (table, world):
        people = People(chance, world)
        with Journal(folder / "journal.sqlite3") as journal:
            async with run_referee(with_typed_dice(table, world), journal, Pace(house_thinks_s=0.0)) as referee:
                events = 0
                for game in range(1, games + 1):
                    events += await _play_one(referee, people, draw_game(chance))
                    advance("")
                    if game % every == 0:
                        measures.append(_measure(game, events, journal))


async def _play_one(referee: Referee, people: People, start: StartGame) -> int:
    """Play one game to its end; how many events it had."""
    await referee.ask(start)
    async with referee.watch() as snapshots:
        while (snapshot := await snapshots.get()).phase != "ended":
            command = people.act(snapshot) if snapshot.number == referee.snapshot.number else None
            if command is not None:
                with suppress(ShutboxError, RulesError):
                    await referee.ask(command)
    return snapshot.event


def _measure(games: int, events: int, journal: Journal) -> Measure:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    open_files = len(os.listdir("/proc/self/fd"))
    memory_mb = pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    return Measure(games, memory_mb, open_files, journal.path.stat().st_size, events)


@dataclass(frozen=True, slots=True)
class EnduranceReport:
    """What grew from the first fifth of the games, in which caches fill, to the last one."""

    measures: Sequence[Measure]

    @property
    def _steady(self) -> Sequence[Measure]:
        return self.measures[int(len(self.measures) * _WARMING_UP) :]

    @property
    def mb_per_1000(self) -> float | None:
        """How much memory a thousand games take, by a line through all measures (least squares); None for few games."""
        count = len(self._steady)
        if self.measures[-1].games < _ENOUGH:
            return None
        mean_games = sum(each.games for each in self._steady) / count
        mean_mb = sum(each.memory_mb for each in self._steady) / count
        spread = sum((each.games - mean_games) ** 2 for each in self._steady)
        return 1000 * sum((each.games - mean_games) * (each.memory_mb - mean_mb) for each in self._steady) / spread

    @property
    def bytes_per_event(self) -> float:
        """What an event takes in the journal."""
        last = self.measures[-1]
        return last.journal_bytes / last.events

    @property
    def is_flat(self) -> bool:
        """True if no more files are open in the second half of the games than were in the first."""
        half = len(self._steady) // 2
        first, second = (
            max((each.open_files for each in part), default=0) for part in (self._steady[:half], self._steady[half:])
        )
        return second <= first

    @property
    def passed(self) -> bool:
        """True if nothing grew that must not."""
        if self.mb_per_1000 is None:
            return True
        return self.mb_per_1000 < _MB_PER_1000 and self.is_flat and self.bytes_per_event <= _BYTES_PER_EVENT

    def as_json(self) -> Mapping[str, Any]:
        """The figures, then each measure."""
        return {
            "games": self.measures[-1].games,
            "mb_per_1000_games": self.mb_per_1000,
            "open_files_flat": self.is_flat,
            "bytes_per_event": round(self.bytes_per_event, 1),
            "measures": [asdict(each) for each in self.measures],
        }

    def show(self) -> None:
        """Print them."""
        last = self.measures[-1]
        answers.print(f"{last.games} games, {last.events} events, {last.memory_mb:.0f} MB at the end.")
        if self.mb_per_1000 is None:
            answers.print(f"Fewer than {_ENOUGH} games do not tell whether memory grows.")
        else:
            answers.print(f"A thousand games take {self.mb_per_1000:.2f} MB more (at most {_MB_PER_1000}).")
        answers.print(f"Open files: {last.open_files}, {'no more than' if self.is_flat else 'MORE than'} before.")
        answers.print(
            f"An event takes {self.bytes_per_event:.0f} bytes of the journal (at most {_BYTES_PER_EVENT:.0f})."
        )
