"""The first process of the guest: it loads CUSE, runs the tests, leaves their exit status, and switches the kernel off.

The kernel starts it as `python -m tests.kernel.init` with what `__main__` put on its command line as environment. The
root is the host's, read only; /dev is the guest's own memory, and the one place where it writes.
"""

import ctypes
import os
import subprocess
import sys
import traceback
from pathlib import Path

BEGUN = "begun"  # the file in the report folder that is there once the tests run
STATUS = "status"  # the file there that holds pytest's exit status
_GUEST = Path("/dev/guest")
_REPORT = Path("/dev/report")

_MODULES = ("fs/fuse/fuse.ko", "fs/fuse/cuse.ko")  # in the order of their needs
_FINIT_MODULE = 313  # arch/x86/entry/syscalls/syscall_64.tbl
_POWER_OFF = 0x4321FEDC  # RB_POWER_OFF, man 2 reboot
_LIBC = ctypes.CDLL(None, use_errno=True)

_PYTEST = ("-v", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", "--numprocesses=0", "--color=no")


def main() -> None:
    """Run the tests and switch off, whatever happens: a first process that ends makes its kernel panic."""
    try:
        _mount("proc", Path("/proc"))
        _mount("sysfs", Path("/sys"))
        _mount("hostfs", _REPORT, os.environ["SHUTBOX_REPORT"])
        for module in _MODULES:
            _load(Path(os.environ["SHUTBOX_MODULES"]) / module)
        _GUEST.mkdir()
        (_REPORT / BEGUN).touch()
        (_REPORT / STATUS).write_text(str(_run_tests()))
    except Exception:
        traceback.print_exc()  # nobody is left to do it
    finally:
        _LIBC.reboot(_POWER_OFF)


def _run_tests() -> int:
    tests = Path(__file__).with_name("on_device.py")
    command = [sys.executable, "-m", "pytest", *_PYTEST, str(tests)]
    surroundings = {**os.environ, "TMPDIR": str(_GUEST)}
    return subprocess.run(command, check=False, env=surroundings, cwd=tests.parents[2]).returncode


def _mount(kind: str, place: Path, options: str = "") -> None:
    place.mkdir(exist_ok=True)
    _check(_LIBC.mount(b"none", bytes(place), kind.encode(), 0, options.encode()), f"mount {kind}")


def _load(module: Path) -> None:
    with module.open("rb") as file:
        _check(_LIBC.syscall(_FINIT_MODULE, file.fileno(), b"", 0), f"load {module.name}")


def _check(result: int, deed: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{deed}: {os.strerror(number)}")


if __name__ == "__main__":
    main()
