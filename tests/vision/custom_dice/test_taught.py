"""Dice that were taught: what they are read as, what is none of them, and what cannot be told apart."""

import io
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache

import numpy as np
import pytest

from hardware.box import FieldLayout
from hardware.sim.dice import D20, LOOKS, NUMERALS, DieLook, SimulatedDie
from tools.scenes.arrangement import lay_cluster
from tools.scenes.random_scenes import random_throw
from vision.capture.frame import Pixels
from vision.custom_dice.faces import DiceSet
from vision.custom_dice.learning import Lesson
from vision.custom_dice.reader import read_custom_dice
from vision.custom_dice.storage import pack, unpack
from vision.custom_dice.teaching import Teaching
from vision.field.field import locate_field
from vision.reading import Reason
from vision.sim.placing import any_die, is_free
from vision.sim.scene import Scene, render

LAYOUT = FieldLayout()
TABLE = replace(random_throw(0, 1).scene, dice=())
WHITE = DieLook(16.0, *LOOKS[0], faces=NUMERALS)
FLEET = ("boat", *NUMERALS[1:])
COLOURS = {name: DieLook(16.0, *LOOKS[index], faces=FLEET) for name, index in (("red", 2), ("blue", 3), ("black", 4))}
TWENTY = DieLook(15.0, *LOOKS[0], faces=D20, sides=20)
UNMARKED = replace(TWENTY, faces=tuple(face.rstrip("_") for face in D20))


def picture(dice: Sequence[SimulatedDie], key: str = "", table: Scene = TABLE) -> Pixels:
    return render(replace(table, dice=tuple(dice), noise_key=key))


def laid(rng: random.Random, looks: Sequence[DieLook], value: int | None) -> list[SimulatedDie]:
    lying: list[SimulatedDie] = []
    while len(lying) < len(looks):
        die = any_die(rng, looks[len(lying)], rng.uniform(25, 255), rng.uniform(25, 175))
        if value is not None:
            beside = [side for side in range(1, die.look.sides + 1) if side not in (value, die.look.sides + 1 - value)]
            die = replace(die, value=value, near_value=rng.choice(beside))
        if is_free(die, lying, LAYOUT, 10.0):
            lying.append(die)
    return lying


def shown(teaching: Teaching, looks: dict[str, DieLook]) -> Teaching:
    """The teaching after somebody has shown everything that was asked for."""
    rng = random.Random(str(teaching.labels))
    while (wanted := teaching.wanted) is not None:
        chosen = [looks[wanted.colour]] if wanted.colour else list(looks.values())
        pixels = picture(laid(rng, chosen, wanted.value), str(rng.random()))
        field = locate_field(pixels, LAYOUT)
        assert field is not None
        teaching, _ = teaching.look(pixels, field)
    return teaching


@cache
def numerals() -> Lesson:
    labels = tuple((value, str(value)) for value in range(1, 7))
    return shown(Teaching("numerals", 6, labels, shots=3), {"": WHITE}).lesson()


@cache
def fleet() -> Lesson:
    labels = ((1, "boat"), *((value, str(value)) for value in range(2, 7)))
    return shown(Teaching("fleet", 6, labels, tuple(COLOURS), shots=3), COLOURS).lesson()


def twenty(look: DieLook, values: Sequence[int]) -> Lesson:
    labels = tuple((value, str(value)) for value in values)
    return shown(Teaching("twenty", 20, labels, shots=4), {"": look}).lesson()


def read(dice: Sequence[SimulatedDie], *sets: DiceSet, key: str = "read") -> tuple[str, tuple[int, ...]]:
    reading = read_custom_dice(picture(dice, key), layout=LAYOUT, sets=sets)
    return str(reading.reason or "read"), reading.values


@pytest.mark.long
def test_touching_numeral_dice_are_read_as_they_were_taught() -> None:
    assert numerals().is_good
    for seed in range(6):
        dice = lay_cluster(random.Random(seed), [WHITE] * 4, LAYOUT)
        assert read(dice, numerals().taught) == ("read", tuple(sorted(die.value for die in dice)))


@pytest.mark.long
def test_dice_of_two_sets_are_read_side_by_side() -> None:
    dice = laid(random.Random(2), [WHITE, WHITE, COLOURS["red"], COLOURS["blue"]], None)
    assert read(dice, numerals().taught, fleet().taught) == ("read", tuple(sorted(die.value for die in dice)))


def test_dice_of_one_set_are_told_apart_by_their_colours() -> None:
    rng = random.Random(1)
    dice = laid(rng, [*COLOURS.values()] * 4, None)
    reading = read_custom_dice(picture(dice), layout=LAYOUT, sets=(fleet().taught,))
    names = {look: name for name, look in COLOURS.items()}
    assert sorted((die.colour, die.value) for die in reading.dice) == sorted((names[d.look], d.value) for d in dice)
    assert fleet().taught.label_of(1) == "boat"


@pytest.mark.parametrize(
    "other", [replace(WHITE, faces=("star", "ring", "arrow", "cross", "boat", "bolt")), COLOURS["red"]]
)
def test_what_was_not_taught_is_none_of_these(other: DieLook) -> None:
    dice = laid(random.Random(3), [WHITE, other], None)
    assert read(dice, numerals().taught)[0] == "unexplained"


def test_pips_are_no_numerals() -> None:
    for value in range(1, 7):
        dice = laid(random.Random(value), [DieLook(16.0, *LOOKS[0])], value)
        assert read(dice, numerals().taught)[0] == "unexplained"


