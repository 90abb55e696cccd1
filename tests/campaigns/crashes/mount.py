"""A card mounted as a folder, by a process of its own."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from controller.errors import ShutboxError
from tests.campaigns.crashes.power_cut import CutKind

READY = "mounted"
_PATIENCE_S = 20.0  # for a server to let go
_ROOT = Path(__file__).parents[3]


class NoMount(ShutboxError):
    """A card cannot be mounted on this machine."""

    code = "C-340"


@dataclass(frozen=True, slots=True)
class MountOrder:
    """What is served at the folder `mount`.

    cut_at: the power goes after so many deeds (writes, names, syncs); None: never. found: the folder that gets what a
    cut of this `kind`, drawn from `seed`, leaves; None: nobody wants it. slow_every, slow_s: every so many-th sync
    takes so long; 0: none does. notes: the file that gets a `CardNotes` as JSON in the end. refuse_at, refuse_deeds,
    refuse_with: so many deeds from this one on (1: the first) are refused with this number of an error; None: none is.
    """

    mount: str
    cut_at: int | None = None
    found: str | None = None
    kind: CutKind = "lost"
    seed: str = ""
    slow_every: int = 0
    slow_s: float = 0.0
    notes: str | None = None
    refuse_at: int | None = None
    refuse_deeds: int = 0
    refuse_with: int = 0


@dataclass(frozen=True, slots=True)
class CardNotes:
    """What a card tells of itself when it is unmounted.

    contradictory: see `Remains`; None where no cut was wanted. syncs: the name of the file, the begin and the end of
    each, by the one clock of all processes.
    """

    contradictory: bool | None
    syncs: Sequence[tuple[str, float, float]]


def read_notes(place: Path) -> CardNotes:
    """The notes in a file."""
    return CardNotes(**json.loads(place.read_text("utf-8")))


def check_mount() -> None:
    """Raise `NoMount`, which says what is missing, unless this machine can mount a card."""
    if importlib.util.find_spec("mfusepy") is None:
        raise NoMount(
            'no card can be mounted without the package mfusepy: say `pip install -e ".[test]"` in the checkout'
        )
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        raise NoMount("no card can be mounted without /dev/fuse: say `sudo modprobe fuse`, or use another machine")
    if shutil.which("fusermount3") is None:
        raise NoMount("no card can be mounted without fusermount3: say `sudo apt install fuse3`")


@contextmanager
def mount_card(order: MountOrder) -> Iterator[None]:
    """Serve a card as a folder as long as the block lasts; what is left on it is then in the folder `found`.

    Raises `NoMount`.
    """
    check_mount()
    words = (sys.executable, "-P", "-m", "tests.campaigns.crashes.card_server", json.dumps(asdict(order)))
    pipe = subprocess.PIPE
    # Before what is installed: a package of the `evening` extra brings a `tests` of its own.
    env = os.environ | {"PYTHONPATH": str(_ROOT)}
    with subprocess.Popen(words, stdout=pipe, stderr=pipe, text=True, env=env) as server:
        try:
            assert server.stdout is not None
            assert server.stderr is not None
            if server.stdout.readline().strip() != READY:
                why = (server.stderr.read().strip().splitlines() or ["no reason was given"])[-1]
                raise NoMount(f"no card can be mounted at {order.mount}: {why}")
            yield
        finally:
            # Unmounting would not end it as long as a mount namespace of somebody else's has the folder too.
            server.terminate()
            try:
                server.wait(_PATIENCE_S)
            finally:
                server.kill()
                # Where the server was killed the folder would stay, closed to everybody.
                end = ("fusermount3", "-u", "-z", "-q", order.mount)
                subprocess.run(end, check=False, stderr=subprocess.DEVNULL)
