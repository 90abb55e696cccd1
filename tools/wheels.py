"""`python -m tools.wheels FILE FOLDER`: fetch the wheels of a requirements file, for another Python or another machine.

pip fetches wheels for others, but asks the Python and the machine that run it which of the pins hold.
"""

import platform
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.requirements import Requirement

# Of these C libraries on: Debian 12 and 13, which Raspberry Pi OS is made of, have later ones.
_LIBRARIES = ("manylinux2014", "manylinux_2_28", "manylinux_2_34")
_PIP = (sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps")


def pins_for(pins: str, version: str, machine: str) -> list[str]:
    """Return the lines that hold for Python `version` (3.13) on `machine` (aarch64), each with its hashes."""
    wanted = {"python_version": version, "python_full_version": f"{version}.0", "platform_machine": machine}
    found = []
    for pin in pins.replace("\\\n", " ").splitlines():
        words, *hashes = pin.split(" --hash=")
        requirement = Requirement(words)
        if requirement.marker is None or requirement.marker.evaluate(wanted):
            held = " ".join(f"--hash={each.strip()}" for each in hashes)
            found.append(f"{requirement.name}{requirement.specifier} {held}")
    return found


def fetch(file: Path, folder: Path, version: str, machine: str) -> int:
    """Fetch what `pins_for` chooses into `folder`, each by its hash and as a wheel; return pip's exit status."""
    with TemporaryDirectory() as place:
        chosen = Path(place) / "pins.txt"
        chosen.write_text("\n".join(pins_for(file.read_text("utf-8"), version, machine)), "utf-8")
        platforms = [word for library in _LIBRARIES for word in ("--platform", f"{library}_{machine}")]
        kind = ("--only-binary", ":all:", "--implementation", "cp", "--python-version", version)
        call = [*_PIP, "--require-hashes", "--requirement", str(chosen), "--dest", str(folder), *kind, *platforms]
        return subprocess.run(call, check=False).returncode  # noqa: S603


def main() -> int:
    """Fetch, and return the exit status."""
    calls = ArgumentParser(prog="python -m tools.wheels", description=__doc__)
    calls.add_argument("file", type=Path)
    calls.add_argument("folder", type=Path)
    calls.add_argument("--python", metavar="VERSION", default=".".join(platform.python_version_tuple()[:2]))
    calls.add_argument("--machine", default=platform.machine())
    call = calls.parse_args()
    return fetch(call.file, call.folder, call.python, call.machine)


if __name__ == "__main__":
    sys.exit(main())