def test_a_six_and_a_nine_with_lines_under_them_are_told_apart() -> None:
    lesson = twenty(TWENTY, (6, 9))
    assert lesson.taught.alike == ()
    for value in (6, 9):
        dice = laid(random.Random(value), [TWENTY], value)
        assert read(dice, lesson.taught) == ("read", (value,))


def test_a_six_and_a_nine_without_lines_are_never_guessed() -> None:
    lesson = twenty(UNMARKED, (6, 9))
    assert lesson.taught.alike == ((6, 9),)
    assert not lesson.is_good
    for seed in range(6):
        dice = laid(random.Random(seed), [UNMARKED], 6 + 3 * (seed % 2))
        reading = read_custom_dice(picture(dice), layout=LAYOUT, sets=(lesson.taught,))
        assert reading.reason is Reason.UNSURE
        assert set(reading.likely) == {(6,), (9,)}
        assert "6" in reading.say
        assert "9" in reading.say


@pytest.mark.long
def test_two_faces_are_told_apart_though_one_always_correlates_better() -> None:
    small = DieLook(12.5, *LOOKS[3], faces=D20, sides=20, pip_radius=0.103)
    lesson = twenty(small, (10, 18))
    assert lesson.taught.alike == ()
    assert abs(lesson.taught.offsets[0, 1]) > lesson.taught.margins[0, 1]
    for value in (10, 18):
        for seed in range(4):
            dice = laid(random.Random(10 * value + seed), [small], value)
            assert read(dice, lesson.taught) == ("read", (value,))


def test_a_shot_of_another_face_is_noticed_while_teaching() -> None:
    labels = tuple((value, str(value)) for value in range(1, 7))
    rng, teaching = random.Random(5), Teaching("numerals", 6, labels, shots=3)
    for value, problem in ((1, None), (1, None), (4, "unlike"), (1, None)):
        pixels = picture(laid(rng, [WHITE], value))
        field = locate_field(pixels, LAYOUT)
        assert field is not None
        teaching, advice = teaching.look(pixels, field)
        assert advice.problem == problem
    assert teaching.count_of(1) == 3


def test_of_two_first_shots_that_differ_neither_is_believed() -> None:
    rng, teaching = random.Random(5), Teaching("numerals", 6, ((1, "1"), (2, "2")), shots=3)
    for value in (4, 1):
        pixels = picture(laid(rng, [WHITE], value))
        field = locate_field(pixels, LAYOUT)
        assert field is not None
        teaching, advice = teaching.look(pixels, field)
    assert advice.problem == "unlike"
    assert teaching.count_of(1) == 0


def test_a_first_picture_of_several_dice_is_believed_no_more_than_one_of_a_single_die() -> None:
    two = {name: COLOURS[name] for name in ("red", "blue")}
    rng, teaching = random.Random(5), Teaching("fleet", 6, ((1, "boat"), (4, "4")), tuple(two), shots=3)

    def show(dice: Sequence[SimulatedDie]) -> str | None:
        nonlocal teaching
        pixels = picture(dice)
        field = locate_field(pixels, LAYOUT)
        assert field is not None
        teaching, advice = teaching.look(pixels, field)
        return advice.problem

    for look in two.values():
        assert show(laid(rng, [look], None)) is None
    boat, four = laid(rng, list(two.values()), 1)
    assert show([boat, replace(four, value=4, near_value=2)]) == "unlike", "a boat and a 4 at once"
    assert teaching.count_of(1) == 0
    assert show(laid(rng, list(two.values()), 4)) is None, "by mistake, two of them"
    assert show(laid(rng, list(two.values()), 1)) == "unlike"
    assert teaching.count_of(1) == 0
    assert show(laid(rng, list(two.values()), 1)) is None
    assert teaching.count_of(1) == 2


def test_the_same_shot_twice_teaches_nothing() -> None:
    teaching = Teaching("numerals", 6, ((1, "1"),), shots=3)
    pixels = picture(laid(random.Random(5), [WHITE], 1))
    field = locate_field(pixels, LAYOUT)
    assert field is not None
    teaching, _ = teaching.look(pixels, field)
    assert teaching.look(pixels, field)[1].problem == "alike"


def test_a_set_comes_back_from_its_file_as_it_was() -> None:
    again = unpack(pack(fleet().taught, datetime(2026, 3, 1, tzinfo=UTC)))
    dice = laid(random.Random(8), list(COLOURS.values()), None)
    assert read(dice, again) == read(dice, fleet().taught)
    assert [body.name for body in again.bodies] == list(COLOURS)
    shifted = replace(fleet().taught, offsets=np.arange(36.0).reshape(6, 6))
    assert np.array_equal(unpack(pack(shifted, datetime(2026, 3, 1, tzinfo=UTC))).offsets, shifted.offsets)


@pytest.mark.parametrize("damage", ["cut", "flipped", "nan", "shots", "empty"])
def test_a_damaged_file_is_one_clear_line(damage: str) -> None:
    data = pack(numerals().taught, datetime(2026, 3, 1, tzinfo=UTC))
    with np.load(io.BytesIO(data)) as file:
        arrays = dict(file)
    if damage == "nan":
        arrays["margins"][0, 0] = np.nan
    if damage == "shots":
        arrays["shots"] = arrays["shots"][1:]
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    broken = {"cut": data[:-400], "flipped": data[:5000] + bytes(200) + data[5200:], "empty": b""}
    with pytest.raises(ValueError, match=r"^[^\n]{5,120}$"):
        unpack(broken.get(damage, buffer.getvalue()))
