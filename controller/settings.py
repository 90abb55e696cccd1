"""The home folder of a box (which file and socket lies where) and `settings.toml` in it: all that people may set.

`SHUTBOX_HOME` moves everything. Without it, data lie where the system says: `STATE_DIRECTORY` and
`RUNTIME_DIRECTORY` under systemd, else the user's own data folder. A box that is installed as a service has one home
for the service and the people of its group, or what they calibrate would never reach the games.
"""

import os
import re
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Literal

import tomlkit
from pydantic import BaseModel, ConfigDict, Field, field_validator

from controller.errors import BadPlayers, DaemonRuns, SettingsError
from controller.game import DEFAULT_STRENGTH, LONGEST_NAME, MOST_PLAYERS, Strength, is_name, read_players
from controller.process import as_owner, finish_swap, is_swap_left, lock, why_closed
from hardware.calibration import write_durably
from hardware.toml_file import FileProblem, parse_toml

_CAMERA = re.compile(r"picamera2|v4l2:/dev/\S+|files:.*\S.*")
_HOST_NAME = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
SERVICE_DATA = Path("/var/lib/shutbox")  # StateDirectory of both units; systemd/tmpfiles.conf makes it
_SYSTEM_RUNTIME = Path("/run/shutbox")  # RuntimeDirectory of systemd/shutbox.service
_GUARD_RUNTIME = Path("/run/shutbox-guard")  # RuntimeDirectory of systemd/shutbox-guard.service
_OTHERS = 0o007  # the umask in the service's home: what one of the group writes, all of it may replace


@dataclass(frozen=True, slots=True)
class Home:
    """The folder of one box: journal, settings, lock and the simulated wood in `data`, sockets in `runtime`.

    Two folders, since systemd removes that of sockets when the daemon stops and keeps that of data. Every name of a
    file is decided here, so that the processes of one box (daemon, guard, mock-box, command line) find each other.
    `fixed`: sockets are looked for here alone, and not where systemd puts those of the service.
    """

    data: Path
    runtime: Path
    fixed: bool = False

    @property
    def journal(self) -> Path:
        """The journal of the games played here."""
        return self.data / "journal.sqlite3"

    @property
    def demo_journal(self) -> Path:
        """The journal of the last demonstration."""
        return self.data / "demo.sqlite3"

    @property
    def odds(self) -> Path:
        """The folder of the odds of big games; it can be deleted, then they are worked out again."""
        return self.data / "odds"

    @property
    def evidence(self) -> Path:
        """The folder of pictures of throws, where people have asked for them; it can be deleted."""
        return self.data / "evidence"

    @property
    def tile_pictures(self) -> Path:
        """The folder of pictures that pages draw on tiles, each named after a mark; it need not exist."""
        return self.data / "tiles"

    @property
    def settings(self) -> Path:
        """The file of what people have set; it need not exist."""
        return self.data / "settings.toml"

    @property
    def access(self) -> Path:
        """The file of who may do what: the PIN, and the operators' devices."""
        return self.data / "access.json"

    @property
    def socket(self) -> Path:
        """The socket of a daemon that is started here."""
        return self.runtime / "shutbox.sock"

    @property
    def sockets(self) -> tuple[Path, ...]:
        """The sockets a daemon may listen at: here, or, for a box with the unit installed, where systemd put it."""
        return (self.socket,) if self.fixed else (self.socket, _SYSTEM_RUNTIME / self.socket.name)

    @property
    def guard_socket(self) -> Path:
        """The socket of a guard that is started here."""
        return self.runtime / "guard.sock"

    @property
    def guard_sockets(self) -> tuple[Path, ...]:
        """The sockets a guard may listen at: here, or, for a box with the unit installed, where it or people put it."""
        here = self.guard_socket
        return (here,) if self.fixed else (here, _GUARD_RUNTIME / here.name, self.data / here.name)

    @property
    def mock_box_socket(self) -> Path:
        """The socket of a simulated box in a process of its own."""
        return self.runtime / "mock-box.sock"

    @property
    def lock(self) -> Path:
        """The file that is locked by the process that owns the box; by the data, which service and people share."""
        return self.data / "shutbox.lock"

    @property
    def runs(self) -> Path:
        """The file of how often the daemon was started, and how it ended."""
        return self.data / "runs.json"

    def simulated_tiles(self, box: str) -> Path:
        """The file in which the simulated wood of `box` keeps its tiles, as real wood would."""
        return self.data / f"simulated-{box}.json"

    def wear(self, box: str, *, mock: bool) -> Path:
        """The file of what the tiles of `box` have done; simulated tiles must not wear out those of metal."""
        return self.data / f"wear-{'simulated-' if mock else ''}{box}.json"

    def name_within(self, text: str) -> str:
        """A text in which the files of this home go by their names, and not by where it lies on this computer."""
        return text.replace(f"{self.data}{os.sep}", "")

    def make(self) -> None:
        """Create the folders, for this user alone. Raises `SettingsError` where that is not possible.

        In the service's home, all that this process writes from now on is for the group as well.
        """
        if self.data == SERVICE_DATA:
            os.umask(_OTHERS)
        try:
            for folder in (self.data, self.runtime):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise SettingsError(f"folder {error.filename} cannot be made: {error.strerror}") from error


def find_home() -> Home:
    """The folders that the environment names; without any, the user's own.

    A restore there that a power cut broke off is finished first: nobody sees half of one.
    """
    home = _named_home()
    _finish_restore(home)
    return home


