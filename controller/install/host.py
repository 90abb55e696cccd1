"""What an installation needs from the machine: programs, the daemon's service, time. Tests supply their own."""

import os
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Protocol

from controller.errors import InstallError
from controller.install.boot_check import Service, SystemdService

_SYSTEMD = Path("/run/systemd/system")  # exists if systemd has booted this machine, see sd_booted(3)


class ProgramRunner(Protocol):
    """RunCounts a program to its end."""

    def __call__(self, *command: str) -> str:
        """Return what it printed. Raises `InstallError` with its last line of output if it fails."""


def run_program(*command: str) -> str:
    """Run a program to its end and return what it printed. Raises `InstallError` with its last line if it fails."""
    try:
        ended = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    except OSError as error:
        raise InstallError(f"{command[0]} cannot be run: {error.strerror}") from error
    if ended.returncode:
        last = (ended.stderr.strip() or ended.stdout.strip() or f"status {ended.returncode}").splitlines()[-1]
        raise InstallError(f"{' '.join(command[:4])} failed: {last}")
    return ended.stdout


@dataclass(frozen=True, slots=True)
class Host:
    """The machine.

    has_systemd: False in a tree and in most containers, where systemd reads its units at the next start anyway.
    until_start: what to release and do as soon as a stopped daemon may start again.
    """

    run: ProgramRunner = run_program
    service: Service = field(default_factory=SystemdService)
    has_systemd: bool = field(default_factory=_SYSTEMD.is_dir)
    now: Callable[[], float] = time.monotonic
    wait: Callable[[float], object] = field(default_factory=lambda: Event().wait)
    sync: Callable[[], None] = os.sync
    until_start: ExitStack = field(default_factory=ExitStack)
