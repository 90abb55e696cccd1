"""Every file that the program makes in a home is in a backup, or in its list of what is not."""

import ast
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.runtime.home import Home
from controller.service import contents
from controller.service.backup import save_backup
from tests.support.homes import furnish
from tests.test_house import ROOT, SOURCES, tree_of

NOW = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)
# Every place of the program that writes a file, or makes a folder, with what it is called in a home; an empty name for
# what lies elsewhere, or is written by its callers, which stand here too. Whoever writes another file adds it here, and
# to controller/service/contents.py.
WRITERS = {
    "controller/box/start.py write_durably": "settings.last.toml",
    "controller/access/state.py replace": "access.damaged-2026-11-24.json",
    "controller/access/state.py write_durably": "access.json",
    "controller/jobs/camera.py write_durably": "background-2026-11-24T090000.png",
    "controller/cli/calibrate.py mkdir": "",  # the sheets, where people want them
    "controller/cli/engines/arena.py open": "",  # games as text, where people want them
    "controller/opponents/engines/minds.py open": "",  # what engines say, where people want it
    "controller/cli/doctor.py write_text": "",  # a report, where people want it
    "controller/cli/job.py write_text": "",  # a page, where people want it
    "controller/cli/wiring.py write_text": "",  # a drawing, where people want it
    "controller/journal/recovery.py connect": "",  # in memory
    "controller/journal/copies.py connect": "",
    "controller/journal/copies.py touch": "",
    "controller/journal/files.py replace": "journal.damaged-2026-11-24.sqlite3",
    "controller/journal/backup_copy.py connect": ".journal.good.sqlite3.new",
    "controller/journal/backup_copy.py open": ".journal.good.sqlite3.new",
    "controller/journal/backup_copy.py replace": "journal.good.sqlite3",
    "controller/journal/database.py connect": "journal.sqlite3",
    "controller/journal/store.py touch": "journal.sqlite3",
    "controller/journal/high_water_mark.py open": "journal.mark",
    "controller/journal/recovery.py replace": ".journal.sqlite3.fresh",
    "controller/service/archive.py mkdir": "",
    "controller/service/archive.py open": "",
    "controller/service/archive.py open_durably": "",  # the backup, where people want it
    "controller/service/archive.py touch": "",
    "controller/service/archive.py write_text": "",
    "controller/service/backup.py TemporaryDirectory": ".shutbox-1a2b3c4d",
    "controller/service/backup.py copyfile": "",
    "controller/service/backup.py mkdir": "",
    "controller/odds/shutbox/tables.py mkstemp": "odds",
    "controller/service/pending.py mkdir": ".shutbox-restore",
    "controller/service/pending.py open": ".shutbox-restore",
    "controller/service/pending.py replace": ".shutbox-restore",
    "controller/service/pending.py write_durably": ".shutbox-restore",
    "controller/service/received.py mkdir": ".shutbox-restore",
    "controller/service/restarts.py replace": "runs.damaged-2026-11-24.json",
    "controller/service/restarts.py write_durably": "runs.json",
    "controller/odds/shutbox/tables.py mkdir": "odds",
    "controller/odds/shutbox/tables.py replace": "odds",
    "controller/runtime/locks.py open": "shutbox.lock",
    "controller/runtime/swap.py mkdir": ".swap",
    "controller/runtime/swap.py replace": "before-restore-2026-11-24T090000",
    "controller/runtime/swap.py write_durably": ".swap",
    "controller/runtime/home.py mkdir": "",  # the home
    "controller/cli/evening/store.py write_durably": "evening-autumn.json",
    "controller/settings.py write_durably": "settings.toml",
    "controller/web/api/box.py mkdir": ".shutbox-backup",
    "controller/web/pages/workshop/work.py TemporaryDirectory": "",  # of the system's own, for a sheet to print
    "controller/box/wood.py write_durably": "simulated-two-level-9.wood.json",
    "controller/box/wires_note.py write_durably": "wires-simulated-two-level-9.txt",
    "controller/jobs/bringup.py write_durably": "box-two-level-9.toml",
    "firmware/pi/pins.py TemporaryDirectory": "",  # of the system's own, where lgpio keeps a file
    "firmware/selftest/wear.py replace": "wear-two-level-9.damaged-2026-11-24.json",
    "firmware/selftest/wear.py mkdir": "",
    "firmware/selftest/wear.py write_durably": "wear-two-level-9.json",
    "hardware/calibration.py open": ".calibration.toml.new",
    "hardware/calibration.py open_durably": "",
    "hardware/calibration.py replace": "",
    "hardware/calibration.py write_durably": "calibration-2026-11-24T090000.toml",
    "hardware/cad/export.py mkdir": "",  # a box in wood, where a maker wants it
    "hardware/cad/export.py write_bytes": "",
    "hardware/cad/export.py write_text": "",
    "hardware/sim/store.py mkdir": "",
    "hardware/sim/store.py replace": "simulated-two-level-9.json",
    "hardware/sim/store.py write_text": "simulated-two-level-9.json.4711.new",
    "vision/reader/trace.py write_bytes": "",  # a drawing, where people want it
    "vision/custom_dice/storage.py mkdir": "",
    "vision/custom_dice/storage.py write_durably": "dice/stars.npz.2026-11-24T090000",
    "vision/custom_dice/storage.py savez_compressed": "",
    "vision/watching/evidence.py mkdir": "evidence",
    "vision/watching/evidence.py replace": "evidence",
    "vision/watching/evidence.py write_bytes": "evidence",
}
# An installation lies in no home, but for journals of other versions.
ELSEWHERE = {
    Path("controller/service") / name
    for name in (
        "boot_check.py",
        "effects.py",
        "layout.py",
        "perform.py",
        "plan.py",
        "signatures.py",
        "staging.py",
        "trial.py",
        "update_file.py",
    )
}
WRITES = {
    *("write_durably", "open_durably", "write_text", "write_bytes", "touch", "mkdir", "mkstemp", "copyfile"),
    *("TemporaryDirectory", "mkdtemp", "imwrite", "savez", "savez_compressed", "symlink_to", "hardlink_to"),
}
_ANY_WRITE = re.compile(rf"\b({'|'.join(WRITES)}|open|replace|connect)\(")


