"""`python -m tools.card BOOT FILE`: put an update file, and what installs it at the first boot, onto a card.

BOOT is the mounted boot partition of a card with Raspberry Pi OS of Trixie. What Raspberry Pi Imager has written there
stays: then cloud-init is told of the installation by vendor-data, which it reads beside Imager's user-data.
docs/howto/card.md
"""

import hashlib
import json
import os
import re
import shutil
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from getpass import getpass
from pathlib import Path

from controller.errors import InstallError
from controller.service.signatures import KEYS, trusted_keys
from controller.service.update_file import read_update

SOURCES = Path(__file__).resolve().parents[1] / "systemd/card"
FOLDER = "shutbox"
UPDATE = "shutbox.tar"
FOR_USERS, FOR_IMAGER = ("user-data", "meta-data", "network-config"), ("vendor-data",)
_OWN = "# Shut the Box: docs/howto/card.md"  # in every file for cloud-init, so that a card can be filled once more
# hardware/README.md: the bus with its speed, and a line of the servos that is an input again when its process ends.
CONFIG = ("dtparam=i2c_arm=on,i2c_arm_baudrate=400000", "dtparam=strict_gpiod")
_HOST = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
_ROUNDS, _KEY_BYTES = 4096, 32  # from a passphrase to the key of WPA2 (IEEE 802.11i), as Imager writes it
_NO_NAME, _NO_LOGIN = "hostname: shutbox\n", "user:\n  name: owner\n  lock_passwd: true\n"  # in the file as it comes


class CardError(Exception):
    """The card stays as it is: what is wrong, and what to do."""


def check_card(boot: Path) -> None:
    """Raise `CardError` for a folder that is no boot partition of Raspberry Pi OS."""
    missing = [name for name in ("config.txt", "cmdline.txt") if not (boot / name).is_file()]
    if missing:
        raise CardError(f"{boot} is no boot partition of Raspberry Pi OS: it has no {' and no '.join(missing)}")


def check_update(path: Path, python: str, machine: str, trusted: Iterable[str] | None) -> None:
    """Raise `BadUpdate` or `CardError` for an update file that is damaged, not signed so, or not for this system."""
    manifest = read_update(path, trusted).manifest
    if (manifest.python, manifest.machine) != (python, machine):
        made = f"Python {manifest.python} on {manifest.machine}"
        raise CardError(
            f"{path} is for {made}, the card for {python} on {machine}: make update-file ARCH={machine} PYTHON={python}"
        )


def names_to_write(boot: Path, *, has_options: bool, replaces: bool) -> Sequence[str]:
    """Return which files for cloud-init to write. Raises `CardError` rather than overwrite those of somebody else."""
    is_free = replaces or _is_free(boot / "user-data")
    if not is_free and has_options:
        raise CardError(
            "the card's user-data is not of this program: Raspberry Pi Imager has set name, user and Wi-Fi there. "
            "Leave --name, --user and --wifi out, or say --replace"
        )
    names = FOR_USERS if is_free else FOR_IMAGER
    # meta-data only names the instance; the image has one from the start.
    taken = [name for name in names if name != "meta-data" and not (replaces or _is_free(boot / name))]
    if taken:
        raise CardError(f"the card's {taken[0]} is not of this program; say --replace to overwrite it")
    return names


def _is_free(path: Path) -> bool:
    """Return whether a file is absent, says nothing (as the image has it), or is of this program."""
    text = path.read_text("utf-8", "replace") if path.exists() else ""
    return _OWN in text or not any(line.strip() and not line.startswith("#") for line in text.splitlines())


def user_data(call: Namespace) -> str:
    """Return user-data with the name and the user of a call. JSON is YAML, so no word needs quotes of its own."""
    text = (SOURCES / "user-data").read_text("utf-8").replace(_NO_NAME, f"hostname: {call.name}\n")
    if call.user:
        text = text.replace(_NO_LOGIN, f"user: {json.dumps(_user(call))}\n")
    if call.ssh_key:
        text = text.replace("runcmd:\n", "runcmd:\n  - [systemctl, enable, --now, ssh]\n")
    return text


def _user(call: Namespace) -> dict[str, object]:
    """Return the user in the fields that Raspberry Pi Imager uses."""
    user: dict[str, object] = {"name": call.user, "lock_passwd": not call.password_hash}
    # Raspberry Pi OS asks for a password before it lets somebody act as root.
    user |= {"passwd": call.password_hash} if call.password_hash else {"sudo": "ALL=(ALL) NOPASSWD:ALL"}
    if call.ssh_key:
        user["ssh_authorized_keys"] = call.ssh_key.read_text("utf-8").splitlines()
    return user


def network_config(call: Namespace, password: str) -> str:
    """Return network-config with the Wi-Fi of a call: its key, never the password itself."""
    text = (SOURCES / "network-config").read_text("utf-8")
    if not call.wifi:
        return text
    key = hashlib.pbkdf2_hmac("sha1", password.encode(), call.wifi.encode(), _ROUNDS, _KEY_BYTES).hex()
    wifi = {
        "dhcp4": True,
        "optional": True,
        "regulatory-domain": call.country,
        "access-points": {call.wifi: {"password": key}},
    }
    return text + f"  wifis: {json.dumps({'wlan0': wifi})}\n"


