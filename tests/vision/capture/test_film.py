"""A folder or a video as a camera."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.capture.film import FileCamera
from vision.capture.frame import Pixels


@dataclass
class Clock:
    now_s: float = 100.0

    def __call__(self) -> float:
        return self.now_s


def picture(level: int) -> Pixels:
    return np.full((48, 64, 3), level, np.uint8)


@pytest.fixture(params=["folder", "video"])
def film(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Ten pictures, ever brighter, ten a second."""
    if request.param == "folder":
        for number in range(10):
            cv2.imwrite(str(tmp_path / f"{number}.png"), picture(20 * number))
        (tmp_path / "notes.txt").write_text("no picture")
        return tmp_path
    file = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for number in range(10):
        writer.write(picture(20 * number))
    writer.release()
    return file


def test_the_clock_says_which_picture_is_shown(film: Path) -> None:
    clock = Clock()
    camera = FileCamera(film, clock)
    shown = []
    for since_start_s in (0.0, 0.05, 0.1, 0.37, 0.9):
        clock.now_s = 100 + since_start_s
        frame = camera.capture()
        shown.append((round(float(frame.pixels.mean()) / 20), round(frame.at_s - 100, 3)))
    assert shown == [(0, 0.0), (0, 0.0), (1, 0.1), (3, 0.3), (9, 0.9)]
    camera.close()
    camera.close()


def test_a_film_runs_on_when_reopened_and_ends(film: Path) -> None:
    clock = Clock()
    camera = FileCamera(film, clock)
    camera.capture()
    camera.reopen()
    clock.now_s = 100.45
    assert round(float(camera.capture().pixels.mean()) / 20) == 4
    clock.now_s = 101.05
    with pytest.raises(OSError, match="the film is over"):
        camera.capture()
    camera.close()
    assert float(camera.capture().pixels.mean()) < 10


def test_the_rate_of_a_folder_can_be_told(tmp_path: Path) -> None:
    for number in range(10):
        cv2.imwrite(str(tmp_path / f"{number}.png"), picture(20 * number))
    clock = Clock()
    camera = FileCamera(tmp_path, clock, fps=20)
    camera.capture()
    clock.now_s = 100.2
    assert round(float(camera.capture().pixels.mean()) / 20) == 4


def test_what_is_no_film_is_one_line(tmp_path: Path) -> None:
    clock = Clock()
    with pytest.raises(OSError, match=r"nowhere: there is no such folder or video$"):
        FileCamera(tmp_path / "nowhere", clock).capture()
    with pytest.raises(OSError, match=r"no pictures in this folder$"):
        FileCamera(tmp_path, clock).capture()
    (tmp_path / "a.png").write_bytes(b"text")
    with pytest.raises(OSError, match=r"a\.png: This file is not a picture"):
        FileCamera(tmp_path, clock).capture()
    (tmp_path / "a.avi").write_bytes(b"text")
    with pytest.raises(OSError, match=r"a\.avi: this is no video of Motion-JPEG in an AVI file"):
        FileCamera(tmp_path / "a.avi", clock).capture()
    writer = cv2.VideoWriter(str(tmp_path / "a.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), 10.0, (64, 48))
    writer.write(picture(20))
    writer.release()
    assert cv2.VideoCapture(str(tmp_path / "a.mp4")).isOpened(), "others play it"
    with pytest.raises(OSError, match=r"a\.mp4: this is no video of Motion-JPEG"):
        FileCamera(tmp_path / "a.mp4", clock).capture()
    with pytest.raises(OSError, match=r"2 pictures a second are too few, at least 4 are needed$"):
        FileCamera(tmp_path, clock, fps=2).capture()