def writes_of(path: Path) -> Iterator[str]:
    """Each way in which a file writes files, once."""
    if not _ANY_WRITE.search((ROOT / path).read_text("utf-8")):
        return
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in WRITES or is_write(name, node):
                yield f"{path.as_posix()} {name}"


def is_write(name: str, call: ast.Call) -> bool:
    """True for an `open` that may write, a file that takes another's place (in text two pieces do), and a database."""
    if name not in ("open", "replace", "connect"):
        return False
    function, words = ast.unparse(call.func), [ast.unparse(argument) for argument in call.args]
    if name == "open":
        return any("O_CREAT" in word or word in ("'wb'", "'w'", "'ab'", "'a'", "'xb'") for word in words)
    if name == "replace":
        return function == "os.replace" or (len(words) == 1 and not call.keywords)
    return function == "sqlite3.connect"


def test_every_place_that_writes_a_file_is_known() -> None:
    paths = [path for path in SOURCES if path not in ELSEWHERE]
    found = {write for path in paths for write in writes_of(path)}

    assert found == set(WRITERS)


@pytest.mark.parametrize("name", sorted({name for name in WRITERS.values() if name}))
def test_what_they_write_is_saved_or_left_out_for_a_reason(tmp_path: Path, name: str) -> None:
    assert is_told(tmp_path, name)


def test_every_file_that_a_home_names_is_saved_or_left_out_for_a_reason(tmp_path: Path) -> None:
    home = Home(tmp_path, tmp_path)
    named = [getattr(home, name) for name, kind in vars(Home).items() if isinstance(kind, property)]
    of_box = [home.simulated_tiles("classic-9"), home.wear("classic-9", mock=True), home.wear("classic-9", mock=False)]
    paths = [path for path in (*named, *of_box) if isinstance(path, Path)]

    assert len(paths) > 10
    assert [path.name for path in paths if not is_told(tmp_path, path.name)] == []


@pytest.mark.parametrize(
    "name",
    [
        "journal.sqlite3-wal",
        "journal.mark",
        "journal.good.sqlite3",
        "journal.damaged-2026-11-24.sqlite3",
        "journal-format-5.sqlite3",
        "demo.sqlite3-shm",
        "demo.mark",
        "demo.good.sqlite3",
        "simulated-two-level-9.lock",
        "mock-box.lock",
        "dice/.stars.npz.new",
        "shutbox-two-level-9-2026-11-24-2.tar.gz",
        "evidence/000001-20261124-090000-3-5.jpg",
    ],
)
def test_what_lies_beside_them_is_left_out_for_a_reason(tmp_path: Path, name: str) -> None:
    assert is_told(tmp_path, name)
    assert contents.kind_of(name) is None


def is_told(folder: Path, name: str) -> bool:
    """True if a file of this name would be in a backup, or in the list of what is not, with a reason of its own."""
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).touch()
    reasons = contents.left_out(folder)
    told = name in contents.saved_names(folder) or "not of this program" not in reasons
    (folder / name).unlink()
    return told


def test_a_strange_file_is_told_too(tmp_path: Path) -> None:
    assert not is_told(tmp_path, "holiday.jpg")


def test_a_backup_holds_what_it_should_and_tells_the_rest(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", tmp_path / "home")
    furnish(home)
    home.odds.mkdir()
    home.lock.touch()

    made = save_backup(home, tmp_path, NOW, lambda _: None)

    assert [saved.name for saved in made.manifest.files] == [
        "journal.sqlite3",
        "settings.toml",
        "calibration.toml",
        "background-2026-11-01T000000.png",
        "dice/stars.npz",
        "wear-two-level-9.json",
    ]
    assert made.file.name == "shutbox-two-level-9-2026-11-24.tar.gz"
    assert {name for names in made.left_out.values() for name in names} >= {
        "odds",
        "shutbox.lock",
        "who has which seat",
    }