def meta_data(*others: str) -> str:
    """Return meta-data whose instance is named by what the other files say: other words are another first boot."""
    digest = hashlib.sha256("\0".join(others).encode()).hexdigest()[:12]
    return (SOURCES / "meta-data").read_text("utf-8").replace("id: shutbox-card", f"id: shutbox-card-{digest}")


def fill(call: Namespace, password: str) -> Sequence[str]:
    """Fill the card, and return the names of what cloud-init reads. Raises `CardError`, `InstallError` or `OSError`."""
    boot: Path = call.boot
    check_card(boot)
    trusted = None if call.unsigned else trusted_keys(call.keys or KEYS)
    check_update(call.file, call.python, call.machine, trusted)
    has_options = bool(call.name != "shutbox" or call.user or call.wifi)
    names = names_to_write(boot, has_options=has_options, replaces=call.replace)
    _copy_installer(call)
    _add_to_config(boot / "config.txt")
    _copy_whole(call.file, boot / UPDATE)
    texts = {"user-data": user_data(call), "network-config": network_config(call, password)}
    texts |= {"meta-data": meta_data(*texts.values()), "vendor-data": (SOURCES / "vendor-data").read_text("utf-8")}
    if names == FOR_USERS and _is_free(boot / "vendor-data"):
        (boot / "vendor-data").unlink(missing_ok=True)
    for name in names:
        (boot / name).write_text(texts[name], "utf-8")
    os.sync()
    return names


def _copy_installer(call: Namespace) -> None:
    folder = call.boot / FOLDER
    folder.mkdir(exist_ok=True)
    for name in ("first_boot.py", "shutbox-card.service"):
        shutil.copyfile(SOURCES / name, folder / name)
    if call.keys:
        (folder / "keys").mkdir(exist_ok=True)
        for key in call.keys.glob("*.pub"):  # never the private half beside it
            shutil.copyfile(key, folder / "keys" / key.name)
    if call.unsigned:
        (folder / "unsigned").touch()
    else:
        (folder / "unsigned").unlink(missing_ok=True)


def _add_to_config(config: Path) -> None:
    """Add the lines that the box needs to config.txt, once."""
    text = config.read_text("utf-8")
    missing = [line for line in CONFIG if line not in text.splitlines()]
    if missing:
        config.write_text("\n".join((text.rstrip("\n"), "", "[all]", "# Shut the Box", *missing, "")), "utf-8")


def _copy_whole(file: Path, place: Path) -> None:
    """Copy a file so that its place has all of it, or what was there before."""
    fresh = place.with_name(f"{place.name}.new")
    try:
        shutil.copyfile(file, fresh)
        os.replace(fresh, place)
    finally:
        fresh.unlink(missing_ok=True)


def parse(words: Sequence[str]) -> Namespace:
    """Return the call. Exits with status 2 for one that contradicts itself."""
    calls = ArgumentParser(prog="python -m tools.card", description=__doc__)
    calls.add_argument("boot", type=Path, help="the mounted boot partition")
    calls.add_argument("file", type=Path, help="the update file")
    calls.add_argument("--name", default="shutbox", help="of the box: its page is at http://NAME.local:8080")
    calls.add_argument("--user", help="somebody who may log in")
    calls.add_argument("--password-hash", metavar="HASH", help="of their password: openssl passwd -6")
    calls.add_argument("--ssh-key", type=Path, metavar="FILE", help="their public key")
    calls.add_argument("--wifi", metavar="SSID", help="the Wi-Fi; its password is asked, or read from a pipe")
    calls.add_argument("--country", default="GB", help="of the Wi-Fi, such as DE")
    calls.add_argument("--keys", type=Path, metavar="FOLDER", help="keys whose signatures the box is to accept")
    calls.add_argument("--unsigned", action="store_true", help="have the box install a file that nobody signed")
    calls.add_argument("--replace", action="store_true", help="overwrite what somebody else wrote for cloud-init")
    calls.add_argument("--python", default="3.13", help="the card's Python; %(default)s if none is named")
    calls.add_argument("--machine", default="aarch64", help="the card's kind of computer; %(default)s")
    call = calls.parse_args(words)
    if not _HOST.fullmatch(call.name):
        calls.error(f"{call.name!r} is no name of a computer: letters a to z, digits and hyphens")
    if bool(call.user) != bool(call.password_hash or call.ssh_key):
        calls.error("--user goes with --password-hash or --ssh-key")
    return call


def main(words: Sequence[str] | None = None) -> int:
    """Fill the card, and return the exit status: 1 if it stays as it is."""
    call = parse(sys.argv[1:] if words is None else words)
    password = ""
    if call.wifi:
        # Never an argument, which other users could see.
        password = getpass(f"Password of {call.wifi}: ") if sys.stdin.isatty() else sys.stdin.readline().strip()
    try:
        names = fill(call, password)
    except (CardError, InstallError, OSError) as error:
        print(f"card: {error}", file=sys.stderr)
        return 1
    print(f"written: {', '.join((*names, FOLDER, UPDATE, 'config.txt'))}")
    if names == FOR_IMAGER:
        print("user-data is Imager's and stays as it is: name, user and Wi-Fi come from there. It must name a user")
    else:
        print(f"after its first boot the page of the box is at http://{call.name}.local:8080")
        if not call.user:
            print("nobody will be able to log in: say --user, unless the button of the box is enough")
    return 0


if __name__ == "__main__":
    sys.exit(main())
