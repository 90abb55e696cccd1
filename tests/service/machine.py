"""A Debian machine that boots in systemd-nspawn: what is done in it as root, and what its systemd says of its units."""

import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

NSPAWN = Path(__file__).with_name("nspawn")
_PATIENCE_S = 60
_NAMESPACES = ("--mount", "--pid", "--net", "--ipc", "--uts", "--cgroup")
# A container is another machine; only its kernel, and so its monotonic clock, is this one's.
_ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin", "LANG": "C.UTF-8", "TERM": "dumb", "SYSTEMD_COLORS": "0"}


class Machine:
    """A machine that runs.

    Lifetime: `boot` makes it and switches it off. Concurrency: any.
    """

    def __init__(self, container: "subprocess.Popen[bytes]", booted_s: float) -> None:
        self._container = container
        self.booted_s = booted_s

    @property
    def root(self) -> Path:
        """The machine's own root folder, run and all, as this machine sees it."""
        return Path(f"/proc/{self._first_process}/root")

    @property
    def _first_process(self) -> int:
        """The number on this machine of the container's systemd, the one child of systemd-nspawn."""
        number = self._container.pid
        return int(Path(f"/proc/{number}/task/{number}/children").read_text())

    def ask(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run a command as root in the machine."""
        return subprocess.run(
            self._enter(*words), env=_ENVIRONMENT, capture_output=True, text=True, check=False, timeout=120
        )

    def _enter(self, *words: str) -> list[str]:
        """The command of this machine that runs another one as root in that one."""
        return ["nsenter", f"--target={self._first_process}", *_NAMESPACES, "--root", "--wd", *words]

    def run(self, *words: str) -> str:
        """Run a command as root that must go well; what it says on standard output."""
        done = self.ask(*words)
        assert done.returncode == 0, f"{' '.join(words)}: {done.stdout}{done.stderr}"
        return done.stdout

    def show(self, unit: str, *names: str) -> list[str]:
        """Properties of a unit, in this order."""
        said = self.run("systemctl", "show", unit, *(f"--property={name}" for name in names))
        values = dict(line.split("=", 1) for line in said.splitlines())
        return [values[name] for name in names]

    def since_s(self, unit: str) -> float:
        """When a unit became active last, by the clock of `time.monotonic`; 0 if it never was."""
        return int(self.show(unit, "ActiveEnterTimestampMonotonic")[0]) / 1e6

    def wait_active(self, unit: str, after_s: float) -> float:
        """Wait until a unit has become active, and that after `after_s`; how many seconds after."""
        self.wait_until(unit, lambda: self.show(unit, "ActiveState")[0] == "active" and self.since_s(unit) > after_s)
        return self.since_s(unit) - after_s

    def wait_until(self, unit: str, holds: Callable[[], bool]) -> None:
        """Wait until something holds that can change only when the journal says something of a unit.

        Of what a unit tells systemd, its status for one, the journal says so where systemd logs what it debugs.
        Raises `TimeoutError`.
        """
        command = self._enter(*_follow(unit, 1, _PATIENCE_S))
        with subprocess.Popen(command, env=_ENVIRONMENT, stdout=subprocess.PIPE, text=True) as journal:
            assert journal.stdout is not None
            held = any(holds() for _ in journal.stdout)
            # What it started in the machine ends with the next line that nobody reads.
            journal.terminate()
        if not held:
            raise TimeoutError(f"waited {_PATIENCE_S} s in vain for {unit}")

    def hear(self, unit: str, for_s: int) -> list[str]:
        """The lines that the journal gets of a unit while so many seconds pass."""
        return self.ask(*_follow(unit, 0, for_s)).stdout.splitlines()

    def log(self, unit: str, *options: str) -> list[str]:
        """The lines of a unit in the journal."""
        return self.run("journalctl", "--no-pager", "--output=cat", f"--unit={unit}", *options).splitlines()


def _follow(unit: str, lines: int, for_s: int) -> list[str]:
    """The command that tells what the journal has of a unit: so many of its last lines, and what comes for a while."""
    return ["timeout", str(for_s), "journalctl", "--follow", f"--lines={lines}", "--output=cat", f"--unit={unit}"]


@contextmanager
def boot(tree: Path, console: IO[bytes], *options: str) -> Iterator[Machine]:
    """Boot the tree and wait until its systemd says that it is up; the machine is switched off at the end.

    Its journal has from then on whatever systemd is told. options: more of systemd-nspawn. Raises `TimeoutError`.
    """
    begun_s = time.monotonic()
    with (
        TemporaryDirectory() as folder,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told,
    ):
        told.settimeout(_PATIENCE_S)
        told.bind(f"{folder}/notify")
        with subprocess.Popen(
            [str(NSPAWN), str(tree), "--boot", "--notify-ready=yes", *options],
            env={**os.environ, "NOTIFY_SOCKET": f"{folder}/notify"},
            stdin=subprocess.DEVNULL,
            stdout=console,
            stderr=console,
        ) as container:
            try:
                while b"READY=1" not in told.recv(4096).splitlines():
                    pass
                told.close()  # what nobody reads any more would hold systemd-nspawn back, when it goes down too
                machine = Machine(container, begun_s)
                machine.run("systemctl", "log-level", "debug")
                yield machine
            finally:
                _switch_off(container)


def _switch_off(container: "subprocess.Popen[bytes]") -> None:
    """Have the machine switched off in order; the second time systemd-nspawn is told so, it ends it at once."""
    container.terminate()
    with suppress(subprocess.TimeoutExpired):
        container.wait(20)
        return
    container.terminate()
