"""The person beside the box: at a terminal, their answers in a file, or a stand-in at a simulated box."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from controller.box.simulated_actions import arguments_of, ask_mock_box, parse_action
from controller.errors import BadDeed
from controller.runtime.home import Home
from hardware.box import Box

TERMINAL = Path("/dev/tty")
_TURNED_US = 50.0  # a horn that somebody sees turn
_LOOK_S = 0.05


@dataclass(frozen=True, slots=True)
class Request:
    """What a person is asked to do, to look at, or to measure.

    deeds: what they do, in the words of `shutbox mock-box`. about: what they look at.
    """

    say: str
    deeds: tuple[str, ...] = ()
    about: Literal["", "horn", "lamp", "supply volts", "/OE volts", "dice"] = ""


class Person(Protocol):
    """Answers requests: nothing means yes or done, n no, s skip, q stop; or what was seen or measured."""

    def answer(self, request: Request) -> str:
        """Wait for the answer, and return it without spaces around it."""


class Reader:
    """A person whose answers are lines, typed or in a file; the end of the lines means stop.

    Lifetime: any. Concurrency: one thread.
    """

    def __init__(self, lines: Iterable[str], show: Callable[[str], None]) -> None:
        self._lines = iter(lines)
        self._show = show

    def answer(self, request: Request) -> str:
        self._show(f"{request.say} ")
        return next(self._lines, "q").strip()


def lines_in(place: Path) -> Iterator[str]:
    """Return the lines of a file or a terminal, as they come. Raises `OSError` if it cannot be opened."""
    place.open("rb").close()

    def read() -> Iterator[str]:
        with place.open(encoding="utf-8") as lines:
            yield from lines

    return read()


class StandIn:
    """The person at a mock-box: their hands are its wire's, and they see and measure what is truly there.

    Lifetime: that of the mock-box. Concurrency: one thread.
    """

    def __init__(self, home: Home, box: Box) -> None:
        self._home = home
        self._box = box
        self._rest_us: dict[str, float] = ask_mock_box(home, "look")["horns_us"]

    def answer(self, request: Request) -> str:
        try:
            for deed in request.deeds:
                action = parse_action(deed.split())
                ask_mock_box(self._home, action.do, **arguments_of(action))
                while action.do == "throw" and not self._dice():
                    time.sleep(_LOOK_S)
        except BadDeed:
            return "n"
        panel = self._box.panel
        match request.about:
            case "horn":
                return self._turned()
            case "lamp":
                return "" if self._is_high(str(panel.led)) else "n"
            case "supply volts":
                return str(self._box.supply.volts)
            case "/OE volts":
                return "3.3" if self._is_high(str(panel.output_enable)) else "0.0"
            case "dice":
                return self._dice()
        return ""

    def _dice(self) -> str:
        """Return what the dice show; nothing while they are in the hand."""
        return " ".join(map(str, ask_mock_box(self._home, "look")["dice"]))

    def _turned(self) -> str:
        """Return the tile whose horn is not where it rests; n for none."""
        horns_us: dict[str, float] = ask_mock_box(self._home, "look")["horns_us"]
        turned = [tile for tile, at_us in horns_us.items() if abs(at_us - self._rest_us[tile]) > _TURNED_US]
        return " ".join(turned) or "n"

    def _is_high(self, wire: str) -> bool:
        return bool(ask_mock_box(self._home, "line", line=wire)["high"])
