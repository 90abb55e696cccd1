"""`crashes --damage`: files of a game under way are damaged; does the daemon start, and is it told?"""

import asyncio
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.campaigns.campaign import Results, count_kinds, show_progress
from tests.campaigns.crashes.file_damages import (
    Damage,
    cut_short,
    damages_of_journal,
    damages_of_other,
    damages_of_wal,
    from_copy,
    remove,
)
from tests.campaigns.crashes.first_look import FirstLook, Standing, look_at_home
from tests.campaigns.crashes.report import CrashReport
from tests.campaigns.crashes.sql_damages import damages_by_sql
from tests.campaigns.crashes.stock import Stock, make_stock

_SOURCES = {"older": "before this game", "middle": "earlier in this game", "other": "another box"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One damage, what a daemon showed and told then, and what it should have shown."""

    damage: str
    look: FirstLook
    wanted: Standing

    @property
    def verdict(self) -> str:
        """`kept`: the game stands as it did. `told`: it does not, and people are told. `untold`, or `no start`: bad."""
        if self.look.problem:
            return "no start"
        if self.look.standing == self.wanted:
            return "kept"
        return "told" if self.look.told else "untold"

    def __str__(self) -> str:
        """One line of it, for people."""
        seen = self.look.standing
        shown = f"game {seen.game_id}, event {seen.event} of {self.wanted.event}" if seen.game_id else "no game"
        return f"{self.damage}: {self.verdict}: {self.look.problem or shown}; {self.look.said or 'nothing said'}"


def try_damages(rigs: int) -> tuple[CrashReport, Results[Outcome]]:
    """Damage a home in every way there is, `rigs` at a time, and look at each of them."""
    results = Results[Outcome]()
    with results.take_time():
        asyncio.run(_run(rigs, results.outcomes))
    return report_damages(results.outcomes, results.seconds), results


async def _run(rigs: int, outcomes: list[Outcome]) -> None:
    with TemporaryDirectory(prefix="shutbox-") as folder:
        stock = await make_stock(Path(folder))
        trials = [*every_trial(stock)]
        waiting = iter(trials)
        with show_progress("damages", len(trials)) as advance:

            async def look() -> None:
                for trial in waiting:
                    outcomes.append(await attempt(trial, stock.standing))
                    advance("")

            async with asyncio.TaskGroup() as group:
                for _ in range(rigs):
                    group.create_task(look())


@dataclass(frozen=True, slots=True)
class Trial:
    """A damage to a home with a game under way."""

    home: Path
    damage: Damage

    @property
    def name(self) -> str:
        """The home and the damage: each trial has a name of its own."""
        return f"{self.home.name}: {self.damage.name}"


def every_trial(stock: Stock) -> Iterator[Trial]:
    """Every damage there is to these homes."""
    for home in (stock.killed, stock.ended):
        for damage in _every_damage(stock, home):
            yield Trial(home, damage)


def _every_damage(stock: Stock, home: Path) -> Iterator[Damage]:
    journal, wal = stock.journal, f"{stock.journal}-wal"
    yield Damage("nothing", lambda _: None)
    yield from damages_of_journal(home / journal)
    if home is stock.ended:
        yield from damages_by_sql(journal)
        return
    yield from damages_of_wal(home / wal)
    for name in (*stock.beside, *stock.of_others):
        yield from damages_of_other(name, (home / name).stat().st_size)
    for name in (journal, wal, *stock.beside):
        for source in (stock.older, stock.middle, stock.other):
            yield Damage(f"{name}: from {_SOURCES[source.name]}", partial(from_copy, source, name))
    yield from _damages_together(stock, (journal, wal))


def _damages_together(stock: Stock, names: Sequence[str]) -> Iterator[Damage]:
    """What befalls the journal and its log together."""

    def each(do: Callable[[str, Path], object], home: Path) -> None:
        for name in names:
            do(name, home)

    def empty(name: str, home: Path) -> None:
        cut_short(name, 0, home)

    yield Damage("journal and log: removed", partial(each, remove))
    yield Damage("journal and log: emptied", partial(each, empty))
    for source in (stock.older, stock.middle, stock.other):
        yield Damage(f"journal and log: from {_SOURCES[source.name]}", partial(each, partial(from_copy, source)))


async def attempt(trial: Trial, wanted: Standing) -> Outcome:
    """Damage a copy of the home, and look at it."""
    with TemporaryDirectory(prefix="shutbox-") as folder:
        home = Path(folder)
        shutil.copytree(trial.home, home, dirs_exist_ok=True)
        trial.damage.befall(home)
        return Outcome(trial.name, await look_at_home(home), wanted)


def report_damages(outcomes: Sequence[Outcome], seconds: float) -> CrashReport:
    """What came of all damages."""
    verdicts = Counter(each.verdict for each in outcomes)
    told = [each for each in outcomes if each.verdict == "told"]
    return CrashReport(
        "damage",
        {"damages": len(outcomes), "verdicts": dict(verdicts), "seconds": round(seconds, 1)},
        [f"{len(outcomes)} damages: {count_kinds(verdicts)}.", *map(str, told)],
        [str(each) for each in outcomes if each.verdict in ("untold", "no start")],
    )
