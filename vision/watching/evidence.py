"""Stores the frames of counted or refused throws for later inspection; the oldest are deleted first."""

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

from vision.capture.frame import Pixels
from vision.libraries import cv2
from vision.reading import Reading

log = logging.getLogger(__name__)

_QUALITY = 92  # of 100: pips stay intact, and a picture of 1280 x 720 takes about 0.2 MB
_READING = ".reading.json"
_TRUTH = ".json"  # of a corrected throw, where `vision.scoring.find_truth` looks for it
_STEM = r"\d{6,}-\d{8}-\d{6}-.+"
_NAME = re.compile(rf"{_STEM}\.jpg", re.ASCII)
_HALF = re.compile(rf"\.{_STEM}\.(jpg|json)\.part", re.ASCII)
_NOT_FOR_OTHERS = 0o770  # the camera may see more of a room than its dice
_MOST_WAITING = 4  # pictures of 2.8 MB each that wait for a slow card


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that is kept: pictures, and bytes of these and their readings."""

    pictures: int
    size_bytes: int


class EvidenceFolder:
    """A folder of frames, each a JPEG with its reading in NUMBER-TIME-WHAT.reading.json.

    That of a corrected throw has the true values in NUMBER-TIME-WHAT.json besides.

    Numbers continue from the last one in the folder, because the clock of a box without network may jump back. A slow
    or full card costs evidence and never a throw: `keep` returns at once, and a failed write is logged.

    Lifetime: a context manager; leaving it waits for pending writes. Concurrency: one thread (the loop).
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

    def keep(self, pixels: Pixels, reading: Reading, values: tuple[int, ...] | None = None) -> None:
        """Store a frame, its reading and, where somebody corrected it, the true values.

        With too many pending writes it is dropped.
        """
        self._waiting = [written for written in self._waiting if not written.done()]
        if len(self._waiting) >= _MOST_WAITING:
            log.warning("evidence picture dropped, writes pending=%d", len(self._waiting))
            return
        self._waiting.append(self._writer.submit(self._write, pixels, reading, values, self._now()))

    def _write(self, pixels: Pixels, reading: Reading, values: tuple[int, ...] | None, at: datetime) -> None:
        try:
            self._folder.mkdir(mode=_NOT_FOR_OTHERS, parents=True, exist_ok=True)
            what = "-".join(map(str, reading.values)) if reading.is_read else str(reading.reason)
            if values is not None:
                what += f"-was-{'-'.join(map(str, values))}"
            number = max(map(_number_of, find_evidence(self._folder)), default=0) + 1
            name = f"{number:06d}-{at:%Y%m%d-%H%M%S}-{what}"
            _, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
            told = {"at": at.isoformat(), **asdict(reading)}
            # A power cut leaves half-written files behind.
            for path in self._folder.iterdir():
                if _HALF.fullmatch(path.name):
                    path.unlink(missing_ok=True)
            # A reading without its picture would never be counted or deleted, so the picture is written first.
            _replace(self._folder / f"{name}.jpg", data.tobytes())
            # The oldest go until number and bytes are within the limits; the last one stays.
            entries = [(path, reading_of(path), truth_of(path)) for path in find_evidence(self._folder)]
            sizes = [sum(file.stat().st_size for file in files if file.exists()) for files in entries]
            while len(entries) > 1 and (len(entries) > self._limits.pictures or sum(sizes) > self._limits.size_bytes):
                sizes.pop(0)
                for file in entries.pop(0):
                    file.unlink(missing_ok=True)
            _replace(self._folder / f"{name}{_READING}", json.dumps(told, indent=1).encode())
            if values is not None:
                truth = {"values": values, "category": "corrected"}
                _replace(self._folder / f"{name}{_TRUTH}", json.dumps(truth).encode())
        except OSError as error:
            where = error.filename or self._folder
            log.warning("evidence picture cannot be written file=%s error=%s", where, error.strerror)


def find_evidence(folder: Path) -> list[Path]:
    """Return the stored pictures in a folder, the oldest first; other files in it are ignored."""
    found = (path for path in folder.glob("[0-9]*-*.jpg") if _NAME.fullmatch(path.name))
    return sorted(found, key=lambda path: (_number_of(path), path.name))


def reading_of(picture: Path) -> Path:
    """Return the path of the reading of a stored picture."""
    return picture.with_name(f"{picture.stem}{_READING}")


def truth_of(picture: Path) -> Path:
    """Return the path of the true values of a stored picture; it exists where somebody corrected the reading."""
    return picture.with_suffix(_TRUTH)


def _number_of(picture: Path) -> int:
    return int(picture.name.partition("-")[0])


def _replace(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all. Raises `OSError`."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError:
        # Half a picture would take the last space that the journal needs.
        part.unlink(missing_ok=True)
        raise
