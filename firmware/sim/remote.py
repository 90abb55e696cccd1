"""Bus, header and computer of a mock-box in another process, one request per transaction: both ends of the requests."""

import errno
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Self

from firmware.errors import DeviceMissing
from firmware.sim.i2c import Wires
from hardware.sim.link import BoxLost, Link, Words
from hardware.sim.server import Answer, Handler, Session
from hardware.sim.world import World
from hardware.wires import GpioPin


class SimulatedComputer:
    """The computer of a simulated world."""

    def __init__(self, world: World) -> None:
        self._world = world

    def throttled(self) -> int:
        return self._world.throttled

    def temperature_c(self) -> float:
        return self._world.computer_c


def computer_handlers(computer: SimulatedComputer) -> Mapping[str, Handler]:
    """Return the handlers for requests to a mock-box's computer, by the names of the requests."""

    def tell(_session: Session, _words: Words, _data: bytes) -> Answer:
        return {"throttled": computer.throttled(), "temperature_c": computer.temperature_c()}, b""

    return {"computer": tell}


class RemoteComputer:
    """The computer of a mock-box; its values are unknown once the mock-box is gone."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def throttled(self) -> int | None:
        with suppress(BoxLost):
            return int(self._link.ask("computer")[0]["throttled"])
        return None

    def temperature_c(self) -> float | None:
        with suppress(BoxLost):
            return float(self._link.ask("computer")[0]["temperature_c"])
        return None


_HEADER = "header"
_REFUSALS = (errno.EBUSY, errno.EACCES, errno.EOPNOTSUPP)  # refusals by Linux, not by the mock-box
_MOST_READ = 256  # registers of a chip


def bus_handlers(wires: Wires) -> Mapping[str, Handler]:
    """Return the handlers for requests to a mock-box's bus, by the names of the requests: one transaction at a time."""
    one_at_a_time = threading.Lock()

    def scan(_session: Session, _words: Words, _data: bytes) -> Answer:
        with one_at_a_time:
            return {"addresses": wires.scan()}, b""

    def transfer(_session: Session, words: Words, data: bytes) -> Answer:
        address, count = int(words["address"]), int(words["read"])
        if not 0 <= count <= _MOST_READ:
            raise ValueError(f"a transfer reads 0 to {_MOST_READ} bytes, not {count}")
        with one_at_a_time:
            return {}, wires.transfer(address, data if words["write"] else None, count)

    return {"scan": scan, "transfer": transfer}


class MockBoxMissing(DeviceMissing):
    """The mock-box is gone."""

    cure = "Start it (shutbox mock-box), then this program again."


class RemoteWires:
    """The bus of a mock-box.

    Lifetime and concurrency: those of its link. Raises the `OSError` of the wires there, and `BoxLost`.
    """

    def __init__(self, link: Link) -> None:
        self._link = link

    def scan(self) -> list[int]:
        words, _ = self._link.ask("scan")
        return list(words["addresses"])

    def transfer(self, address: int, data: bytes | None, count: int) -> bytes:
        _, got = self._link.ask("transfer", data or b"", address=address, write=data is not None, read=count)
        return bytes(got)


class RemoteHeader:
    """The header of a mock-box. Driven lines belong to this process until it releases them or ends.

    Lifetime: a context manager. Concurrency: any thread; edges come in a separate thread per line.
    Raises: `MockBoxMissing` if the mock-box is gone or another process has the line. Only `set_line` is silent then,
    because a line of a lost box is not driven any more.
    """

    def __init__(self, place: Path) -> None:
        self._place = place
        self._link = _connect(place)
        self._watches: dict[GpioPin, Link] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for wire in list(self._watches):
            self.watch_line(wire, None)
        self._link.close()

    def level(self, wire: GpioPin) -> bool:
        try:
            words, _ = self._link.ask("line", line=str(wire))
        except OSError as error:
            raise _missing(str(wire), error) from error
        return bool(words["high"])

    def check_line(self, wire: GpioPin) -> None:
        try:
            self._ask(self._link, "check", wire)
        except BoxLost as error:
            raise _missing(str(wire), error) from error

    def set_line(self, wire: GpioPin, high: bool | None) -> None:
        with suppress(BoxLost):
            self._ask(self._link, "drive", wire, high=high)

    def watch_line(self, wire: GpioPin, changed: Callable[[bool], None] | None) -> None:
        before = self._watches.pop(wire, None)
        if before is not None:
            before.close()
        if changed is None:
            return
        link = _connect(self._place)
        try:
            self._ask(link, "watch", wire)
        except BaseException:
            link.close()
            raise
        self._watches[wire] = link
        threading.Thread(target=_tell, args=(link, changed), name=f"edges of {wire}", daemon=True).start()

    def _ask(self, link: Link, do: str, wire: GpioPin, **words: object) -> None:
        try:
            link.ask(do, line=str(wire), **words)
        except BoxLost:
            raise
        except OSError as error:
            if error.errno in _REFUSALS:
                raise
            raise _missing(str(wire), error) from error


def _tell(link: Link, changed: Callable[[bool], None]) -> None:
    for words in link.messages():
        changed(bool(words["high"]))


def _connect(place: Path) -> Link:
    try:
        return Link(place)
    except BoxLost as error:
        raise _missing("a mock-box", error) from error


def _missing(part: str, error: OSError) -> MockBoxMissing:
    return MockBoxMissing(_HEADER, expected=part, seen=str(error.strerror))
