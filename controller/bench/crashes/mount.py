"""A card mounted as a folder, by a process of its own."""

import importlib.util
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from controller.bench.crashes.power_cut import CutKind

READY = "mounted"
_PATIENCE_S = 20.0  # for a server to let go


@dataclass(frozen=True, slots=True)
class MountOrder:
    """What is served at the folder `mount`.

    cut_at: the power goes after so many deeds (writes, names, syncs); None: never. found: the folder that gets what a
    cut of this `kind`, drawn from `seed`, leaves; None: nobody wants it. slow_every, slow_s: every so many-th sync takes
    so long; 0: none does.
    """

    mount: str
    cut_at: int | None = None
    found: str | None = None
    kind: CutKind = "lost"
    seed: str = ""
    slow_every: int = 0
    slow_s: float = 0.0


def why_no_mount() -> str:
    """A line that says what keeps this machine from mounting a card, and what to do; empty if nothing does."""
    if importlib.util.find_spec("mfusepy") is None:
        return 'the package mfusepy is missing: say `pip install "shutbox[test]"`'
    if not Path("/dev/fuse").exists():
        return "there is no /dev/fuse: say `sudo modprobe fuse`, or use a machine that lets you mount"
    if shutil.which("fusermount3") is None:
        return "fusermount3 is missing: say `sudo apt install fuse3`"
    return ""


@contextmanager
def mount_card(order: MountOrder) -> Iterator[None]:
    """Serve a card as a folder as long as the block lasts; what is left on it is then in the folder `found`.

    Raises `RuntimeError` where it cannot be mounted.
    """
    words = (sys.executable, "-P", "-m", "controller.bench.crashes.card_server", json.dumps(asdict(order)))
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None  # noqa: S101  it is a pipe
            if server.stdout.readline().strip() != READY:
                raise RuntimeError(f"{order.mount} cannot be mounted: {why_no_mount() or 'see above'}")
            yield
        finally:
            # Also where the server has died: the folder would be closed to everybody.
            subprocess.run(("fusermount3", "-u", "-z", order.mount), check=False, stderr=subprocess.DEVNULL)
            try:
                server.wait(_PATIENCE_S)
            finally:
                server.kill()
