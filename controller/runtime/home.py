"""The home of a box: its folders, and the names of all its files.

`SHUTBOX_HOME` moves everything. Without it the system decides: `STATE_DIRECTORY` and `RUNTIME_DIRECTORY` under systemd,
else the user's own data folder. A box that is installed as a service has one home for the service and the people of its
group; otherwise their calibrations would never reach the games.
"""

import hashlib
import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from controller.errors import DaemonRuns, SettingsError
from controller.runtime.locks import as_owner, become_owner, lock, why_closed
from controller.runtime.swap import finish_swap, is_swap_left

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
    def guests(self) -> Path:
        """The journal of games that were read from text: they were played elsewhere, and count for nobody here."""
        return self.data / "guests.sqlite3"

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

    def evening(self, name: str) -> Path:
        """Return the file of an evening of many matches."""
        return self.data / f"evening-{name}.json"

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
