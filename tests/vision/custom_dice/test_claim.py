"""Dice laid for a claim: whose they are and what they show, whatever lies beside the baize; what is refused."""

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from hardware.box import load_box
from hardware.sim.dice import CLAIM_COLOURS, SimulatedDie, claim_look
from tests.support.long import long_but_every
from tools.scenes.random_claims import Disturbance, LaidSet, random_claim
from vision.custom_dice.claim import read_claim
from vision.field.field import locate_field
from vision.reading import Reading
from vision.sim.custom_dice import load_claim_set
from vision.sim.hand import Hand
from vision.sim.scene import Scene, render

BOX = load_box("two-level-9")
RED, BLUE = LaidSet("red", (1, 2, 3, 4, 5, 6)), LaidSet("blue", (1, 1, 2, 2, 6, 6))


def read_scene(scene: Scene) -> Reading:
    pixels = render(scene)
    field = locate_field(pixels, BOX.field)
    assert field is not None
    return read_claim(pixels, field, load_claim_set("boat"))


def told(reading: Reading) -> list[tuple[str, int]]:
    return sorted((die.colour, die.value) for die in reading.dice)


def laid(*sets: LaidSet) -> list[tuple[str, int]]:
    return sorted((each.colour, value) for each in sets for value in each.values)


def flat(colour: str, value: int, x_mm: float, y_mm: float, turn_rad: float = 0.4) -> SimulatedDie:
    near = next(other for other in range(1, 7) if other not in (value, 7 - value))
    return SimulatedDie(value, near, x_mm, y_mm, turn_rad, claim_look(colour))


def table(dice: Sequence[SimulatedDie]) -> Scene:
    return replace(random_claim(BOX, 3, [RED]), dice=tuple(dice))


ROW = [flat("red", value, 60.0 + 30.0 * value, 100.0) for value in range(1, 7)]


def test_dice_of_all_players_beside_the_baize_are_no_part_of_a_claim() -> None:
    reading = read_scene(random_claim(BOX, 1, [RED], beside=30))
    assert (reading.reason, told(reading)) == (None, laid(RED))


def test_two_claims_lie_side_by_side() -> None:
    reading = read_scene(random_claim(BOX, 2, [RED, BLUE]))
    assert told(reading) == laid(RED, BLUE)


@pytest.mark.long
@pytest.mark.parametrize("colour", CLAIM_COLOURS)
def test_every_colour_is_told(colour: str) -> None:
    for seed in range(4):
        one = LaidSet(colour, (1, 2, 3, 4, 5, 6))
        assert told(read_scene(random_claim(BOX, seed, [one], beside=12))) == laid(one)


def test_nothing_on_the_baize_is_no_dice_whatever_lies_beside_it() -> None:
    scene = random_claim(BOX, 4, [RED], beside=30)
    assert str(read_scene(replace(scene, dice=scene.dice[6:])).reason) == "no_dice"


@pytest.mark.parametrize(
    ("x_mm", "y_mm", "reason"),
    long_but_every(
        2,
        [
            (140.0, -0.5, "off_field"),
            (140.0, 5.0, "off_field"),
            (283.0, 100.0, "off_field"),
            (-4.0, 60.0, "off_field"),
            (140.0, 9.0, None),
            (140.0, -10.0, None),
            (290.0, 100.0, None),
        ],
    ),
)
def test_a_die_over_the_edge_is_refused_and_one_at_it_is_not(x_mm: float, y_mm: float, reason: str | None) -> None:
    reading = read_scene(table([*ROW, flat("blue", 5, x_mm, y_mm, 0.0)]))
    assert (reading.reason and str(reading.reason)) == reason
    if reason is None:
        is_on_baize = 0 < x_mm < 280 and 0 < y_mm < 200
        assert len(reading.dice) == 6 + is_on_baize


@pytest.mark.parametrize(
    ("how", "reasons"),
    long_but_every(
        3,
        [
            ("coin", {"unexplained", "unsure"}),
            ("tile", {"unexplained", "unsure"}),
            ("die", {"unexplained", "unsure", "stacked"}),
            ("colour", {"unexplained", "unsure"}),
            ("size", {"unexplained", "unsure", "stacked"}),
            ("faces", {"unexplained", "unsure"}),
            ("pips", {"unexplained", "unsure"}),
        ],
    ),
)
def test_what_makes_a_claim_none_is_refused(how: Disturbance, reasons: set[str]) -> None:
    for seed in range(2):
        reading = read_scene(random_claim(BOX, seed, [LaidSet("yellow", (1, 2, 3, 4, 5, 6))], disturbance=how))
        assert str(reading.reason) in reasons


def test_a_die_that_lies_just_over_another_hides_it_and_is_told_by_its_size() -> None:
    upper = replace(flat("red", 3, ROW[0].x_mm, ROW[0].y_mm), lift_mm=16.0)
    reading = read_scene(table([*ROW, upper]))
    assert str(reading.reason) == "stacked"


@pytest.mark.parametrize("degrees", [15, 25])
def test_a_leaning_die_is_refused(degrees: int) -> None:
    leaning = replace(flat("red", 3, 140.0, 50.0), lean_rad=math.radians(degrees), lean_to_rad=0.5)
    assert str(read_scene(table([*ROW[:5], leaning])).reason) in ("stacked", "unsure", "unexplained")


@pytest.mark.parametrize(("edge_mm", "reason"), [(14.5, "unexplained"), (17.5, "stacked")])
def test_a_die_of_nearly_the_same_size_is_a_strangers(edge_mm: float, reason: str) -> None:
    other = flat("red", 5, 140.0, 50.0)
    reading = read_scene(table([*ROW[:5], replace(other, look=replace(other.look, edge_mm=edge_mm))]))
    assert str(reading.reason) in (reason, "unsure", "unexplained")


def test_a_hand_over_the_baize_is_told_as_one() -> None:
    hand = Hand(140.0, 60.0, -math.pi / 2)
    assert str(read_scene(replace(table(ROW), hand=hand)).reason) in ("hand", "unexplained")


def test_a_small_black_die_is_no_shadow_of_another() -> None:
    small = flat("black", 2, 162.0, 99.0, 0.9)
    dice = [flat("black", value, 20.0 + 40.0 * value, 100.0) for value in (1, 2, 3, 4, 5, 6)]
    reading = read_scene(table([*dice, replace(small, look=replace(small.look, edge_mm=12.0))]))
    assert str(reading.reason) == "unexplained"


@pytest.mark.parametrize(("among", "body"), [("white", (130, 130, 134)), ("yellow", (160, 205, 50))])
def test_a_die_of_nearly_a_taught_colour_is_told_by_the_others(among: str, body: tuple[int, int, int]) -> None:
    row = [flat(among, value, 20.0 + 35.0 * value, 100.0) for value in range(1, 7)]
    other = flat(among, 4, 140.0, 50.0)
    reading = read_scene(table([*row, replace(other, look=replace(other.look, body=body))]))
    assert str(reading.reason) == "unsure"
    assert "colour" in reading.say


@pytest.mark.parametrize("y_mm", [-11.3, 211.3])
def test_a_die_that_touches_the_edge_from_outside_is_no_matter(y_mm: float) -> None:
    beside = flat("yellow", 6, 117.5, y_mm, math.pi / 4)
    reading = read_scene(table([*ROW, beside]))
    assert (reading.reason, len(reading.dice)) == (None, 6)
