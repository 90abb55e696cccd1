"""The process that serves a card as a mounted folder (FUSE), until SIGTERM: then it cuts the power.

    python -m tests.campaigns.crashes.card_server ORDER

ORDER is a `MountOrder` as JSON. It writes a line once the folder is mounted.
"""

import errno
import json
import os
import random
import stat
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mfusepy import FUSE, FuseOSError, Operations

from tests.campaigns.crashes.card import Card
from tests.campaigns.crashes.mount import READY, CardNotes, MountOrder
from tests.campaigns.crashes.power_cut import cut_power

_FULL_BLOCKS, _BLOCK = 1 << 20, 4096  # 4 GiB, of which nothing is ever used


class CardFolder(Operations):  # type: ignore[misc]  # the package ships no types
    """A mounted folder on a card, whose power goes after so many deeds, and whose syncs may take long.

    After the cut nothing more reaches the card; what was read before can still be read, as out of a page cache.
    Concurrency: threads of FUSE, one at a time but while a sync waits.
    """

    use_ns = True

    def __init__(self, order: MountOrder) -> None:
        self.is_mounted = False
        self.card = Card()
        self.syncs: list[tuple[str, float, float]] = []
        self._order = order
        self._folders = {"/"}
        self._lock = threading.Lock()
        self._syncs = 0
        self._deeds = 0
        self._is_full = False
        self._never = threading.Event()

    def init(self, path: str) -> None:
        """Tell that the folder is mounted."""
        self.is_mounted = True
        sys.stdout.write(f"{READY}\n")
        sys.stdout.flush()

    def statfs(self, path: str) -> Mapping[str, int]:
        """An empty card, or one that has said that it is full."""
        blocks = 0 if self._is_full else _FULL_BLOCKS
        free = dict.fromkeys(("f_bfree", "f_bavail", "f_files", "f_ffree", "f_favail"), blocks)
        free["f_blocks"] = _FULL_BLOCKS
        return {**free, "f_bsize": _BLOCK, "f_frsize": _BLOCK, "f_namemax": 255}

    def getattr(self, path: str | None, fh: int | None = None) -> Mapping[str, Any]:
        """The kind and the size of a file or folder."""
        owner = {"st_uid": os.getuid(), "st_gid": os.getgid(), "st_nlink": 1}
        with self._lock:
            if path in self._folders:
                return {**owner, "st_mode": stat.S_IFDIR | 0o700}
            return {**owner, "st_mode": stat.S_IFREG | 0o600, "st_size": self.card.size(fh or self._find(path))}

    def readdir(self, path: str, fh: int) -> list[str]:
        """The names in a folder."""
        with self._lock:
            inside = (Path(name) for name in (*self.card.names, *self._folders) if name != "/")
            return [".", "..", *(name.name for name in inside if str(name.parent) == path)]

    def mkdir(self, path: str, mode: int) -> int:
        """Make a folder."""
        with self._deed():
            self._folders.add(path)
        return 0

    def create(self, path: str, mode: int, fi: Any = None) -> int:
        """Make a file; its number."""
        with self._deed():
            return self.card.make(path)

    def open(self, path: str, flags: int) -> int:
        """Open a file; its number."""
        with self._lock:
            return self._find(path)

    def read(self, path: str | None, size: int, offset: int, fh: int) -> bytes:
        """Read from a file that is open."""
        with self._lock:
            return self.card.read(fh, offset, size)

    def write(self, path: str | None, data: bytes, offset: int, fh: int) -> int:
        """Write to a file that is open; how many bytes."""
        with self._deed():
            self.card.write(fh, offset, data)
        return len(data)

    def truncate(self, path: str | None, length: int, fh: int | None = None) -> int:
        """Cut a file short, or make it longer."""
        with self._deed():
            self.card.resize(fh or self._find(path), length)
        return 0

    def rename(self, old: str, new: str) -> int:
        """Give a file another name."""
        with self._deed():
            self._find(old)
            self.card.rename(old, new)
        return 0

    def unlink(self, path: str) -> int:
        """Take a name away."""
        with self._deed():
            self._find(path)
            self.card.remove(path)
        return 0

    def fsync(self, path: str | None, datasync: int, fh: int) -> int:
        """Let a file reach the card, which may take long."""
        with self._take_time(path or ""), self._deed():
            self.card.sync(fh)
        return 0

    def fsyncdir(self, path: str, datasync: int, fh: int) -> int:
        """Let names reach the card, which may take long."""
        with self._take_time(path), self._deed():
            self.card.sync_names()
        return 0

    def chmod(self, path: str, mode: int) -> int:
        """Nothing: everything here is the user's own."""
        return 0

    def chown(self, path: str, uid: int, gid: int) -> int:
        """Nothing: everything here is the user's own."""
        return 0

    def utimens(self, path: str, times: Any = None) -> int:
        """Nothing: no times are kept."""
        return 0

    def _find(self, path: str | None) -> int:
        file = self.card.names.get(path or "")
        if file is None:
            raise FuseOSError(errno.ENOENT)
        return file

    @contextmanager
    def _deed(self) -> Iterator[None]:
        """Something that is done to the card, as long as there is power."""
        with self._lock:
            if self._order.cut_at is not None and len(self.card.log) >= self._order.cut_at:
                raise FuseOSError(errno.EIO)
            self._deeds += 1
            first = self._order.refuse_at or 0
            if first and first <= self._deeds < first + self._order.refuse_deeds:
                self._is_full = self._order.refuse_with == errno.ENOSPC
                raise FuseOSError(self._order.refuse_with)
            yield

    @contextmanager
    def _take_time(self, name: str) -> Iterator[None]:
        """A sync, which takes long every so many times; when it began and ended is kept."""
        began_s = time.monotonic()
        with self._lock:
            self._syncs += 1
            is_slow = self._order.slow_every and self._syncs % self._order.slow_every == 0
        if is_slow:
            self._never.wait(self._order.slow_s)
        yield
        self.syncs.append((name, began_s, time.monotonic()))


def serve(order: MountOrder) -> None:
    """Serve until SIGTERM; then write what is left after a power cut, if that is wanted."""
    folder = CardFolder(order)
    # One thread makes the same trial of the same seed; a slow sync must not hold up who reads.
    single = not order.slow_every
    try:
        FUSE(folder, order.mount, foreground=True, nothreads=single, hard_remove=True, fsname="shutbox-card")
    except RuntimeError:
        # libfuse calls a signal an error too.
        if not folder.is_mounted:
            raise
    contradictory = None if order.found is None else _leave_remains(folder.card, order, Path(order.found))
    if order.notes is not None:
        notes = CardNotes(contradictory, folder.syncs)
        Path(order.notes).write_text(json.dumps(asdict(notes)), "utf-8")


def _leave_remains(card: Card, order: MountOrder, found: Path) -> bool:
    """Write what is left after a power cut; True if it is contradictory."""
    remains = cut_power(card.log, order.kind, random.Random(order.seed))
    for name, data in remains.files.items():
        place = found / name.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return remains.contradictory


if __name__ == "__main__":
    serve(MountOrder(**json.loads(sys.argv[1])))
