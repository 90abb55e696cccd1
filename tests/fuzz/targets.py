"""The readers of what comes from outside, each with the errors that it declares: it may raise no other."""

import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import ValidationError

from controller.access.state import read_state
from controller.box.faults import parse_faults
from controller.cli.batch import answer_lines
from controller.cli.play.tile_names import NotUnderstood
from controller.cli.play.typed import command_for, complete_line
from controller.errors import (
    BackupError,
    BadFault,
    BadPlayers,
    BadUpdate,
    NotNow,
    RecordError,
    SettingsError,
    VariantError,
)
from controller.game.core.players import read_players
from controller.game.core.sight import SnapshotContext
from controller.game.fleet.commands import ThrowOwnDice
from controller.game.shutbox.commands import RollDice
from controller.game.stn.position import read_position
from controller.game.table.engines import decide
from controller.game.table.questions import Question, legal_moves, parse_settings
from controller.game.table.snapshot import snapshot_of
from controller.game.table.variants import load_marks, load_variant
from controller.game.table.wire import COMMAND
from controller.journal.high_water_mark import read_high_water_mark
from controller.journal.migrations import read_event
from controller.journal.stn import load_records
from controller.journal.tables import unpack as unpack_events
from controller.odds.shutbox.aim import Aim
from controller.rules.errors import InvalidNotation, InvalidOption, RulesError
from controller.rules.shutbox.ruleset import rules_of
from controller.service.archive import unpack as unpack_backup
from controller.service.restarts import read_runs
from controller.service.update_file import read_update
from controller.settings import load_settings, save_setting
from firmware.guard.protocol import unpack as unpack_message
from firmware.selftest.wear import WearFile
from hardware.box import load_box
from hardware.calibration import FILE_NAME, read_calibration
from hardware.errors import BoxError, BoxProfileError, CalibrationError
from hardware.sim.store import TileStore
from hardware.tiles import TileId
from tests.fuzz.moments import MOMENTS
from tests.fuzz.wire import open_wire
from vision.custom_dice.storage import unpack as unpack_dice

_FILE = "file.toml"
_TODAY = date(2026, 11, 24)
_CHEAP = 64  # a digest of a PIN that is made in no time
_MEMORY = Path("/dev/shm")  # noqa: S108  files of a moment, thousands in a second
# A game of every family: two rows, one row, one row of 24, dominoes, dice with 20 faces.
_GAMES = tuple(map(rules_of, ("two-level", "pub", "the-300", "dominoes", "2012")))
_TILES = (TileId.parse("front-1"), TileId.parse("back-9"))

Feed = Callable[[bytes], object]


@dataclass(frozen=True, slots=True)
class Target:
    """One reader. open: makes it ready, with a folder to put files in. refuses: the errors that it declares."""

    open: Callable[[Path], AbstractContextManager[Feed]]
    refuses: tuple[type[Exception], ...] = ()

    @contextmanager
    def ready(self) -> Iterator[Feed]:
        """The reader, ready for bytes; it raises what it does not declare."""
        with TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None) as folder, self.open(Path(folder)) as feed:

            def feed_refused(data: bytes) -> None:
                with suppress(*self.refuses):
                    feed(data)

            yield feed_refused


def _simple(feed: Callable[[bytes, Path], object], *refuses: type[Exception]) -> Target:
    return Target(lambda folder: nullcontext(lambda data: feed(data, folder)), refuses)


def _written(data: bytes, folder: Path, name: str = _FILE) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def _in_file(read: Callable[[Path], object], *refuses: type[Exception]) -> Target:
    return _simple(lambda data, folder: read(_written(data, folder)), *refuses)


def _as_text(read: Callable[[str], object], *refuses: type[Exception]) -> Target:
    """A reader of a line that somebody has typed: of whatever a terminal makes text of."""
    return _simple(lambda data, _folder: read(data.decode("utf-8", "surrogateescape")), *refuses)


def _of_one(data: bytes, kinds: tuple[Any, ...]) -> tuple[Any, bytes]:
    """One of `kinds`, by the first byte, and the other bytes."""
    return kinds[(data[0] if data else 0) % len(kinds)], data[1:]


def _change_setting(path: Path) -> None:
    save_setting(path, "box", "classic-9")
    assert load_settings(path).box == "classic-9"


