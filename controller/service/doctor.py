"""Report on the state of an installation, for people who are asked for help with it.

The report only reads. It works for a broken box too: a part that cannot be read is replaced by the reason. Private data
is removed: tokens, home folders and, unless asked for, players' names.
"""

import json
import os
import platform
import re
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from controller.box.checks import leaves_pulses_on, own_computer
from controller.errors import JournalError, SettingsError, ShutboxError
from controller.game.core.english import count
from controller.game.core.events import GameStarted
from controller.game.table.wire import log_line
from controller.journal.copies import check_home
from controller.journal.files import put_aside
from controller.journal.store import Journal
from controller.runtime.home import Home
from controller.runtime.machine import answers_at, memory_bytes, model_name
from controller.runtime.systemd import find_stale_units, read_service_log
from controller.service.restarts import find_boot, read_runs
from controller.settings import Settings, Web, load_settings
from firmware.selftest.wear import WearFile, wear_notes
from hardware.box import load_box
from hardware.calibration import load_calibration
from hardware.errors import BoxError

_TOKEN = re.compile(r"(?<![\w-])(?=[\w-]*[0-9A-Z])[\w-]{32,}(?![\w-])", re.ASCII)  # tokens of seats, and digests
_HOME = re.compile(r"/home/[^/\s'\",;:]+")


class Redaction:
    """Replaces names by `player 1` and so on, always the same number for a name, home folders by `~`, tokens by a word.

    names: the people, in the order of their numbers.
    """

    def __init__(self, names: Iterable[str]) -> None:
        spelled = list(dict.fromkeys(names))
        numbers = {name.casefold(): number for number, name in enumerate(spelled, 1)}
        longest_first = sorted(spelled, key=len, reverse=True)
        self._numbers = {f"name{at}": numbers[name.casefold()] for at, name in enumerate(longest_first)}
        # The matched group identifies the name, because casefold and IGNORECASE do not agree for every character.
        groups = "|".join(f"(?P<name{at}>{re.escape(name)})" for at, name in enumerate(longest_first))
        self._names = re.compile(rf"(?<!\w)(?:{groups})(?!\w)", re.IGNORECASE)
        self._home = str(Path.home())

    def hide(self, line: str) -> str:
        """Return the line without private data."""
        hidden = line.replace(self._home, "~") if self._home != "/" else line
        hidden = _TOKEN.sub("(removed)", _HOME.sub("~", hidden))
        if not self._numbers:
            return hidden
        return self._names.sub(lambda found: f"player {self._numbers[found.lastgroup or '']}", hidden)


