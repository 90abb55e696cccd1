"""`crashes --slow`: play on a card some of whose syncs take a second; does anybody else notice?"""

import asyncio
import bisect
import multiprocessing
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.runtime.home import Home
from tests.campaigns.campaign import Results, count_kinds, show_progress
from tests.campaigns.crashes.mount import MountOrder, mount_card, read_notes
from tests.campaigns.crashes.played_box import Evening, PlayedBox
from tests.campaigns.crashes.report import CrashReport, percentile
from tests.campaigns.crashes.watchers import Arrival, probe, watch
from tests.campaigns.live.box import PATIENCE_S, log_of, open_live_box

WATCHERS = 50
_SLOW_EVERY, _SLOW_S = 10, 1.0  # of all syncs
# The limits, each of 99 of 100: from a commit to a watcher, and an answer of a loop that does nothing else.
_TOLD_S, _LAG_S = 0.25, 0.02
# What a guard's log says whenever it cuts, and of a daemon that was killed in the end.
_FIRED, _GONE = "pulses stopped", "has disconnected"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of the game; how long each watcher waited for each commit, and each small question for its answer; how
    many syncs there were, how many of these took long, and how often the guard cut the pulses.
    """

    evening: Evening
    told_s: Sequence[float]
    answered_s: Sequence[float]
    syncs: int
    slow: int
    fired: int


def try_slow_card(minutes: float, seed: int) -> tuple[CrashReport, Results[Outcome]]:
    """Play for so many minutes. Raises `NoMount`."""
    results = Results[Outcome]()
    with results.take_time(), TemporaryDirectory(prefix="shutbox-") as folder:
        results.outcomes.append(_attempt(minutes, seed, Path(folder)))
    return report_slow_card(results.outcomes, results.seconds), results


def _attempt(minutes: float, seed: int, folder: Path) -> Outcome:
    mount, notes = folder / "mount", folder / "notes"
    mount.mkdir()
    with mount_card(MountOrder(str(mount), slow_every=_SLOW_EVERY, slow_s=_SLOW_S, notes=str(notes))):
        seen = asyncio.run(_play(minutes, seed, mount))
    syncs = read_notes(notes).syncs
    slow = sum(end_s - began_s >= _SLOW_S for _, began_s, end_s in syncs)
    return Outcome(seen.evening, waits_of(syncs, seen.arrivals), seen.answered_s, len(syncs), slow, seen.fired)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is seen of the game by the box, the watchers, the questioner and the guard."""

    evening: Evening
    arrivals: Sequence[Arrival]
    answered_s: Sequence[float]
    fired: int


async def _play(minutes: float, seed: int, data: Path) -> _Seen:
    """Let clients play, while watchers and a questioner in processes of their own take times."""
    async with open_live_box(PlayedBox, seed, data=data) as box:
        # Ctrl-C is for this process, which ends the others.
        with multiprocessing.get_context("spawn").Pool(2, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
            watching = pool.apply_async(watch, (box.home.socket, WATCHERS))
            probing = pool.apply_async(probe, (box.home.socket,))
            evening = await box.play(seed, partial(_wait, minutes))
            # Both look until the daemon is gone.
            await box.stop()
            arrivals = await asyncio.to_thread(watching.get, PATIENCE_S)
            answered_s = await asyncio.to_thread(probing.get, PATIENCE_S)
        said = log_of(box.home, "guard").read_text("utf-8").splitlines()
    return _Seen(evening, arrivals, answered_s, sum(_FIRED in line and _GONE not in line for line in said))


async def _wait(minutes: float) -> None:
    seconds = round(minutes * 60)
    with show_progress("seconds", seconds) as advance:
        for _ in range(seconds):
            await asyncio.sleep(1.0)
            advance("")


def waits_of(syncs: Sequence[tuple[str, float, float]], arrivals: Sequence[Arrival]) -> list[float]:
    """For how many seconds each watcher waited for each commit.

    A commit is there when the last sync of the journal's files before its first watcher ended.
    """
    stem = Home(Path("/"), Path("/")).journal.stem
    ends_s = sorted(end_s for name, _, end_s in syncs if stem in name)
    first_s: dict[tuple[int, int], float] = {}
    for each in arrivals:
        first_s[each.moment] = min(each.at_s, first_s.get(each.moment, each.at_s))
    before = {moment: bisect.bisect(ends_s, at_s) for moment, at_s in first_s.items()}
    return [each.at_s - ends_s[before[each.moment] - 1] for each in arrivals if before[each.moment]]


def report_slow_card(outcomes: Sequence[Outcome], seconds: float) -> CrashReport:
    """What came of it, and which limits were exceeded."""
    facts: dict[str, object] = {"watchers": WATCHERS, "seconds": round(seconds, 1)}
    lines, problems = [], []
    for each in outcomes:
        told_s, lag_s = percentile(each.told_s, 99), percentile(each.answered_s, 99)
        facts |= {
            "counts": dict(each.evening.counts),
            "syncs": each.syncs,
            "slow": each.slow,
            "told_p99_s": round(told_s, 4),
            "told_worst_s": round(percentile(each.told_s, 100), 4),
            "lag_median_s": round(percentile(each.answered_s, 50), 4),
            "lag_p99_s": round(lag_s, 4),
            "lag_worst_s": round(percentile(each.answered_s, 100), 4),
            "guard_fired": each.fired,
        }
        lines += [
            f"{each.syncs} syncs, {each.slow} of which took {_SLOW_S:.0f} s: {count_kinds(each.evening.counts)}.",
            f"From a commit to one of {WATCHERS} watchers: {told_s:.3f} s (99 of 100; limit {_TOLD_S} s).",
            f"A small question is answered after {lag_s:.3f} s (99 of 100; limit {_LAG_S} s).",
            f"The guard cut the pulses {each.fired} times.",
        ]
        limits = {
            f"watchers wait {told_s:.3f} s for a commit": told_s > _TOLD_S,
            f"the loop answers after {lag_s:.3f} s": lag_s > _LAG_S,
            f"the guard cut the pulses {each.fired} times": each.fired > 0,
            "no sync took long": not each.slow,
            "no watcher saw a commit": not each.told_s,
        }
        problems += [*each.evening.problems, *(problem for problem, is_so in limits.items() if is_so)]
    return CrashReport("slow", facts, lines, problems)