def _named_home() -> Home:
    if home := os.environ.get("SHUTBOX_HOME"):
        return Home(Path(home).absolute(), Path(home).absolute(), fixed=True)
    data_home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    data = Path(os.environ.get("STATE_DIRECTORY") or Path(data_home) / "shutbox")
    runtime = os.environ.get("RUNTIME_DIRECTORY")
    return Home(data.absolute(), Path(runtime or data).absolute(), fixed=data != SERVICE_DATA)


def find_box_home() -> Home:
    """The home of the box that stands here: the service's where one is installed, else as `find_home`.

    `SHUTBOX_HOME` and systemd go before it. Raises `SettingsError` for a user who may not write there: measured into
    a home of their own, a calibration would never reach the games of the box.
    """
    is_named = os.environ.get("SHUTBOX_HOME") or os.environ.get("STATE_DIRECTORY")
    if is_named or not SERVICE_DATA.is_dir():
        return find_home()
    if not os.access(SERVICE_DATA, os.R_OK | os.W_OK | os.X_OK, effective_ids=True):
        raise SettingsError(f"this box is a service, and {why_closed(SERVICE_DATA)}")
    # Sockets and lock lie with the data: systemd makes the folder of sockets for as long as the service runs.
    home = Home(SERVICE_DATA, SERVICE_DATA)
    _finish_restore(home)
    return home


def _finish_restore(home: Home) -> None:
    """Finish a restore that was broken off; one that goes on in another process is let be.

    Root finishes it as the owner of the folder, and does not leave it to the service: root, too, would see half of one.
    """
    if not is_swap_left(home.data):
        return
    try:
        with suppress(DaemonRuns), as_owner(home.data), lock(home.lock):
            finish_swap(home.data)
    except PermissionError as error:
        cure = f"say `sudo chown -R --reference={home.data} {home.data}/.swap`"
        raise SettingsError(f"a restore was broken off, and {error.filename} is closed; {cure}") from error


class Pace(BaseModel):
    """The pace of the box, in seconds.

    A box that answers at once leaves nobody time to see what it does; programs and tests set it faster.
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

    Nothing is kept unless people ask for it: the camera may see more of a room than its dice.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    keep: int = Field(default=0, ge=0, le=100_000, description="how many throws have their picture kept; 0: none")
    megabytes: int = Field(
        default=200, ge=1, le=100_000, description="megabytes of the disk that the pictures may take"
    )


class Web(BaseModel):
    """Whether and where phones and other computers reach the box, beside the terminal's own socket.

    A service takes address and port from a unit that `shutbox install` makes of them: it may open none itself.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    on: bool = Field(default=False, description="true: phones and other computers reach this box, by plain http")
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

    @field_validator("address")
    @classmethod
    def _is_an_address(cls, address: str) -> str:
        try:
            return str(ip_address(address))
        except ValueError as error:
            raise ValueError("must be an address such as '192.168.1.20', '127.0.0.1' or '::'") from error

    @field_validator("name")
    @classmethod
    def _is_a_name(cls, name: str) -> str:
        if name and not _HOST_NAME.fullmatch(name):
            raise ValueError("must be made of letters, digits, '-' and '.', such as 'shutbox.local'")
        return name


# The languages that this program speaks.
Language = Literal["en", "de", "fr"]
# Who may act for a seat that nobody has taken: all as long as one terminal sits there, always, or nobody.
Share = Literal["auto", "yes", "no"]


class Settings(BaseModel):
    """All that people may set, checked as a whole: a misspelt key is refused, not passed over.

    What each key means stands beside it; `shutbox settings` prints it.
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
        description="in which the terminal speaks at the table: en, de, fr; pages have each device's own",
    )
    pace: Pace = Pace()
    evidence: Evidence = Evidence()
    web: Web = Web()

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
            raise ValueError(f"must be names of 1 to {LONGEST_NAME} characters")
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
    """Every key of the settings, with its value now. default: with what they are compared; else as they come."""
    usual = Settings() if default is None else default
    for name, field in type(now).model_fields.items():
        value, theirs = getattr(now, name), getattr(usual, name)
        if isinstance(value, BaseModel):
            yield from setting_rows(value, theirs, f"{name}.")
        else:
            yield SettingRow(f"{prefix}{name}", value, theirs, field.description or "")


def save_setting(path: Path, key: str, value: SettingValue, *, check: Callable[[Settings], None] | None = None) -> None:
    """Set one key (in a table: `table.key`) in the file of the settings; its other lines and comments stay.

    check: called with the settings as they will be, before they are written; what it raises goes on. Raises
    `SettingsError` where the file cannot be read or written, or does not take that value.
    """
    known = [row.key for row in setting_rows(Settings())]
    if key not in known:
        raise SettingsError(f"there is no such setting; there are {', '.join(known)}")
    try:
        text = path.read_text("utf-8") if path.exists() else ""
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
    except (OSError, UnicodeDecodeError, tomlkit.exceptions.TOMLKitError) as error:
        raise SettingsError(f"{path} cannot be changed: {getattr(error, 'strerror', None) or error}") from error


def load_settings(path: Path) -> Settings:
    """Read the settings; the defaults if there is no file. Raises `SettingsError` with file and line."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read: {getattr(error, 'strerror', 'not a text file')}") from error
    try:
        return parse_toml(text, Settings)
    except FileProblem as problem:
        raise SettingsError(f"{path}:{problem.line}: {problem}") from problem
