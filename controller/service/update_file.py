"""Update files: one version of the program and every package it needs, each with its hash, for use without a network.

An update file is a plain tar: `manifest.json`, its signature if it has one (`signature.json`), then the wheels that it
lists, and nothing else. The hashes protect against damage on the way. Whoever can write the file can write its hashes
too, but not the signature of the manifest that holds them.
"""

import hashlib
import io
import platform
import re
import shutil
import stat
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Annotated, Literal

from packaging.version import Version
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from controller.errors import BadUpdate
from controller.service.plain_tar import MOST_NAME, walk
from controller.service.signatures import Signature, check_signature, sign
from hardware.toml_file import describe_mistake

MANIFEST = "manifest.json"
_SIGNATURE = "signature.json"
_MOST_BYTES = 1_000_000  # size limit of a manifest, and of its signature
_CHUNK_BYTES = 1 << 20
_DIGEST_DIGITS = 16  # 64 bits: nobody makes another build of the same name, by chance or on purpose in a lifetime

# Without a slash, so that no name leads out of the folder it is unpacked into.
WheelName = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9_.]+-[A-Za-z0-9_.!+]+-[A-Za-z0-9_.-]+\.whl$", max_length=MOST_NAME)
]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


def _compared(version: str) -> str:
    """Return a version that can be compared with others (PEP 440). Raises `ValueError`."""
    Version(version)
    return version


class Manifest(BaseModel):
    """The description inside an update file.

    python, machine: the interpreter (such as 3.11) and computer (such as aarch64) that its wheels are for.
    journal_format: the format of the journals that this version writes.
    wheels: the SHA-256 of each wheel, by its name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1]
    name: Literal["shutbox"]
    version: Annotated[str, Field(pattern=r"^[0-9]+(\.[0-9A-Za-z+]+)*$", max_length=40), AfterValidator(_compared)]
    python: str = Field(pattern=r"^3\.[0-9]+$")
    machine: str = Field(pattern=r"^\w+$")
    journal_format: int = Field(ge=1)
    wheels: Mapping[WheelName, Sha256]

    @property
    def requirements(self) -> str:
        """The wheels as a requirements file for pip, each pinned with its hash."""
        lines = (f"{'=='.join(name.split('-')[:2])} --hash=sha256:{sha}" for name, sha in sorted(self.wheels.items()))
        return "\n".join((*lines, ""))


@dataclass(frozen=True, slots=True)
class UpdateFile:
    """An update file that was read to its end and found complete. unpacked_bytes: disk space of its packages."""

    path: Path
    manifest: Manifest
    written: bytes
    unpacked_bytes: int

    @property
    def version_name(self) -> str:
        """The name of the version's folder, different for each build of a version."""
        return f"{self.manifest.version}-{hashlib.sha256(self.written).hexdigest()[:_DIGEST_DIGITS]}"


def read_update(path: Path, trusted: Iterable[str] | None) -> UpdateFile:
    """Read an update file to its end and check every hash.

    trusted: the public keys by one of which it must be signed, which is checked before anything else of it is read;
    None: a file of one's own. Raises `BadUpdate`, `InstallError` if signatures cannot be checked, or `OSError`.
    """
    with _open(path) as tar:
        written = _written_manifest(path, tar)
        signature, members = _read_signature(path, tar)
        if trusted is not None:
            _require_signed(path, written, signature, trusted)
        manifest = read_manifest(written)
        seen, unpacked = set[str](), 0
        for member in members:
            content = _content(path, tar, member, manifest, seen)
            if _sha256(content) != manifest.wheels[member.name]:
                raise BadUpdate(f"{path}: {member.name} was damaged; get the file again")
            content.seek(0)
            try:
                with zipfile.ZipFile(content) as wheel:
                    for each in wheel.infolist():
                        if not _lies_within(each):
                            raise BadUpdate(f"{path}: {member.name} holds {each.filename[:80]!r}, which no wheel does")
                        unpacked += each.file_size
            except zipfile.BadZipFile as error:
                # Its hash was right, so it was not a wheel when the update file was made either.
                raise BadUpdate(f"{path}: {member.name} is no wheel") from error
    if missing := sorted(manifest.wheels.keys() - seen):
        raise BadUpdate(f"{path}: {missing[0]} is missing; get the file again")
    if not any(name.startswith(f"shutbox-{manifest.version}-") for name in manifest.wheels):
        raise BadUpdate(f"{path}: shutbox {manifest.version} itself is missing")
    return UpdateFile(path, manifest, written, unpacked)


