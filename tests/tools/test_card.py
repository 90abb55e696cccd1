"""What is put onto a card: all of it or nothing, and never over the words of somebody else."""

import hashlib
import io
import json
import platform
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.installed_box import PYTHON, make_update
from tools import card

# Of Raspberry Pi OS, which has nothing but remarks in two of its three files, and of Raspberry Pi Imager 2.
UNUSED = "#cloud-config\n\n# This is the user-data configuration file for cloud-init.\n#hostname: raspberrypi\n"
IMAGER = "#cloud-config\nhostname: parlour\nmanage_etc_hosts: true\nruncmd:\n- [systemctl, enable, --now, ssh]\n"
FIXED = "dtparam=audio=on\n\n[cm4]\notg_mode=1"


@pytest.fixture
def boot(tmp_path: Path) -> Path:
    """The boot partition of a plain Raspberry Pi OS."""
    boot = tmp_path / "bootfs"
    boot.mkdir()
    (boot / "config.txt").write_text(FIXED)
    (boot / "cmdline.txt").write_text("console=serial0,115200 console=tty1\n")
    for name in ("user-data", "network-config"):
        (boot / name).write_text(UNUSED)
    (boot / "meta-data").write_text("dsmode: local\ninstance_id: rpios-image\n")
    return boot


