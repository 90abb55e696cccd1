"""Restore a home from a backup: unpack it beside the home, check all of it, then swap it in and put old files aside."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from controller.access.state import renew_secret
from controller.errors import BackupDamaged, BackupError, JournalError
from controller.journal.copies import write_mark_of_copy
from controller.journal.store import Journal
from controller.runtime.home import Home
from controller.runtime.locks import lock
from controller.runtime.swap import stage_files, swap_files
from controller.service.archive import Manifest, unpack
from controller.service.backup import check_files, copy_home, free_path, name_of_box
from controller.service.contents import replaced_names
from controller.service.pending import withdraw
from controller.service.played import Played
from hardware.calibration import stamp


def count_played(journal: Path) -> Played:
    """Count the games of the journal at this path; zero if there is none."""
    if not journal.exists():
        return Played()
    try:
        with Journal(journal, read_only=True) as opened:
            games = opened.game_ids()
            ends = [entry.at for game_id in games[-1:] for entry in opened.entries(game_id)[-1:]]
    except JournalError:
        return Played(games=None)
    last = None
    for at in ends:
        # An untrusted journal may hold anything instead of a time.
        with suppress(ValueError, OverflowError):
            last = datetime.fromisoformat(at).astimezone()
    return Played(len(games), last)


@dataclass(frozen=True, slots=True)
class Restore:
    """A complete backup that is ready to replace the files of a home.

    replaced: the files that it puts aside.
    doubts: a sentence for each reason why this may be the wrong backup for the box.
    brings, has: the games in the backup, and those in the home now.
    """

    home: Home
    manifest: Manifest
    replaced: tuple[str, ...]
    doubts: tuple[str, ...]
    brings: Played
    has: Played

    def carry_out(self, now: datetime) -> Path | None:
        """Put the files in place; return the folder with the replaced ones, or None if there were none.

        After any interruption the home has either all old files or all new ones. Raises `OSError`.
        """
        # The later one counts: without this, the next start would carry out one that was confirmed in the browser.
        withdraw(self.home)
        # Otherwise a client that saw events of the replaced journal would look like proof of a card that lost them.
        renew_secret(self.home.access, now.date())
        aside = free_path(self.home.data, f"before-restore-{stamp(now)}")
        swap_files(self.home.data, self.replaced, aside.name)
        return aside if self.replaced else None


@contextmanager
def prepare_restore(home: Home, source: Path, now: datetime, tell: Callable[[float], None]) -> Iterator[Restore]:
    """Prepare a backup for `home`, which is locked against daemons meanwhile; `carry_out` makes the change.

    source: the file of a backup, or a folder that an earlier restore has put aside. tell: called with the fraction
    done. Raises `DaemonRuns`, `BackupDamaged`, `BackupNewer`, `BackupError` and `OSError`.
    """
    with ExitStack() as prepared:
        # Opened before root becomes the owner of the home, to whom a backup elsewhere may be closed.
        backup = None if source.is_dir() else prepared.enter_context(source.open("rb"))
        home.make()
        prepared.enter_context(lock(home.lock))
        staged = prepared.enter_context(stage_files(home.data))
        if backup is None:
            manifest = copy_home(Home(source, source), staged, now)
            if not manifest.files:
                raise BackupDamaged(f"{source} holds nothing that could be restored; name the file of a backup")
        else:
            manifest = unpack(backup, staged)
        try:
            ready = examine(home, staged, manifest, tell)
        except BackupError as error:
            raise type(error)(f"{source}: {error}") from error
        yield ready


def examine(home: Home, staged: Path, manifest: Manifest, tell: Callable[[float], None]) -> Restore:
    """Check the files of a backup, unpacked in the folder `staged`, and compare them with the home that they are for.

    tell: called with the fraction done. Raises `BackupDamaged`, `BackupNewer` and `OSError`.
    """
    doubts = check_files(staged, tell)
    journal = staged / home.journal.name
    brings, has = count_played(journal), count_played(home.journal)
    if journal.exists():
        # Otherwise the daemon would compare the restored games with the mark of the replaced ones.
        write_mark_of_copy(journal)
    replaced = tuple(replaced_names(home.data))
    here = name_of_box(home)
    if replaced and "unknown" not in (here, manifest.box) and here != manifest.box:
        doubts = (f"it is of the box {manifest.box}, and this one is {here}", *doubts)
    return Restore(home, manifest, replaced, doubts, brings, has)


def clock_was_wrong(ready: Restore, now: datetime) -> bool:
    """Return whether the dates contradict each other: the clock of a Pi stops without a network."""
    made, brought, here = ready.manifest.made, ready.brings.last, ready.has.last
    return made > now or (brought or made) > made or (here or now) > now
