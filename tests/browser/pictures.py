"""The README's pictures and its film of a turn, made of the running program: `python -m tests.browser.pictures`."""

import base64
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from playwright.sync_api import sync_playwright

from controller.settings import Pace
from tests.browser.box_thread import BoxThread, serve_box
from tests.browser.chromium import launch
from tests.browser.pages.device import PHONE, TABLET, WALL, Device, Kind, use
from tests.browser.pages.states import ANN, BEN, SOON_OVER, start

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
FILM_S = 20.0
_QUALITY = 82
_FILM_QUALITY = 70
_FILM_WIDTH = 760
_FRAME_S = 1 / 12  # no two frames of the film are nearer to each other
_LOOK_MS = 1200  # so long one looks at what has happened before one goes on
_EASY = Pace(house_thinks_s=1.5)
_TURN = ((5, 4), (6, 3), (4, 1), (3, 2))


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a film. at_s: when it was painted, on the browser's clock."""

    at_s: float
    picture: Any


class Film:
    """What a page paints, as it paints it.

    Lifetime: from `record` to its end.
    """

    def __init__(self, device: Device) -> None:
        self.frames: list[Frame] = []
        self._session = device.context.new_cdp_session(device.page)
        self._session.on("Page.screencastFrame", self._take)

    def start(self) -> None:
        """Begin."""
        self._session.send("Page.startScreencast", {"format": "jpeg", "quality": 90, "maxWidth": _FILM_WIDTH})

    def stop(self) -> None:
        """End."""
        self._session.send("Page.stopScreencast")

    @property
    def length_s(self) -> float:
        """Seconds from the first frame to the last."""
        return self.frames[-1].at_s - self.frames[0].at_s if self.frames else 0.0

    def _take(self, told: dict[str, Any]) -> None:
        self.frames.append(Frame(told["metadata"]["timestamp"], base64.b64decode(told["data"])))
        self._session.send("Page.screencastFrameAck", {"sessionId": told["sessionId"]})


def thin_out(frames: Sequence[Frame], length_s: float) -> list[tuple[Any, int]]:
    """The frames of a film that is so long at most, none too near to the one before; each with its milliseconds."""
    kept: list[Frame] = []
    for frame in frames:
        if frame.at_s - frames[0].at_s >= length_s:
            break
        if not kept or frame.at_s - kept[-1].at_s >= _FRAME_S:
            kept.append(frame)
    ends = [frame.at_s for frame in kept[1:]] + [min(frames[-1].at_s + 1, frames[0].at_s + length_s)]
    return [(frame.picture, round(1000 * (end - frame.at_s))) for frame, end in zip(kept, ends, strict=True)]


def write_film(frames: Sequence[Frame], path: Path) -> None:
    """Write an animated WebP that begins again at its end."""
    shown = thin_out(frames, FILM_S)
    film = cv2.Animation()
    film.frames = [_decode(picture) for picture, _ in shown]
    film.durations = [ms for _, ms in shown]
    cv2.imwriteanimation(str(path), film, [cv2.IMWRITE_WEBP_QUALITY, _FILM_QUALITY])


def write_picture(device: Device, name: str) -> None:
    """Write what a device shows."""
    picture = _decode(device.page.screenshot())
    cv2.imwrite(str(FOLDER / f"{name}.webp"), picture, [cv2.IMWRITE_WEBP_QUALITY, _QUALITY])


def _decode(encoded: bytes) -> Any:
    return cv2.imdecode(np.frombuffer(encoded, np.uint8), cv2.IMREAD_COLOR)


@contextmanager
def _table(browser: "Browser", kind: Kind, pace: Pace, **of_context: object) -> Iterator[tuple[BoxThread, Device]]:
    with (
        TemporaryDirectory() as folder,
        serve_box(Path(folder), pace=pace) as box,
        use(browser, box, kind, **of_context) as device,
    ):
        start(box, ANN, BEN)
        yield box, device


def picture_table(browser: "Browser") -> None:
    """Tablet, phone and wall in the middle of a turn."""
    with _table(browser, TABLET, Pace(house_thinks_s=0)) as (box, tablet):
        tablet.sit("Ann").open("/play")
        box.hands.plan(*_TURN)
        for _ in range(5):
            tablet.catch_up()
            tablet.step()
        tablet.catch_up()
        tablet.moves.first.click()
        write_picture(tablet, "play")
        with use(browser, box, PHONE, device_scale_factor=1.5, color_scheme="dark") as phone:
            phone.open("/play").catch_up()
            write_picture(phone, "phone")
        with use(browser, box, WALL, device_scale_factor=0.6) as wall:
            wall.open("/wall").catch_up()
            write_picture(wall, "wall")


def picture_replay(browser: "Browser") -> None:
    """A game that is over, looked back on."""
    with _table(browser, TABLET, Pace(house_thinks_s=0)) as (box, tablet):
        tablet.sit().open("/play")
        box.hands.plan(*_TURN, *SOON_OVER)
        tablet.play_on()
        tablet.open(f"/games/{box.snapshot.game_id}?move=3").page.get_by_role("heading", level=1).wait_for()
        write_picture(tablet, "replay")


def film_turn(browser: "Browser") -> None:
    """A turn on a tablet, tapped by somebody who takes his time."""
    with _table(browser, TABLET, _EASY, reduced_motion="no-preference") as (box, tablet):
        tablet.sit("Ann").open("/play")
        box.hands.plan(*_TURN)
        tablet.catch_up()
        film = Film(tablet)
        film.start()
        while film.length_s < FILM_S:
            tablet.page.wait_for_timeout(_LOOK_MS)
            tablet.catch_up()
            tablet.step(by=Device.point)
        film.stop()
        write_film(film.frames, FOLDER / "turn.webp")


def main() -> None:
    """Make all of them anew."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        picture_table(browser)
        picture_replay(browser)
        film_turn(browser)
        browser.close()
    for path in sorted(FOLDER.glob("*.webp")):
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