def _lies_within(member: zipfile.ZipInfo) -> bool:
    """Return whether a member of a wheel is a plain file or folder that can only be unpacked below its place.

    pip too refuses most others, but only while it installs; the names are checked as Python reads them, and in full.
    """
    kind = stat.S_IFMT(member.external_attr >> 16)  # 0 where the wheel was not packed on Unix
    parts = member.orig_filename.removesuffix("/").split("/")
    is_plain = all(part not in ("", ".", "..") for part in parts) and member.orig_filename.isprintable()
    return is_plain and "\\" not in member.orig_filename and kind in (0, stat.S_IFREG, stat.S_IFDIR)


def check_fits(update: UpdateFile) -> None:
    """Raise `BadUpdate` for an update file made for another computer or another Python, and on a 32-bit system."""
    if sys.maxsize < 2**32:  # also under a 64-bit kernel, which calls the machine aarch64
        raise BadUpdate("shutbox needs a 64-bit system, and this Python has 32 bits: use the 64-bit Raspberry Pi OS")
    python, machine = f"{sys.version_info.major}.{sys.version_info.minor}", platform.machine()
    if (update.manifest.python, update.manifest.machine) != (python, machine):
        meant = f"Python {update.manifest.python} on {update.manifest.machine}"
        raise BadUpdate(f"{update.path} is for {meant}; this is Python {python} on {machine}")


def unpack_wheels(update: UpdateFile, folder: Path) -> None:
    """Write the wheels of an update file into a folder, as they were when it was read.

    Raises `BadUpdate` or `OSError`.
    """
    with _open(update.path) as tar:
        _written_manifest(update.path, tar)
        seen = set[str]()
        for member in _read_signature(update.path, tar)[1]:
            content = _content(update.path, tar, member, update.manifest, seen)
            with (folder / member.name).open("w+b") as file:
                shutil.copyfileobj(content, file)
                file.seek(0)
                if _sha256(file) != update.manifest.wheels[member.name]:
                    raise BadUpdate(f"{update.path}: {member.name} is not what it was a moment ago; get the file again")
    if missing := sorted(update.manifest.wheels.keys() - seen):
        raise BadUpdate(f"{update.path}: {missing[0]} was there a moment ago; get the file again")


def read_manifest(written: bytes) -> Manifest:
    """Parse a manifest. Raises `BadUpdate`."""
    try:
        return Manifest.model_validate_json(written)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "it"
        raise BadUpdate(
            f"{MANIFEST} is not one of an update that this version knows ({place}: {describe_mistake(first)})"
        ) from error


