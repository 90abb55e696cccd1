"""A backup that is received beside a running daemon: checked, confirmed, carried out at the next start, or never."""

import gzip
import os
import random
import shutil
import zlib
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.errors import BackupDoubtful, BackupError, JournalError
from controller.runtime.home import Home, find_home
from controller.runtime.locks import lock
from controller.service import pending
from controller.service.backup import save_backup
from controller.service.contents import replaced_names
from controller.service.pending import (
    CheckedBackup,
    PendingRestore,
    confirm,
    folder_of,
    read_pending,
    restore_at_start,
    withdraw,
)
from controller.service.received import check_received
from controller.service.restore import prepare_restore
from tests.support.homes import furnish, sums_of
from tests.support.power import Power

NOW = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)
OTHERS = 'players = ["Cid", "House"]\n'
ROUNDS = int(os.environ.get("DAMAGE_ROUNDS", "60"))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home, of which a backup lies beside it, and in which other things have happened since."""
    home = Home(tmp_path / "home", tmp_path / "home")
    furnish(home)
    save_backup(home, tmp_path / "saved.tar.gz", NOW, lambda _: None)
    home.settings.write_text(OTHERS)
    home.lock.touch()
    return home


def send(home: Home, content: bytes | None = None) -> CheckedBackup:
    with pending.receive(home) as file:
        file.write((home.data.parent / "saved.tar.gz").read_bytes() if content is None else content)
    return check_received(home, NOW)


def saved(home: Home) -> dict[str, str]:
    """The sums of all that a restore replaces."""
    sums, names = sums_of(home.data), replaced_names(home.data)
    return {name: sums[name] for name in names}


def test_a_backup_is_checked_and_told_and_the_home_stays_as_it_is(home: Home) -> None:
    before = saved(home)

    checked = send(home)

    assert (checked.box, checked.made, checked.doubts, checked.dates_fit) == ("two-level-9", NOW, (), True)
    assert checked.holds[:2] == ("the journal", "the settings")
    assert checked.brings.games == checked.has.games != 0
    assert saved(home) == before
    assert read_pending(home) == PendingRestore(checked, is_confirmed=False)


def test_the_next_start_carries_out_what_was_confirmed_and_puts_the_rest_aside(home: Home) -> None:
    checked = send(home)
    with lock(home.lock):  # the daemon runs
        confirm(home, checked.digest, anyway=False)
        confirm(home, checked.digest, anyway=False)
        restore_at_start(home, NOW)
        assert home.settings.read_text() == OTHERS
        assert read_pending(home).is_confirmed

    assert restore_at_start(home, NOW) == ()

    (aside,) = home.data.glob("before-restore-*")
    assert (aside / "settings.toml").read_text() == OTHERS
    assert home.settings.read_text() != OTHERS
    assert not folder_of(home).exists()
    assert read_pending(home) == PendingRestore()
    after = sums_of(home.data)
    restore_at_start(home, NOW)
    assert sums_of(home.data) == after


def test_what_nobody_confirmed_is_gone_after_the_next_start(home: Home) -> None:
    before = sums_of(home.data)
    send(home)

    restore_at_start(home, NOW)

    assert sums_of(home.data) == before


def test_what_was_confirmed_can_be_withdrawn(home: Home) -> None:
    before = sums_of(home.data)
    confirm(home, send(home).digest, anyway=False)

    withdraw(home)
    withdraw(home)
    restore_at_start(home, NOW)

    assert sums_of(home.data) == before


def test_a_later_restore_at_the_terminal_counts(home: Home, tmp_path: Path) -> None:
    confirm(home, send(home).digest, anyway=False)
    save_backup(home, tmp_path / "later.tar.gz", NOW, lambda _: None)
    with prepare_restore(home, tmp_path / "later.tar.gz", NOW, lambda _: None) as ready:
        ready.carry_out(NOW)

    restore_at_start(home, NOW)

    assert home.settings.read_text() == OTHERS


@pytest.mark.parametrize("digest", ["", "0" * 64])
def test_only_what_was_checked_is_confirmed(home: Home, digest: str) -> None:
    send(home)
    with pytest.raises(BackupError, match="choose its file again"):
        confirm(home, digest, anyway=True)
    assert not read_pending(home).is_confirmed


def test_a_backup_of_another_box_wants_to_be_meant(home: Home) -> None:
    home.settings.write_text('box = "classic-9"\n')
    checked = send(home)
    with pytest.raises(BackupDoubtful, match="it is of the box two-level-9, and this one is classic-9"):
        confirm(home, checked.digest, anyway=False)
    assert not read_pending(home).is_confirmed

    confirm(home, checked.digest, anyway=True)

    assert read_pending(home).is_confirmed


def unpacked(content: bytes) -> bytes | None:
    """The archive in a file; None if its packing is damaged."""
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error):
        return None


def test_a_file_that_is_cut_or_changed_anywhere_is_refused_and_nothing_stays(home: Home) -> None:
    good = (home.data.parent / "saved.tar.gz").read_bytes()
    chance, before = random.Random(4), sums_of(home.data)
    for number in range(ROUNDS):
        at = chance.randrange(len(good))
        # Of the head of gzip, date and system are free.
        wrong = good[:at] if number % 2 else good[: (at := max(at, 10))] + bytes([good[at] ^ 0x55]) + good[at + 1 :]
        if unpacked(wrong) == unpacked(good):
            continue  # the same, packed in another way
        with pytest.raises((BackupError, JournalError)) as refused:
            send(home, wrong)
        assert str(home.data) not in str(refused.value)
        assert sums_of(home.data) == before


def test_a_file_that_does_not_come_whole_leaves_nothing(home: Home) -> None:
    before = sums_of(home.data)

    def send_half() -> None:
        with pending.receive(home) as file:
            file.write(b"half")
            raise ConnectionError

    with pytest.raises(ConnectionError):
        send_half()
    assert sums_of(home.data) == before


def cut(work: Callable[[], object], number: int) -> bool:
    """Do this until just before its change with this number; True if the power went."""
    power = Power(number)
    with power.on():
        work()
    if power.is_off:
        power.tear()
    return power.is_off


def test_whatever_moment_the_power_goes_the_home_is_the_old_one_or_the_new_one(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)
    old, checked, found = saved(home), send(home), set()
    ready = tmp_path / "ready"
    shutil.copytree(home.data, ready)

    monkeypatch.setenv("SHUTBOX_HOME", str(home.data))

    def start() -> None:
        assert restore_at_start(find_home(), NOW) == ()

    def go_on() -> None:
        confirm(home, checked.digest, anyway=False)
        start()

    for number in range(1000):
        is_cut = cut(go_on, number)
        is_confirmed = read_pending(home).is_confirmed
        # The next start may lose its power too, and the one after that puts all right.
        cut(start, number % 7)
        start()
        now = saved(home)
        found.add(tuple(sorted(now.items())))
        assert not folder_of(home).exists()
        assert (now != old) or (is_cut and not is_confirmed), "what was confirmed is not forgotten"
        shutil.rmtree(home.data)
        shutil.copytree(ready, home.data)
        if not is_cut:
            break
    assert number > 15
    assert len(found) == 2
    assert tuple(sorted(old.items())) in found


def test_whatever_moment_the_power_goes_while_one_is_sent_or_withdrawn_no_half_of_it_is_restored(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.setenv("SHUTBOX_HOME", str(home.data))
    old, before = saved(home), tmp_path / "before"
    shutil.copytree(home.data, before)
    confirm(home, send(home).digest, anyway=False)
    ready = tmp_path / "ready"
    shutil.copytree(home.data, ready)
    restore_at_start(home, NOW)
    new = saved(home)

    def check(number: int, start_from: Path, work: Callable[[], object], *may_be: dict[str, str]) -> bool:
        shutil.rmtree(home.data)
        shutil.copytree(start_from, home.data)
        is_cut = cut(work, number)
        assert restore_at_start(find_home(), NOW) == ()
        assert saved(home) in may_be
        return is_cut

    assert any(not check(number, ready, lambda: withdraw(home), old, new) for number in range(1000))
    for number in range(0, 1000, 5):
        if not check(number, before, lambda: send(home), old):
            break
    assert number > 30


def test_a_disk_that_can_only_be_read_keeps_no_box_from_starting(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    confirm(home, send(home).digest, anyway=False)

    def refuse(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as patched, suppress(OSError):
        patched.setattr(pending, "swap_prepared", refuse)
        (fault,) = restore_at_start(home, NOW)
    assert "Read-only file system" in str(fault)
    assert home.settings.read_text() == OTHERS
    assert read_pending(home).is_confirmed


def test_a_disk_without_room_takes_no_backup(home: Home) -> None:
    with pytest.raises(BackupError, match="no room"):
        pending.check_room(home, 1 << 60)
    pending.check_room(home, 1)
