"""Campaign `evenings`: is an evening valid to its end, and the same after kill -9 as without it?"""

import json
import os
import random
import signal
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from select import select
from tempfile import TemporaryDirectory
from typing import Any

from controller.cli.evening.store import EveningFile
from controller.game.evening.decide import is_over
from controller.game.evening.view import view_of
from controller.runtime.output import Exit
from controller.runtime.terminal import answers
from tests.campaigns.campaign import Campaign, print_report, repeating
from tests.campaigns.pool import silence
from tests.support.any_evening import any_opening, next_step
from tests.support.evening_judge import faults_of

_IN_PLACE = 2  # trials: see `Campaign.in_place`
_MOST_KILLS = 4  # of one evening
_LONGEST_S = 0.15  # until a kill


@dataclass(frozen=True, slots=True)
class Outcome:
    """One evening: its form, how many played how many matches, how often it was killed, and what was wrong."""

    seed: int
    form: str
    players: int
    matches: int
    withdrawn: int
    kills: int
    wrong: tuple[str, ...]


def try_evening(seed: int) -> Outcome:
    """Play the evening of a seed once in one go, and once in processes that are killed in the middle of it."""
    with TemporaryDirectory() as folder:
        whole, cut = Path(folder) / "evening-whole.json", Path(folder) / "evening-cut.json"
        for path in (whole, cut):
            EveningFile(path).create(any_opening(seed))
        _play(whole, seed)
        kills = _play_killed(cut, seed)
        wrong = [] if whole.read_bytes() == cut.read_bytes() else ["another evening after the kills"]
        evening = EveningFile(whole).load()
        rows = [asdict(row) for row in view_of(evening).table]
        wrong += faults_of(json.loads(whole.read_bytes())["events"], rows)
        matches = len(evening.matches)
    gone = len(evening.withdrawn)
    return Outcome(seed, evening.opened.form, len(evening.players), matches, gone, kills, tuple(wrong))


def _play(path: Path, seed: int) -> None:
    file = EveningFile(path)
    while not is_over(file.change(lambda evening: next_step(seed, evening))):
        pass


def _play_killed(path: Path, seed: int) -> int:
    """Play to the end in a process each time, all but the last of which are killed; return how many were."""
    chance, kills = random.Random(seed), 0
    for _ in range(_MOST_KILLS):
        process = os.fork()
        if not process:
            _play(path, seed)
            os._exit(0)
        handle = os.pidfd_open(process)
        select([handle], [], [], chance.uniform(0, _LONGEST_S))
        os.close(handle)
        os.kill(process, signal.SIGKILL)
        _, status = os.waitpid(process, 0)
        kills += os.WIFSIGNALED(status)
    _play(path, seed)
    return kills


@dataclass(frozen=True, slots=True)
class EveningReport:
    """The outcomes of all evenings. It has passed if nothing was wrong."""

    outcomes: Sequence[Outcome]

    @property
    def passed(self) -> bool:
        """True if there is nothing to tell."""
        return not any(each.wrong for each in self.outcomes)

    def as_json(self) -> Mapping[str, Any]:
        """All of it, for a program."""
        forms = {
            form: {
                "evenings": len(found),
                "matches": sum(each.matches for each in found),
                "withdrawn": sum(each.withdrawn for each in found),
                "kills": sum(each.kills for each in found),
            }
            for form in ("round-robin", "swiss", "knock-out")
            if (found := [each for each in self.outcomes if each.form == form])
        }
        wrong = [{"seed": each.seed, "wrong": list(each.wrong)} for each in self.outcomes if each.wrong]
        return {"passed": self.passed, "forms": forms, "wrong": wrong}

    def show(self) -> None:
        """Print it for a person."""
        told = self.as_json()
        for form, counts in told["forms"].items():
            answers.print(f"{form}: {', '.join(f'{number} {what}' for what, number in counts.items())}")
        for each in told["wrong"]:
            answers.print(f"{repeating('evenings', each['seed'])}: {'; '.join(each['wrong'])}", markup=False)
        answers.print("nothing was wrong" if self.passed else f"{len(told['wrong'])} evenings were wrong")


def bench_evenings(runs: int, seed: int, *, as_json: bool) -> Exit:
    """Make the campaign and print its report; NO if it has not passed."""
    results = Campaign("evenings", range(seed, seed + runs), try_evening, _IN_PLACE, begin=silence).run()
    return print_report(EveningReport(results.outcomes), results, as_json=as_json)
