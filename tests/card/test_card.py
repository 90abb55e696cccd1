"""A card boots offline to the first-start page, once and again; beside Imager's words; and with a file that is torn."""

import re
import shutil
import subprocess
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.card.conftest import BOOT, CACHE, UNIT, MakeCard, Note
from tests.service.machine import NSPAWN, Machine

Start = Callable[[Path], AbstractContextManager[Machine]]
# A unit that works once, after it has: its process has ended, well or not.
ENDS = (["inactive", "1"], ["failed", "1"])
# What an installation writes, or could write once more.
KEPT = (
    "opt/shutbox/installed.json",
    "etc/systemd/system/shutbox.service",
    "var/lib/shutbox/settings.toml",
    "etc/passwd",
)
# What Raspberry Pi Imager 2 writes: a name, a user, and a command of its own.
IMAGER = """#cloud-config
hostname: parlour
manage_etc_hosts: true
user:
  name: ann
  lock_passwd: true
runcmd:
  - [touch, /etc/imager-was-here]
"""
# The first phone: it asks for the page of the first start, is sent to the operators' page, asks to be let in there, and
# once somebody at the box has typed its number the page comes.
PHONE = """
import http.cookiejar, json, subprocess, sys, urllib.error, urllib.request
jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
phone = urllib.request.build_opener(jar)
def ask(path, body=None):
    headers = {"Host": f"{sys.argv[1]}.local:8080", "Content-Type": "application/json", "Accept-Language": "en"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:8080{path}", data, headers)
    with phone.open(request, timeout=20) as answer:
        return answer.status, answer.read().decode()
print("operator", ask("/operator")[0])
begun = json.loads(ask("/api/access/pairings", {"name": "Phone"})[1])
subprocess.run(["/usr/local/bin/shutbox", "pair", begun["pairing"]["number"]], check=True, stdout=subprocess.DEVNULL)
status, page = ask("/workshop/first")
print("first", status, ", ".join(words for words in ("First start", "Step 1 of 6") if words in page))
"""


def wait_over(machine: Machine) -> None:
    """Wait until the unit of the card has done its work, or given up."""
    machine.wait_until(UNIT, lambda: machine.show(UNIT, "ActiveState", "ExecMainCode") in ENDS)


def first_page(machine: Machine, name: str) -> list[str]:
    """Let a phone in as its owner does; what it finds."""
    return machine.run("python3", "-c", PHONE, name).splitlines()


def prompt(machine: Machine) -> str:
    """What stands above the prompt of a login."""
    return machine.run("python3", "-c", "import pty; pty.spawn(['agetty', '--show-issue'])")


@pytest.mark.parametrize("options", [(), ("--user", "ann", "--password-hash", "$6$x$y", "--name", "parlour")])
def test_what_cloud_init_reads_passes_its_schema(make_card: MakeCard, options: tuple[str, ...]) -> None:
    tree = make_card(*options)
    for name, kind in (("user-data", "cloud-config"), ("network-config", "network-config")):
        call = ("/usr/bin/cloud-init", "schema", "--config-file", f"/{BOOT}/{name}", "--schema-type", kind)
        done = subprocess.run([str(NSPAWN), str(tree), *call], capture_output=True, text=True, check=False)
        assert (done.returncode, "Valid schema" in done.stdout) == (0, True), done.stdout + done.stderr


def test_a_card_boots_offline_to_the_page_of_the_first_start(
    make_card: MakeCard, start: Start, console: Path, note: Note
) -> None:
    tree = make_card()
    with start(tree) as machine:
        wait_over(machine)
        note("first boot of a card to its page", machine.since_s("shutbox") - machine.booted_s, 180.0)
        assert first_page(machine, "shutbox") == ["operator 200", "first 200 First start, Step 1 of 6"]
        assert "http://shutbox.local:8080" in prompt(machine)
        assert re.search("[█▀▄]{20}", prompt(machine))
        assert machine.run("cloud-init", "status").strip() == "status: done"
        assert machine.ask("systemd-analyze", "verify", f"{UNIT}.service").returncode == 0
        assert machine.show("shutbox", "UnitFileState", "ActiveState") == ["enabled", "active"]
        assert machine.run("stat", "--format=%U:%G %a", "/var/lib/shutbox").strip() == "shutbox:shutbox 2770"
    said = console.read_text(errors="replace")
    assert said.index("installing from the card") < said.index("http://shutbox.local:8080") < said.index("shutbox pair")

    before = {name: (tree / name).read_bytes() for name in KEPT}
    with start(tree) as machine:
        wait_over(machine)
        note("second boot of a card to its page", machine.since_s("shutbox") - machine.booted_s, 20.0)
        assert "http://shutbox.local:8080" in prompt(machine)
        assert not [line for line in machine.log(UNIT, "--boot") if "installing" in line]
    assert {name: (tree / name).read_bytes() for name in KEPT} == before


def test_what_imager_has_written_stays_and_counts(make_card: MakeCard, start: Start) -> None:
    tree = make_card(files={"user-data": IMAGER, "meta-data": "instance-id: rpi-imager-1764000000000\n"})
    with start(tree) as machine:
        wait_over(machine)
        assert first_page(machine, "parlour")[-1] == "first 200 First start, Step 1 of 6"
        assert "http://parlour.local:8080" in prompt(machine)
        machine.run("test", "-e", "/etc/imager-was-here")
        assert machine.run("id", "--name", "--user", "ann").strip() == "ann"
    assert (tree / BOOT / "user-data").read_text() == IMAGER


def test_a_torn_update_file_is_told_and_the_machine_still_boots(
    make_card: MakeCard, start: Start, console: Path
) -> None:
    tree = make_card()
    update = tree / BOOT / "shutbox.tar"
    whole = update.stat().st_size
    with update.open("r+b") as file:
        file.truncate(whole // 2)
    with start(tree) as machine:
        wait_over(machine)
        assert machine.show("multi-user.target", "ActiveState") == ["active"]
        assert machine.show(UNIT, "Result") == ["exit-code"]
        [told] = [line for line in machine.log(UNIT) if "damaged, or not all of it" in line]
        assert told.endswith("Copy shutbox.tar onto the card's boot partition once more, then switch off and on.")
        assert told in console.read_text(errors="replace")
        assert told in prompt(machine)

    shutil.copyfile(CACHE / "shutbox.tar", update)
    with start(tree) as machine:
        wait_over(machine)
        assert first_page(machine, "shutbox")[-1] == "first 200 First start, Step 1 of 6"