@pytest.fixture
def update(tmp_path: Path) -> Path:
    """Signed by a key in the folder `trusted`, which `fill` names."""
    keygen = shutil.which("ssh-keygen")
    if keygen is None:
        pytest.skip("needs ssh-keygen")
    (tmp_path / "trusted").mkdir()
    key = tmp_path / "trusted" / "own"
    subprocess.run([keygen, "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    return make_update(tmp_path, "1.0", key=key).path


def fill(boot: Path, update: Path, *options: str) -> int:
    fits = ("--python", PYTHON, "--machine", platform.machine(), "--keys", str(boot.parent / "trusted"))
    return card.main([str(boot), str(update), *fits, *options])


def words(boot: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in boot.iterdir() if path.is_file() and path.name != card.UPDATE}


def value(text: str, key: str) -> object:
    """The value of a key that was written as JSON."""
    [line] = [line for line in text.splitlines() if line.strip().startswith(f"{key}: {{")]
    return json.loads(line.partition(": ")[2])


def test_a_plain_card_gets_all_that_its_first_boot_needs(
    boot: Path, update: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fill(boot, update) == 0

    assert (boot / "shutbox.tar").read_bytes() == update.read_bytes()
    for name in ("first_boot.py", "shutbox-card.service"):
        assert (boot / "shutbox" / name).read_bytes() == (card.SOURCES / name).read_bytes()
    assert (boot / "user-data").read_text() == (card.SOURCES / "user-data").read_text()
    assert (boot / "config.txt").read_text() == "\n".join((FIXED, "", "[all]", "# Shut the Box", *card.CONFIG, ""))
    assert not (boot / "vendor-data").exists()
    assert "http://shutbox.local:8080" in capsys.readouterr().out


def test_filled_again_only_a_new_file_is_new(boot: Path, update: Path) -> None:
    fill(boot, update, "--name", "parlour")
    first = words(boot)
    fill(boot, update, "--name", "parlour")
    assert words(boot) == first
    fill(boot, update, "--name", "kitchen")
    assert words(boot)["meta-data"] != first["meta-data"]  # cloud-init does its work again for another instance
    assert {name for name in first if words(boot)[name] != first[name]} == {"meta-data", "user-data"}


def test_name_and_user_are_cloud_inits_own_words(boot: Path, update: Path, tmp_path: Path) -> None:
    key = tmp_path / "key.pub"
    key.write_text("ssh-ed25519 AAAA ann@laptop\n")
    fill(boot, update, "--name", "parlour", "--user", "ann", "--password-hash", "$6$a$b", "--ssh-key", str(key))

    text = (boot / "user-data").read_text()
    user = value(text, "user")
    assert isinstance(user, dict)
    assert (user["name"], user["passwd"], user["lock_passwd"]) == ("ann", "$6$a$b", False)
    assert user["ssh_authorized_keys"] == ["ssh-ed25519 AAAA ann@laptop"]
    assert "\nhostname: parlour\n" in text
    assert "owner" not in text.replace("its owner", "")
    assert text.index("[systemctl, enable, --now, ssh]") < text.index("first_boot.py, set-up")


def test_a_user_with_a_key_alone_needs_no_password_to_act_as_root(boot: Path, update: Path, tmp_path: Path) -> None:
    key = tmp_path / "key.pub"
    key.write_text("ssh-ed25519 AAAA ann@laptop\nssh-ed25519 BBBB ann@tablet\n")
    fill(boot, update, "--user", "ann", "--ssh-key", str(key))
    assert value((boot / "user-data").read_text(), "user") == {
        "name": "ann",
        "lock_passwd": True,
        "sudo": "ALL=(ALL) NOPASSWD:ALL",
        "ssh_authorized_keys": ["ssh-ed25519 AAAA ann@laptop", "ssh-ed25519 BBBB ann@tablet"],
    }


def test_the_key_of_the_wifi_is_written_and_its_password_is_not(
    boot: Path, update: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("password\n"))
    fill(boot, update, "--wifi", "IEEE", "--country", "DE")

    text = (boot / "network-config").read_text()
    # The test vector of IEEE 802.11i, annex H.4.
    key = "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e"
    assert value(text, "wifis") == {
        "wlan0": {
            "dhcp4": True,
            "optional": True,
            "regulatory-domain": "DE",
            "access-points": {"IEEE": {"password": key}},
        }
    }
    assert "password\n" not in text.replace("# password", "")


def test_what_imager_wrote_stays_and_vendor_data_stands_beside_it(boot: Path, update: Path) -> None:
    for name in card.FOR_USERS:
        (boot / name).write_text(IMAGER)
    assert fill(boot, update) == 0

    assert {(boot / name).read_text() for name in card.FOR_USERS} == {IMAGER}
    assert (boot / "vendor-data").read_text() == (card.SOURCES / "vendor-data").read_text()
    assert fill(boot, update) == 0  # once more, over its own vendor-data
    assert fill(boot, update, "--replace") == 0
    assert not (boot / "vendor-data").exists()


@pytest.mark.parametrize(
    ("taken", "options", "told"),
    [
        ("user-data", ("--name", "parlour"), "Leave --name, --user and --wifi out, or say --replace"),
        ("vendor-data", (), "the card's vendor-data is not of this program"),
        ("network-config", (), "the card's network-config is not of this program"),
    ],
)
def test_words_of_somebody_else_are_never_overwritten_unasked(
    boot: Path, update: Path, capsys: pytest.CaptureFixture[str], taken: str, options: tuple[str, ...], told: str
) -> None:
    (boot / taken).write_text(IMAGER)
    if taken == "vendor-data":
        (boot / "user-data").write_text(IMAGER)
    before = words(boot)

    assert fill(boot, update, *options) == 1
    assert told in capsys.readouterr().err
    assert words(boot) == before
    assert not (boot / "shutbox").exists()
    assert fill(boot, update, *options, "--replace") == 0


@pytest.mark.parametrize("missing", ["config.txt", "cmdline.txt"])
def test_a_folder_that_is_no_boot_partition_is_left_alone(
    boot: Path, update: Path, capsys: pytest.CaptureFixture[str], missing: str
) -> None:
    (boot / missing).unlink()
    before = words(boot)

    assert fill(boot, update) == 1
    assert f"no boot partition of Raspberry Pi OS: it has no {missing}" in capsys.readouterr().err
    assert words(boot) == before


def test_an_update_file_for_another_computer_is_refused(
    boot: Path, update: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert card.main([str(boot), str(update), "--unsigned", "--python", "3.9", "--machine", "abacus"]) == 1
    assert "make update-file ARCH=abacus PYTHON=3.9" in capsys.readouterr().err
    assert not (boot / "shutbox.tar").exists()


def test_a_damaged_update_file_is_refused(boot: Path, update: Path, capsys: pytest.CaptureFixture[str]) -> None:
    update.write_bytes(update.read_bytes()[:2000])
    assert fill(boot, update) == 1
    assert "is no update file, or not all of it" in capsys.readouterr().err
    assert not (boot / "shutbox.tar").exists()


def test_a_card_without_room_keeps_the_file_that_it_had(
    boot: Path, update: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(boot, update)
    before = hashlib.sha256((boot / "shutbox.tar").read_bytes()).hexdigest()
    copy = shutil.copyfile

    def run_out(source: Path, place: Path) -> Path:
        if place.name == "shutbox.tar.new":
            place.write_bytes(b"half")
            raise OSError(28, "No space left on device")
        return Path(copy(source, place))

    monkeypatch.setattr("shutil.copyfile", run_out)
    assert fill(boot, update) == 1
    assert "No space left" in capsys.readouterr().err
    assert hashlib.sha256((boot / "shutbox.tar").read_bytes()).hexdigest() == before
    assert not (boot / "shutbox.tar.new").exists()


def test_keys_and_the_mark_of_an_unsigned_file_go_into_its_folder(
    boot: Path, update: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(boot, update, "--unsigned")
    assert [path.name for path in (boot / "shutbox/keys").iterdir()] == ["own.pub"], "and not the private half"
    assert (boot / "shutbox/unsigned").exists()
    fill(boot, update)
    assert not (boot / "shutbox/unsigned").exists()
    before = words(boot)
    assert fill(boot, make_update(tmp_path / "other", "1.1").path) == 1
    assert "is not signed" in capsys.readouterr().err
    assert words(boot) == before


@pytest.mark.parametrize("options", [("--name", "My Box"), ("--user", "ann"), ("--password-hash", "$6$a$b")])
def test_a_call_that_makes_no_sense_is_refused(boot: Path, update: Path, options: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit, match="2"):
        fill(boot, update, *options)
