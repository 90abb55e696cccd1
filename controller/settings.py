"""The home folder of a box (the places of its files and sockets), and the settings in its `settings.toml`.

`SHUTBOX_HOME` moves everything. Without it the system decides: `STATE_DIRECTORY` and `RUNTIME_DIRECTORY` under systemd,
else the user's own data folder. A box that is installed as a service has one home for the service and the people of its
group; otherwise their calibrations would never reach the games.
"""

import hashlib
import os
import re
import tempfile
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Literal

import tomlkit
from pydantic import BaseModel, ConfigDict, Field, field_validator

from controller.errors import BadPlayers, DaemonRuns, SettingsError
from controller.game.core.message import Language
from controller.game.core.players import DEFAULT_STRENGTH, MOST_PLAYERS, NAMES_ARE, Strength, is_name, read_players
from controller.runtime.hours import are_hours
from controller.runtime.locks import as_owner, become_owner, lock, why_closed
from controller.runtime.swap import finish_swap, is_swap_left
from hardware.calibration import write_durably
from hardware.toml_file import FileProblem, parse_toml, read_plain_text

_CAMERA = re.compile(r"picamera2|v4l2:/dev/\S+|files:.*\S.*")
_HOST_NAME = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
SERVICE_DATA = Path("/var/lib/shutbox")  # StateDirectory of both units; systemd/tmpfiles.conf creates it
_SYSTEM_RUNTIME = Path("/run/shutbox")  # RuntimeDirectory of systemd/shutbox.service
_GUARD_RUNTIME = Path("/run/shutbox-guard")  # RuntimeDirectory of systemd/shutbox-guard.service
_OTHERS = 0o007  # the umask in the service's home: the whole group may replace the files of any of its users


@dataclass(frozen=True, slots=True)
class Home:
    """The folders of one box.

    There are two, because systemd removes the folder of sockets when the daemon stops, and keeps the folder of data.
    All file names are defined here, so that the processes of one box (daemon, guard, mock-box, command line) find each
    other.

    data: journal, settings, lock and simulated tiles.
    runtime: sockets.
    fixed: sockets are searched only here, not where systemd puts those of the service.
    """

    data: Path
    runtime: Path
    fixed: bool = False

    @property
    def journal(self) -> Path:
        return self.data / "journal.sqlite3"

    @property
    def demo_journal(self) -> Path:
        return self.data / "demo.sqlite3"

    @property
    def odds(self) -> Path:
        """The folder with the odds of big games; it can be deleted, then they are calculated again."""
        return self.data / "odds"

    @property
    def evidence(self) -> Path:
        """The folder with pictures of throws, if enabled; it can be deleted."""
        return self.data / "evidence"

    @property
    def tile_pictures(self) -> Path:
        """The folder with pictures for the tiles on pages, each named after a mark; it need not exist."""
        return self.data / "tiles"

    @property
    def settings(self) -> Path:
        """The settings file; it need not exist."""
        return self.data / "settings.toml"

    @property
    def last_settings(self) -> Path:
        """The copy of the settings with which the box started last."""
        return self.data / "settings.last.toml"

    def profile(self, box: str) -> Path:
        """Return the file with the profile of `box` as bring-up has found it wired."""
        return self.data / f"box-{box}.toml"

    @property
    def access(self) -> Path:
        """The file with the PIN and the operators' devices."""
        return self.data / "access.json"

    @property
    def socket(self) -> Path:
        return self.runtime / "shutbox.sock"

    @property
    def sockets(self) -> tuple[Path, ...]:
        """The sockets at which a daemon may listen: here, or, with the unit installed, where systemd puts it."""
        return (self.socket,) if self.fixed else (self.socket, _SYSTEM_RUNTIME / self.socket.name)

    @property
    def guard_socket(self) -> Path:
        return self.runtime / "guard.sock"

    @property
    def guard_sockets(self) -> tuple[Path, ...]:
        """The sockets at which a guard may listen: here, or, with the unit installed, in its or the data folder."""
        here = self.guard_socket
        return (here,) if self.fixed else (here, _GUARD_RUNTIME / here.name, self.data / here.name)

    @property
    def mock_box_socket(self) -> Path:
        """The socket of a simulated box in a separate process."""
        return self.runtime / "mock-box.sock"

    @property
    def lock(self) -> Path:
        """The file that the owner of the box locks: with the data, which the service and people share.

        With the sockets where there is none yet and none can be made.
        """
        shared = self.data / "shutbox.lock"
        return shared if shared.exists() or os.access(self.data, os.W_OK) else self.runtime / shared.name

    @property
    def runs(self) -> Path:
        """The file that counts the starts of the daemon and notes how it ended."""
        return self.data / "runs.json"

    def simulated_tiles(self, box: str) -> Path:
        """Return the file in which the simulated `box` keeps its tiles, as real wood would."""
        return self.data / f"simulated-{box}.json"

    def wear(self, box: str, *, mock: bool) -> Path:
        """Return the file with the movements of the tiles of `box`; simulated tiles are counted separately."""
        return self.data / f"wear-{'simulated-' if mock else ''}{box}.json"

    def simulated_wood(self, box: str) -> Path:
        """Return the file that says how a simulated box was built whose profile is of a bring-up."""
        return self.data / f"simulated-{box}.wood.json"

    def wires(self, box: str, *, mock: bool) -> Path:
        """Return the file that says when the wires of `box` were found right."""
        return self.data / f"wires-{'simulated-' if mock else ''}{box}.txt"

    def name_within(self, text: str) -> str:
        """Return `text` with the files of this home by name, without the path of the home on this computer."""
        return text.replace(f"{self.data}{os.sep}", "")

    def make(self) -> None:
        """Create the folders, for this user only. Raises `SettingsError` if that is not possible.

        From now on root is the home's owner, and in the service's its group gets access to all that is written.
        """
        if self.data == SERVICE_DATA:
            os.umask(_OTHERS)
        try:
            for folder in (self.data, self.runtime):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            become_owner(self.data)
        except OSError as error:
            raise SettingsError(f"folder {error.filename} cannot be made: {error.strerror}") from error
        if self.runtime.parent == Path(tempfile.gettempdir()) and self.runtime.stat().st_uid != os.geteuid():
            raise SettingsError(f"folder {self.runtime} is another user's; set SHUTBOX_HOME to a folder of your own")


