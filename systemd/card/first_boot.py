"""The first boot of a card: installs the program from the boot partition, and says on the console where its page is.

`first_boot.py set-up` is called once, by cloud-init (user-data or vendor-data), and puts this file and its unit into
the system. The unit calls it at every boot: what is done already is not done again, and what failed is tried again.
The system's Python runs it as root; it needs only the standard library, and neither pip nor python3-venv.
"""

import os
import shutil
import socket
import subprocess
import sys
import tarfile
import tomllib
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path

CARD = Path("/boot/firmware")
UPDATE = "shutbox.tar"
KEYS = "shutbox/keys"  # whose signatures the box accepts: its files go to /etc/shutbox/keys
UNSIGNED = "shutbox/unsigned"  # an empty file with this name: install an update file that nobody signed
UNIT = "shutbox-card.service"
PLACE = Path("usr/local/lib/shutbox-card")
DONE = "installed"  # in that place: the card was installed, and whatever becomes of the program later is its owner's
CURRENT = Path("opt/shutbox/current")
SETTINGS = Path("var/lib/shutbox/settings.toml")
_LET_PHONES_IN = "[web]\non = true\n"
_PORT = 8080
# Above the prompt of every login, agetty(8); in memory, since the address may be another one at the next boot.
_ISSUE = Path("run/issue.d/shutbox.issue")
# The program, from the packages as they lie in their wheels; nothing that it starts sees them.
_START = "import sys; sys.path.insert(0, sys.argv.pop(1)); from controller.cli.main import main; main()"
_REPAIR = f"Copy {UPDATE} onto the card's boot partition once more, then switch off and on."


class CardError(Exception):
    """The card cannot be installed: what is wrong, and what to do, in one line."""


def run(*command: str) -> str:
    """Run a program and return what it prints. Raises `CardError` with the last line of one that fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    except OSError as error:
        raise CardError(f"{command[0]} cannot be run: {error.strerror}") from error
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or f"status {done.returncode}").splitlines()
        raise CardError(said[-1].removeprefix("shutbox: "))
    return done.stdout


class Card:
    """The card in its machine. root: the machine's root folder; card: its boot partition."""

    def __init__(self, root: Path = Path("/"), card: Path = CARD) -> None:
        self.root = root
        self.card = card

    @property
    def done(self) -> Path:
        return self.root / PLACE / DONE

    def set_up(self) -> None:
        """Put this file and its unit into the system, and start the unit without waiting for it."""
        here = Path(__file__).resolve()
        place = self.root / PLACE
        place.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(here, place / here.name)
        shutil.copyfile(here.with_name(UNIT), self.root / "etc/systemd/system" / UNIT)
        run("systemctl", "daemon-reload")
        run("systemctl", "enable", UNIT)
        run("systemctl", "start", "--no-block", UNIT)

    def install(self) -> None:
        """Install the update file of the card, let phones in, and start the service. Raises `CardError`.

        Cut off anywhere, it is done again at the next boot.
        """
        update = self.card / UPDATE
        if not update.exists():
            raise CardError(f"There is no {UPDATE} on the card's boot partition. {_REPAIR}")
        self.done.parent.mkdir(parents=True, exist_ok=True)
        say("installing from the card, which takes a few minutes ...")
        self._copy_keys()
        self._load_i2c()
        self._let_phones_in()
        unpacked = self.root / PLACE / "unpacked"
        shutil.rmtree(unpacked, ignore_errors=True)  # a power cut may have left it
        try:
            unpack(update, unpacked)
            unsigned = ["--unsigned"] if (self.card / UNSIGNED).exists() else []
            run(sys.executable, "-I", "-c", _START, str(unpacked), "install", str(update), *unsigned)
        finally:
            shutil.rmtree(unpacked, ignore_errors=True)
        # The installation makes no folder that is there already, but its file says whose it is.
        run("systemd-tmpfiles", "--create", "shutbox.conf")
        shutil.chown(self.root / SETTINGS, "shutbox", "shutbox")
        (self.root / SETTINGS).chmod(0o660)
        run("systemctl", "enable", "--now", "shutbox.service")
        self.done.touch()

    def _copy_keys(self) -> None:
        keys = self.card / KEYS
        if keys.is_dir():
            shutil.copytree(keys, self.root / "etc/shutbox/keys", dirs_exist_ok=True, copy_function=shutil.copyfile)

    def _load_i2c(self) -> None:
        """Have the kernel make /dev/i2c-1, now and at every boot; config.txt on the card switches the bus itself on."""
        modules = self.root / "etc/modules-load.d/shutbox.conf"
        modules.parent.mkdir(parents=True, exist_ok=True)
        modules.write_text("i2c-dev\n")
        with suppress(CardError):  # a machine without that module has no bus either, and the box says so
            run("modprobe", "i2c-dev")

    def _let_phones_in(self) -> None:
        """Write the settings before the installation, which opens the port that they ask for; keep existing ones."""
        settings = self.root / SETTINGS
        settings.parent.mkdir(parents=True, exist_ok=True)
        if not settings.exists():
            settings.write_text(_LET_PHONES_IN)

    def tell(self, *lines: str) -> None:
        """Show lines on the console, and above every login prompt until the machine is switched off."""
        print(*lines, sep="\n", flush=True)
        issue = self.root / _ISSUE
        issue.parent.mkdir(parents=True, exist_ok=True)
        issue.write_text("\n".join((*lines, "", "")).replace("\\", "\\\\"), "utf-8")
        with suppress(CardError):
            run("agetty", "--reload")

    def welcome(self) -> list[str]:
        """Return the lines that say where the page is and how its first phone is let in; none if no phone can be."""
        with suppress(OSError, tomllib.TOMLDecodeError):
            web = tomllib.loads((self.root / SETTINGS).read_text()).get("web", {})
            if web.get("on"):
                page = f"http://{socket.gethostname()}.local:{web.get('port', _PORT)}"
                return [
                    f"Shut the Box: {page}",
                    self._draw_code(f"{page}/operator"),
                    "Open the page with a phone in the same network, or scan the code. Tap 'Ask at the box' there, and",
                    "hold the button of the box for five seconds, or log in here and type: sudo shutbox pair NUMBER",
                ]
        return []

    def _draw_code(self, page: str) -> str:
        """Return the QR code of a page, drawn by the library that the program brings."""
        drawn = run(str(self.root / CURRENT / "bin/segno"), "--compact", "--border=1", "--error=L", page)
        return drawn.rstrip("\n")


def unpack(update: Path, folder: Path) -> None:
    """Unpack every wheel of an update file into one folder. Raises `CardError` for a file that is not whole."""
    try:
        with tarfile.open(update, "r:") as tar:
            for member in tar:
                content = tar.extractfile(member)
                if content and member.name.endswith(".whl"):
                    with zipfile.ZipFile(content) as wheel:
                        wheel.extractall(folder)  # noqa: S202 - a zip file's, which never leaves the folder
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise CardError(f"{update} is damaged, or not all of it is there ({error}). {_REPAIR}") from error


def say(line: str) -> None:
    print(f"Shut the Box: {line}", flush=True)


def main() -> int:
    """Do what is left to do, and return the exit status: 1 if the card could not be installed."""
    card = Card()
    os.umask(0o022)
    try:
        if sys.argv[1:] == ["set-up"]:
            card.set_up()
            return 0
        if not card.done.exists():
            card.install()
        if lines := card.welcome():
            card.tell(*lines)
    except (CardError, OSError) as error:
        card.tell(f"Shut the Box: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
