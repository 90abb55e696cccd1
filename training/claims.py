"""Teaches the dice of Fleet! and Flash! to a simulated box, for the files that come with the package.

python -m training.claims vision/sim
"""

import sys
from datetime import UTC, datetime
from pathlib import Path

from hardware.box import load_box
from hardware.sim import JOKERS
from vision.sim import teach_claim_set
from vision.taught import pack

_DATE = datetime(2026, 11, 25, tzinfo=UTC)  # the same dice give the same file


def main(folder: Path) -> None:
    """Write one file for each picture of the joker into a folder."""
    for joker in JOKERS:
        taught = teach_claim_set(load_box("two-level-9"), joker)
        (folder / f"claims-{joker}.npz").write_bytes(pack(taught, _DATE))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
