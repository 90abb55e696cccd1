"""A card that is mounted as a folder, and what a machine says that cannot."""

import errno
import importlib.util
import os
import shutil
from pathlib import Path

import pytest

from tests.campaigns.crashes.mount import MountOrder, NoMount, check_mount, mount_card, read_notes
from tests.support.cards import needs_card


def make(tmp_path: Path, *names: str) -> list[Path]:
    folders = [tmp_path / name for name in names]
    for folder in folders:
        folder.mkdir()
    return folders


@needs_card
def test_what_was_synced_is_found_when_the_card_is_unmounted(tmp_path: Path) -> None:
    mount, found = make(tmp_path, "mount", "found")
    with mount_card(MountOrder(str(mount), found=str(found))):
        (mount / "inner").mkdir()
        with open(mount / "inner/draft", "wb") as file:
            file.write(b"kept")
            file.flush()
            os.fsync(file.fileno())
        (mount / "gone").write_bytes(b"gone")
        (mount / "inner/draft").rename(mount / "inner/letter")
        (mount / "gone").unlink()
        os.truncate(mount / "inner/letter", 3)
        assert sorted(path.name for path in mount.rglob("*")) == ["inner", "letter"]
        assert (mount / "inner/letter").read_bytes() == b"kep"
        for path in ("inner/letter", "."):
            place = os.open(mount / path, os.O_RDONLY)
            os.fsync(place)
            os.close(place)

    assert [(path.name, path.read_bytes()) for path in found.rglob("*") if path.is_file()] == [("letter", b"kep")]
    assert not mount.is_mount()


@needs_card
def test_after_the_cut_nothing_reaches_the_card_and_what_was_there_can_be_read(tmp_path: Path) -> None:
    mount, found = make(tmp_path, "mount", "found")
    with mount_card(MountOrder(str(mount), cut_at=2, found=str(found))):
        (mount / "a").write_bytes(b"before")
        with pytest.raises(OSError, match=os.strerror(errno.EIO)):
            (mount / "a").write_bytes(b"after")
        with pytest.raises(OSError, match=os.strerror(errno.EIO)):
            (mount / "b").touch()
        assert (mount / "a").read_bytes() == b"before"

    assert {path.read_bytes() for path in found.iterdir()} <= {b"", b"before"}


@needs_card
def test_every_so_many_th_sync_takes_long_and_the_times_of_all_are_kept(tmp_path: Path) -> None:
    [mount] = make(tmp_path, "mount")
    notes = tmp_path / "notes"
    with (
        mount_card(MountOrder(str(mount), slow_every=2, slow_s=0.05, notes=str(notes))),
        open(mount / "a", "wb") as file,
    ):
        for _ in range(4):
            os.fsync(file.fileno())

    times = read_notes(notes).syncs
    assert [name for name, _, _ in times] == ["/a"] * 4
    assert [end_s - began_s >= 0.05 for _, began_s, end_s in times] == [False, True, False, True]


@pytest.mark.parametrize(
    ("module", "name", "answer", "says"),
    [
        (importlib.util, "find_spec", None, "package mfusepy"),
        (os, "access", False, "/dev/fuse"),
        (shutil, "which", None, "fusermount3"),
    ],
)
def test_what_is_missing_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, module: object, name: str, answer: object, says: str
) -> None:
    for each, function in ((importlib.util, "find_spec"), (os, "access"), (shutil, "which")):
        monkeypatch.setattr(each, function, lambda *_: "there")
    check_mount()
    monkeypatch.setattr(module, name, lambda *_: answer)
    with pytest.raises(NoMount, match=says):
        check_mount()


@needs_card
def test_a_place_that_cannot_be_mounted_is_told_with_its_reason(tmp_path: Path) -> None:
    with pytest.raises(NoMount, match="no card can be mounted"), mount_card(MountOrder(str(tmp_path / "none"))):
        pass
