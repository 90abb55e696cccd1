"""Units of an older installation are told, with the command that renews them."""

from pathlib import Path

import pytest

from controller.runtime.systemd import find_stale_units
from tests.test_house import ROOT


def install(folder: Path, module: str) -> None:
    unit = (ROOT / "systemd" / "shutbox-guard.service").read_text("utf-8")
    (folder / "shutbox-guard.service").write_text(unit.replace("controller.box.guard", module))


def test_the_units_of_this_version_are_not_told(tmp_path: Path) -> None:
    install(tmp_path, "controller.box.guard")

    assert list(find_stale_units(tmp_path)) == []


@pytest.mark.parametrize("module", ["controller.guard_wiring", "controller.gone.guard"])
def test_a_unit_of_an_older_version_names_the_command_that_renews_it(tmp_path: Path, module: str) -> None:
    install(tmp_path, module)

    [line] = find_stale_units(tmp_path)

    assert str(tmp_path / "shutbox-guard.service") in line
    assert module in line
    assert "shutbox install" in line


def test_a_computer_without_units_has_none_to_renew(tmp_path: Path) -> None:
    assert list(find_stale_units(tmp_path / "nowhere")) == []


def test_a_unit_that_cannot_be_read_keeps_nobody_from_starting(tmp_path: Path) -> None:
    (tmp_path / "shutbox.service").symlink_to(tmp_path / "gone")
    install(tmp_path, "controller.guard_wiring")

    assert len(list(find_stale_units(tmp_path))) == 1
