"""`python -m tools.pins FILE`: the pins of a requirements file that hold for another Python, or on another machine.

pip chooses wheels for others, but asks the Python and the machine that run it which of the pins hold.
"""

import platform
from argparse import ArgumentParser
from pathlib import Path

from packaging.requirements import Requirement


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


def main() -> None:
    """Print the lines."""
    calls = ArgumentParser(prog="python -m tools.pins", description=__doc__)
    calls.add_argument("file", type=Path)
    calls.add_argument("--python", metavar="VERSION", default=".".join(platform.python_version_tuple()[:2]))
    calls.add_argument("--machine", default=platform.machine())
    call = calls.parse_args()
    print(*pins_for(call.file.read_text("utf-8"), call.python, call.machine), sep="\n")


if __name__ == "__main__":
    main()
