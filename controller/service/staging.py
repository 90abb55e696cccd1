"""The effects that put a version in place beside the others, without touching anything that runs.

A version is made at its final place, because a virtual environment knows its own path. It is complete once it has its
manifest, which is written last; a folder without one was left by a power cut, and is removed.
"""

import compileall
import os
import shutil
import sys
from collections.abc import Container, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from controller.errors import InstallError
from controller.service.effects import Effect, Host, Step
from controller.service.layout import Layout
from controller.service.update_file import MANIFEST, UpdateFile, unpack_wheels
from hardware.calibration import sync, write_durably

_WHEELS = "wheels"
_COMPILE_TEMPLATES = "from controller.web.pages.templates import compile_templates; compile_templates()"
_TIMES_UNPACKED = 2.0  # disk use of a version and its wheels (packed, unpacked, compiled), in unpacked sizes


def stage_version(layout: Layout, update: UpdateFile) -> list[Effect]:
    """Return the effects that stage the version of an update file; none if it is complete already."""
    if update.version_name in layout.versions():
        return []
    place, manifest = Place(layout, update), update.manifest
    needed = f"{place.needed_bytes / 1e6:.0f} MB"
    steps = [
        Step(f"see that there are {needed} free in {layout.folder}", place.check_room),
        Step(f"unpack {len(manifest.wheels)} packages of {update.path}", place.unpack_wheels),
        Step(f"make the virtual environment {place.folder}", place.make_environment),
        Step(f"install them into {place.folder}, each by its hash", place.install_packages),
        Step(f"see that shutbox {manifest.version} starts", place.try_program),
    ]
    if not layout.is_this_machine:
        steps.append(Step(f"have its scripts name {place.final} as they will find it", place.name_final_paths))
    return [*steps, Step("have all of it reach the disk, and note that it is whole", place.mark_whole)]


def remove_version(folder: Path) -> None:
    """Remove a version, its manifest first, so that it never looks complete. Raises `OSError`."""
    manifest = folder / MANIFEST
    if manifest.exists():
        manifest.unlink()
        sync(folder)
    shutil.rmtree(folder)


def remove_all_but(versions: Path, kept: Container[str]) -> None:
    """Remove every version, complete or not, that is not `kept`. Raises `OSError`."""
    for folder in versions.iterdir():
        if folder.name not in kept:
            remove_version(folder)


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a version that is being staged, with one method for each step."""

    layout: Layout
    update: UpdateFile

    @property
    def folder(self) -> Path:
        """Where the version's folder lies on this machine."""
        return self.layout.version(self.update.version_name)

    @property
    def final(self) -> Path:
        """The version's folder on the installed system."""
        return Path("/", self.folder.relative_to(self.layout.root))

    @property
    def wheels(self) -> Path:
        """The subfolder for its wheels until they are installed."""
        return self.folder / _WHEELS

    @property
    def needed_bytes(self) -> float:
        return _TIMES_UNPACKED * self.update.unpacked_bytes

    @property
    def pip(self) -> Sequence[str]:
        """What Python runs as pip: that of the update file, in its wheel; empty if the file brings none."""
        names = (name for name in self.update.manifest.wheels if name.startswith("pip-"))
        return [f"{self.wheels}/{name}/pip" for name in names]

    def program(self, name: str) -> str:
        """Return the path of a program in its environment."""
        return str(self.folder / "bin" / name)

    def check_room(self, _host: Host) -> None:
        """Remove the rest of an earlier attempt, then compare the free space. Raises `InstallError`."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        free = shutil.disk_usage(self.folder).free
        if free < self.needed_bytes:
            needed = f"{self.needed_bytes / 1e6:.0f} MB"
            raise InstallError(f"{self.layout.folder} has {free / 1e6:.0f} MB free and needs {needed}; make room")

    def unpack_wheels(self, _host: Host) -> None:
        """Unpack the wheels to where pip finds them, with a requirements file of their hashes."""
        self.wheels.mkdir()
        unpack_wheels(self.update, self.wheels)
        (self.wheels / "requirements.txt").write_text(self.update.manifest.requirements)

    def make_environment(self, host: Host) -> None:
        """Make the virtual environment; it sees the system's packages, because picamera2 comes with the system."""
        # The interpreter below the present environment also makes those of other versions.
        python = Path(sys.base_prefix, "bin", f"python{sys.version_info.major}.{sys.version_info.minor}")
        # Debian's own pip for environments is in a package that a plain system lacks, python3-venv.
        bare = ("--without-pip",) if self.pip else ()
        host.run(str(python), "-m", "venv", "--system-site-packages", *bare, str(self.folder))

    def install_packages(self, host: Host) -> None:
        """Install the wheels, offline and by their hashes, and compile what they hold."""
        options = ("--isolated", "--disable-pip-version-check", "--no-index", "--no-deps", "--ignore-installed")
        wheels = str(self.wheels)
        hashes = ("--require-hashes", "--requirement", f"{wheels}/requirements.txt")
        host.run(
            self.program("python"), *(self.pip or ("-m", "pip")), "install", *options, "--find-links", wheels, *hashes
        )
        shutil.rmtree(self.wheels)  # they would double the size of every version
        # pip compiles modules; the daemon, which may write nothing here, would compile the templates at every start.
        # Another version may keep them elsewhere, and does without this.
        with suppress(InstallError):
            host.run(self.program("python"), "-P", "-c", _COMPILE_TEMPLATES)

    def try_program(self, host: Host) -> None:
        """Start the new program, as far as that works without a box. Raises `InstallError` for another version."""
        told = host.run(self.program("shutbox"), "--version").strip()
        version = self.update.manifest.version
        if told != f"shutbox {version}":
            raise InstallError(f"{self.update.path} says {version}; it holds {told}")

    def name_final_paths(self, _host: Host) -> None:
        """In a tree for another machine, write the final paths into scripts and compiled files."""
        now, final = os.fsencode(self.folder), os.fsencode(self.final)
        scripts = (path for path in (self.folder / "bin").iterdir() if path.is_file() and not path.is_symlink())
        for path in (self.folder / "pyvenv.cfg", *scripts):
            content = path.read_bytes()
            if now in content:
                path.write_bytes(content.replace(now, final))
        compileall.compile_dir(self.folder, quiet=2, force=True, stripdir=str(self.layout.root), prependdir="/")

    def mark_whole(self, host: Host) -> None:
        """Sync everything to the disk, and only then mark the version complete by its manifest."""
        host.sync()
        write_durably(self.folder / MANIFEST, self.update.written)
