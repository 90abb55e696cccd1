"""Teaching simulated dice and reading simulated throws of them: exact, refused, wrong.

A box has its own camera mount, cloth, lamp and dice; each set is taught from pictures of that box as a person would
teach it, and read in other pictures of it, in somewhat more or less light. Run as
`python -m benchmarks.taught [THROWS] [numerals|colours|d20]`.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hardware.box import FieldLayout
from hardware.sim.dice import D20, LOOKS, NUMERALS, DieLook, SimulatedDie
from tools.scenes import looks
from tools.scenes.arrangement import lay_apart, lay_cluster
from tools.scenes.random_scenes import random_throw
from vision.capture.frame import Pixels
from vision.custom_dice.body import colour_distances
from vision.custom_dice.faces import DiceSet
from vision.custom_dice.reader import read_custom_dice
from vision.custom_dice.teaching import Teaching
from vision.field.field import Field, locate_field
from vision.sim.placing import any_die, is_free
from vision.sim.scene import Scene, render

_LAYOUT = FieldLayout()
_THROWS_PER_BOX = 50
_TRIES = 12  # pictures for one shot, before a set counts as not to be taught
_LIGHT = 0.07  # a throw is this part lighter or darker at most than the lesson
_OTHER_TINT, _OTHER_BRIGHT = 0.45, 1.2  # logarithms: a person picks dice that show on the baize
_TOUCHING = 0.2  # part of the throws whose dice touch
_MOST_TOUCHING = 6

COLOURS = {"white": 0, "red": 2, "blue": 3, "black": 4, "yellow": 5, "purple": 7}
FLEET = ("boat", *(f"numeral:{value}" for value in range(2, 7)))
FLASH = ("bolt", *(f"pip:{value}" for value in range(2, 7)))


@dataclass(frozen=True, slots=True)
class Kit:
    """The dice of one box by colour (the word "" where there is one), and how many are thrown at most."""

    looks: dict[str, DieLook]
    most: int


@dataclass(slots=True)
class Count:
    """What came of the throws of one kind."""

    exact: int = 0
    refused: int = 0
    wrong: int = 0
    untaught: int = 0
    boxes: int = 0
    seconds: float = 0.0
    reasons: Counter[str] | None = None

    @property
    def throws(self) -> int:
        """All throws."""
        return self.exact + self.refused + self.wrong


def numerals(rng: random.Random, scene: Scene) -> Kit:
    """Cubes with numerals, of any one colour."""
    look = looks.draw_readable(rng, looks.mixed, scene.cloth.colour)
    return Kit({"": replace(look, faces=NUMERALS, edge_mm=rng.uniform(15.0, 18.0))}, 4)


def colours(rng: random.Random, scene: Scene) -> Kit:
    """Six colours of the same dice: a boat and numerals, or a bolt and pips."""
    faces, edge_mm = rng.choice((FLEET, FLASH)), rng.uniform(15.5, 16.5)
    return Kit({name: DieLook(edge_mm, *LOOKS[index], faces=faces) for name, index in COLOURS.items()}, 12)


def d20(rng: random.Random, scene: Scene) -> Kit:
    """One die with twenty sides, some 21 mm tall."""
    look = looks.draw_readable(rng, looks.mixed, scene.cloth.colour)
    return Kit({"": replace(look, faces=D20, sides=20, edge_mm=rng.uniform(13.5, 15.0), pip_radius=0.103)}, 1)


KINDS: dict[str, Callable[[random.Random, Scene], Kit]] = {"numerals": numerals, "colours": colours, "d20": d20}


def run(kind: str, throws: int, first_box: int = 0) -> Count:
    """Teach as many boxes as are needed and read their throws."""
    count = Count(reasons=Counter())
    number = first_box
    while count.throws < throws:
        _box(kind, number, min(_THROWS_PER_BOX, throws - count.throws), count)
        number += 1
    return count


def _box(kind: str, number: int, throws: int, count: Count) -> None:
    rng = random.Random(f"taught/{kind}/{number}")
    scene, kit = _scene_with(kind, rng)
    taught = teach(kit, scene, rng)
    count.boxes += 1
    if taught is None:
        count.untaught += 1
        return
    for throw in range(throws):
        _throw(kit, scene, taught, rng, f"{number}/{throw}", count)


def _scene_with(kind: str, rng: random.Random) -> tuple[Scene, Kit]:
    """A table without dice, and dice that show on it."""
    while True:
        scene = replace(random_throw(rng.randrange(16_000), 1).scene, dice=())
        kit = KINDS[kind](rng, scene)
        if all(_stands_out(look, scene) for look in kit.looks.values()):
            return scene, kit


def _stands_out(look: DieLook, scene: Scene) -> bool:
    """Whether a die's colour is another one than the cloth's: a red die on red baize is refused when it is taught."""
    bright, tint = colour_distances(np.array(look.body[::-1], np.float32), np.array(scene.cloth.colour[::-1], float))
    return float(tint) > _OTHER_TINT or abs(float(bright)) > _OTHER_BRIGHT


def teach(kit: Kit, scene: Scene, rng: random.Random, shots: int = 5) -> DiceSet | None:
    """Show the dice as they are asked for until the set is learnt; None when a picture is never good."""
    look = next(iter(kit.looks.values()))
    sides = look.sides
    labels = tuple((value, str(value)) for value in range(1, sides + 1))
    teaching = Teaching("set", sides, labels, tuple(kit.looks) if len(kit.looks) > 1 else (), shots)
    tries = 0
    while (wanted := teaching.wanted) is not None:
        chosen = [kit.looks[wanted.colour]] if wanted.colour else list(kit.looks.values())
        pixels, field = _picture(scene, laid(rng, chosen, wanted.value), f"lesson/{rng.random()}")
        before = teaching
        teaching, _ = teaching.look(pixels, field) if field is not None else (teaching, None)
        tries = tries + 1 if teaching is before else 0
        if tries == _TRIES:
            return None
    return teaching.lesson().taught


def laid(rng: random.Random, chosen: Sequence[DieLook], value: int | None) -> tuple[SimulatedDie, ...]:
    """Dice laid down well apart, with `value` on top (None: any)."""
    lying: list[SimulatedDie] = []
    for look in chosen:
        while True:
            die = any_die(rng, look, rng.uniform(25, 255), rng.uniform(25, 175))
            if value is not None:
                beside = [side for side in range(1, look.sides + 1) if side not in (value, look.sides + 1 - value)]
                die = replace(die, value=value, near_value=rng.choice(beside))
            if is_free(die, lying, _LAYOUT, 10.0):
                break
        lying.append(die)
    return tuple(lying)


def _throw(kit: Kit, scene: Scene, taught: DiceSet, rng: random.Random, key: str, count: Count) -> None:
    number = rng.randint(1, kit.most)
    thrown = [rng.choice(list(kit.looks.values())) for _ in range(number)]
    touching = 1 < number <= _MOST_TOUCHING and rng.random() < _TOUCHING
    dice = lay_cluster(rng, thrown, _LAYOUT) if touching else lay_apart(rng, thrown, _LAYOUT)
    sensor = replace(scene.sensor, exposure=scene.sensor.exposure * rng.uniform(1 - _LIGHT, 1 + _LIGHT))
    pixels, _ = _picture(replace(scene, sensor=sensor), dice, key)
    began = time.process_time()
    reading = read_custom_dice(pixels, layout=_LAYOUT, sets=(taught,))
    count.seconds += time.process_time() - began
    names = {look: name for name, look in kit.looks.items()}
    truth = sorted((names[die.look], die.value) for die in dice)
    said = sorted((die.colour if len(kit.looks) > 1 else "", die.value) for die in reading.dice)
    if not reading.is_read:
        count.refused += 1
        if count.reasons is not None:
            count.reasons[f"{reading.reason}{' touching' if touching else ''}"] += 1
    elif said == truth:
        count.exact += 1
    else:
        count.wrong += 1
        print(f"wrong: box {key}, {truth} read as {said}", flush=True)


def _picture(scene: Scene, dice: tuple[SimulatedDie, ...], key: str) -> tuple[Pixels, Field | None]:
    pixels = render(replace(scene, dice=dice, noise_key=key))
    return pixels, locate_field(pixels, _LAYOUT)


def main(throws: int = 200, kinds: Sequence[str] = tuple(KINDS)) -> None:
    """Print a line for each kind."""
    for kind in kinds:
        count = run(kind, throws)
        reasons = ", ".join(f"{name} {number}" for name, number in (count.reasons or Counter()).most_common())
        print(
            f"{kind:9}{count.throws:6} throws on {count.boxes - count.untaught} boxes ({count.untaught} not taught): "
            f"exact {count.exact / count.throws:.1%}, refused {count.refused / count.throws:.1%}, "
            f"wrong {count.wrong}; {1000 * count.seconds / count.throws:.0f} ms a picture; {reasons}",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, sys.argv[2:] or tuple(KINDS))
