"""Campaign `crowd`: a box in the network; four play and fifty watch, whatever a stranger does."""

import asyncio
import multiprocessing
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from multiprocessing.pool import Pool
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.journal.store import Journal
from controller.runtime.machine import open_port
from controller.runtime.output import Exit
from controller.web.security.rates import REQUESTS
from tests.campaigns.campaign import Results, count_kinds, print_report, show_progress
from tests.campaigns.crashes.played_box import Evening, PlayedBox
from tests.campaigns.crashes.report import CrashReport, percentile
from tests.campaigns.crowd.stranger import Harassment, harass
from tests.campaigns.crowd.watchers import Sighting, Watched, watch
from tests.campaigns.live.box import PATIENCE_S, open_live_box

WATCHERS = 50
_CONNECTIONS_A_MINUTE = 1000
# The limits: from an event to a watcher (99 of 100), of a stranger's patience, and of what the daemon may grow.
_TOLD_S, _HALF_SENT_S, _GROWN_MB = 0.25, 12.0, 20.0
# A watcher that takes nothing is cut off after five seconds, once the turn of its request has come.
_STUCK_S = 5.0 + REQUESTS.strangers.at_once * REQUESTS.apart_s


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of the game; how long each watcher waited for each event; the daemon's memory, second by second."""

    evening: Evening
    told_s: Sequence[float]
    dropped: int
    memory_mb: Sequence[float]
    harassment: Harassment


def bench_crowd(minutes: float, seed: int, *, hostile: bool, as_json: bool) -> Exit:
    """Play for so many minutes, with a stranger or without; NO if anybody was kept from the box."""
    results = Results[Outcome]()
    with (
        results.take_time(),
        TemporaryDirectory(prefix="shutbox-") as folder,
        _open_process() as watchers,
        _open_process() as stranger,
    ):
        attempt = _attempt(minutes, seed, Path(folder), watchers, stranger if hostile else None)
        results.outcomes.append(asyncio.run(attempt))
    return print_report(report_crowd(results.outcomes, results.seconds), results, as_json=as_json)


@contextmanager
def _open_process() -> Iterator[Pool]:
    """A process of its own that has loaded all this, and leaves Ctrl-C to us; it ends with the block."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        pool.apply(_leave_ctrl_c)
        yield pool


def _leave_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


async def _attempt(minutes: float, seed: int, data: Path, watchers: Pool, stranger: Pool | None) -> Outcome:
    port, seconds = _find_port(), minutes * 60
    (data / "settings.toml").write_text(f'[web]\non = true\naddress = "127.0.0.1"\nport = {port}\n', "utf-8")
    async with open_live_box(PlayedBox, seed, data=data) as box:
        box.port = port
        watching = watchers.apply_async(watch, (port, WATCHERS))
        order = (port, seconds, round(minutes * _CONNECTIONS_A_MINUTE))
        harassing = stranger.apply_async(harass, order) if stranger else None
        memory_mb: list[float] = []
        evening = await box.play(seed, partial(_look, box, seconds, memory_mb))
        # They watch until the daemon is gone.
        await box.stop()
        watched = await asyncio.to_thread(watching.get, PATIENCE_S)
        done = await asyncio.to_thread(harassing.get, seconds + PATIENCE_S) if harassing else Harassment()
        told_s = waits_of(_times_in(box.home.journal), watched)
    return Outcome(evening, told_s, watched.dropped, memory_mb, done)


def _find_port() -> int:
    """A port that nobody has just now."""
    with open_port("127.0.0.1", 0) as free:
        port: int = free.getsockname()[1]
        return port


async def _look(box: PlayedBox, seconds: float, memory_mb: list[float]) -> None:
    """Look at the daemon's memory every second for so many of them."""
    looks = max(1, round(seconds))
    with show_progress("seconds", looks) as advance:
        for _ in range(looks):
            await asyncio.sleep(1.0)
            memory_mb.append(box.memory_mb())
            advance(f"{memory_mb[-1]:.0f} MB")


