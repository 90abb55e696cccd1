"""The arm64 tree, in which this machine runs programs by qemu-aarch64; and the same commands on this machine."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".cache" / "pi"
TREE = CACHE / "tree"
_ENTER = Path(__file__).with_name("enter")
# The tests and what they need besides, beside the installed program. Blinka takes the tree for a Raspberry Pi's.
TESTS = (
    "PYTHONPATH=/shutbox:/opt/site HYPOTHESIS_STORAGE_DIRECTORY=/tmp/hypothesis "
    "BLINKA_FORCEBOARD=RASPBERRY_PI_4B BLINKA_FORCECHIP=BCM2XXX "
    "python3 -m pytest -p no:cacheprovider -p no:schemathesis"
)
HOME = "/tmp/home"  # noqa: S108  # of the program in the tree, made anew for each command
# What somebody who plays may have set here would make another game.
_SETTLED = ("SHUTBOX_", "PYTHON", "OPENBLAS_")


def on_arm64(command: str) -> "subprocess.CompletedProcess[str]":
    """Run a line of the shell in the tree, at the checkout, with a home of its own."""
    line = f"cd /shutbox; {command}"
    return subprocess.run([_ENTER, CACHE, "sh", "-c", line], capture_output=True, text=True, check=False)


def on_this_machine(command: str, home: Path) -> "subprocess.CompletedProcess[str]":
    """Run a line of the shell here, at the checkout, with that home and the program's own environment."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_SETTLED)}
    programs = f"{Path(sys.executable).parent}:{kept['PATH']}"
    surroundings = {**kept, "PATH": programs, "SHUTBOX_HOME": str(home), "OPENBLAS_NUM_THREADS": "1"}
    call = ["/bin/sh", "-c", command]
    return subprocess.run(call, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False)


def played(*call: str) -> str:
    """Return the line of the shell that runs `demo` with this call, then prints its journal, row by row."""
    rows = 'PYTHONPATH=. python3 -m tests.support.journal_rows "$SHUTBOX_HOME/demo.sqlite3"'
    return f"shutbox demo {' '.join(call)} --json && {rows}"
