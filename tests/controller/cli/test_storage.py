"""A home on each kind of storage, mounted by the kernel itself: is it told that games would be lost?"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

UNSHARE = [shutil.which("unshare") or "", "--user", "--map-root-user", "--mount", "sh", "-e", "-c"]
# In the folder $1, which is on a disk; the home is $1/home.
MOUNTED = {
    "tmpfs": "mount -t tmpfs none $1/home",
    "ramfs": "mount -t ramfs none $1/home",
    "overlay on tmpfs": "mount -t tmpfs none $1/a; mkdir $1/a/up $1/a/work; "
    "mount -t overlay none -o lowerdir=$1/low,upperdir=$1/a/up,workdir=$1/a/work $1/home",
    "overlay on a disk": "mount -t overlay none -o lowerdir=$1/low,upperdir=$1/up,workdir=$1/work $1/home",
    "a disk": ":",
}
FORGETS = {"tmpfs": "tmpfs at {at}/home", "ramfs": "ramfs at {at}/home", "overlay on tmpfs": "tmpfs at {at}/a"}
ASKS = 'exec "$2" -c "from controller.cli.main import main; main()" doctor'


@pytest.fixture
def on_disk() -> Path:
    """A folder that is not in memory, where temporary ones are."""
    folder = Path(__file__).parents[3] / ".cache" / f"storage-{os.getpid()}"
    for name in ("home", "low", "up", "work", "a"):
        (folder / name).mkdir(parents=True)
    return folder


@pytest.mark.parametrize("kind", MOUNTED)
def test_storage_that_forgets_is_told_and_no_other(on_disk: Path, kind: str) -> None:
    def call(script: str) -> subprocess.CompletedProcess[str]:
        home = {**os.environ, "SHUTBOX_HOME": str(on_disk / "home")}
        command = [*UNSHARE, script, "sh", str(on_disk), sys.executable]
        return subprocess.run(command, env=home, capture_output=True, text=True, check=False)

    try:
        if not UNSHARE[0] or call(MOUNTED[kind]).returncode:
            pytest.skip(f"this computer does not let its users mount: {kind}")
        told = call(f"{MOUNTED[kind]}; {ASKS}").stdout
    finally:
        shutil.rmtree(on_disk)
    assert ("C-315" in told) is (kind in FORGETS)
    assert FORGETS.get(kind, "well").format(at=on_disk) in told
