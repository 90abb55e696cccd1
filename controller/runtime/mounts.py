"""The file systems of this computer: is a folder kept in memory, and so gone when the power goes?"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

_MOUNTINFO = Path("/proc/self/mountinfo")  # its fields: proc_pid_mountinfo(5)
_PLACE = 4  # the field with the mount point
_IN_MEMORY = frozenset({"tmpfs", "ramfs", "rootfs"})  # rootfs: the kernel's first root, a ramfs or tmpfs
_MEMORY_DISK = re.compile(r"/dev/(ram|zram)\d+")
_ESCAPED = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True, slots=True)
class Mount:
    """A mounted file system. upper: of an overlay, the folder that takes what is written; None: not an overlay."""

    place: PurePosixPath
    kind: str
    source: str
    upper: PurePosixPath | None

    @property
    def is_in_memory(self) -> bool:
        return self.kind in _IN_MEMORY or _MEMORY_DISK.fullmatch(self.source) is not None

    def __str__(self) -> str:
        return f"{self.kind} at {self.place}"


def read_mounts(mountinfo: str) -> Iterator[Mount]:
    """Yield the mounts that a text in the form of `/proc/self/mountinfo` lists."""
    for line in mountinfo.splitlines():
        head, _, tail = line.partition(" - ")
        fields = head.split(" ")
        if tail and len(fields) > _PLACE:
            kind, source, options = (_plain(each) for each in (*tail.split(" ", 2), "", "")[:3])
            place = PurePosixPath(_plain(fields[_PLACE]))
            found = re.search(r"(?:^|,)upperdir=((?:[^,\\]|\\.)*)", options)
            upper = PurePosixPath(re.sub(r"\\(.)", r"\1", found[1])) if kind == "overlay" and found else None
            yield Mount(place, kind, source, upper)


def find_memory(mountinfo: str, folder: PurePosixPath) -> Mount | None:
    """Return the mount in memory that takes what is written into `folder`; None if a disk does.

    folder: absolute, without links. An overlay is in memory if its upper folder is, or if that cannot be seen: an
    overlay made before the system started, as a read-only root is, hides the memory that it writes into.
    """
    mounts = [*read_mounts(mountinfo)]
    seen: list[Mount] = []
    while True:
        # Of several at one place the last hides the others.
        around = [each for each in mounts if folder.is_relative_to(each.place)]
        mount = max(reversed(around), key=lambda each: len(each.place.parts), default=None)
        if mount is None or mount.is_in_memory:
            return mount
        if mount in seen:
            return mount
        if mount.upper is None:
            return None
        seen.append(mount)
        folder = mount.upper


def memory_behind(folder: Path) -> str:
    """Return the mount in memory that takes what is written into `folder`, in words; empty if a disk does."""
    try:
        mountinfo = _MOUNTINFO.read_text("utf-8", "surrogateescape")
    except OSError:
        return ""  # another system than Linux, or one without /proc
    found = find_memory(mountinfo, PurePosixPath(os.path.realpath(folder)))
    return "" if found is None else str(found)


def _plain(text: str) -> str:
    """Return a field of mountinfo, in which spaces and the like stand as octal numbers."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 8)), text)
