"""An update, cut at every change of the file system and fed with bad versions: one of the two runs, no game is lost."""

import copy
import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from controller.errors import InstallError
from controller.journal.store import Journal
from controller.journal.tables import FORMAT
from controller.runtime.locks import lock_update
from controller.service.boot_check import STARTED, TRIAL, current_version, is_on_trial, watch
from controller.service.layout import Layout
from controller.service.perform import perform_update
from controller.service.plan import plan_update, plan_way_back
from controller.service.trial import VersionTrial, newest_readable
from controller.service.update_file import UpdateFile
from tests.support.homes import play_game
from tests.support.installed_box import Behaviour, Box, let_pass, make_update
from tests.support.long import long_but_every
from tests.support.power import FullDisk, Power, PowerCut
from tests.support.users import SERVICE, folder_of_group, needs_root

OLD, NEW = "0.1.0", "0.2.0"
BAD: list[Behaviour] = [
    "no_import",
    "says_another_version",
    "crashes",
    "crashes_later",
    "hangs",
    "dies_converting",
    "refuses_the_journal",
]


def test_of_kept_journals_the_one_in_which_most_was_played_comes_back_whatever_the_clock_said(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite3"
    for name, games, at_s in (("journal-format-8.sqlite3", 1, 2e9), ("journal-format-8-2.sqlite3", 3, 1e9)):
        with Journal(tmp_path / name) as kept:
            for seed in range(games):
                play_game(kept, random.Random(seed), throws=2)
        os.utime(tmp_path / name, (at_s, at_s))
    assert newest_readable(journal, FORMAT) == tmp_path / "journal-format-8-2.sqlite3"
    assert newest_readable(journal, FORMAT - 1) is None


def running(box: Box) -> str:
    """The number of the version that runs; an empty text if none does."""
    return str(box.layout.current()).partition("-")[0] if box.is_ready else ""


def update(box: Box, file: UpdateFile) -> None:
    perform_update(plan_update(box.layout, file), box.host, let_pass)


def go_back(box: Box) -> None:
    perform_update(plan_way_back(box.layout), box.host, let_pass)


def cut_anywhere(box: Box, start: Callable[[Box], None], check: Callable[[Box], None]) -> int:
    """Do `start` once for each change it makes, cut before it, then `check`; with the last file whole, and torn.

    Each time on the box as it is. Returns the number of changes.
    """
    with TemporaryDirectory() as folder:
        kept = Path(folder, "kept")
        shutil.copytree(box.folder.parent, kept, symlinks=True)
        for changes in count():
            whole = cut_before(box, kept, start, changes)
            was_cut = whole.power.is_off
            check(whole)
            if not was_cut:
                return changes
            torn = cut_before(box, kept, start, changes)
            if torn.power.tear():
                check(torn)
    raise AssertionError


def cut_before(box: Box, kept: Path, start: Callable[[Box], None], change: int, power: Power | None = None) -> Box:
    """The box as it is kept, after `start` was cut before a change, or as `power` says."""
    shutil.rmtree(box.folder.parent)
    shutil.copytree(kept, box.folder.parent, symlinks=True)
    tried = copy.copy(box)
    tried.played, tried.power = set(box.played), power or Power(change)
    with tried.power.on():
        start(tried)
    return tried


def check_after_two_boots(box: Box) -> None:
    """What must be true after a power cut, wherever it fell."""
    first = box.boot()
    assert running(box) in (OLD, NEW)
    assert not is_on_trial(box.folder)
    assert "before" in box.games()
    assert box.all_games() == box.played
    check_companions(box)
    assert (box.boot(), bool(running(box))) == (first, True)
    assert box.all_games() == box.played


def check_companions(box: Box) -> None:
    """The mark is that of the journal, or the daemon says that games are lost; the good copy is of no other journal."""
    assert box.mark.read_text() == box.last_game()
    assert not box.good_copy.exists() or box.good_copy.read_text() == box.last_game()


def test_an_update_runs_the_new_version_with_all_games(box: Box, tmp_path: Path) -> None:
    update(box, make_update(tmp_path, NEW))

    assert (running(box), box.games()) == (NEW, {"before"})
    assert not is_on_trial(box.folder)
    assert len(box.layout.versions()) == 2
    assert not list(box.folder.glob("versions/*/wheels"))
    assert (box.boot().partition("-")[0], running(box)) == (NEW, NEW)


@pytest.mark.parametrize(
    ("behaviour", "writes"), long_but_every(2, [("well", 5), ("well", 6), ("hangs", 5), ("dies_converting", 6)])
)
def test_an_update_cut_anywhere_leaves_one_of_the_two_versions_and_all_games(
    box: Box, tmp_path: Path, behaviour: Behaviour, writes: int
) -> None:
    file = make_update(tmp_path / "new", NEW, behaviour=behaviour, writes=writes)

    def start(tried: Box) -> None:
        with suppress(InstallError):
            update(tried, file)

    def check(tried: Box) -> None:
        check_after_two_boots(tried)
        assert behaviour == "well" or running(tried) == OLD

    assert cut_anywhere(box, start, check) >= 30


@pytest.mark.long
def test_the_way_back_at_a_boot_may_be_cut_anywhere_as_well(box: Box, tmp_path: Path) -> None:
    file = make_update(tmp_path / "new", NEW, behaviour="dies_converting", writes=6)
    boots = 0

    def cut_boots(tried: Box) -> None:
        nonlocal boots
        if is_on_trial(tried.folder):
            boots += cut_anywhere(tried, Box.start, check_after_two_boots)

    def start(tried: Box) -> None:
        with suppress(InstallError):
            update(tried, file)

    cut_anywhere(box, start, cut_boots)
    assert boots > 50


def test_the_way_back_may_be_cut_anywhere_while_somebody_reads_the_journal(
    box: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was written since they read stands in the log alone, the new format too: the log must go with the file."""
    monkeypatch.setattr("controller.service.boot_check._BUSY_S", 0.01)
    plan, host = plan_update(box.layout, make_update(tmp_path / "new", NEW, writes=6)), box.host
    for effect in (*plan.staging, *plan.switching, plan.settling[0]):
        effect.perform(host)
    box.journal.write_bytes(box.journal.with_name("journal-format-5.sqlite3").read_bytes())
    with closing(sqlite3.connect(box.journal)) as db:
        db.execute("PRAGMA journal_mode = WAL")

    def start(tried: Box) -> None:
        with closing(sqlite3.connect(f"{tried.journal.as_uri()}?mode=ro", uri=True)) as reader:
            reader.execute("BEGIN")
            assert len(reader.execute("SELECT box FROM game").fetchall()) == 1
            with closing(sqlite3.connect(tried.journal)) as writer, writer:
                writer.execute("PRAGMA user_version = 6")
                writer.execute("INSERT INTO game (box) VALUES ('on trial')")
            tried.played.add("on trial")
            tried.start()
            assert len(reader.execute("SELECT box FROM game").fetchall()) == 1

    assert cut_anywhere(box, start, check_after_two_boots) > 10
    assert (running(box), box.games()) == (OLD, {"before"})


@pytest.mark.parametrize("writes", [5, 6])
@pytest.mark.parametrize("behaviour", BAD)
def test_a_bad_version_is_told_and_the_old_one_runs_within_a_minute_with_all_games(
    box: Box, tmp_path: Path, behaviour: Behaviour, writes: int
) -> None:
    file = make_update(tmp_path / "new", NEW, behaviour=behaviour, writes=writes)

    with pytest.raises(InstallError):
        update(box, file)

    assert (running(box), box.games()) == (OLD, {"before"})
    assert box.time_s < 60
    assert not is_on_trial(box.folder)
    assert [name.partition("-")[0] for name in box.layout.versions()] == [OLD]
    check_after_two_boots(box)


def test_a_new_version_may_be_cut_off_once_it_was_started_and_then_the_old_one_is_back(
    box: Box, tmp_path: Path
) -> None:
    """Its updater is gone, and nobody has seen it come up: the next boot does not try it again."""
    file = make_update(tmp_path / "new", NEW, writes=6)
    plan = plan_update(box.layout, file)
    host = box.host
    for effect in (*plan.staging, *plan.switching, plan.settling[0]):
        effect.perform(host)
    assert (running(box), (box.folder / STARTED).exists()) == (NEW, True)
    box.play("on trial")

    box.boot()

    assert (running(box), box.games(), box.all_games()) == (OLD, {"before"}, {"before", "on trial"})


def test_a_version_that_was_switched_to_and_never_started_gets_its_trial_at_the_next_boot(
    box: Box, tmp_path: Path
) -> None:
    plan, host = plan_update(box.layout, make_update(tmp_path / "new", NEW)), box.host
    for effect in (*plan.staging, *plan.switching):
        effect.perform(host)
    assert (box.folder / TRIAL).exists()

    box.boot()

    assert (running(box), is_on_trial(box.folder)) == (NEW, False)


def test_a_full_disk_is_told_before_anything_is_written(
    box: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = make_update(tmp_path / "new", NEW)
    monkeypatch.setattr("shutil.disk_usage", lambda _: shutil._ntuple_diskusage(10, 10, 0))

    with pytest.raises(InstallError, match="make room"):
        update(box, file)

    assert (running(box), len(box.layout.versions())) == (OLD, 1)


def test_a_disk_that_is_full_from_any_change_on_is_told_and_the_update_repeated_once_there_is_room(
    box: Box, tmp_path: Path
) -> None:
    file = make_update(tmp_path / "new", NEW, writes=6)
    with TemporaryDirectory() as folder:
        kept = Path(folder, "kept")
        shutil.copytree(box.folder.parent, kept, symlinks=True)
        for changes in count():
            full = cut_before(box, kept, partial(update_on_full_disk, file), changes, FullDisk(changes))
            was_full = full.power.is_off
            full.boot()
            assert running(full) in (OLD, NEW)
            assert full.all_games() == full.played
            if not was_full:
                break
            with suppress(InstallError):
                update(full, file)
            assert (running(full), is_on_trial(full.folder)) == (NEW, False)
            assert {name.partition("-")[0] for name in names_in(full)} == {OLD, NEW}
            assert full.all_games() == full.played
    assert changes >= 30


def update_on_full_disk(file: UpdateFile, box: Box) -> None:
    with suppress(InstallError, OSError):
        update(box, file)


@pytest.mark.parametrize("step", range(11))
def test_a_step_that_fails_leaves_the_old_version_running(
    box: Box, tmp_path: Path, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_update(box.layout, make_update(tmp_path / "new", NEW, writes=6))
    steps = [*plan.staging, *plan.switching]
    assert len(steps) == 11
    monkeypatch.setattr(type(steps[step]), "perform", fail)

    with pytest.raises(InstallError, match="Input/output error"):
        perform_update(plan, box.host, let_pass)

    assert (running(box), box.games(), is_on_trial(box.folder)) == (OLD, {"before"}, False)
    assert len(box.layout.versions()) == 1


def fail(*_: object) -> None:
    raise OSError(5, "Input/output error")


@pytest.mark.parametrize("first", long_but_every(4, range(16)))
def test_updates_killed_at_any_two_effects_leave_two_versions_and_a_way_back(
    box: Box, tmp_path: Path, first: int
) -> None:
    """Without a start of the machine in between."""
    update(box, make_update(tmp_path / "new", NEW, writes=6))
    box.play("on the new one")
    files = [make_update(tmp_path / f"newest-{writes}", "0.3.0", writes=writes) for writes in (6, 7)]
    with TemporaryDirectory() as folder:
        kept = Path(folder, "kept")
        shutil.copytree(box.folder.parent, kept, symlinks=True)
        for second in range(16):
            for file in files:
                shutil.rmtree(box.folder.parent)
                shutil.copytree(kept, box.folder.parent, symlinks=True)
                tried = copy.copy(box)
                tried.played = set(box.played)
                for at in (first, second):
                    kill_at(tried, file, at)
                # A trial that has not begun is undone, and counts for nothing.
                before = NEW if is_on_trial(tried.folder) else str(tried.layout.current()).partition("-")[0]
                go_back(tried)

                assert (before, running(tried)) in ((NEW, OLD), ("0.3.0", NEW)), (first, second)
                assert {name.partition("-")[0] for name in names_in(tried)} == {before, running(tried)}
                assert not is_on_trial(tried.folder)
                assert tried.all_games() == tried.played


@pytest.mark.parametrize("at", range(15))
def test_an_update_without_room_after_one_that_was_killed_leaves_the_version_before_running_and_nothing_else(
    box: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    update(box, make_update(tmp_path / "new", NEW))
    kill_at(box, make_update(tmp_path / "newest", "0.3.0", writes=6), at)
    monkeypatch.setattr("shutil.disk_usage", lambda _: shutil._ntuple_diskusage(10, 10, 0))

    with pytest.raises(InstallError, match="make room"):
        update(box, make_update(tmp_path / "later", "0.4.0"))

    now = str(box.layout.current()).partition("-")[0]
    assert {name.partition("-")[0] for name in names_in(box)} == {now, OLD if now == NEW else NEW}
    assert not is_on_trial(box.folder)
    # Nothing has noted that the daemon was stopped if the kill fell just behind that.
    assert running(box) == ("" if at == 8 else now)


def test_a_way_back_that_fails_keeps_the_version_to_which_it_leads(
    box: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    update(box, make_update(tmp_path / "new", NEW))
    monkeypatch.setattr("controller.service.trial.switch", fail)

    with pytest.raises(InstallError, match="Input/output error"):
        go_back(box)

    assert (running(box), len(box.layout.versions())) == (NEW, 2)


def kill_at(box: Box, file: UpdateFile, at: int) -> None:
    """Update, and kill the updater before the effect of that number; a trial that has begun is ended by its unit."""
    effects = count()

    def kill(_: str) -> None:
        if next(effects) == at:
            box.power.is_off = True
            raise PowerCut

    box.power = Power()
    with suppress(InstallError), box.power.on():
        perform_update(plan_update(box.layout, file), box.host, kill)
    box.power = Power()
    if (box.folder / STARTED).exists():
        watch(box.folder, box, now=lambda: box.time_s, wait=box.wait)


def names_in(box: Box) -> list[str]:
    return [path.name for path in (box.folder / "versions").iterdir()]


def test_games_played_on_a_newer_version_are_kept_when_an_older_one_takes_over(box: Box, tmp_path: Path) -> None:
    update(box, make_update(tmp_path / "new", NEW, writes=6))
    box.play("on the new one")

    go_back(box)

    assert (running(box), box.games()) == (OLD, {"before"})
    check_companions(box)
    [aside] = box.layout.home.data.glob("journal-format-6.sqlite3")
    assert [aside.with_suffix(end).read_text() for end in (".mark", ".good.sqlite3")] == ["on the new one"] * 2
    with closing(sqlite3.connect(aside)) as db:
        assert db.execute("SELECT box FROM game ORDER BY id").fetchall() == [("before",), ("on the new one",)]
    box.play("on the old one")
    assert box.all_games() == {"before", "on the new one", "on the old one"}


def test_going_down_cut_anywhere_leaves_one_of_the_two_versions_and_all_games(box: Box, tmp_path: Path) -> None:
    update(box, make_update(tmp_path / "new", NEW, writes=6))
    box.play("on the new one")

    cut_anywhere(box, go_back, check_after_two_boots)


def test_going_up_and_down_and_up_again_loses_no_game(box: Box, tmp_path: Path) -> None:
    update(box, make_update(tmp_path / "new", NEW, writes=6))
    for name in ("second", "third", "fourth"):
        box.play(name)
        go_back(box)
        check_companions(box)

    assert running(box) == OLD
    assert box.all_games() == {"before", "second", "third", "fourth"}


def test_versions_that_write_the_same_format_move_no_journal(box: Box, tmp_path: Path) -> None:
    update(box, make_update(tmp_path / "new", NEW))
    box.play("on the new one")
    go_back(box)

    assert (running(box), box.games()) == (OLD, {"before", "on the new one"})
    assert not list(box.layout.home.data.glob("journal-*"))


def test_only_the_version_before_is_kept(box: Box, tmp_path: Path) -> None:
    for number in ("0.2.0", "0.3.0", "0.4.0"):
        update(box, make_update(tmp_path / "new", number))

    assert [name.partition("-")[0] for name in box.layout.versions()] == ["0.3.0", "0.4.0"]


def test_a_version_whose_removal_was_cut_is_not_taken_for_a_whole_one(box: Box, tmp_path: Path) -> None:
    update(box, make_update(tmp_path / "new", NEW))
    newest = make_update(tmp_path / "newest", "0.3.0")

    def check(tried: Box) -> None:
        for name in tried.layout.versions():
            assert (tried.layout.version(name) / "bin" / "shutbox").exists()
            assert (tried.layout.version(name) / "numpy.py").exists()

    assert cut_anywhere(box, lambda tried: update(tried, newest), check) > 30


def test_what_is_installed_already_is_told(box: Box, tmp_path: Path) -> None:
    with pytest.raises(InstallError, match="is installed already"):
        plan_update(box.layout, make_update(tmp_path / "again", OLD))
    with pytest.raises(InstallError, match="is the only version here"):
        plan_way_back(box.layout)


def test_a_second_update_waits_for_the_end_of_the_first(box: Box, tmp_path: Path) -> None:
    (box.folder / STARTED).write_text("{}")

    with pytest.raises(InstallError, match="on trial already"):
        plan_update(box.layout, make_update(tmp_path, NEW))


def test_another_update_at_the_same_time_is_refused(box: Box, tmp_path: Path) -> None:
    plan = plan_update(box.layout, make_update(tmp_path, NEW))
    with lock_update(box.folder), pytest.raises(InstallError, match="another update runs here"):
        perform_update(plan, box.host, let_pass)
    assert (running(box), len(names_in(box))) == (OLD, 1)


@needs_root
def test_the_lock_that_an_update_takes_in_the_home_is_the_services(box: Box, tmp_path: Path) -> None:
    with folder_of_group(0o2770) as data:
        layout = Layout(prefix=box.layout.prefix, data=data)
        with ExitStack() as until_start:
            VersionTrial(layout, NEW, OLD, 5).stop_daemon(replace(box.host, until_start=until_start))
        assert (data / "shutbox.lock").stat().st_uid == SERVICE


def test_somebody_who_starts_the_daemon_before_the_switch_ends_the_trial(box: Box, tmp_path: Path) -> None:
    plan, host = plan_update(box.layout, make_update(tmp_path / "new", NEW, writes=6)), box.host
    *first, switching = plan.switching
    for effect in (*plan.staging, *first):
        effect.perform(host)
    box.start()

    with pytest.raises(InstallError, match="say `shutbox update` again"):
        switching.perform(host)
    assert (str(current_version(box.folder)).partition("-")[0], box.games()) == (OLD, {"before"})
