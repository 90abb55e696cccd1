"""Files replaced as one: whatever moment the power goes, all of them are the old ones or all the new ones."""

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from controller.process import lock, swap
from controller.settings import find_home

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


def write_files(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


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
