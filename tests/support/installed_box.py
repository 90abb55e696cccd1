"""A box with a version installed, in a folder: update files of little programs, pip and systemd played by a few lines.

What the versions write is real: a journal in SQLite, its format, its write-ahead log.
"""

import json
import platform
import sqlite3
import sys
import zipfile
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from controller.errors import InstallError
from controller.service.boot_check import check_start, current_version, switch, watch
from controller.service.effects import Host
from controller.service.layout import Layout
from controller.service.perform import perform
from controller.service.staging import stage_version
from controller.service.update_file import UpdateFile, pack_update
from tests.support.power import Power

Behaviour = Literal[
    "well",
    "no_import",
    "says_another_version",
    "crashes",
    "crashes_later",
    "hangs",
    "dies_converting",
    "refuses_the_journal",
]
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
_RESTARTS = 5  # more than a trial ever sees: its second start goes back
_LATER_S = 3.0


def let_pass(_: str) -> None:
    """Nobody reads what an effect says."""


def make_update(
    folder: Path,
    version: str,
    *,
    behaviour: Behaviour = "well",
    writes: int = 5,
    build: int = 0,
    key: Path | None = None,
    successors: Iterable[Path] = (),
    files: Mapping[str, Path] | None = None,
) -> UpdateFile:
    """An update file of a program that behaves so and writes journals of that format.

    build: makes another digest. key, successors: how it is signed. files: what else comes with it, by its place in the
    environment.
    """
    wheels = folder / f"wheels-{version}-{build}"
    wheels.mkdir(parents=True)
    program = {"version": version, "behaviour": behaviour, "writes": writes, "build": build}
    with zipfile.ZipFile(wheels / f"shutbox-{version}-py3-none-any.whl", "w") as wheel:
        # Not of now: the same program has the same digest, whenever its file is made.
        wheel.writestr(zipfile.ZipInfo("program.json"), json.dumps(program))
    with zipfile.ZipFile(wheels / "numpy-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(zipfile.ZipInfo("numpy.py"), "pi = 3\n")
        for name, path in (files or {}).items():
            wheel.write(path, name)
    path = folder / f"shutbox-{version}-{build}.tar"
    about = {"python": PYTHON, "machine": platform.machine()}
    return pack_update(wheels, path, journal_format=writes, key=key, successors=successors, **about)


def run_program(power: Power, *command: str) -> str:
    """Python's venv, pip, and the little programs themselves."""
    power.draw()
    match command[1:]:
        case ("-m", "venv", *_, folder):
            Path(folder, "bin").mkdir()
            Path(folder, "pyvenv.cfg").write_text("home = /usr/bin\n")
        case ("-m", "pip", "install", *options):
            _install_wheels(Path(command[0]).parent.parent, Path(options[options.index("--find-links") + 1]))
        case ("--version",):
            program = json.loads(Path(command[0]).read_text())
            if program["behaviour"] == "no_import":
                raise InstallError("shutbox --version failed: ModuleNotFoundError: No module named 'numpy'")
            return f"shutbox {'9.9' if program['behaviour'] == 'says_another_version' else program['version']}\n"
    return ""


def _install_wheels(environment: Path, wheels: Path) -> None:
    for path in sorted(wheels.glob("*.whl")):
        with zipfile.ZipFile(path) as wheel:
            if "program.json" in wheel.namelist():
                (environment / "bin" / "shutbox").write_bytes(wheel.read("program.json"))
            else:
                wheel.extractall(environment)


@dataclass
class Box:
    """The box: its folders, its service as systemd would run it, and a clock that only waiting moves.

    played: every game that was acknowledged, by its name.
    """

    layout: Layout
    played: set[str] = field(default_factory=set)
    power: Power = field(default_factory=Power)
    is_ready: bool = False
    time_s: float = 0.0
    crash_at_s: float | None = None

    @property
    def folder(self) -> Path:
        return self.layout.folder

    @property
    def journal(self) -> Path:
        return self.layout.home.journal

    @property
    def mark(self) -> Path:
        """What the daemon knows its last event by; here the name of the last game."""
        return self.journal.with_suffix(".mark")

    @property
    def good_copy(self) -> Path:
        """What the daemon copies its games to; here the name of the last one."""
        return self.journal.with_suffix(".good.sqlite3")

    @property
    def host(self) -> Host:
        """The machine as the updater sees it."""
        return Host(
            run=lambda *command: run_program(self.power, *command),
            service=self,
            has_systemd=False,
            now=lambda: self.time_s,
            wait=self.wait,
            sync=lambda: None,
        )

    def is_active(self) -> bool:
        return self.is_ready

    def start(self) -> None:
        """Start the daemon as its unit does: the boot check first; once more when it crashes."""
        for _ in range(_RESTARTS):
            self.power.draw()
            check_start(self.folder)
            if self._run_daemon():
                return

    def stop(self) -> None:
        self.power.draw()
        self.is_ready, self.crash_at_s = False, None

    def wait(self, seconds: float) -> None:
        self.time_s += seconds
        if self.crash_at_s is not None and self.time_s >= self.crash_at_s:
            self.stop()
            self.start()

    def boot(self) -> str:
        """The machine starts: the daemon, and with it the unit that watches a trial. The version that is current."""
        self.power, self.is_ready, self.crash_at_s = Power(), False, None
        self.start()
        watch(self.folder, self, now=lambda: self.time_s, wait=self.wait)
        return str(current_version(self.folder))

    def install(self, update: UpdateFile) -> None:
        """Put a first version in place, and play a game on it."""
        self.layout.home.data.mkdir(parents=True, exist_ok=True)
        perform(stage_version(self.layout, update), self.host, let_pass)
        switch(self.folder, update.version_name)
        self.start()
        self.play("before")

    def play(self, name: str) -> None:
        """Play a game of this name to its end. It stays in the write-ahead log, as if the daemon were killed then."""
        assert self.is_ready
        log = self.journal.with_name(f"{self.journal.name}-wal")
        with closing(sqlite3.connect(self.journal)) as db:
            with db:
                db.execute("INSERT INTO game (box) VALUES (?)", (name,))
            as_killed = {path: path.read_bytes() for path in (self.journal, log)}
        for path, content in as_killed.items():
            path.write_bytes(content)
        for path in (self.mark, self.good_copy):
            path.write_text(name)
        self.played.add(name)

    def games(self) -> set[str]:
        """The games in the journal that the running version goes on with."""
        return _games_in(self.journal)

    def all_games(self) -> set[str]:
        """The games in any file of the data folder."""
        journals = (path for path in self.layout.home.data.glob("*.sqlite3") if ".good" not in path.name)
        return set[str]().union(*(_games_in(path) for path in journals))

    def last_game(self) -> str:
        """The last game in the journal that the running version goes on with."""
        with closing(sqlite3.connect(self.journal)) as db:
            return str(db.execute("SELECT box FROM game ORDER BY id DESC").fetchone()[0])

    def _run_daemon(self) -> bool:
        """Start the current version; False if it ends by itself."""
        version = str(current_version(self.folder))
        assert version in self.layout.versions(), "a version that is not whole was started"
        program = json.loads((self.layout.version(version) / "bin" / "shutbox").read_text())
        if program["behaviour"] in ("no_import", "crashes") or not self._open_journal(program):
            return False
        self.is_ready = program["behaviour"] != "hangs"
        self.crash_at_s = self.time_s + _LATER_S if program["behaviour"] == "crashes_later" else None
        return True

    def _open_journal(self, program: Mapping[str, object]) -> bool:
        """Open the journal as a version does: a newer one is refused, an older one converted."""
        with closing(sqlite3.connect(self.journal)) as db:
            is_newer = db.execute("PRAGMA user_version").fetchone()[0] > int(str(program["writes"]))
            if is_newer or program["behaviour"] == "refuses_the_journal":
                return False
            db.execute("PRAGMA journal_mode = WAL")
            db.executescript(
                "CREATE TABLE IF NOT EXISTS game (id INTEGER PRIMARY KEY, box TEXT NOT NULL);"
                f"PRAGMA user_version = {program['writes']};"
            )
        return program["behaviour"] != "dies_converting"


def _games_in(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as db:
        return {row[0] for row in db.execute("SELECT box FROM game")}
