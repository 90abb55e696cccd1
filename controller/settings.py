"""The settings of a box, in the `settings.toml` of its home."""

import re
from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Literal

import tomlkit
from pydantic import BaseModel, ConfigDict, Field, field_validator

from controller.errors import BadPlayers, SettingsError
from controller.game.core.message import Language
from controller.game.core.players import DEFAULT_STRENGTH, MOST_PLAYERS, NAMES_ARE, Strength, is_name, read_players
from controller.runtime.hours import are_hours
from hardware.calibration import write_durably
from hardware.toml_file import FileProblem, parse_toml, read_plain_text

_CAMERA = re.compile(r"picamera2|v4l2:/dev/\S+|files:.*\S.*")
_HOST_NAME = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")


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

    on: bool = Field(default=False, description="whether phones and other computers reach this box")
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
    aloud: bool = Field(default=False, description="whether the box itself speaks, by espeak-ng and its sound card")
    speed: int = Field(default=160, ge=80, le=450, description="the words a minute with which the box itself speaks")

    @field_validator("quiet")
    @classmethod
    def _are_hours(cls, quiet: str) -> str:
        if quiet and not are_hours(quiet):
            raise ValueError("must be two times of day, such as '22:00-07:00'")
        return quiet


class Bridge(BaseModel):
    """What is told to others by the bridge, a service of its own: a broker (MQTT), and addresses on the web.

    Nobody is told anything unless a broker or a webhook is named.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str = Field(default="", max_length=253, description="the MQTT broker that is told of games; none if empty")
    port: int = Field(default=1883, ge=1, le=65_535, description="the port of the broker, mostly 8883 with TLS")
    tls: bool = Field(default=False, description="whether the broker is spoken to by TLS, and has to prove who it is")
    ca: str = Field(default="", description="the file of the authority that vouches for the broker, if not a known one")
    user: str = Field(default="", max_length=128, description="the name by which the broker knows this box")
    password_file: str = Field(default="", description="the file that holds the password for the broker, on a line")
    name: str = Field(
        default="", max_length=40, description="the name of this box there; that of the computer if empty"
    )
    prefix: str = Field(default="shutbox", description="the word with which all topics of this box begin")
    discovery: str = Field(
        default="homeassistant", description="the word under which Home Assistant looks for devices; none if empty"
    )
    allow: tuple[Literal["start", "pause"], ...] = Field(
        default=(), max_length=2, description="what a broker may have this box do: start, pause"
    )
    webhooks: tuple[str, ...] = Field(
        default=(), max_length=8, description="addresses to which everything that happens is posted as JSON"
    )

    @field_validator("host")
    @classmethod
    def _is_a_host(cls, host: str) -> str:
        if host and not _HOST_NAME.fullmatch(host):
            try:
                ip_address(host)
            except ValueError as error:
                raise ValueError("must be a name or an address, such as 'broker.local' or '192.168.1.5'") from error
        return host

    @field_validator("prefix", "discovery")
    @classmethod
    def _is_a_topic(cls, word: str) -> str:
        if word and not re.fullmatch(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*", word):
            raise ValueError("must be made of letters, digits, '_', '-' and '/', such as 'shutbox'")
        return word

    @field_validator("webhooks")
    @classmethod
    def _are_urls(cls, urls: tuple[str, ...]) -> tuple[str, ...]:
        if not all(re.fullmatch(r"https?://[^\s/]+\S*", url) for url in urls):
            raise ValueError("must be addresses such as 'https://example.org/hook'")
        return urls


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
    bridge: Bridge = Bridge()

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
