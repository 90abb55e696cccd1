"""`make test-kernel`: boot the kernel, show what its tests say, and end as they ended.

A User-Mode Linux may fall over in its first process. That is told, and the kernel is started anew, twice at most. On a
processor with AMX Debian's 6.1 did so at every boot, as it first put back a process's registers (`put_fp_registers`);
on one without, never in 300 boots.

`python -m tests.kernel FOLDER`, where FOLDER holds Debian's package user-mode-linux, unpacked, and in `packages` what
Blinka needs on a Pi. The kernel is a process of this user: no root, no virtual machine, nothing of the host is written.
"""

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.kernel.init import BEGUN, STATUS

_ROOT = Path(__file__).parents[2]
_MEMORY = "512M"
# The lane takes about half a minute; a kernel that still runs after so long hangs, however busy the machine.
_LONGEST_S = 300.0
_TRIES = 3
# What Automake and Meson take for "skipped": this machine runs no such kernel.
_SKIPPED = 77
_AMX = " amx_tile "

# Blinka takes the guest for the Raspberry Pi whose bus it offers.
_BLINKA = ("BLINKA_FORCEBOARD=RASPBERRY_PI_4B", "BLINKA_FORCECHIP=BCM2XXX", "BLINKA_SKIP_DEPENDENCY_CHECK=1")


def main(folder: Path) -> int:
    """Boot, and return the exit status: pytest's own, or 77 where no kernel came as far as the tests, and else 2."""
    began = False
    for _ in range(_TRIES):
        with TemporaryDirectory() as report:
            status, said = Path(report) / STATUS, Path(report) / "said"
            _run(_command(folder, Path(report)), said)
            if status.exists():
                return int(status.read_text())
            began = began or (Path(report) / BEGUN).exists()
            print(f"{said.read_text()}make test-kernel: the kernel ended before its tests did", file=sys.stderr)
    if began:
        return 2
    why = ", whose processor has AMX" if _AMX in Path("/proc/cpuinfo").read_text("utf-8") else ""
    print(f"make test-kernel: skipped, for User-Mode Linux does not come up on this machine{why}", file=sys.stderr)
    return _SKIPPED


def _command(folder: Path, report: Path) -> list[str]:
    # Words with = that are none of the kernel's own become the first process's environment; after -- its arguments.
    [modules] = (folder / "usr/lib/uml/modules").glob("*/kernel")
    return [
        *(str(folder / "usr/bin/linux.uml"), f"mem={_MEMORY}", f"uml_dir={report}/", "loglevel=1"),
        *("root=/dev/root", "rootfstype=hostfs", "rootflags=/", "ro", "con=null", "con0=null,fd:1"),
        "norandmaps",  # every boot lays its processes out as the one before
        *(f"init={sys.executable}", f"PYTHONPATH={_ROOT}:{folder / 'packages'}", "PYTHONDONTWRITEBYTECODE=1"),
        *(f"SHUTBOX_REPORT={report}", f"SHUTBOX_MODULES={modules}", *_BLINKA),
        *("--", "-m", "tests.kernel.init"),
    ]


def _run(command: list[str], said: Path) -> None:
    """Run the kernel to its end: its console goes to standard output line by line, what it says of the host to `said`.

    It gets a session of its own, since it runs each process of its guest in a process of the host.
    """
    with (
        said.open("w") as errors,
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            errors="replace",
            start_new_session=True,
        ) as kernel,
    ):
        too_long = threading.Timer(_LONGEST_S, os.killpg, (kernel.pid, signal.SIGKILL))
        too_long.start()
        try:
            for line in kernel.stdout or ():
                print(line.rstrip(), flush=True)
        finally:
            too_long.cancel()
            # Ctrl-C does not reach a session of its own.
            with suppress(ProcessLookupError):
                os.killpg(kernel.pid, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
