"""`crashes --refusals`: the card refuses a write of a game; is that told, and nothing counted or lost?

Each trial has another write, and one of three errors: a full card, one that can only be read, one that fails. The
people do it again until the card takes it.
"""

import errno
import os
import random
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.errors import JournalDamaged, JournalUnwritable
from controller.journal.recovery import open_journal
from controller.runtime.home import Home
from tests.campaigns.campaign import Campaign, Results, count_kinds
from tests.campaigns.crashes.journal_play import Play, find_losses, play_on
from tests.campaigns.crashes.mount import MountOrder, check_mount, mount_card
from tests.campaigns.crashes.report import CrashReport
from tests.campaigns.pool import silence

_IN_PLACE = 8  # trials: see `Campaign.in_place`
_TODAY = date(2026, 1, 1)
_ERRORS = (errno.ENOSPC, errno.EROFS, errno.EIO)
_COMMITS = 60  # of each play
_LASTS = 4  # deeds that are refused in a row
_MOST_TRIES = 20
# What must be said: of a card that fails no other word may be "full", and of a full one none but that.
_WORDS = {
    errno.ENOSPC: ("the disk is full",),
    errno.EROFS: ("the disk can only be read", "the disk does not take"),
    errno.EIO: ("the disk does not take",),
}


@dataclass(frozen=True, slots=True)
class Trial:
    """A card that refuses some deeds from the one of this number on, with this error."""

    deed: int
    error: int

    @property
    def again(self) -> str:
        """What it was, in words."""
        return f"{os.strerror(self.error)} from deed {self.deed} on"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it: how often the people were refused, and what is wrong in words."""

    trial: Trial
    events: int
    refusals: int
    problem: str = ""


def attempt_refusal(trial: Trial) -> Outcome:
    """Play while the card refuses, and look at what is there afterwards. A failure of any kind is its outcome."""
    try:
        return _attempt(trial)
    except Exception as error:  # whatever it is, it belongs to this trial and the others go on
        return Outcome(trial, 0, 0, f"{type(error).__name__}: {error}")


def _attempt(trial: Trial) -> Outcome:
    refused: list[str] = []
    with TemporaryDirectory(prefix="shutbox-") as folder:
        mount, found, opened = (Path(folder, name) for name in ("mount", "found", "opened"))
        mount.mkdir()
        found.mkdir()
        order = MountOrder(
            str(mount), found=str(found), refuse_at=trial.deed, refuse_deeds=_LASTS, refuse_with=trial.error
        )
        with mount_card(order):
            play = _play_stubbornly(_journal_in(mount), random.Random(f"{trial.deed}/refusals"), refused)
        shutil.copytree(found, opened)
        losses = find_losses(_journal_in(opened), play)
    wrong = [each for each in refused if not each.startswith(_WORDS[trial.error])]
    said = f"the card says {os.strerror(trial.error)}, the box: {wrong[0]}" if wrong else ""
    return Outcome(trial, play.events, len(refused), losses.problem or said)


def _play_stubbornly(path: Path, chance: random.Random, refused: list[str]) -> Play:
    """Play; do again what is refused, and open again what could not be opened."""
    play = Play()

    def note(error: JournalUnwritable) -> None:
        refused.append(error.cause)

    for _ in range(_MOST_TRIES):
        try:
            journal, said = open_journal(path, _TODAY)
        except JournalDamaged:
            continue  # of a new box that cannot be set up: that is told where it is started
        with journal:
            if not any(message.key == "journal.closed" for message in said):
                play_on(journal, play, chance, _COMMITS, note)
                return play
        refused += [str(message.args["cause"]) for message in said]
    raise JournalUnwritable("the card refuses for ever")


def try_refusals(count: int) -> tuple[CrashReport, Results[Outcome]]:
    """Let the card refuse each of the first so many deeds, with each error in turn. Raises `NoMount`."""
    check_mount()
    trials = [Trial(deed, _ERRORS[deed % len(_ERRORS)]) for deed in range(1, count + 1)]
    results = Campaign("refusals", trials, attempt_refusal, in_place=_IN_PLACE, chunk=4, begin=silence).run()
    return report_refusals(results.outcomes), results


def report_refusals(outcomes: Sequence[Outcome]) -> CrashReport:
    """What came of all refusals."""
    kinds = Counter(os.strerror(each.trial.error) for each in outcomes)
    noticed = sum(each.refusals > 0 for each in outcomes)
    facts = {"refusals": len(outcomes), "kinds": dict(kinds), "told": noticed}
    lines = [
        f"{len(outcomes)} cards that refuse: {count_kinds(kinds)}; people were told by {noticed}, the others refused "
        "what can wait."
    ]
    problems = [f"{each.trial.again}: {each.problem}" for each in outcomes if each.problem]
    return CrashReport("refusals", facts, lines, problems)


def _journal_in(folder: Path) -> Path:
    return Home(folder, folder).journal
