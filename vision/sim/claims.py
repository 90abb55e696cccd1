"""The dice of Fleet! and Flash! as the simulated box knows them: six colours, taught from rendered shots.

Nobody has to teach them: what was learnt comes with the package, one file for each picture of the joker.
`python -m training.claims` makes the files again.
"""

from importlib import resources

from hardware.box import Box
from hardware.sim import CLAIM_COLOURS, JOKER_VALUE, World
from vision.field import locate_field
from vision.sim.camera import SimulatedCamera
from vision.sim.teacher import SimulatedTeacher
from vision.taught import TaughtSet, Teaching, unpack

_SHOTS = 12
_MOST_LOOKS = 200
_SEED = 1  # of the box on which they were taught; they are read on all others too


def load_claim_set(joker: str) -> TaughtSet:
    """Load what was learnt of the dice with this picture (boat, bolt) on their sixth face."""
    return unpack((resources.files("vision.sim") / f"claims-{joker}.npz").read_bytes())


def teach_claim_set(box: Box, joker: str) -> TaughtSet:
    """Teach these dice to a simulated box, as people teach theirs. Raises `ValueError` when it does not get on."""
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
