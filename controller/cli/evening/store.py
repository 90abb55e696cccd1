"""The file of an evening in the home: its events, written whole and durably with each change."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from controller.errors import EveningError
from controller.game.evening.evening import Evening, evolve, replay
from controller.game.evening.events import AnyEvent
from controller.runtime.home import Home
from controller.runtime.locks import wait_for_lock
from hardware.calibration import write_durably
from hardware.toml_file import describe_mistake

_FORMAT = 1


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    format: int
    events: tuple[AnyEvent, ...]


class EveningFile:
    """One evening on disk. Several processes may change it: each change reads, decides and writes under a lock.

    Every method raises `EveningError` for a file that cannot be read, and `OSError`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read: tuple[tuple[int, int, int], tuple[AnyEvent, ...], Evening] | None = None

    def create(self, events: Iterable[AnyEvent]) -> Evening:
        """Begin an evening with its first events. Raises `EveningError` if there is one of that name."""
        with wait_for_lock(self.path.with_suffix(".lock")):
            if self.path.exists():
                raise EveningError(f"there is an evening of that name: {self.path}")
            told = tuple(events)
            return self._write(told, replay(told))

    def load(self) -> Evening:
        """Return the evening as it stands."""
        return self._load()[1]

    def change(self, decide: Callable[[Evening], Iterable[AnyEvent]]) -> Evening:
        """Add what `decide` makes of the evening, all of it or nothing; return the evening after it."""
        with wait_for_lock(self.path.with_suffix(".lock")):
            told, evening = self._load()
            news = tuple(decide(evening))
            for event in news:
                evening = evolve(evening, event)
            return self._write((*told, *news), evening) if news else evening

    def _write(self, events: tuple[AnyEvent, ...], evening: Evening) -> Evening:
        write_durably(self.path, _File(format=_FORMAT, events=events).model_dump_json().encode())
        self._read = (self._stamp(), events, evening)
        return evening

    def _load(self) -> tuple[tuple[AnyEvent, ...], Evening]:
        stamp = self._stamp()
        if self._read is None or self._read[0] != stamp:
            try:
                told = _File.model_validate_json(self.path.read_bytes())
            except ValidationError as error:
                mistake = error.errors()[0]
                where = ".".join(map(str, mistake["loc"])) or "the file"
                raise EveningError(f"{self.path}: {where}: {describe_mistake(mistake)}") from error
            if told.format != _FORMAT:
                raise EveningError(f"{self.path}: it has format {told.format}, and this version reads {_FORMAT}")
            self._read = (stamp, told.events, replay(told.events))
        return self._read[1], self._read[2]

    def _stamp(self) -> tuple[int, int, int]:
        """Return what changes whenever somebody writes the file."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            raise EveningError(f"there is no evening {self.path}; `shutbox evening open` begins one") from None
        return found.st_mtime_ns, found.st_size, found.st_ino


def evenings_of(home: Home) -> Iterator[Evening]:
    """Yield every evening of a home, the oldest first."""
    found = (EveningFile(path).load() for path in home.data.glob(home.evening("*").name))
    yield from sorted(found, key=lambda evening: evening.opened.at)
