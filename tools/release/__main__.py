"""`python -m tools.release FOLDER [--key KEY]`: make a release of the commit that is checked out, into FOLDER.

The same commit makes the same bytes: it is built from its own files alone, and dated as it is.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from controller.errors import InstallError
from controller.journal.tables import FORMAT
from controller.service.update_file import UpdateFile, pack_update
from tools.release.bill import make_bill
from tools.release.licences import list_licences
from tools.release.wheel import Wheel, read_wheel
from tools.wheels import fetch

SUMS = "SHA256SUMS"
_PURPOSE = "shutbox-release"  # the namespace of the signature below the sums (PROTOCOL.sshsig)


class Target(NamedTuple):
    """A system that gets an update file: its name, its Python, its kind of computer, the pins of its packages."""

    system: str
    python: str
    machine: str
    pins: str = "systemd/requirements.txt"


TARGETS = (
    Target("bookworm", "3.11", "aarch64", "systemd/requirements-bookworm.txt"),
    Target("trixie", "3.13", "aarch64"),
    Target("trixie", "3.13", "x86_64"),
)


class NoRelease(Exception):
    """Why no release can be made of what is here, in one line."""


@dataclass(frozen=True, slots=True)
class Source:
    """The commit that is released: its files in `tree`, its version, when it was made, and how to say which it is."""

    tree: Path
    version: str
    made: datetime
    said: str


def check_out(tree: Path) -> Source:
    """Put the files of the present commit into `tree`. Raises `NoRelease` if it is not all that is here."""
    if changed := ask("git", "status", "--porcelain"):
        raise NoRelease(f"commit first, or put away, what the release would not have: {changed.splitlines()[0]}")
    archive = tree.with_suffix(".tar")
    ask("git", "archive", "--output", str(archive), "HEAD")
    with tarfile.open(archive) as tar:
        tar.extractall(tree, filter="data")
    version = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    tags = [tag for tag in ask("git", "tag", "--points-at", "HEAD").split() if tag.startswith("v")]
    if tags and f"v{version}" not in tags:
        raise NoRelease(f"the commit is tagged {tags[0]}, and its pyproject.toml has {version}")
    made = datetime.fromtimestamp(int(ask("git", "log", "-1", "--format=%ct")), UTC)
    untagged = f"commit {ask('git', 'rev-parse', '--short', 'HEAD')}, which has no tag v{version}"
    return Source(tree, version, made, f"tag v{version}" if tags else untagged)


def build_docs(source: Source) -> None:
    """Build the documentation, which a box serves, where the wheel takes it from."""
    ask(sys.executable, "-m", "tools.site", at=source.tree)


def build(source: Source, folder: Path) -> Path:
    """Build the source archive and the wheel into `folder`; return the wheel."""
    ask(sys.executable, "-m", "hatchling", "build", "--directory", str(folder), at=source.tree)
    [wheel] = folder.glob("*.whl")
    return wheel


def ask(*command: str, at: Path | None = None) -> str:
    """Run a program, in a folder, and return what it says. Raises `NoRelease` if it fails."""
    try:
        ended = subprocess.run(command, cwd=at, check=False, capture_output=True, text=True)  # noqa: S603
    except OSError as error:
        raise NoRelease(f"{command[0]} cannot be run: {error.strerror}") from error
    if ended.returncode:
        said = (ended.stderr or ended.stdout).strip().splitlines() or ["no reason given"]
        raise NoRelease(f"{' '.join(command[:4])} failed: {said[-1]}")
    return ended.stdout.strip()


def make_update_file(
    source: Source, target: Target, wheel: Path, folder: Path, key: Path | None
) -> tuple[UpdateFile, list[Wheel]]:
    """Fetch the packages of a system and make its update file; return it, and what its packages say of themselves."""
    with TemporaryDirectory() as place:
        wheels = Path(place)
        if fetch(source.tree / target.pins, wheels, target.python, target.machine):
            raise NoRelease(f"the packages for {target.system} did not come")
        shutil.copy(wheel, wheels)
        update = pack_update(
            wheels,
            folder / f"shutbox-{source.version}-{target.system}-{target.machine}.tar",
            journal_format=FORMAT,
            python=target.python,
            machine=target.machine,
            key=key,
        )
        return update, [read_wheel(each) for each in sorted(wheels.glob("*.whl"))]


def write_sums(folder: Path, key: Path | None) -> None:
    """Write the SHA-256 of every file, as `sha256sum -c` reads it, and sign that."""
    lines = []
    for path in sorted(folder.iterdir()):
        with path.open("rb") as file:
            lines.append(f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {path.name}\n")
    (folder / SUMS).write_text("".join(lines))
    if key is not None:
        ask("ssh-keygen", "-Y", "sign", "-q", "-f", str(key), "-n", _PURPOSE, str(folder / SUMS))


def release(folder: Path, key: Path | None, targets: Sequence[Target] = TARGETS) -> None:
    """Make a release into a new folder. Raises `NoRelease` or `InstallError`, and leaves no half of one."""
    if folder.exists():
        raise NoRelease(f"{folder} is there already: remove it, or name another")
    with TemporaryDirectory() as place:
        tree, made = Path(place, "tree"), Path(place, "made")
        tree.mkdir()
        source = check_out(tree)
        os.environ["SOURCE_DATE_EPOCH"] = str(int(source.made.timestamp()))
        print(f"shutbox {source.version} of {source.said}, {source.made:%Y-%m-%d %H:%M} UTC", flush=True)
        build_docs(source)
        wheel = build(source, made)
        print("documentation, wheel and source archive: built", flush=True)
        packages = list[Wheel]()
        for target in targets:
            update, wheels = make_update_file(source, target, wheel, made, key)
            update.path.with_suffix(".cdx.json").write_text(make_bill(update.manifest, wheels, source.made), "utf-8")
            packages += wheels
            print(f"{update.path.name}: {len(wheels)} packages, {update.path.stat().st_size / 1e6:.0f} MB", flush=True)
        (made / "LICENCES.txt").write_text(list_licences(packages), "utf-8")
        write_sums(made, key)
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(made, folder)
    print((folder / SUMS).read_text(), end="")
    if key is None:
        print("Nothing is signed: boxes take these files with --unsigned alone. KEY= names the key.")


def main() -> int:
    """Make a release, and return the exit status."""
    calls = ArgumentParser(prog="python -m tools.release", description=__doc__)
    calls.add_argument("folder", type=Path)
    calls.add_argument("--key", type=Path, help="the private key that signs it")
    call = calls.parse_args()
    try:
        release(call.folder, call.key)
    except (NoRelease, InstallError) as error:
        print(f"make release: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