def pack_update(
    wheels: Path,
    path: Path,
    *,
    journal_format: int,
    python: str,
    machine: str,
    key: Path | None = None,
    successors: Iterable[Path] = (),
) -> UpdateFile:
    """Make an update file from the wheels in a folder, which include exactly one of shutbox.

    key: signs it; successors: see `sign`. Raises `BadUpdate`, or `InstallError` if it cannot be signed.
    """
    hashes = {}
    for wheel in sorted(wheels.glob("*.whl")):
        with wheel.open("rb") as content:
            hashes[wheel.name] = _sha256(content)
    ours = [match[1] for name in hashes if (match := re.match(r"shutbox-([^-]+)-", name))]
    if len(ours) != 1:
        raise BadUpdate(f"{wheels} must hold one wheel of shutbox, and holds {len(ours)}")
    try:
        manifest = Manifest(
            format=1,
            name="shutbox",
            version=ours[0],
            python=python,
            machine=machine,
            journal_format=journal_format,
            wheels=hashes,
        )
    except ValidationError as error:
        raise BadUpdate(f"no update can be made of {wheels}: {describe_mistake(error.errors()[0])}") from error
    written = manifest.model_dump_json(indent=1).encode()
    signature = None if key is None else sign(written, key, successors).model_dump_json(indent=1).encode()
    with tarfile.open(path, "w", format=tarfile.GNU_FORMAT) as tar:
        _add(tar, MANIFEST, len(written), io.BytesIO(written))
        if signature is not None:
            _add(tar, _SIGNATURE, len(signature), io.BytesIO(signature))
        for name in hashes:
            with (wheels / name).open("rb") as content:
                _add(tar, name, (wheels / name).stat().st_size, content)
    return read_update(path, None)


def _sha256(content: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while chunk := content.read(_CHUNK_BYTES):
        digest.update(chunk)
    return digest.hexdigest()


def _add(tar: tarfile.TarFile, name: str, size: int, content: IO[bytes]) -> None:
    """Add a member without owner or time, so that the same wheels make the same file."""
    member = tarfile.TarInfo(name)
    member.size = size
    tar.addfile(member, content)


@contextmanager
def _open(path: Path) -> Iterator[tarfile.TarFile]:
    """Open an update file for reading, all of whose members are plain files. Errors of its format are `BadUpdate`."""
    try:
        with path.open("rb") as file:
            walk(file)
            with tarfile.open(fileobj=file, mode="r:") as tar:
                yield tar
    except (tarfile.TarError, EOFError, OverflowError, ValueError) as error:
        raise BadUpdate(f"{path} is no update file, or not all of it: {error}") from error


def _written_manifest(path: Path, tar: tarfile.TarFile) -> bytes:
    """Return the manifest at the start of an update file, unparsed. Raises `BadUpdate`."""
    member = tar.next()
    if member is None or member.name != MANIFEST or not member.isreg() or member.size > _MOST_BYTES:
        raise BadUpdate(f"{path} is no update file: it does not begin with {MANIFEST}")
    content = tar.extractfile(member)
    return content.read() if content else b""


def _read_signature(path: Path, tar: tarfile.TarFile) -> tuple[Signature | None, Iterator[tarfile.TarInfo]]:
    """Return the signature, if that is the next member, and the members after it. Raises `BadUpdate`."""
    member = tar.next()
    if member is None or member.name != _SIGNATURE:
        return None, chain([member] if member else [], iter(tar.next, None))
    content = tar.extractfile(member) if member.size <= _MOST_BYTES else None
    try:
        return Signature.model_validate_json(content.read() if content else b""), iter(tar.next, None)
    except ValidationError as error:
        raise BadUpdate(f"{path}: its signature is none that this version knows") from error


def _require_signed(path: Path, written: bytes, signature: Signature | None, trusted: Iterable[str]) -> None:
    """Raise `BadUpdate` unless a manifest is signed by a trusted key."""
    if signature is None:
        raise BadUpdate(f"{path} is not signed: get a release, or say --unsigned if you have made it yourself")
    try:
        check_signature(signature, written, trusted)
    except BadUpdate as error:
        raise BadUpdate(f"{path}: {error}") from error


def _content(
    path: Path, tar: tarfile.TarFile, member: tarfile.TarInfo, manifest: Manifest, seen: set[str]
) -> IO[bytes]:
    """Return the content of a member and add its name to `seen`.

    Raises `BadUpdate` unless it is a plain file that the manifest lists and that was not seen before.
    """
    content = tar.extractfile(member) if member.isreg() else None
    if content is None or member.name not in manifest.wheels or member.name in seen:
        raise BadUpdate(f"{path}: {member.name!r} has no place in it")
    seen.add(member.name)
    return content
