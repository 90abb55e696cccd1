"""`shutbox bench crashes --damage`: files of a game under way are damaged; is it told, does the daemon start all the same?"""

import asyncio
import os
import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.bench.campaign import Results, count_kinds, show_progress
from controller.bench.crashes.file_damages import (
    Damage,
    damages_of_journal,
    damages_of_other,
    damages_of_wal,
    from_copy,
    remove,
)
from controller.bench.crashes.first_look import FirstLook, Standing, look_at_home, run_mock
from controller.bench.crashes.journal_play import play_until_power_goes
from controller.bench.crashes.report import CrashReport
from controller.game import AcceptLoss, Choose, ClientCommand, PhaseName, Player, StartGame, TakeThrow
from controller.settings import Home
from controller.web import Client

_COMMITS = 60  # of the games in another box's journal
_START = StartGame((Player("Ann"),))
_THROW, _CHOICE = TakeThrow((1, 1)), Choose(("front-2",))
# A game that is over, and two parts of one that is under way: each command, and the phase that it leads to.
_FINISHED: Sequence[tuple[ClientCommand, PhaseName]] = (
    (_START, "awaiting_throw"),
    (_THROW, "choosing"),
    (_CHOICE, "awaiting_throw"),
    (_THROW, "turn_lost"),
    (AcceptLoss(), "ended"),
)
_BEGUN: Sequence[tuple[ClientCommand, PhaseName]] = (
    (_START, "awaiting_throw"),
    (TakeThrow((5, 3)), "choosing"),
    (Choose(("front-8",)), "awaiting_throw"),
)
_GONE_ON: Sequence[tuple[ClientCommand, PhaseName]] = (
    (TakeThrow((4, 3)), "choosing"),
    (Choose(("front-7",)), "awaiting_throw"),
    (TakeThrow((4, 2)), "choosing"),
)


@dataclass(frozen=True, slots=True)
class Stock:
    """Homes to take files from: one with a game under way that stands so, the same after the game before and amid this
    one, and one with the games of another box.
    """

    home: Path
    older: Path
    middle: Path
    other: Path
    standing: Standing

    @property
    def journal(self) -> str:
        """The name of the journal's file."""
        return Home(self.home, self.home).journal.name

    @property
    def beside(self) -> Sequence[str]:
        """The names of what else the journal keeps: by today's names, whatever begins as the journal's does."""
        stem = self.journal.partition(".")[0]
        own = {self.journal, f"{self.journal}-wal"}
        places = (place for place in self.home.rglob("*") if place.is_file() and stem in place.name)
        return sorted({str(place.relative_to(self.home)) for place in places} - own)


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
        damages = [*every_damage(stock)]
        waiting = iter(damages)
        with show_progress("damages", len(damages)) as advance:

            async def look() -> None:
                for damage in waiting:
                    outcomes.append(await attempt(damage, stock))
                    advance("")

            async with asyncio.TaskGroup() as group:
                for _ in range(rigs):
                    group.create_task(look())


async def make_stock(folder: Path) -> Stock:
    """Play, kill the daemon now and then, and keep what is there then."""
    home, older, middle, other = (folder / name for name in ("home", "older", "middle", "other"))
    home.mkdir()
    other.mkdir()
    await _play(home, _FINISHED)
    shutil.copytree(home, older)
    await _play(home, _BEGUN)
    shutil.copytree(home, middle)
    standing = await _play(home, _GONE_ON)
    play_until_power_goes(Home(other, other).journal, random.Random(1), commits=_COMMITS)
    return Stock(home, older, middle, other, standing)


async def _play(data: Path, commands: Sequence[tuple[ClientCommand, PhaseName]]) -> Standing:
    """Give commands to a daemon in this home, one after the other, and kill it; how the game stands then."""
    with TemporaryDirectory(prefix="shutbox-") as runtime:
        async with run_mock(Home(data, Path(runtime), fixed=True)) as client:
            await _wait_for(client, "idle", "ended", "awaiting_throw")
            for command, phase in commands:
                await client.send(command)
                await _wait_for(client, phase)
            return Standing.of(await client.state())


