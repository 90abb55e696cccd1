"""The file of a backup: a list of its files with their checksums, then the files themselves, as a plain `.tar.gz`.

Any archiver opens it. This reader treats it as hostile: it reads block by block in the order of the list, in constant
memory, and accepts only regular files with the names and within the sizes that a backup has. It ignores everything
that an archive may say about links, folders, owners, or long names.
"""

import gzip
import hashlib
import shutil
import tarfile
import zlib
from pathlib import Path
from typing import Annotated, BinaryIO, Final, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from controller.errors import BackupDamaged, BackupError, BackupNewer
from controller.service.contents import kind_of
from controller.service.plain_tar import NoPlainFile, exactly, parse_header, shown
from hardware.calibration import open_durably

FORMAT: Final = 1
_LIST = "manifest.json"
_MOST_LIST_BYTES = 1_000_000
_MOST_END_BYTES = 2 * tarfile.RECORDSIZE  # an archive is padded with zeros to a multiple of RECORDSIZE
_CHUNK_BYTES = 1 << 20
_ROOM_BYTES = 10_000_000  # free space that must remain on the disk

Version = Annotated[str, Field(pattern=r"^[\w.+-]{1,50}$")]


class _ListModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SavedFile(_ListModel):
    """One file of a backup: its name in the home, its size in bytes, and its SHA-256."""

    name: str
    size: int = Field(ge=0)
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Manifest(_ListModel):
    """The list of a backup: the box, when and by which version it was made, and every file."""

    format: Literal[1] = FORMAT
    program: Version
    box: str = Field(pattern=r"^[\w.-]{1,100}$")
    made: AwareDatetime
    files: tuple[SavedFile, ...]

    @property
    def size_bytes(self) -> int:
        """The total size of the unpacked files."""
        return sum(saved.size for saved in self.files)


class _Format(BaseModel):
    """The fields that a list of any format has."""

    format: int
    program: Version


def describe_file(folder: Path, name: str) -> SavedFile:
    """Return name, size and checksum of a file in `folder`. Raises `OSError`."""
    with open(folder / name, "rb") as file:
        return SavedFile(
            name=name, size=(folder / name).stat().st_size, sha256=hashlib.file_digest(file, "sha256").hexdigest()
        )


def pack(folder: Path, manifest: Manifest, target: Path) -> None:
    """Write a backup of the files in `folder`; it appears complete, or not at all. Raises `OSError`."""
    with (
        open_durably(target) as file,
        gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.USTAR_FORMAT) as archive,
    ):
        listed = folder / _LIST
        listed.write_text(manifest.model_dump_json(indent=1), "utf-8")
        for name in (_LIST, *(saved.name for saved in manifest.files)):
            archive.add(folder / name, name, recursive=False, filter=_without_owner)


def unpack(source: BinaryIO, folder: Path) -> Manifest:
    """Read a backup, an open file, into the empty `folder`, whose contents are undefined after an error.

    Raises `BackupDamaged` for a file that is not a backup or was changed, `BackupNewer`, `BackupError` if the disk has
    no room for it, and `OSError`.
    """
    path = source.name
    try:
        with gzip.open(source, "rb") as stream:
            manifest = _read_list(stream)
            needed, free = manifest.size_bytes + _ROOM_BYTES, shutil.disk_usage(folder).free
            if needed > free:
                raise BackupError(
                    f"it needs {needed / 1e6:.1f} MB of the disk, and {free / 1e6:.1f} MB are free there; make room"
                )
            for saved in manifest.files:
                _read_file(stream, saved, folder / saved.name)
            # Only zeros may follow. Reading to the end makes gzip compare the checksum of the whole.
            rest = stream.read(_MOST_END_BYTES + 1)
            if len(rest) > _MOST_END_BYTES or any(rest):
                raise BackupDamaged("it holds more than its list says")
    except gzip.BadGzipFile as error:
        raise BackupDamaged(f"{path} is no backup, or its beginning is damaged; take another one") from error
    except NoPlainFile as error:
        raise BackupDamaged(f"{path}: {error}") from error
    except (EOFError, zlib.error, tarfile.TarError, ValueError) as error:
        raise BackupDamaged(f"{path} is damaged, or not all of it is there; take another one") from error
    except BackupError as error:
        raise type(error)(f"{path}: {error}") from error
    return manifest


def _without_owner(member: tarfile.TarInfo) -> tarfile.TarInfo:
    # The owner of the files is private.
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mode = 0o600
    return member


def _read_list(stream: gzip.GzipFile) -> Manifest:
    """Read the list and check its names and sizes. Raises `BackupDamaged`, `BackupNewer`."""
    header = parse_header(exactly(stream, tarfile.BLOCKSIZE))
    if header.name != _LIST or not 0 <= header.size <= _MOST_LIST_BYTES:
        raise BackupDamaged("it is no backup of this program")
    text = exactly(stream, header.size)
    _skip_padding(stream, header.size)
    try:
        found = _Format.model_validate_json(text)
        if found.format > FORMAT:
            raise BackupNewer(f"it was made by a later version ({found.program}): update this program first")
        manifest = Manifest.model_validate_json(text)
    except ValidationError as error:
        raise BackupDamaged("its list of files is not as it was written; take another backup") from error
    known = set()
    for saved in manifest.files:
        kind = kind_of(saved.name)
        if kind is None:
            raise BackupDamaged(f"it holds {shown(saved.name)}, which no backup does")
        if saved.size > kind.most_bytes:
            raise BackupDamaged(f"its {saved.name} is too large: {saved.size} bytes, where {kind.most_bytes} may be")
        if saved.name in known:
            raise BackupDamaged(f"it holds {saved.name} twice")
        known.add(saved.name)
    return manifest


def _read_file(stream: gzip.GzipFile, saved: SavedFile, target: Path) -> None:
    header = parse_header(exactly(stream, tarfile.BLOCKSIZE))
    # Name and size were checked in the list, so only those are trusted.
    if (header.name, header.size) != (saved.name, saved.size):
        raise BackupDamaged(f"it has {shown(header.name)} where {saved.name} belongs; take another backup")
    target.parent.mkdir(exist_ok=True)
    digest = hashlib.sha256()
    target.touch(mode=0o660)  # the group shares the journal; nothing in a home is readable by others
    with open(target, "wb") as file:
        for start in range(0, saved.size, _CHUNK_BYTES):
            chunk = exactly(stream, min(_CHUNK_BYTES, saved.size - start))
            digest.update(chunk)
            file.write(chunk)
    _skip_padding(stream, saved.size)
    if digest.hexdigest() != saved.sha256:
        raise BackupDamaged(f"its {saved.name} is not as it was written; take another backup")


def _skip_padding(stream: gzip.GzipFile, size: int) -> None:
    if any(exactly(stream, -size % tarfile.BLOCKSIZE)):
        raise BackupDamaged("it holds more than its list says")
