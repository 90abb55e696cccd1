"""Campaign `two-boxes`: whole matches of two boxes, while daemons, broker and network are cut; as a table or JSON."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from controller.runtime.output import Exit
from controller.runtime.terminal import answers
from controller.web.client import Client, DaemonGone
from tests.campaigns.campaign import Results, print_report, show_progress
from tests.campaigns.two_boxes.arena import Arena, open_arena, open_network, until_quiet, why_no_namespaces
from tests.campaigns.two_boxes.checker import compare, compare_wood, count_actions
from tests.campaigns.two_boxes.people import Person

GAMES = (
    ("--game", "pub"),
    ("--game", "even-stevens"),
    ("--game", "against-all-odds"),
    ("--game", "2-to-go"),
    ("--game", "pub", "--set", "tiles=5"),
    ("--game", "even-stevens", "--match", "points", "--set", "rounds=2"),
)
_LONGEST_S = 150.0
_ALONE_S = 12.0  # who has left after the end is called back for the other one
_LOOK_S = 0.2
_LINES_DOWN_S = (0.5, 8.0)
_BETWEEN_CUTS_S = (2.0, 9.0)
_CUTTING_S = 60.0  # of a match: on a busy computer it would never end otherwise


@dataclass
class Outcome:
    """One match. ends: the exit statuses of both sides. cuts: how many of each kind. wrong: what must not be."""

    name: str
    seconds: float = 0.0
    events: int = 0
    acknowledged: int = 0
    ends: tuple[int | None, ...] = ()
    cuts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


async def play_matches(arena: Arena, count: int, seed: int, results: Results[Outcome], advance: Any) -> None:
    """Play one match after the other on the same boxes."""
    for box in arena.boxes:
        await until_quiet(box)
    people = [Person(box.player, box.socket, random.Random(f"{seed} {box.player}")) for box in arena.boxes]
    async with asyncio.TaskGroup() as tasks:
        playing = [tasks.create_task(person.play()) for person in people]
        for number in range(seed, seed + count):
            outcome = await _play_one(arena, f"m{number}", random.Random(number), people)
            results.outcomes.append(outcome)
            advance("; ".join(outcome.wrong))
            if outcome.wrong:
                break  # its journals and logs are what anybody wants to see
        for each in playing:
            each.cancel()


async def _play_one(arena: Arena, name: str, chance: random.Random, people: Sequence[Person]) -> Outcome:
    outcome, began_s = Outcome(name), time.monotonic()
    for person in people:
        person.noted.clear()
    arena.begin_match(name, chance.choice(GAMES))
    cutting = asyncio.create_task(_cut(arena, chance, outcome.cuts))
    alone_s = 0.0
    while time.monotonic() - began_s < _LONGEST_S:
        await asyncio.sleep(_LOOK_S)
        ends = [box.match.status for box in arena.boxes]
        if 1 in ends or all(end == 0 for end in ends):
            break
        alone_s = alone_s + _LOOK_S if 0 in ends else 0.0
        for box, end in zip(arena.boxes, ends, strict=True):
            if end not in (None, 0) or (end == 0 and alone_s > _ALONE_S):
                box.match.start()
                alone_s = 0.0
    else:
        outcome.wrong.append(f"it was not over after {_LONGEST_S:.0f} s")
    cutting.cancel()
    with suppress(asyncio.CancelledError):
        await cutting
    outcome.ends = tuple(box.match.status for box in arena.boxes)
    await asyncio.sleep(0.5)
    for box in arena.boxes:
        box.match.kill()
    if 1 in outcome.ends:
        outcome.wrong.append("the boxes say that they differ")
    journals = [box.home / "journal.sqlite3" for box in arena.boxes]
    outcome.wrong += compare(journals, name, [person.noted for person in people])
    for box in arena.boxes:
        outcome.wrong += await asyncio.to_thread(compare_wood, box.tiles(), await _board(box.socket), box.number)
    outcome.events = count_actions(journals[0], name)
    outcome.acknowledged = sum(len(person.noted) for person in people)
    outcome.seconds = time.monotonic() - began_s
    return outcome


async def _board(socket: Path) -> Mapping[str, str]:
    """Return where the game of a box has its tiles."""
    for _ in range(200):
        with suppress(DaemonGone):
            async with Client(socket) as client:
                snapshot = await client.state()
                if not any(tile.moving for tile in snapshot.tiles):
                    told = {"showing": "OPEN", "hidden": "OPEN", "shut": "SHUT"}
                    return {tile.name: told[tile.state] for tile in snapshot.tiles if tile.state in told}
        await asyncio.sleep(0.1)
    return {"daemon": "answers"}


async def _cut(arena: Arena, chance: random.Random, cuts: Counter[str]) -> None:
    """Cut something now and then for a while, and bring it back; what was cut is back when this is cancelled."""
    kinds = ["daemon", "match", "broker"] + ["line"] * (arena.network is not None)
    ends_s = time.monotonic() + _CUTTING_S
    while time.monotonic() < ends_s:
        await asyncio.sleep(chance.uniform(*_BETWEEN_CUTS_S))
        kind, box = chance.choice(kinds), chance.choice(arena.boxes)
        cuts[kind] += 1
        away_s = chance.uniform(*_LINES_DOWN_S) if kind == "line" else chance.uniform(0.0, 2.0)
        try:
            if kind == "line" and arena.network is not None:
                arena.network.cut(box.number, up=False)
            elif kind == "match":
                if box.match.status is None:
                    box.match.kill()
                continue  # it is started again by whoever waits for its end
            else:
                (arena.broker if kind == "broker" else box.daemon).kill()
            await asyncio.sleep(away_s)
        finally:
            if kind == "line" and arena.network is not None:
                arena.network.cut(box.number, up=True)
            elif kind == "broker":
                arena.broker.start()
            elif kind == "daemon":
                box.daemon.start()


@dataclass(frozen=True, slots=True)
class MatchesReport:
    """Every outcome, and how many seconds all took. network: in namespaces of their own."""

    outcomes: Sequence[Outcome]
    asked: int
    seconds: float
    network: bool

    @property
    def passed(self) -> bool:
        return bool(self.outcomes) and not any(outcome.wrong for outcome in self.outcomes)

    def as_json(self) -> Mapping[str, Any]:
        """The sums, and whatever is wrong."""
        cuts: Counter[str] = sum((outcome.cuts for outcome in self.outcomes), Counter())
        return {
            "matches": len(self.outcomes),
            "asked": self.asked,
            "agreed": sum(not outcome.wrong for outcome in self.outcomes),
            "events": sum(outcome.events for outcome in self.outcomes),
            "acknowledged": sum(outcome.acknowledged for outcome in self.outcomes),
            "cuts": dict(sorted(cuts.items())),
            "namespaces": self.network,
            "seconds": round(self.seconds, 1),
            "wrong": {outcome.name: outcome.wrong for outcome in self.outcomes if outcome.wrong},
        }

    def show(self) -> None:
        found = self.as_json()
        counts = {name: value for name, value in found.items() if name not in ("cuts", "wrong")}
        counts |= {f"cuts: {kind}": count for kind, count in found["cuts"].items()}
        for name, value in counts.items():
            answers.print(f"{name:<18}{value}")
        for name, wrong in found["wrong"].items():
            answers.print(f"{name}: {'; '.join(wrong)}")


def bench_two_boxes(matches: int, seed: int, folder: Path | None, *, namespaces: bool, as_json: bool) -> Exit:
    """Play so many matches, and report them. folder: where homes and logs are kept; None: nowhere."""
    why = why_no_namespaces() if namespaces else ""
    if why:
        answers.print(f"skipped: {why}")
        return Exit.DONE
    results = Results[Outcome]()
    with ExitStack() as stack, results.take_time():
        place = folder or Path(stack.enter_context(TemporaryDirectory()))
        place.mkdir(exist_ok=True)
        network = stack.enter_context(open_network()) if namespaces else None
        arena = stack.enter_context(open_arena(place, network))
        advance = stack.enter_context(show_progress("matches", matches))
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            runner.run(play_matches(arena, matches, seed, results, advance))
    report = MatchesReport(results.outcomes, matches, results.seconds, namespaces)
    return print_report(report, results, as_json=as_json)
