"""Keeps the frames by which throws were counted or refused, for people who look at one again; the oldest go first."""

import json
import logging
import re
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
_STEM = r"\d{6,}-\d{8}-\d{6}-.+"
_NAME = re.compile(rf"{_STEM}\.jpg", re.ASCII)
_HALF = re.compile(rf"\.{_STEM}(\.jpg|{re.escape(_READING)})\.part", re.ASCII)
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
            self._drop_halves()
            # A reading without its picture would be counted, and dropped, by nobody.
            _replace(self._folder / f"{name}.jpg", data.tobytes())
            self._drop_oldest()
            _replace(self._folder / f"{name}{_READING}", json.dumps(told, indent=1).encode())
        except OSError as error:
            file = error.filename or self._folder
            log.warning("a picture of a throw cannot be kept: %s: %s", file, error.strerror)

    def _next_number(self) -> int:
        return max(map(_number_of, find_evidence(self._folder)), default=0) + 1

    def _drop_halves(self) -> None:
        """Drop what a cut of the power has left half written."""
        for path in self._folder.iterdir():
            if _HALF.fullmatch(path.name):
                path.unlink(missing_ok=True)

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
    found = (path for path in folder.glob("[0-9]*-*.jpg") if _NAME.fullmatch(path.name))
    return sorted(found, key=lambda path: (_number_of(path), path.name))


def _number_of(picture: Path) -> int:
    return int(picture.name.partition("-")[0])


def _replace(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all. Raises `OSError`."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError:
        # Half a picture would take the last room that the journal has.
        part.unlink(missing_ok=True)
        raise
