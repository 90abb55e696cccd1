"""A version is installed by the pip of its own update file, where the file brings one."""

import shutil
import sys
from pathlib import Path

import pytest

from controller.service.effects import Host
from controller.service.layout import Layout
from controller.service.staging import Place
from controller.service.update_file import UpdateFile, pack_update
from tests.support.installed_box import make_update

PYTHON = str(Path(sys.base_prefix, "bin", f"python{sys.version_info.major}.{sys.version_info.minor}"))


@pytest.fixture
def commands() -> list[tuple[str, ...]]:
    return []


def install(place: Place, commands: list[tuple[str, ...]]) -> None:
    def run(*command: str) -> str:
        commands.append(command)
        return ""

    host = Host(run=run, has_systemd=False)
    for step in (place.check_room, place.unpack_wheels, place.make_environment, place.install_packages):
        step(host)


def update_with(folder: Path, *wheels: str) -> UpdateFile:
    """An update file that has these wheels too."""
    first = make_update(folder, "1.0")
    for name in wheels:
        shutil.copy(folder / "wheels-1.0-0" / "numpy-1.0-py3-none-any.whl", folder / "wheels-1.0-0" / name)
    return pack_update(folder / "wheels-1.0-0", first.path, journal_format=5, python="3.11", machine="x86_64")


def test_no_pip_of_the_system_is_needed(tmp_path: Path, commands: list[tuple[str, ...]]) -> None:
    place = Place(Layout(prefix=tmp_path / "opt"), update_with(tmp_path, "pip-26.3-py3-none-any.whl"))
    install(place, commands)

    assert commands[0] == (PYTHON, "-m", "venv", "--system-site-packages", "--without-pip", str(place.folder))
    assert commands[1][:3] == (
        place.program("python"),
        f"{place.wheels}/pip-26.3-py3-none-any.whl/pip",
        "install",
    )


def test_an_update_file_without_pip_is_installed_by_the_systems(
    tmp_path: Path, commands: list[tuple[str, ...]]
) -> None:
    place = Place(Layout(prefix=tmp_path / "opt"), update_with(tmp_path))
    install(place, commands)

    assert commands[0] == (PYTHON, "-m", "venv", "--system-site-packages", str(place.folder))
    assert commands[1][:4] == (place.program("python"), "-m", "pip", "install")
