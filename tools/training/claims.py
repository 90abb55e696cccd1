"""Teaches the dice of Fleet! and Flash! to a simulated box, for the files that come with the package.

python -m training.claims vision/sim
"""

import sys
from datetime import UTC, datetime
from pathlib import Path

from hardware.box import Box, load_box
from hardware.sim.dice import CLAIM_COLOURS, JOKER_VALUE, JOKERS
from hardware.sim.world import World
from vision.custom_dice.faces import DiceSet
from vision.custom_dice.storage import pack
from vision.custom_dice.teaching import Teaching
from vision.field.field import locate_field
from vision.sim.camera import SimulatedCamera
from vision.sim.custom_dice import SimulatedTeacher

_DATE = datetime(2026, 11, 25, tzinfo=UTC)  # the same dice give the same file
_SHOTS = 12
_MOST_LOOKS = 200
_SEED = 1  # of the box on which they are taught; they are read on all others too


def main(folder: Path) -> None:
    """Write one file for each picture of the joker into a folder."""
    for joker in JOKERS:
        taught = teach_claim_set(load_box("two-level-9"), joker)
        (folder / f"claims-{joker}.npz").write_bytes(pack(taught, _DATE))


def teach_claim_set(box: Box, joker: str) -> DiceSet:
    """Teach these dice to a simulated box, as people teach theirs. Raises `ValueError` when too few shots are good."""
    now_s = 0.0
    world = World(box, lambda: now_s, _SEED)
    labels = ((JOKER_VALUE, joker), *((number, str(number)) for number in range(2, 7)))
    teacher = SimulatedTeacher(world, box, 6, labels, CLAIM_COLOURS)
    camera = SimulatedCamera(world, box)
    teaching = Teaching(f"claims-{joker}", 6, labels, CLAIM_COLOURS, _SHOTS)
    for _ in range(_MOST_LOOKS):
        wanted = teaching.wanted
        if wanted is None:
            return teaching.lesson().taught
        teacher.lay(wanted)
        now_s += 1.0
        pixels = camera.capture().pixels
        field = locate_field(pixels, box.field)
        if field is not None:
            teaching, _ = teaching.look(pixels, field)
    raise ValueError(f"after {_MOST_LOOKS} looks there are too few good shots of the dice with a {joker}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
