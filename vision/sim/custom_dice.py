"""The dice of Fleet! and Flash! as the simulated box knows them: six colours, taught from rendered shots.

Nobody has to teach them: the package contains them, one file for each picture of the joker.
`python -m tools.training.claims` makes the files again.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from importlib import resources

from hardware.box import Box
from hardware.sim.dice import COLOURS, D20, LOOKS, DieLook, SimulatedDie
from hardware.sim.world import World
from vision.custom_dice.faces import DiceSet
from vision.custom_dice.storage import unpack
from vision.custom_dice.teaching import WantedShot
from vision.reading import Sides
from vision.sim.drawings import SYMBOLS
from vision.sim.placing import any_die, is_free


def load_claim_set(joker: str) -> DiceSet:
    """Load the dice with this picture (boat, bolt) on their sixth face."""
    return unpack((resources.files("vision.sim") / f"claims-{joker}.npz").read_bytes())


_D20_MM = 15.0  # a common one is 20 to 23 mm tall
_FROM_EDGE_MM, _APART_MM = 25.0, 10.0


class SimulatedTeacher:
    """Has one die of each colour. Lifetime: one teaching. Concurrency: one thread."""

    def __init__(
        self, world: World, box: Box, sides: Sides, labels: Sequence[tuple[int, str]], colours: Sequence[str]
    ) -> None:
        self._world = world
        self._layout = box.field
        self._looks = looks_of(sides, labels, colours, box.die_mm)
        self._rng = random.Random(f"teacher/{world.seed}")

    def lay(self, wanted: WantedShot) -> None:
        """Lay the dice that are asked for, elsewhere every time."""
        chosen = [self._looks[wanted.colour]] if wanted.colour else list(self._looks.values())
        sides_mm, value = (self._layout.width_mm, self._layout.depth_mm), wanted.value
        lying: list[SimulatedDie] = []
        while len(lying) < len(chosen):
            look = chosen[len(lying)]
            x, y = (self._rng.uniform(_FROM_EDGE_MM, side_mm - _FROM_EDGE_MM) for side_mm in sides_mm)
            die = any_die(self._rng, look, x, y)
            if value is not None:
                beside = [side for side in range(1, look.sides + 1) if side not in (value, look.sides + 1 - value)]
                die = replace(die, value=value, near_value=self._rng.choice(beside))
            if is_free(die, lying, self._layout, _APART_MM):
                lying.append(die)
        self._world.lay_dice(lying)


def looks_of(
    sides: Sides, labels: Sequence[tuple[int, str]], colours: Sequence[str], die_mm: float
) -> dict[str, DieLook]:
    """Return a look for each colour (white where none is named): numbers as numerals, other faces as symbols."""
    symbols, faces = [name for name in SYMBOLS if name != "blank"], []
    for value in range(1, sides + 1):
        label = dict(labels).get(value, "")
        if label.isdecimal():
            faces.append(D20[value - 1] if sides == 20 and label == str(value) else f"numeral:{label}")
        else:
            faces.append(label if label in symbols else symbols[value % len(symbols)])
    edge_mm = _D20_MM if sides == 20 else die_mm
    names = tuple(colours) or ("white",)
    spare = iter([pair for pair in LOOKS if pair not in [COLOURS.get(name) for name in names]] * len(names))
    return {
        name: DieLook(edge_mm, *(COLOURS.get(name) or next(spare)), faces=tuple(faces), sides=sides) for name in names
    }
