"""A Debian machine that boots in systemd-nspawn: what is done in it as root, and what its systemd says of its units."""

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

NSPAWN = Path(__file__).with_name("nspawn")
_LOOK_EVERY_S = 0.02
# A container is another machine; only its kernel, and so its monotonic clock, is this one's.
_ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin", "LANG": "C.UTF-8", "TERM": "dumb", "SYSTEMD_COLORS": "0"}


def wait_until(holds: Callable[[], bool], patience_s: float = 60.0) -> None:
    """Wait until something holds, in real time: nobody tells this machine of what happens in another. Raises
    `TimeoutError`.
    """
    give_up_s = time.monotonic() + patience_s
    while not holds():
        if time.monotonic() > give_up_s:
            raise TimeoutError(f"waited {patience_s:.0f} s in vain")
        time.sleep(_LOOK_EVERY_S)


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
        enter = ("nsenter", f"--target={self._first_process}", *("--mount", "--pid", "--net", "--ipc", "--uts"))
        command = [*enter, "--cgroup", "--root", "--wd", *words]
        return subprocess.run(command, env=_ENVIRONMENT, capture_output=True, text=True, check=False, timeout=120)

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
        wait_until(lambda: self.show(unit, "ActiveState")[0] == "active" and self.since_s(unit) > after_s)
        return self.since_s(unit) - after_s

    def log(self, unit: str, *options: str) -> list[str]:
        """The lines of a unit in the journal."""
        return self.run("journalctl", "--no-pager", "--output=cat", f"--unit={unit}", *options).splitlines()


@contextmanager
def boot(tree: Path, console: IO[bytes]) -> Iterator[Machine]:
    """Boot the tree and wait until its systemd answers; the machine is switched off at the end."""
    begun_s = time.monotonic()
    with subprocess.Popen(
        [str(NSPAWN), str(tree), "--boot"], stdin=subprocess.DEVNULL, stdout=console, stderr=console
    ) as container:
        machine = Machine(container, begun_s)
        try:
            wait_until(lambda: container.poll() is not None or _answers(machine))
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


def _answers(machine: Machine) -> bool:
    with suppress(OSError, ValueError):
        return machine.ask("systemctl", "show-environment").returncode == 0
    return False