def find_home() -> Home:
    """Return the home that the environment names, by default the user's own.

    A restore that a power cut has interrupted is finished first, so that nobody sees half of it.
    """
    if named := os.environ.get("SHUTBOX_HOME"):
        data = Path(named).absolute()
        home = Home(data, _sockets_of(data), fixed=True)
    else:
        data_home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
        data = Path(os.environ.get("STATE_DIRECTORY") or Path(data_home) / "shutbox")
        runtime = os.environ.get("RUNTIME_DIRECTORY")
        home = Home(data.absolute(), Path(runtime or _sockets_of(data)).absolute(), fixed=data != SERVICE_DATA)
    _finish_restore(home)
    return home


def _sockets_of(data: Path) -> Path:
    """Return the folder for the sockets of a home outside the service: the home, or one of this user's if it is closed.

    Both the daemon and those who join it find it by the name of the home.
    """
    if os.access(data, os.W_OK) or not data.exists():
        return data
    name = hashlib.sha256(bytes(data.absolute())).hexdigest()[:16]
    return Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()) / f"shutbox-{os.geteuid()}-{name}"


def find_box_home() -> Home:
    """Return the home of the box on this computer: the service's if it is installed, else as `find_home`.

    `SHUTBOX_HOME` and systemd take precedence. Raises `SettingsError` for a user without write access: a calibration in
    a home of their own would never reach the games of the box.
    """
    is_named = os.environ.get("SHUTBOX_HOME") or os.environ.get("STATE_DIRECTORY")
    if is_named or not SERVICE_DATA.is_dir():
        return find_home()
    # A disk that can only be read is closed to nobody: the daemon says so at the table.
    change = 0 if os.statvfs(SERVICE_DATA).f_flag & os.ST_RDONLY else os.W_OK
    if not os.access(SERVICE_DATA, os.R_OK | os.X_OK | change, effective_ids=True):
        raise SettingsError(f"this box is a service, and {why_closed(SERVICE_DATA)}")
    # Sockets and lock are with the data: the folder of sockets exists only while the service runs.
    home = Home(SERVICE_DATA, SERVICE_DATA)
    _finish_restore(home)
    return home