def _read_calibration(data: bytes, folder: Path) -> None:
    _written(data, folder, FILE_NAME)
    read_calibration(folder)


def _read_board(data: bytes, _folder: Path) -> None:
    rules, text = _of_one(data, _GAMES)
    board = rules.board(text.decode("utf-8", "replace"))
    assert rules.board(str(board)) == board


def _read_throw(data: bytes, _folder: Path) -> None:
    rules, text = _of_one(data, _GAMES)
    throw = rules.throw(text.decode("utf-8", "replace"))
    assert rules.check_throw(throw) == throw


def _read_typed(data: bytes, _folder: Path) -> None:
    game, text = _of_one(data, MOMENTS)
    snapshot, line = snapshot_of(game, SnapshotContext(1, 1, "box")), text.decode("utf-8", "replace")
    complete_line(line, snapshot)
    command = command_for(line, snapshot)
    # What is typed is sent, and what is sent must be understood.
    COMMAND.validate_json(COMMAND.dump_json(command))


def _give_command(data: bytes, _folder: Path) -> None:
    game, body = _of_one(data, MOMENTS)
    command = COMMAND.validate_json(body)
    assert COMMAND.validate_json(COMMAND.dump_json(command)) == command
    if not isinstance(command, RollDice | ThrowOwnDice):
        decide(game, command)


def _ask_line(text: str) -> None:
    json.dumps(list(answer_lines(text.splitlines(), Question, legal_moves)))


def _read_words(text: str) -> None:
    words = text.split("\n")
    for read in (
        lambda: parse_settings(words),
        lambda: read_players(words, ("House",), "steady"),
        lambda: parse_faults(text),
        lambda: Aim.parse(text),
    ):
        with suppress(InvalidOption, InvalidNotation, BadPlayers, BadFault):
            read()


def _read_access(path: Path) -> None:
    state, _ = read_state(path, _TODAY)
    if state.pin is not None and state.pin.cost <= _CHEAP:
        state.pin.fits("730418")


def _unpack_events(data: bytes, _folder: Path) -> None:
    for row in unpack_events(zlib.compress(data)):
        with suppress(ValueError):
            read_event(row[2])


def _unpack_backup(data: bytes, folder: Path) -> None:
    """Damage is tried where it matters: in the archive, and seldom in its compression."""
    zipped, archive = _of_one(data, (partial(gzip.compress, compresslevel=1, mtime=0),) * 15 + (bytes,))
    into = folder / "into"
    into.mkdir(exist_ok=True)
    with _written(zipped(archive), folder).open("rb") as source:
        unpack_backup(source, into)


TARGETS: Mapping[str, Target] = {
    "settings": _in_file(load_settings, SettingsError),
    "setting": _in_file(_change_setting, SettingsError),
    "box": _in_file(lambda path: load_box(str(path)), BoxProfileError),
    "calibration": _simple(_read_calibration, CalibrationError),
    "variant": _in_file(load_variant, VariantError),
    "marks": _in_file(load_marks, VariantError),
    "board": _simple(_read_board, InvalidNotation),
    "throw": _simple(_read_throw, InvalidNotation),
    "records": _in_file(load_records, RecordError),
    "position": _as_text(read_position, RecordError),
    "words": _as_text(_read_words),
    "line": _as_text(_ask_line),
    "typed": _simple(_read_typed, NotUnderstood, ValidationError),
    "command": _simple(_give_command, ValidationError, RulesError, NotNow),
    "wire": Target(open_wire),
    "event": _simple(lambda data, _folder: read_event(data.decode("utf-8", "replace")), ValueError),
    "events": _simple(_unpack_events, ValueError),
    "packed": _simple(lambda data, _folder: unpack_events(data), ValueError),
    "mark": _in_file(read_high_water_mark),
    "runs": _in_file(read_runs),
    "access": _in_file(_read_access),
    "wear": _in_file(lambda path: WearFile(path, "two-level-9")),
    "tiles": _in_file(lambda path: TileStore(path, "two-level-9", _TILES).load(), BoxError),
    "backup": _simple(_unpack_backup, BackupError, OSError),
    "update": _in_file(partial(read_update, trusted=None), BadUpdate, OSError),
    "dice": _simple(lambda data, _folder: unpack_dice(data), ValueError),
    "guard": _simple(lambda data, _folder: unpack_message(data), ValueError),
}
