"""The effects that put a version in place beside the others, without touching anything that runs.

A version is made at its final place, because a virtual environment knows its own path. It is complete once it has its
manifest, which is written last; a folder without one was left by a power cut, and is removed.
"""

import compileall
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from controller.errors import InstallError
from controller.service.effects import Effect, Host
from controller.service.layout import Layout, find_python
from controller.service.update_file import MANIFEST, UpdateFile, unpack_wheels
from hardware.calibration import sync, write_durably

_WHEELS = "wheels"
_TIMES_UNPACKED = 2.0  # disk use of a version and its wheels (packed, unpacked, compiled), in unpacked sizes


def stage_version(layout: Layout, update: UpdateFile) -> list[Effect]:
    """Return the effects that stage the version of an update file; none if it is complete already."""
    if update.version_name in layout.versions():
        return []
    place = Place(layout, update)
    return [
        CheckRoom(place),
        UnpackWheels(place),
        MakeEnvironment(place),
        InstallPackages(place),
        TryProgram(place),
        *([] if layout.is_this_machine else [NameFinalPaths(place)]),
        MarkWhole(place),
    ]


def remove_version(folder: Path) -> None:
    """Remove a version, its manifest first, so that it never looks complete. Raises `OSError`."""
    manifest = folder / MANIFEST
    if manifest.exists():
        manifest.unlink()
        sync(folder)
    shutil.rmtree(folder)


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a version that is being staged."""

    layout: Layout
    update: UpdateFile

    @property
    def folder(self) -> Path:
        """The present place of the version's folder."""
        return self.layout.version(self.update.version_name)

    @property
    def wheels(self) -> Path:
        """The subfolder for its wheels until they are installed."""
        return self.folder / _WHEELS

    def program(self, name: str) -> str:
        """Return the path of a program in its environment."""
        return str(self.folder / "bin" / name)


@dataclass(frozen=True, slots=True)
class _Staging(Effect):
    place: Place


class CheckRoom(_Staging):
    """Check that the disk has room before anything is written."""

    def __str__(self) -> str:
        return f"see that there are {self._needed_bytes / 1e6:.0f} MB free in {self.place.layout.folder}"

    def perform(self, host: Host) -> None:
        """Remove the rest of an earlier attempt, then compare the free space. Raises `InstallError`."""
        shutil.rmtree(self.place.folder, ignore_errors=True)
        self.place.folder.mkdir(parents=True)
        free = shutil.disk_usage(self.place.folder).free
        if free < self._needed_bytes:
            needed = f"{self._needed_bytes / 1e6:.0f} MB"
            raise InstallError(f"{self.place.layout.folder} has {free / 1e6:.0f} MB free and needs {needed}; make room")

    @property
    def _needed_bytes(self) -> float:
        return _TIMES_UNPACKED * self.place.update.unpacked_bytes


class UnpackWheels(_Staging):
    """Unpack the wheels to where pip finds them."""

    def __str__(self) -> str:
        return f"unpack {len(self.place.update.manifest.wheels)} packages of {self.place.update.path}"

    def perform(self, host: Host) -> None:
        """Unpack the wheels, and write a requirements file with their hashes for pip."""
        self.place.wheels.mkdir()
        unpack_wheels(self.place.update, self.place.wheels)
        (self.place.wheels / "requirements.txt").write_text(self.place.update.manifest.requirements)


class MakeEnvironment(_Staging):
    """Make the virtual environment; it sees the system's packages, because picamera2 comes with the system."""

    def __str__(self) -> str:
        return f"make the virtual environment {self.place.folder}"

    def perform(self, host: Host) -> None:
        host.run(str(find_python()), "-m", "venv", "--system-site-packages", str(self.place.folder))


class InstallPackages(_Staging):
    """Install the wheels, offline and by their hashes."""

    def __str__(self) -> str:
        return f"install them into {self.place.folder}, each by its hash"

    def perform(self, host: Host) -> None:
        options = ("--isolated", "--disable-pip-version-check", "--no-index", "--no-deps", "--ignore-installed")
        wheels = str(self.place.wheels)
        hashes = ("--require-hashes", "--requirement", f"{wheels}/requirements.txt")
        host.run(self.place.program("python"), "-m", "pip", "install", *options, "--find-links", wheels, *hashes)
        shutil.rmtree(self.place.wheels)  # they would double the size of every version


class TryProgram(_Staging):
    """Start the new program once, as far as that works without a box."""

    def __str__(self) -> str:
        return f"see that shutbox {self.place.update.manifest.version} starts"

    def perform(self, host: Host) -> None:
        """Compare the version that it prints with the manifest. Raises `InstallError`."""
        told = host.run(self.place.program("shutbox"), "--version").strip()
        if told != f"shutbox {self.place.update.manifest.version}":
            raise InstallError(f"{self.place.update.path} says {self.place.update.manifest.version}; it holds {told}")


class NameFinalPaths(_Staging):
    """In a tree for another machine, write the final paths into scripts and compiled files."""

    def __str__(self) -> str:
        return f"have its scripts name {self._final} as they will find it"

    def perform(self, host: Host) -> None:
        """Replace the present path by the final one, and compile with final paths."""
        now, final = os.fsencode(self.place.folder), os.fsencode(self._final)
        scripts = (path for path in (self.place.folder / "bin").iterdir() if path.is_file() and not path.is_symlink())
        for path in (self.place.folder / "pyvenv.cfg", *scripts):
            content = path.read_bytes()
            if now in content:
                path.write_bytes(content.replace(now, final))
        root = str(self.place.layout.root)
        compileall.compile_dir(self.place.folder, quiet=2, force=True, stripdir=root, prependdir="/")

    @property
    def _final(self) -> Path:
        return Path("/", self.place.folder.relative_to(self.place.layout.root))


class MarkWhole(_Staging):
    """Sync everything to the disk, and only then mark the version complete."""

    def __str__(self) -> str:
        return "have all of it reach the disk, and note that it is whole"

    def perform(self, host: Host) -> None:
        """Sync, then write the manifest."""
        host.sync()
        write_durably(self.place.folder / MANIFEST, self.place.update.written)
