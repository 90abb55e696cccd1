"""`python -m tests.service.requirements 3.13`: the pins of requirements.txt that another Python would install.

pip chooses wheels for another version, but asks the version that runs it which of the pins hold.
"""

import sys
from pathlib import Path

from packaging.requirements import Requirement

_PINS = Path(__file__).parents[2] / "requirements.txt"


def main(version: str) -> None:
    """Print the pins that hold for Python `version`, with their hashes and without their conditions."""
    wanted = {"python_version": version, "python_full_version": f"{version}.0"}
    for pin in _PINS.read_text("utf-8").replace("\\\n", " ").splitlines():
        words, *hashes = pin.split(" --hash=")
        requirement = Requirement(words)
        if requirement.marker is None or requirement.marker.evaluate(wanted):
            print(f"{requirement.name}{requirement.specifier}", *(f"--hash={each.strip()}" for each in hashes))


if __name__ == "__main__":
    main(sys.argv[1])