def _finish_restore(home: Home) -> None:
    """Finish a restore that was interrupted, unless another process is still busy with it.

    Root finishes it too, as the owner of the folder, instead of leaving it to the service: it too would see half of it.
    """
    if is_swap_left(home.data):
        # Where it cannot be finished, the daemon says so, and the next restore.
        with suppress(DaemonRuns, OSError, SettingsError), as_owner(home.data), lock(home.lock):
            finish_swap(home.data)


class Pace(BaseModel):
    """The pace of the box, in seconds.

    A box that acts at once leaves people no time to see what it does; programs and tests set a faster pace.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    house_thinks_s: float = Field(default=1.5, ge=0, le=60, description="seconds that the house takes to think")
    house_throws_s: float = Field(
        default=4.0, ge=0.5, le=60, description="seconds from one throw of the house to its next, in a race"
    )
    count_s: float = Field(default=1.0, ge=0.1, le=5, description="seconds from 1 to 2, to 3 and to GO, in a race")
    watch_every_s: float = Field(
        default=0.5, ge=0.1, le=10, description="seconds from one look at tiles and lid to the next"
    )
    hand_countdown_s: float = Field(
        default=2.0, ge=0.2, le=30, description="seconds for which a move made by hand can be taken back"
    )


class Evidence(BaseModel):
    """The pictures of throws that are kept.

    By default none are kept: the camera may see more of a room than the dice.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    keep: int = Field(default=0, ge=0, le=100_000, description="how many throws have their picture kept; 0: none")
    megabytes: int = Field(
        default=200, ge=1, le=100_000, description="megabytes of the disk that the pictures may take"
    )


class Web(BaseModel):
    """The access of phones and other computers to the box, in addition to the terminal's own socket.

    The service gets address and port from a unit that `shutbox install` creates: it may not open ports itself.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    on: bool = Field(default=False, description="true: phones and other computers reach this box")
    address: str = Field(
        default="::",
        description="the address of this computer at which they do; :: is all it has, 127.0.0.1 none but itself",
    )
    port: int = Field(default=8080, ge=1, le=65_535, description="the port at that address")
    name: str = Field(
        default="",
        max_length=253,
        description="a name of this box besides that of its computer, such as shutbox.example.org",
    )
    proxies: tuple[str, ...] = Field(
        default=(),
        max_length=16,
        description="the addresses of TLS proxies in front of this box, such as 127.0.0.1, by which it is at https://NAME",
    )

    @field_validator("address")
    @classmethod
    def _is_an_address(cls, address: str) -> str:
        try:
            return str(ip_address(address))
        except ValueError as error:
            raise ValueError("must be an address such as '192.168.1.20', '127.0.0.1' or '::'") from error

    @field_validator("proxies")
    @classmethod
    def _are_addresses(cls, proxies: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(cls._is_an_address, proxies))

    @field_validator("name")
    @classmethod
    def _is_a_name(cls, name: str) -> str:
        if name and not _HOST_NAME.fullmatch(name):
            raise ValueError("must be made of letters, digits, '-' and '.', such as 'shutbox.local'")
        return name


class Voice(BaseModel):
    """What is said aloud: by the box itself, and by pages on which somebody has switched it on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    quiet: str = Field(
        default="", description="the hours in which nothing is said aloud, such as 22:00-07:00; none if empty"
    )
    aloud: bool = Field(default=False, description="true: the box itself speaks, by espeak-ng and its sound card")
    speed: int = Field(default=160, ge=80, le=450, description="the words a minute with which the box itself speaks")

    @field_validator("quiet")
    @classmethod
    def _are_hours(cls, quiet: str) -> str:
        if quiet and not are_hours(quiet):
            raise ValueError("must be two times of day, such as '22:00-07:00'")
        return quiet


# Who may act for a seat that nobody has taken: everybody while only one terminal is there, everybody, or nobody.
Share = Literal["auto", "yes", "no"]