async def _wait_for(client: Client, *phases: PhaseName) -> None:
    """Wait until the box has looked at its tiles and the game is in one of these phases."""
    async with client.snapshots() as snapshots:
        async for snapshot in snapshots:
            if snapshot.phase in phases and snapshot.messages[0].key != "game.comparing":
                return


def every_damage(stock: Stock) -> Iterator[Damage]:
    """Every damage there is to this home."""
    journal, wal = stock.journal, f"{stock.journal}-wal"
    yield Damage("nothing", lambda _: None)
    yield from damages_of_journal(journal, (stock.home / journal).stat().st_size)
    yield from damages_of_wal(wal, (stock.home / wal).stat().st_size)
    for name in stock.beside:
        yield from damages_of_other(name, (stock.home / name).stat().st_size)
    for name in (journal, wal, *stock.beside):
        for source in (stock.older, stock.middle, stock.other):
            yield Damage(f"{name}: from {_SOURCES[source.name]}", partial(from_copy, source, name))
    yield from _damages_together(stock, (journal, wal))
    yield from _damages_by_sql(journal)


_SOURCES = {"older": "before this game", "middle": "earlier in this game", "other": "another box"}


def _damages_together(stock: Stock, names: Sequence[str]) -> Iterator[Damage]:
    """What befalls the journal and its log together."""

    def each(do: Callable[[str, Path], object], home: Path) -> None:
        for name in names:
            do(name, home)

    yield Damage("journal and log: removed", partial(each, remove))
    yield Damage("journal and log: emptied", partial(each, lambda name, home: os.truncate(home / name, 0)))
    for source in (stock.older, stock.middle, stock.other):
        yield Damage(f"journal and log: from {_SOURCES[source.name]}", partial(each, partial(from_copy, source)))


def _damages_by_sql(name: str) -> Iterator[Damage]:
    """What befalls a journal that stays a good database."""

    def run(sql: str, home: Path) -> None:
        with closing(sqlite3.connect(home / name)) as db:
            db.executescript(sql)

    last = "game = (SELECT max(id) FROM game)"
    for what, sql in {
        "the last event removed": f"DELETE FROM event WHERE {last} AND number = (SELECT max(number) FROM event WHERE {last})",
        "the last three events removed": f"DELETE FROM event WHERE {last} AND number > (SELECT max(number) - 3 FROM event "
        f"WHERE {last})",
        "an event amid it removed": f"DELETE FROM event WHERE {last} AND number = 3",
        "all events of the game removed": f"DELETE FROM event WHERE {last}",
        "the game removed": f"DELETE FROM event WHERE {last}; DELETE FROM game WHERE id = (SELECT max(id) FROM game)",
        "an event that is no JSON": f"UPDATE event SET body = 'milk' WHERE {last} AND number = 3",
        "other dice in an event": f"UPDATE event SET body = replace(body, '[5,3]', '[4,4]') WHERE {last}",
        "another digest": f"UPDATE event SET digest = 'milk' WHERE {last} AND number = 3",
        "the table of events dropped": "DROP TABLE event",
        "the table of games dropped": "DROP TABLE game",
        "the table of commands dropped": "DROP TABLE command",
        "the table of seats dropped": "DROP TABLE seat",
        "the format of a later version": "PRAGMA user_version = 99",
        "no format": "PRAGMA user_version = 0",
        "no write-ahead log": "PRAGMA journal_mode = DELETE",
        "another box's name": "UPDATE game SET box = 'two-level-12'",
    }.items():
        yield Damage(f"{name}: {what}", partial(run, sql))


async def attempt(damage: Damage, stock: Stock) -> Outcome:
    """Damage a copy of the home, and look at it."""
    with TemporaryDirectory(prefix="shutbox-") as folder:
        home = Path(folder)
        shutil.copytree(stock.home, home, dirs_exist_ok=True)
        damage.befall(home)
        return Outcome(damage.name, await look_at_home(home), stock.standing)


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
