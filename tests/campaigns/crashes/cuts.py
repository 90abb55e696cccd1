"""`crashes --cuts`: the power goes amid commits; is every acknowledged event found again, or told?"""

import asyncio
import math
import random
import shutil
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

from controller.runtime.home import Home
from tests.campaigns.campaign import Campaign, Results, count_kinds
from tests.campaigns.crashes.first_look import look_at_home
from tests.campaigns.crashes.journal_play import find_losses, has_again, play_until_power_goes
from tests.campaigns.crashes.mount import MountOrder, check_mount, mount_card, read_notes
from tests.campaigns.crashes.power_cut import CutKind
from tests.campaigns.crashes.report import CrashReport
from tests.campaigns.pool import silence

_IN_PLACE = 8  # cuts: see `Campaign.in_place`
# The power goes after so many deeds: within the making of the file as often as after hundreds of commits.
_FEWEST_DEEDS, _MOST_DEEDS = 20, 5_000
# Of the cuts of a journal that is not synced, so many at least lose something, or the campaign sees nothing: once there
# are so many of them that chance does not decide it.
_LOSES, _ENOUGH = 0.05, 100


@dataclass(frozen=True, slots=True)
class Trial:
    """One power cut, drawn from `seed`; `synced` as every journal is, or with `synchronous=OFF`."""

    seed: int
    synced: bool

    @property
    def kind(self) -> CutKind:
        """What the card does to what was not synced."""
        return random.Random(f"{self.seed}/kind").choice(get_args(CutKind))

    @property
    def again(self) -> str:
        """The command that makes it again."""
        return f"python -m tests.campaigns crashes --cuts 1 --seed {self.seed}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One power cut: how many events had been acknowledged, how many of these are lost, and what is wrong in words.

    told: whether a daemon that is started after it tells of it; None where nobody looked. witnessed: where it does not,
    whether it does once a device has come back that had watched. regained: where nobody is told, all of it is there
    again. contradictory: what was left shows that the card has lied. Of a card that has gone back to an earlier moment
    altogether nobody can tell who has only the card.
    """

    trial: Trial
    events: int
    lost: int = 0
    problem: str = ""
    told: bool | None = None
    witnessed: bool = False
    regained: bool = False
    contradictory: bool = True

    @property
    def is_good(self) -> bool:
        """True if everything is there, or a lying card lost it and people are told, or have it again."""
        return not self.problem or bool(self.told) or self.witnessed or self.regained


def attempt_cut(trial: Trial) -> Outcome:
    """Play, cut the power, and look at what is left. A failure of any kind is its outcome."""
    try:
        return _attempt(trial)
    except Exception as error:  # whatever it is, it belongs to this trial and the others go on
        return Outcome(trial, 0, problem=f"{type(error).__name__}: {error}")


def _attempt(trial: Trial) -> Outcome:
    chance = random.Random(f"{trial.seed}/crashes")
    deeds = round(math.exp(chance.uniform(math.log(_FEWEST_DEEDS), math.log(_MOST_DEEDS))))
    with TemporaryDirectory(prefix="shutbox-") as folder:
        mount, found, opened, notes = (Path(folder, name) for name in ("mount", "found", "opened", "notes"))
        mount.mkdir()
        found.mkdir()
        with mount_card(MountOrder(str(mount), deeds, str(found), trial.kind, f"{trial.seed}/cut", notes=str(notes))):
            play = play_until_power_goes(_journal_in(mount), chance, synced=trial.synced)
        shutil.copytree(found, opened)
        losses = find_losses(_journal_in(opened), play)
        if not (losses.problem and trial.synced and trial.kind == "lying"):
            return Outcome(trial, play.events, losses.events, losses.problem)
        # Nobody can keep what a card does not; but somebody must say so.
        look = asyncio.run(look_at_home(found, play.last_mark))
        contradictory = bool(look.problem or read_notes(notes).contradictory)
        told = bool(look.told) and not look.problem
        regained = not (told or look.witnessed or look.problem) and has_again(_journal_in(found), play)
    problem = look.problem or losses.problem
    return Outcome(trial, play.events, losses.events, problem, told, look.witnessed, regained, contradictory)


def try_cuts(cuts: int, seed: int) -> tuple[CrashReport, Results[Outcome]]:
    """Cut the power so many times while a journal is written, and as often while one is that is not synced.

    The first is drawn from `seed`, each further one from the next number. Raises `NoMount`.
    """
    check_mount()
    trials = [Trial(seed + number, synced) for number in range(cuts) for synced in (True, False)]
    campaign = Campaign("cuts", trials, attempt_cut, in_place=2 * _IN_PLACE, chunk=8, begin=silence)
    results = campaign.run(lambda outcome: "cuts" if outcome.is_good or not outcome.trial.synced else "cuts, one bad")
    return report_cuts(results.outcomes, results.seconds), results


def report_cuts(outcomes: Sequence[Outcome], seconds: float) -> CrashReport:
    """What came of all cuts."""
    synced = [each for each in outcomes if each.trial.synced]
    unsynced = [each for each in outcomes if not each.trial.synced]
    honest = [each for each in synced if each.trial.kind != "lying"]
    lied_to = [each for each in synced if each.trial.kind == "lying" and each.problem]
    contradictory = [each for each in lied_to if each.contradictory]
    lost_unsynced = sum(each.lost > 0 for each in unsynced)
    problems = [f"{each.trial.again}: {_describe(each)}" for each in synced if not each.is_good]
    if len(unsynced) >= _ENOUGH and lost_unsynced < _LOSES * len(unsynced):
        problems.append(f"with synchronous=OFF only {lost_unsynced} of {len(unsynced)} cuts lost anything: it is blind")
    kinds = Counter[str](each.trial.kind for each in synced)
    facts = {
        "cuts": len(synced),
        "kinds": dict(kinds),
        "median_events": statistics.median([each.events for each in synced] or [0]),
        "honest_cuts": len(honest),
        "honest_lost": sum(each.lost > 0 for each in honest),
        "honest_wrong": sum(bool(each.problem) and not each.lost for each in honest),
        "lying_lost": len(lied_to),
        "lying_told": sum(bool(each.told) for each in lied_to),
        "lying_witnessed": sum(each.witnessed for each in lied_to),
        "lying_regained": sum(each.regained for each in lied_to),
        "lying_contradictory": len(contradictory),
        "lying_contradictory_told": sum(bool(each.told) for each in contradictory),
        "unsynced_cuts": len(unsynced),
        "unsynced_lost": lost_unsynced,
        "seconds": round(seconds, 1),
    }
    lines = [
        f"{len(synced)} power cuts: {count_kinds(kinds)}; median {facts['median_events']:.0f} events before.",
        f"Cards that keep their word: {facts['honest_lost']} of {len(honest)} cuts lost something, "
        f"{facts['honest_wrong']} were wrong otherwise.",
        f"Lying cards: {len(lied_to)} lost something; the box told {facts['lying_told']} by itself (of "
        f"{len(contradictory)} that what was left shows, {facts['lying_contradictory_told']}), and "
        f"{facts['lying_witnessed']} more once a device was back that had watched; "
        f"{facts['lying_regained']} the box made again by itself.",
        f"With synchronous=OFF: {lost_unsynced} of {len(unsynced)} lost something ({_LOSES:.0%} wanted at least).",
    ]
    return CrashReport("cuts", facts, lines, problems)


def _describe(outcome: Outcome) -> str:
    untold = ", and nobody is told" if outcome.told is False else ""
    return f"{outcome.trial.kind}: {outcome.problem}{untold}"


def _journal_in(folder: Path) -> Path:
    return Home(folder, folder).journal
