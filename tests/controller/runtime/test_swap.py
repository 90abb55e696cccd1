"""Files replaced as one: whatever moment the power goes, all of them are the old ones or all the new ones."""

import inspect
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from controller.errors import SettingsError
from controller.runtime import swap
from controller.runtime.home import find_home
from controller.runtime.locks import as_owner, lock
from controller.service import boot_check
from tests.support.homes import leave_swap, write_files
from tests.support.users import SERVICE, acting_as, folder_of_group, needs_root

OLD = {"journal": "old", "journal-wal": "old too", "dice/boats": "old dice", "kept": "kept"}
NEW = {"journal": "new", "settings": "new", "dice/boats": "new dice", "dice/stars": "new dice too"}
AFTER = NEW | {"kept": "kept"} | {f"aside/{name}": text for name, text in OLD.items() if name != "kept"}
# All by which a swap changes the disk, as it is called there.
EFFECTS = (
    (Path, "mkdir"),
    (Path, "unlink"),
    (os, "replace"),
    (shutil, "rmtree"),
    (swap, "write_durably"),
    (swap, "sync"),
)


class PowerCut(BaseException):
    pass


def files_in(folder: Path) -> dict[str, str]:
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != "shutbox.lock")
    return {str(path.relative_to(folder)): path.read_text() for path in paths}


def exchange(folder: Path) -> None:
    with swap.stage_files(folder) as staged:
        write_files(staged, NEW)
        swap.swap_files(folder, ["journal", "journal-wal", "dice/boats", "gone"], "aside")


