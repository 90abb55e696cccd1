"""Keeps the frames by which throws were counted or refused, for people who look at one again; the oldest go first."""

import json
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from vision.capture import Pixels, cv2
from vision.reading import Reading

log = logging.getLogger(__name__)

_QUALITY = 92  # of 100: pips stay as they are, and a picture of 1280 x 720 takes some 0.2 MB
_READING = ".reading.json"
_NOT_FOR_OTHERS = 0o770  # the camera may see more of a room than its dice
_MOST_WAITING = 4  # pictures of 2.8 MB each that wait for a slow card


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that is kept: pictures, and bytes of these and their readings."""

    pictures: int
    size_bytes: int


class EvidenceFolder:
    """A folder of frames, each a JPEG with its reading in NUMBER-TIME-WHAT.reading.json beside it.

    Numbers go on from the last one in the folder, for the clock of a box without network may jump back. A card that is
    slow or full costs evidence and never a throw: `keep` returns at once, and what cannot be written is logged.

    Lifetime: a context manager; leaving it waits for what is still to be written. Concurrency: one thread (the loop).
    """

    def __init__(self, folder: Path, limits: Limits, now: Callable[[], datetime] = datetime.now) -> None:
        self._folder = folder
        self._limits = limits
        self._now = now
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="evidence")
        self._waiting: list[Future[None]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.shutdown()

    def keep(self, pixels: Pixels, reading: Reading) -> None:
        """Keep a frame and what was read of it; where several wait to be written already, it is dropped."""
        self._waiting = [written for written in self._waiting if not written.done()]
        if len(self._waiting) >= _MOST_WAITING:
            log.warning("a picture of a throw was not kept: %d still wait to be written", len(self._waiting))
            return
        self._waiting.append(self._writer.submit(self._write, pixels, reading, self._now()))

    def _write(self, pixels: Pixels, reading: Reading, at: datetime) -> None:
        try:
            self._folder.mkdir(mode=_NOT_FOR_OTHERS, parents=True, exist_ok=True)
            what = "-".join(map(str, reading.values)) if reading.is_read else str(reading.reason)
            name = f"{self._next_number():06d}-{at:%Y%m%d-%H%M%S}-{what}"
            _, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
            told = {"at": at.isoformat(), **asdict(reading)}
            _replace(self._folder / f"{name}{_READING}", json.dumps(told, indent=1).encode())
            _replace(self._folder / f"{name}.jpg", data.tobytes())
            self._drop_oldest()
        except OSError as error:
            log.warning("a picture of a throw cannot be kept: %s: %s", error.filename, error.strerror)

    def _next_number(self) -> int:
        numbers = [int(path.name.partition("-")[0]) for path in find_evidence(self._folder)]
        return max(numbers, default=0) + 1

    def _drop_oldest(self) -> None:
        """Drop the oldest until number and bytes are within the limits; the last one stays."""
        entries = [(path, path.with_name(f"{path.stem}{_READING}")) for path in find_evidence(self._folder)]
        sizes = [sum(file.stat().st_size for file in files if file.exists()) for files in entries]
        while len(entries) > 1 and (len(entries) > self._limits.pictures or sum(sizes) > self._limits.size_bytes):
            for file in entries.pop(0):
                file.unlink(missing_ok=True)
            sizes.pop(0)


def find_evidence(folder: Path) -> list[Path]:
    """The pictures that were kept in a folder, the oldest first; whatever else lies in it is let alone."""
    return sorted(path for path in folder.glob("[0-9]*-*.jpg") if path.name.partition("-")[0].isdecimal())


def _replace(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(data)
    part.replace(path)
