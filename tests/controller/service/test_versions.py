"""Which version runs and which can be gone back to, as the daemon tells it that may change none."""

import json
from pathlib import Path

import pytest

from controller.journal.tables import FORMAT
from controller.service.boot_check import CURRENT, PREVIOUS, STARTED, link_version
from controller.service.update_file import MANIFEST
from controller.service.versions import InstalledVersion, Versions, read_versions

OLD, NEW = "0.1.0-11111111", "0.2.0-22222222"


def installed(folder: Path, old_format: int = FORMAT) -> Path:
    """An installation of two versions in which the new one runs; the environment of that one."""
    for name, form in ((OLD, old_format), (NEW, FORMAT)):
        place = folder / "versions" / name
        place.mkdir(parents=True)
        manifest = {"format": 1, "name": "shutbox", "version": name.partition("-")[0], "python": "3.11"}
        manifest |= {"machine": "aarch64", "journal_format": form, "wheels": {}}
        (place / MANIFEST).write_text(json.dumps(manifest))
    link_version(folder, CURRENT, NEW)
    link_version(folder, PREVIOUS, OLD)
    return folder / CURRENT


@pytest.mark.parametrize(("old_format", "keeps"), [(FORMAT, True), (FORMAT - 1, False)])
def test_the_version_before_can_be_gone_back_to(tmp_path: Path, old_format: int, keeps: bool) -> None:
    told = read_versions(installed(tmp_path, old_format))

    assert (told.installed, told.on_trial, told.why_not) == (NEW, False, "")
    assert told.before == InstalledVersion(OLD, "0.1.0", keeps_games=keeps)
    assert told.options == f" --prefix {tmp_path}"


def test_a_version_on_trial_is_told(tmp_path: Path) -> None:
    program = installed(tmp_path)
    (tmp_path / STARTED).write_text("{}")
    assert read_versions(program).on_trial


def test_where_nothing_can_be_gone_back_to_it_is_said_why(tmp_path: Path) -> None:
    program = installed(tmp_path)
    (tmp_path / "versions" / OLD / MANIFEST).unlink()
    told = read_versions(program)
    assert told.before is None
    assert told.why_not == f"{NEW} is the only version here; name an update file"


def test_a_program_that_was_not_installed_has_no_versions(tmp_path: Path) -> None:
    told = read_versions(tmp_path)
    assert told == Versions(told.running)
    assert read_versions() == told
