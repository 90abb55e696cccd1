"""A camera that plays back a recording, a folder of pictures or a video, in place of a real one."""

import math
from collections.abc import Callable
from pathlib import Path

from vision.capture.files import SUFFIXES, load_picture
from vision.capture.frame import Frame, Pixels
from vision.libraries import cv2, np
from vision.reading import Reading

_FOLDER_FPS = 10.0  # pictures in a folder do not say how fast they were taken
_LEAST_FPS = 4.0  # frames of a slower film are too old to be read
_MOMENT = 1e-6  # frames; the clock may be a rounding error short of the time of a frame

Clock = Callable[[], float]


class FileCamera:
    """Plays a folder of pictures, in the order of their names, or a video file, at its rate on the given clock.

    It keeps the time of the recording, so that the watcher sees the same stillness and the same gaps as on the day.
    The first `capture` starts the film; pictures that nobody asks for in time are skipped. `fps` is the rate of a
    folder, in pictures a second (at least 4); a video has its own.
    Lifetime: the film runs on when the camera is reopened, and starts anew after it was closed.
    Concurrency: one thread, the vision thread.
    """

    def __init__(self, source: str | Path, clock: Clock, *, fps: float = _FOLDER_FPS) -> None:
        self._source = Path(source)
        self._clock = clock
        self._fps = fps
        self._film: _Folder | _Video | None = None
        self._start_s = 0.0

    def capture(self) -> Frame:
        """Return the picture of this moment. Raises `OSError` when there is no film, or when it has ended."""
        if self._film is None:
            if not self._source.exists():
                raise FileNotFoundError(f"{self._source}: there is no such folder or video")
            film = _Folder(self._source, self._fps) if self._source.is_dir() else _Video(self._source)
            if not film.fps >= _LEAST_FPS:
                few = f"{film.fps:g} pictures a second are too few, at least {_LEAST_FPS:g} are needed"
                raise OSError(f"{self._source}: {few}")
            self._film = film
            self._start_s = self._clock()
        number = math.floor((self._clock() - self._start_s) * self._film.fps + _MOMENT)
        return Frame(self._film.picture(number), self._start_s + number / self._film.fps)

    def reopen(self) -> None:
        """Do nothing: a film runs on."""

    def close(self) -> None:
        film, self._film = self._film, None
        if film is not None:
            film.close()


class _Folder:
    """Pictures in the order of their names."""

    def __init__(self, folder: Path, fps: float) -> None:
        self.fps = fps
        self._files = sorted(file for file in folder.iterdir() if file.suffix.lower() in SUFFIXES)
        if not self._files:
            raise FileNotFoundError(f"{folder}: no pictures in this folder")
        self._shown: tuple[int, Pixels] | None = None

    def picture(self, number: int) -> Pixels:
        """Return the picture with this number, from 0. Raises `OSError` after the last one."""
        if self._shown is None or self._shown[0] != number:
            if number >= len(self._files):
                raise _end_of_film()
            file = self._files[number]
            picture = load_picture(file)
            if isinstance(picture, Reading):
                raise OSError(f"{file}: {picture.say}")
            self._shown = number, picture
        return self._shown[1]

    def close(self) -> None:
        self._shown = None


class _Video:
    """A video file of Motion-JPEG, played forwards.

    OpenCV reads these by itself. For others it has an FFmpeg inside, whose decoders a stranger's file could abuse.
    """

    def __init__(self, file: Path) -> None:
        self._video = cv2.VideoCapture(str(file), cv2.CAP_OPENCV_MJPEG)
        if not self._video.isOpened():
            raise OSError(f"{file}: this is no video of Motion-JPEG in an AVI file, which alone can be played")
        self.fps = self._video.get(cv2.CAP_PROP_FPS)
        self._at = -1
        self._shown: Pixels | None = None

    def picture(self, number: int) -> Pixels:
        """Return the picture with this number, from 0, never one before the last. Raises `OSError` after the last."""
        while self._at < number:
            if not self._video.grab():
                raise _end_of_film()
            self._at, self._shown = self._at + 1, None
        if self._shown is None:
            good, pixels = self._video.retrieve()
            if not good:
                raise OSError(f"picture {number} of the video cannot be read")
            self._shown = np.asarray(pixels, np.uint8)
        return self._shown

    def close(self) -> None:
        self._video.release()


def _end_of_film() -> OSError:
    return OSError("the film is over")