def cut_at(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the effect with this number on (from 0) nothing reaches the disk."""
    done = iter(range(number))

    def limited(effect: Callable[..., Any]) -> Callable[..., Any]:
        def do(*args: Any, **options: Any) -> Any:
            if next(done, None) is None:
                raise PowerCut
            return effect(*args, **options)

        return do

    for owner, name in EFFECTS:
        monkeypatch.setattr(owner, name, limited(getattr(owner, name)))


def was_cut(work: Callable[[], object], number: int) -> bool:
    with pytest.MonkeyPatch.context() as monkeypatch:
        cut_at(number, monkeypatch)
        try:
            work()
        except PowerCut:
            return True
    return False


def test_a_swap_puts_all_new_files_in_place_and_the_old_ones_aside(tmp_path: Path) -> None:
    write_files(tmp_path, OLD)

    exchange(tmp_path)

    assert files_in(tmp_path) == AFTER
    assert not swap.is_swap_left(tmp_path)


def test_a_swap_that_is_given_up_changes_nothing(tmp_path: Path) -> None:
    write_files(tmp_path, OLD)

    with suppress(KeyError), swap.stage_files(tmp_path) as staged:
        write_files(staged, NEW)
        raise KeyError

    assert files_in(tmp_path) == OLD


def test_a_power_cut_at_any_moment_leaves_all_or_nothing_for_who_looks_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the power goes again while the next one puts it right."""
    monkeypatch.setattr(os, "fsync", lambda _: None)  # the calls are what is counted here; a disk would take its time
    seen = set()
    for first in range(1000):
        for second in range(1000):
            home = tmp_path / f"{first}-{second}"
            write_files(home, OLD)
            monkeypatch.setenv("SHUTBOX_HOME", str(home))
            cut = was_cut(lambda home=home: exchange(home), first)  # type: ignore[misc]
            cut_again = was_cut(find_home, second)
            find_home()

            found = files_in(home)
            assert found in (OLD, AFTER)
            assert cut or found == AFTER
            assert not swap.is_swap_left(home)
            seen.add(found == AFTER)
            shutil.rmtree(home)
            if not cut_again:
                break
        if not cut:
            break
    assert first > 15
    assert seen == {True, False}


def test_a_swap_that_another_process_makes_is_let_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHUTBOX_HOME", str(tmp_path))

    with lock(tmp_path / "shutbox.lock"), swap.stage_files(tmp_path) as staged:
        find_home()
        assert staged.exists()


@pytest.mark.parametrize(
    "moves",
    [
        {"new": ["../outside/file"]},
        {"new": ["dice/../../outside/file"]},
        {"new": ["/outside"]},
        {"new": [""]},
        {"new": ["."]},
        {"new": [".swap/moves.json"]},
        {"new": ["file\0"]},
        {"new": "file"},
        {"new": [1]},
        {"old": ["../outside/file"]},
        {"old": ["journal"], "aside": ".."},
        {"old": ["journal"], "aside": "../outside"},
        {"old": ["journal"], "aside": "/"},
        {"more": 1},
    ],
)
def test_moves_that_lead_out_of_the_folder_are_refused_and_nothing_is_moved(
    tmp_path: Path, moves: dict[str, object]
) -> None:
    home = tmp_path / "home"
    write_files(tmp_path, {"outside/file": "outside", "home/journal": "old"})
    leave_swap(home, {"journal": "new", "file": "new"}, **moves)
    before = files_in(tmp_path)

    with pytest.raises(SettingsError, match=r"no restore has left \S+swap"):
        swap.finish_swap(home)
    assert files_in(tmp_path) == before


@pytest.mark.parametrize("linked", [".swap", ".swap/new", ".swap/new/dice", ".swap/moves.json", "dice", "aside"])
def test_moves_by_way_of_a_link_are_refused_and_nothing_is_moved(tmp_path: Path, linked: str) -> None:
    home = tmp_path / "home"
    write_files(home, {"dice/stars": "old", "aside/more": "old"})
    leave_swap(home, {"dice/stars": "new"}, old=["dice/stars"], new=["dice/stars"])
    os.rename(home / linked, tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere", home / linked)
    before = files_in(tmp_path)

    with pytest.raises(SettingsError, match=r"no restore has left \S+swap"):
        swap.finish_swap(home)
    assert files_in(tmp_path) == before


def test_a_home_that_is_a_link_itself_is_no_matter(tmp_path: Path) -> None:
    leave_swap(tmp_path / "home", {"dice/stars": "new"}, new=["dice/stars"])
    os.symlink(tmp_path / "home", tmp_path / "link")

    swap.finish_swap(tmp_path / "link")

    assert files_in(tmp_path / "home") == {"dice/stars": "new"}


@needs_root
def test_root_finishes_the_swap_of_another_as_that_one(monkeypatch: pytest.MonkeyPatch) -> None:
    users = []
    monkeypatch.setattr("controller.runtime.home.finish_swap", lambda _: users.append(os.geteuid()))
    with folder_of_group(0o2770) as home:
        monkeypatch.setenv("SHUTBOX_HOME", str(home))
        (home / ".swap").mkdir()
        find_home()

        assert (users, os.geteuid(), (home / "shutbox.lock").stat().st_uid) == ([SERVICE], 0, SERVICE)


@needs_root
@pytest.mark.parametrize("umask", [0o007, 0o022])
def test_a_swap_that_root_left_is_finished_or_let_be_and_the_cure_is_told(
    monkeypatch: pytest.MonkeyPatch, umask: int
) -> None:
    before = os.umask(umask)
    try:
        with folder_of_group(0o2770) as home:
            monkeypatch.setenv("SHUTBOX_HOME", str(home))
            leave_swap(home, {"journal": "new"}, new=["journal"])
            find_home()
            if umask == 0o022:
                refused = pytest.raises(SettingsError, match=r"say `sudo chown -R --reference=\S+ \S+/\.swap`")
                with refused, acting_as(SERVICE):
                    swap.finish_swap(home)

            assert (home / "journal").exists() == (umask == 0o007)
    finally:
        os.umask(before)


def test_the_boot_check_becomes_the_owner_as_the_program_does() -> None:
    assert inspect.getsource(boot_check.as_owner) == inspect.getsource(as_owner)