_EVENTS, _LOG_LINES = 50, 200
_GAMES = 100  # the last games, whose players' names are hidden in the log


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the report, with its title."""

    title: str
    lines: tuple[str, ...]


def make_report(
    home: Home, log: Sequence[str], *, daemon_runs: bool, names: bool, by_daemon: bool = False
) -> tuple[Section, ...]:
    """Report on an installation.

    log: the last lines of its log.
    names: show the names of people instead of numbers.
    by_daemon: the daemon itself makes the report; as a service it cannot open connections.
    """
    mask = Redaction(() if names else _people_of(home))
    parts: dict[str, Callable[[], Iterable[str]]] = {
        "versions": _versions,
        "computer": lambda: _computer(home),
        "settings": lambda: _settings(home),
        "health": lambda: _health(home, by_daemon=by_daemon),
        "runs": lambda: _runs(home, daemon_runs=daemon_runs),
        "events": lambda: _events(home),
        "log": lambda: log or ["none that this user can read"],  # reading the journal of systemd needs a group
    }
    sections = []
    for title, lines in parts.items():
        found: list[str] = []
        try:
            found.extend(lines())
        except (ShutboxError, BoxError, OSError) as error:
            found.append(f"cannot be read: {error}")  # after the lines that could be read
        sections.append(Section(title, tuple(map(mask.hide, found))))
    return tuple(sections)


def report_health(home: Home) -> tuple[Section, ...]:
    """Report on the installation of a running daemon, which asks; people are numbers."""
    return make_report(home, read_service_log(_LOG_LINES), daemon_runs=True, names=False, by_daemon=True)


def report_text(report: Iterable[Section]) -> str:
    """Return a report as a text file has it."""
    lines = [line for each in report for line in (each.title.capitalize(), *(f"  {line}" for line in each.lines))]
    return "\n".join(lines) + "\n"


def _people_of(home: Home) -> list[str]:
    people: list[str] = []
    with suppress(SettingsError):
        settings = load_settings(home.settings)
        people += [name for name in settings.players if name not in settings.house_players]
    with suppress(JournalError), Journal(home.journal, read_only=True) as journal:
        for game_id in journal.game_ids()[-_GAMES:]:
            # A damaged file may have a game without any event.
            for began in journal.entries(game_id)[:1]:
                if isinstance(began.event, GameStarted):
                    people += [player.name for player in began.event.players if not player.house]
        people += [seat.name for seat in journal.held_seats()]
    return [name for name in people if name not in Settings().players]


def _versions() -> Iterator[str]:
    yield f"shutbox {version('shutbox')}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    libraries = []
    for requirement in requires("shutbox") or ():
        name = re.match(r"[\w.-]+", requirement)
        if name is not None and "extra == 'test'" not in requirement.replace('"', "'"):
            with suppress(PackageNotFoundError):  # an extra that this computer does not need
                libraries.append(f"{name[0]} {version(name[0])}")
    yield ", ".join(libraries)


def _computer(home: Home) -> Iterator[str]:
    yield model_name() or f"no Raspberry Pi: {platform.machine()}"
    try:
        system = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        system = sys.platform
    yield f"{system}, kernel {platform.release()} ({platform.machine()})"
    yield f"{count(os.cpu_count() or 1, 'processor')}, {memory_bytes() // 1_000_000} MB of memory"
    yield f"{shutil.disk_usage(home.data).free // 1_000_000} MB free in {home.data}"


def _settings(home: Home) -> Iterator[str]:
    changed = load_settings(home.settings).model_dump(mode="json", exclude_defaults=True)
    yield from (f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in changed.items())
    if not changed:
        yield "all as they come"


def _health(home: Home, *, by_daemon: bool) -> Iterator[str]:
    faults = [str(fault) for fault in check_home(home)]
    yield from faults or ["memory, journal, disk and clock are well"]
    yield from (f"a journal that was put aside, with what it still holds: {path}" for path in put_aside(home.journal))
    yield from _computer_health()
    if leaves_pulses_on():
        yield (
            "the header: a program that is killed leaves /OE as it was, and servos pulsing, unless the guard runs; "
            "write dtparam=strict_gpiod into /boot/firmware/config.txt, and start the computer again"
        )
    yield from find_stale_units()
    settings = load_settings(home.settings)
    yield from _network(settings.web, by_daemon=by_daemon)
    box = load_box(settings.box)
    calibration = load_calibration(home.data, box.name)
    for what, part in (("servos", calibration.servos), ("camera", calibration.camera)):
        when = f"calibrated on {part.date:%Y-%m-%d}" if part is not None else "not calibrated"
        yield f"the {what} of {box.name}: {when}"
    yield f"dice: {settings.dice}"
    book = WearFile(home.wear(box.name, mock=False), box.name).book
    yield from (note.say for note in wear_notes(book, box.tile_ids).values())


def _computer_health() -> Iterator[str]:
    """Report supply and temperature, whose problems show up as bus errors or late pictures."""
    reading, faults = own_computer().ask()
    yield from map(str, faults)
    if reading.is_under_voltage is None:
        yield "the supply: this computer does not tell of it"
    elif not any(fault.part == "supply" for fault in faults):
        yield "the supply: no under-voltage since the computer was started"
    if reading.temperature_c is None:
        yield "the temperature: this computer does not tell of it"
    else:
        yield f"the temperature: {reading.temperature_c:.0f} degrees Celsius"


def _network(web: Web, *, by_daemon: bool) -> Iterator[str]:
    if not web.on:
        return
    where = f"port {web.port} of {web.address}"
    if by_daemon:
        yield f"the network: {where} is to be open; `shutbox doctor` at the box says whether it answers"
    elif answers_at(web.address, web.port):
        yield f"the network: the box answers at {where}"
    else:
        yield f"the network: nobody answers at {where}; the log of the daemon says why from its last start on"


def _runs(home: Home, *, daemon_runs: bool) -> Iterator[str]:
    noted = read_runs(home.runs)
    runs = noted if daemon_runs else noted.settled(find_boot())
    yield "the daemon runs" if daemon_runs else "no daemon runs"
    yield f"ended in order: {runs.ended}; ended by an error: {runs.failed}; killed: {runs.killed}"
    yield f"the box was unplugged without being asked: {count(runs.unplugged, 'time')}"


def _events(home: Home) -> Iterator[str]:
    if not home.journal.exists():
        yield "nobody has played yet"
        return
    with Journal(home.journal, read_only=True) as journal:
        games = journal.game_ids()
        yield count(len(games), "game")
        # The last events of the last games, oldest first.
        found: list[str] = []
        for game_id in reversed(games):
            entries = journal.entries(game_id)[len(found) - _EVENTS :]
            found[:0] = [f"game {game_id}: {each.at} {log_line(each.event, each.origin)}" for each in entries]
            if len(found) >= _EVENTS:
                break
        yield from found
