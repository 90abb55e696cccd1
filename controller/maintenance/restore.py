"""A home brought back from a backup: unpacked beside it and checked whole, then swapped in, the old files put aside."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path

from controller.access import renew_secret
from controller.errors import BackupDamaged, BackupError
from controller.journal import mark_copy
from controller.maintenance.archive import Manifest, unpack
from controller.maintenance.backup import copy_home, name_of_box
from controller.maintenance.checks import check_files
from controller.maintenance.contents import replaced_names
from controller.maintenance.played import Played, count_played
from controller.process import lock, stage_files, swap_files
from controller.settings import Home
from hardware.calibration import stamp


@dataclass(frozen=True, slots=True)
class Restore:
    """A backup that is whole, and lies ready to take the place of what is in a home.

    replaced: the files that are put aside for it. doubts: a sentence for each reason why it may not be what this box
    should have. brings, has: the games in it, and those that are there now.
    """

    home: Home
    manifest: Manifest
    replaced: tuple[str, ...]
    doubts: tuple[str, ...]
    brings: Played
    has: Played

    def carry_out(self, now: datetime) -> Path | None:
        """Put the files in place; the folder with those that were there, or None if there were none.

        Whatever happens, the home has all old files or all new ones when it is looked at next. Raises `OSError`.
        """
        # Else devices that saw what is put aside would be taken for witnesses of a card that has lost it.
        renew_secret(self.home.access, now.date())
        aside = _free_folder(self.home.data, f"before-restore-{stamp(now)}")
        swap_files(self.home.data, self.replaced, aside.name)
        return aside if self.replaced else None


@contextmanager
def prepare_restore(home: Home, source: Path, now: datetime, tell: Callable[[float], None]) -> Iterator[Restore]:
    """Make a backup ready for `home`, which no daemon has meanwhile; until it is carried out nothing is changed.

    `source` is the file of a backup, or a folder that an earlier restore has put aside; `tell` hears the fraction
    done. Raises `DaemonRuns`, `BackupDamaged`, `BackupNewer`, `BackupError` and `OSError`.
    """
    home.make()
    with lock(home.lock), stage_files(home.data) as staged:
        manifest = _copy_folder(source, staged, now) if source.is_dir() else unpack(source, staged)
        try:
            doubts = check_files(staged, tell)
        except BackupError as error:
            raise type(error)(f"{source}: {error}") from error
        journal = staged / home.journal.name
        brings, has = count_played(journal), count_played(home.journal)
        if journal.exists():
            mark_copy(journal)
        replaced = tuple(replaced_names(home.data))
        other = _other_box(home, manifest) if replaced else ()
        yield Restore(home, manifest, replaced, (*other, *doubts), brings, has)


def _copy_folder(source: Path, folder: Path, now: datetime) -> Manifest:
    manifest = copy_home(Home(source, source), folder, now)
    if not manifest.files:
        raise BackupDamaged(f"{source} holds nothing that could be restored; name the file of a backup")
    return manifest


def _other_box(home: Home, manifest: Manifest) -> tuple[str, ...]:
    here = name_of_box(home)
    if "unknown" in (here, manifest.box) or here == manifest.box:
        return ()
    return (f"it is of the box {manifest.box}, and this one is {here}",)


def _free_folder(folder: Path, stem: str) -> Path:
    names = (f"{stem}{f'-{number}' if number > 1 else ''}" for number in count(1))
    return next(path for path in map(folder.joinpath, names) if not path.exists())
