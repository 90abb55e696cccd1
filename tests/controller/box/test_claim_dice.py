"""The dice of claims: which taught sets are such, what their readings mean, and how they come to lie on a box."""

from dataclasses import replace
from functools import cache

import pytest

from controller.box.dice import claim_dice_of
from controller.box.simulated import open_simulated_table
from controller.box.simulated_actions import arguments_of, parse_action
from controller.errors import BadDeed
from controller.rules.fleet.dice import JOKER, Dice, LaidDie, sort_claim
from hardware.box import load_box
from hardware.sim.dice import CLAIM_COLOURS
from vision.custom_dice.faces import DiceSet
from vision.reading import DieReading, Reason, read, refused
from vision.sim.custom_dice import load_claim_set

BOX = load_box("two-level-9")


@cache
def known() -> DiceSet:
    return load_claim_set("bolt")


def labelled(**labels: str) -> DiceSet:
    """The known set with other names of some faces: `two="9"`."""
    numbers = {"joker": 1, "two": 2, "three": 3}
    new = {numbers[name]: label for name, label in labels.items()}
    return replace(known(), faces=tuple(replace(f, label=new.get(f.value, f.label)) for f in known().faces))


@pytest.mark.parametrize("joker", ["boat", "bolt", "joker", "Boat"])
def test_a_taught_set_of_five_numbers_and_a_joker_is_made_claims_with(joker: str) -> None:
    dice = claim_dice_of(labelled(joker=joker))
    assert dice is not None
    assert dice.colours == CLAIM_COLOURS
    assert dice.faces == {1: JOKER, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6}


@pytest.mark.parametrize(
    "taught",
    [
        labelled(joker="star"),
        labelled(two="9"),
        labelled(two="3", three="2", joker="6"),
        replace(known(), bodies=known().bodies[:1]),
        replace(known(), faces=known().faces[1:]),
    ],
    ids=["no joker", "no two", "two sixes", "one colour", "five faces"],
)
def test_no_claims_are_made_with_other_dice(taught: DiceSet) -> None:
    assert claim_dice_of(taught) is None


def test_a_reading_is_dice_of_their_colours() -> None:
    dice = claim_dice_of(labelled(two="3", three="2"))
    assert dice is not None
    reading = read((DieReading(2, (9.0, 1.0), 0.9, "red"), DieReading(1, (1.0, 1.0), 0.9, "blue")))
    assert dice.laid(reading) == (LaidDie("blue", JOKER), LaidDie("red", 3))
    assert dice.laid(refused(Reason.UNSURE, "")) == ()


@pytest.mark.long
async def test_hands_lay_claims_on_the_simulated_box_and_its_camera_reads_them() -> None:
    async with open_simulated_table(BOX, seed=3, claims="boat") as table:
        assert table.claims is not None
        assert table.hands is not None
        # The dice of the game before still lie there.
        for deed in ("throw 2", "lay red 2,2,boat,5,5,6", "lay blue 3,3,3,4,4,joker"):
            seen = await table.hands.do(parse_action(deed.split()))
            if deed.startswith("lay"):
                reading = await table.watcher.next_claim()
        laid = table.claims.laid(reading)
        assert sort_claim(laid, "red", table.claims.colours) == Dice((2, 2, 5, 5, 6, JOKER))
        assert sort_claim(laid, "blue", table.claims.colours) == Dice((3, 3, 3, 4, 4, JOKER))
        assert len(seen.dice) == 6  # the others are in the hand
        seen = await table.hands.do(parse_action(["take", "red"]))
        assert seen.dice == (3, 3, 3, 4, 4, 1)
        assert len((await table.watcher.next_claim()).dice) == 6


async def test_a_simulated_box_may_know_no_claims() -> None:
    async with open_simulated_table(BOX, seed=3) as table:
        assert table.claims is None


def test_deeds_with_sets_are_written_in_a_line() -> None:
    assert arguments_of(parse_action(["lay", "red", "2,2,boat"])) == {"colour": "red", "faces": "2,2,boat"}
    assert arguments_of(parse_action(["take", "red"])) == {"colour": "red"}
    with pytest.raises(BadDeed, match="say it as lay COLOUR"):
        parse_action(["lay", "red"])