class Settings(BaseModel):
    """All settings, checked as a whole: a misspelt key is refused, not ignored.

    The descriptions are printed by `shutbox settings`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    box: str = Field(default="two-level-9", description="the box: a profile's name, or a file")
    players: tuple[str, ...] = Field(
        default=("Player", "House"), min_length=1, max_length=MOST_PLAYERS, description="who plays, seat by seat"
    )
    house_players: tuple[str, ...] = Field(default=("House",), description="those of them that the house plays")
    house_strength: Strength = Field(
        default=DEFAULT_STRENGTH, description="how well the house plays where a name does not say it (House:perfect)"
    )
    pins: Literal["lgpio", "rpigpio"] = Field(default="lgpio", description="gpiozero's pin factory on the Raspberry Pi")
    camera: str = Field(
        default="picamera2", description="picamera2, v4l2:/dev/video0 (a USB camera), or files:FOLDER of pictures"
    )
    dice: str = Field(default="pips", description="pips, or a set that was taught with `shutbox calibrate dice`")
    share: Share = Field(
        default="auto",
        description="who acts for a seat nobody took: all while one terminal sits there (auto), all (yes), nobody (no)",
    )
    language: Language = Field(
        default="en",
        description="in which terminal and voice of the box speak: en, de, fr; pages have each device's own",
    )
    pace: Pace = Pace()
    evidence: Evidence = Evidence()
    web: Web = Web()
    voice: Voice = Voice()

    @field_validator("players")
    @classmethod
    def _can_sit_down(cls, players: tuple[str, ...]) -> tuple[str, ...]:
        try:
            read_players(players, (), DEFAULT_STRENGTH)
        except BadPlayers as error:
            raise ValueError(str(error)) from error
        return players

    @field_validator("house_players")
    @classmethod
    def _are_names(cls, players: tuple[str, ...]) -> tuple[str, ...]:
        if not all(map(is_name, players)):
            raise ValueError(f"must be names of {NAMES_ARE}")
        return players

    @field_validator("camera")
    @classmethod
    def _is_a_camera(cls, camera: str) -> str:
        if not _CAMERA.fullmatch(camera) or not camera.isprintable():
            raise ValueError("must be 'picamera2', 'v4l2:/dev/video0' or 'files:FOLDER'")
        return camera


SettingValue = bool | int | float | str | list[str]


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One key as it is written in the file (in a table: `table.key`), its value, its default and its meaning."""

    key: str
    value: object
    default: object
    meaning: str


def setting_rows(now: BaseModel, default: BaseModel | None = None, prefix: str = "") -> Iterator[SettingRow]:
    """Yield every key of the settings with its current value. default: the settings to compare with."""
    usual = Settings() if default is None else default
    for name, field in type(now).model_fields.items():
        value, theirs = getattr(now, name), getattr(usual, name)
        if isinstance(value, BaseModel):
            yield from setting_rows(value, theirs, f"{name}.")
        else:
            yield SettingRow(f"{prefix}{name}", value, theirs, field.description or "")


def save_setting(path: Path, key: str, value: SettingValue, *, check: Callable[[Settings], None] | None = None) -> None:
    """Set one key (in a table: `table.key`) in the settings file; its other lines and comments stay.

    check: called with the new settings before they are written; its exceptions propagate.
    Raises `SettingsError` if the file cannot be read or written, or the value is not allowed.
    """
    known = [row.key for row in setting_rows(Settings())]
    if key not in known:
        raise SettingsError(f"there is no such setting; there are {', '.join(known)}")
    try:
        text = _text_of(path)
        document = tomlkit.parse(text)
        table, _, name = key.rpartition(".")
        place = document.setdefault(table, tomlkit.table()) if table else document
        if not isinstance(place, MutableMapping):
            raise SettingsError(f"{path}: {table} must be a table, [{table}]; mend it there first")
        place[name] = value
        changed = tomlkit.dumps(document)
        settings = parse_toml(changed, Settings)
        if check is not None:
            check(settings)
        write_durably(path, changed.encode())
    except FileProblem as problem:
        raise SettingsError(f"{path}:{problem.line}: {problem}") from problem
    except (OSError, tomlkit.exceptions.TOMLKitError) as error:
        raise SettingsError(f"{path} cannot be changed: {getattr(error, 'strerror', None) or error}") from error


def load_settings(path: Path) -> Settings:
    """Read the settings, or the defaults if there is no file. Raises `SettingsError` with file and line."""
    try:
        return parse_toml(_text_of(path), Settings)
    except FileProblem as problem:
        raise SettingsError(f"{path}:{problem.line}: {problem}") from problem
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror}") from error


def _text_of(path: Path) -> str:
    """Return the text of the settings file; none if there is no file. Raises `OSError`."""
    try:
        return read_plain_text(path)
    except FileNotFoundError:
        return ""
