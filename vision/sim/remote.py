"""The camera of a box in a process of its own: it sends pixels and a time, and nothing else."""

import threading
from collections.abc import Mapping
from pathlib import Path

from hardware.sim.link import Link, Words
from hardware.sim.server import Answer, Handler, Session
from vision.capture.frame import Camera, Frame, Pixels
from vision.libraries import np


def camera_handlers(camera: Camera) -> Mapping[str, Handler]:
    """Return the handlers, by request, for the clients of the camera of a mock-box, who take turns."""
    one_at_a_time = threading.Lock()

    def frame(_session: Session, _words: Words, _data: bytes) -> Answer:
        try:
            with one_at_a_time:
                taken = camera.capture()
        except OSError as error:
            # On the wire a dead camera is a refusal without a number.
            raise ValueError(str(error)) from error
        return {"shape": taken.pixels.shape, "at_s": taken.at_s}, taken.pixels.tobytes()

    return {"frame": frame}


class RemoteCamera:
    """The camera of the mock-box at `place`.

    Its time is CLOCK_MONOTONIC, which all processes of a machine share and the loop of asyncio uses.

    Lifetime: opened by the first capture; `close` releases it. Concurrency: one thread, the vision thread.
    """

    def __init__(self, place: Path) -> None:
        self._place = place
        self._link: Link | None = None

    def capture(self) -> Frame:
        """Return the field now. Raises `OSError` when the camera is dead, or the mock-box gone."""
        if self._link is None:
            self._link = Link(self._place)
        try:
            words, data = self._link.ask("frame")
            pixels: Pixels = np.frombuffer(data, np.uint8).reshape(words["shape"])
        except ValueError as error:
            raise OSError(str(error)) from error
        return Frame(pixels, float(words["at_s"]))

    def reopen(self) -> None:
        """Close the connection; the next capture makes another."""
        self.close()

    def close(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            link.close()