def _times_in(path: Path) -> Mapping[tuple[int, int], float]:
    """When each event of each game happened, by the clock on the wall in seconds; it was committed later."""
    with Journal(path, read_only=True) as journal:
        return {
            (game_id, entry.number): datetime.fromisoformat(entry.at).timestamp()
            for game_id in journal.game_ids()
            for entry in journal.entries(game_id)
        }


def waits_of(times: Mapping[tuple[int, int], float], watched: Watched) -> list[float]:
    """For how many seconds each watcher waited for each event that it saw; the first after a return is an old one."""

    def wait(seen: Sighting) -> float:
        return seen.at_s - times[seen.game_id, seen.event]

    return [wait(seen) for seen in watched.sightings if (seen.game_id, seen.event) in times]


def report_crowd(outcomes: Sequence[Outcome], seconds: float) -> CrashReport:
    """What came of it, and which limits were exceeded."""
    facts: dict[str, object] = {"watchers": WATCHERS, "seconds": round(seconds, 1)}
    lines: list[str] = []
    problems: list[str] = []
    for each in outcomes:
        told_s, done, grown_mb = percentile(each.told_s, 99), each.harassment, _growth(each.memory_mb)
        waited_s = percentile(each.evening.waited_s, 99)
        facts |= {
            "counts": dict(each.evening.counts),
            "told": len(each.told_s),
            "told_median_s": round(percentile(each.told_s, 50), 4),
            "told_p99_s": round(told_s, 4),
            "told_worst_s": round(percentile(each.told_s, 100), 4),
            "answered_p99_s": round(waited_s, 4),
            "dropped": each.dropped,
            "memory_mb": round(percentile(each.memory_mb, 100), 1),
            "grown_mb": round(grown_mb, 1),
            "stranger": dict(done.counts),
            "half_sent_s": round(done.half_sent_s, 2),
            "stuck_s": round(done.stuck_s, 2),
        }
        lines += [
            f"Played: {count_kinds(each.evening.counts)}. A stranger: {count_kinds(done.counts)}.",
            f"From a player's command to its answer: {waited_s:.3f} s (99 of 100; limit {_TOLD_S} s).",
            f"From an event to one of {WATCHERS} watchers: {told_s:.3f} s (99 of 100; limit {_TOLD_S} s).",
            f"Half a request was borne for {done.half_sent_s:.1f} s, a stuck watcher for {done.stuck_s:.1f} s.",
            f"The daemon took {percentile(each.memory_mb, 100):.0f} MB, {grown_mb:+.1f} MB in the second half.",
        ]
        problems += [*each.evening.problems, *_problems_of(each, told_s, waited_s, grown_mb)]
    return CrashReport("crowd", facts, lines, problems)


def _problems_of(outcome: Outcome, told_s: float, waited_s: float, grown_mb: float) -> Iterator[str]:
    done = outcome.harassment
    limits = {
        f"watchers wait {told_s:.3f} s for an event": told_s > _TOLD_S,
        f"players wait {waited_s:.3f} s for an answer": waited_s > _TOLD_S,
        "no watcher saw an event": not outcome.told_s,
        f"{outcome.dropped} watchers were dropped": outcome.dropped > 0,
        f"half a request was borne for {done.half_sent_s:.1f} s": done.half_sent_s > _HALF_SENT_S,
        f"a stuck watcher was borne for {done.stuck_s:.1f} s": done.stuck_s > _STUCK_S,
        f"{done.accepted} bodies of 100 MB were taken": done.accepted > 0,
        f"the daemon grew by {grown_mb:.1f} MB": grown_mb > _GROWN_MB,
    }
    yield from (problem for problem, is_so in limits.items() if is_so)


def _growth(memory_mb: Sequence[float]) -> float:
    """What the daemon grew by in the second half, when all that it loads has long been loaded; 0 of no look at all."""
    return memory_mb[-1] - memory_mb[len(memory_mb) // 2] if memory_mb else 0.0
