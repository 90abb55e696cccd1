"""A die is what the networks claim and the pips confirm; what only the networks see is not read, and not left out."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.stage import camera, die
from tests.support.views import always_sees, view_in
from vision.capture.frame import Pixels
from vision.field.view import AROUND_MM, PX_PER_MM, View
from vision.foreground.survey import look_over
from vision.foreground.things import UnexplainedThing
from vision.network.dice_map import DiceMapper, MappedDice
from vision.network.network import NOT_FLAT, Chances, FaceClassifier
from vision.network.networks import Networks, packaged
from vision.reader.claims import Claim, find_claims
from vision.reader.dice import Found, find_dice
from vision.reader.refusal import COCKED_SAY, STACKED_SAY, THING_SAY, UNREAD_SAY, find_refusal
from vision.reading import Reading, Reason

HERE, OUTSIDE = (140.0, 100.0), (140.0, -12.0)


def shows(*dice: tuple[float, float], chance: float = 1.0) -> DiceMapper:
    """A map that shows dice at these places of the baize, in mm."""
    at = np.array(dice, np.float64).reshape(-1, 2) + AROUND_MM
    return lambda _: MappedDice(at, np.full(len(at), chance, np.float32))


def sees(**chances: float) -> FaceClassifier:
    """A network that sees this everywhere: `none`, `v1` to `v6`, `not_flat`."""
    row = np.zeros(NOT_FLAT + 1, np.float32)
    for name, chance in chances.items():
        row[{"none": 0, "not_flat": NOT_FLAT}.get(name) or int(name[1:]) if name != "none" else 0] = chance
    return lambda crops, _: np.tile(row, (len(crops), 1))


@pytest.fixture(scope="module")
def view() -> View:
    return view_in(camera([die(4, *HERE)]).capture().pixels)


@pytest.fixture(scope="module")
def found(view: View) -> Found:
    return find_dice(view, look_over(view), packaged())


def found_in(view: View, classify: FaceClassifier, mapper: DiceMapper) -> Found:
    return find_dice(view, look_over(view), networks(classify, mapper))


def networks(classify: FaceClassifier, mapper: DiceMapper) -> Networks:
    return Networks(mapper, classify, classify, packaged().stance)


def claims_in(view: View, classify: FaceClassifier, mapper: DiceMapper) -> list[Claim]:
    return find_claims(view, networks(classify, mapper))


def told(view: View, found: Found) -> Reading:
    refusal = find_refusal(view, found, frozenset())
    assert refusal is not None
    return refusal


def test_what_map_network_and_pips_show_is_a_die(found: Found) -> None:
    assert [one.face.value for one in found.dice] == [4]
    assert (found.unread, found.things) == ((), ())


@pytest.mark.parametrize(("chance", "die_there"), [(0.9, 0.25), (0.35, 0.8)])
def test_map_and_network_together_must_see_it(view: View, chance: float, die_there: float) -> None:
    seen = sees(none=1 - die_there, v4=die_there)
    assert claims_in(view, seen, shows(HERE, chance=chance)) == []
    assert len(claims_in(view, seen, shows(HERE, chance=chance + 0.2))) == 1


def test_beside_the_baize_only_a_value_is_a_die(view: View) -> None:
    assert claims_in(view, sees(not_flat=1.0), shows(OUTSIDE)) == []
    (claim,) = claims_in(view, sees(v3=0.6, not_flat=0.4), shows(OUTSIDE))
    assert claim.value == 3
    assert told(view, Found((), (claim,), ())).reason is Reason.OFF_FIELD


@pytest.mark.parametrize(("certain", "off_px", "asked"), [(0, 0.0, 7), (5, 6.0, 7), (9, 12.0, 13)])
def test_places_farther_from_that_of_the_map_are_asked_until_one_shows_a_value(
    view: View, certain: int, off_px: float, asked: int
) -> None:
    seen: list[Chances] = []

    def glance(crops: Pixels, slopes: np.ndarray) -> Chances:
        rows = always_sees(2)(crops, slopes)
        rows[:, 0] = 1 - (np.arange(len(seen), len(seen) + len(rows)) == certain)
        rows[:, 2] = 1 - rows[:, 0]
        seen.extend(rows)
        return rows

    (claim,) = find_claims(view, replace(networks(always_sees(3), shows(HERE)), glance=glance))
    (middle,) = claims_in(view, sees(v3=1.0), shows(HERE))
    assert claim.value == 3  # ... and looked at again, in all turns
    assert np.linalg.norm(claim.place - middle.place) == pytest.approx(off_px)
    assert len(seen) == asked


def test_no_die_is_claimed_where_another_one_was(view: View) -> None:
    beside = (HERE[0] + 9.0, HERE[1])

    def glance(crops: Pixels, slopes: np.ndarray) -> Chances:
        rows = always_sees(2)(crops, slopes)
        if asked:  # the second time most is seen on the side of the first die
            rows[: len(rows) // 2] = always_sees(0)(crops[: len(rows) // 2], slopes)
        asked.append(len(crops))
        return rows

    asked: list[int] = []
    one, other = find_claims(view, replace(networks(always_sees(2), shows(HERE, beside)), glance=glance))
    assert asked[0] > asked[1]  # some places about the second are too near
    assert np.linalg.norm(one.place - other.place) > 8.0 * PX_PER_MM


def test_when_all_dice_were_read_what_looks_like_one_beside_the_baize_stops_nobody(view: View, found: Found) -> None:
    (tile,) = claims_in(view, sees(v6=0.9, none=0.1), shows(OUTSIDE))
    with_tile = replace(found, unread=(tile,))
    assert find_refusal(view, with_tile, frozenset({1})) is None
    for counts in (frozenset[int](), frozenset({1, 2})):
        refusal = find_refusal(view, with_tile, counts)
        assert refusal is not None
        assert refusal.reason is Reason.OFF_FIELD


@pytest.mark.parametrize(
    ("seen", "reason", "say"),
    [
        ({"v5": 1.0}, Reason.UNSURE, UNREAD_SAY),
        ({"v5": 0.7, "v2": 0.3}, Reason.UNEXPLAINED, THING_SAY),
        ({"not_flat": 1.0}, Reason.COCKED, COCKED_SAY),
    ],
)
def test_where_the_pips_show_another_value_nothing_is_read(
    view: View, seen: dict[str, float], reason: Reason, say: str
) -> None:
    other = found_in(view, sees(**seen), shows(HERE))
    assert (other.dice, len(other.unread)) == ((), 1)
    refusal = told(view, replace(other, things=()))
    assert (refusal.reason, refusal.say) == (reason, say)


def test_the_pips_must_show_what_was_claimed_whatever_the_network_sees_in_their_middle(view: View) -> None:
    claimed_and_then = iter((5, 4))

    def classify(crops: Pixels, slopes: np.ndarray) -> Chances:
        return always_sees(next(claimed_and_then))(crops, slopes)

    other = find_dice(view, look_over(view), replace(networks(classify, shows(HERE)), glance=always_sees(5)))
    assert (other.dice, len(other.unread)) == ((), 1)


def test_the_value_that_the_networks_see_is_offered(view: View, found: Found) -> None:
    claimed = found_in(view, always_sees(5), shows(HERE)).unread
    assert told(view, Found(found.dice, claimed, ())).likely == ((4, 5),)


def test_a_network_that_is_not_certain_of_the_value_is_not_believed(view: View) -> None:
    assert len(found_in(view, sees(v4=0.94, v5=0.06), shows(HERE)).dice) == 0
    assert len(found_in(view, sees(v4=0.96, v5=0.04), shows(HERE)).dice) == 1


def test_of_the_only_pip_of_a_1_the_map_must_be_certain() -> None:
    view = view_in(camera([die(1, *HERE)]).capture().pixels)
    assert len(found_in(view, always_sees(1), shows(HERE, chance=0.97)).dice) == 1
    faint = found_in(view, always_sees(1), shows(HERE, chance=0.9))
    assert (faint.dice, len(faint.unread)) == ((), 1)


@pytest.mark.parametrize(("apart_mm", "count"), [(6.0, 1), (9.5, 2)])
def test_squares_that_may_be_of_a_small_die_beside_another_are_asked(view: View, apart_mm: float, count: int) -> None:
    seen = claims_in(view, always_sees(4), shows(HERE, (HERE[0] + apart_mm, HERE[1])))
    assert len(seen) == count


def test_one_die_is_read_once_though_the_map_shows_it_twice(view: View) -> None:
    twice = found_in(view, always_sees(4), shows(HERE, (HERE[0] + 3, HERE[1])))
    assert (len(twice.dice), twice.unread) == (1, ())


def test_a_face_that_two_claims_lead_to_is_one_die(view: View, found: Found, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.reader.dice.face_at", lambda *_: found.dice[0].face)
    assert len(found_in(view, always_sees(4), shows(HERE, (HERE[0] + 11.0, HERE[1]))).dice) == 1


def test_a_claim_as_far_off_as_the_corner_of_a_die_may_be_of_another_one(view: View) -> None:
    seen = found_in(view, always_sees(4), shows(HERE, (HERE[0] + 11.0, HERE[1])))
    assert (len(seen.dice), len(seen.unread)) == (1, 1)


def test_whether_a_die_leans_is_decided_by_what_shows_beside_it(view: View) -> None:
    (die_there,) = found_in(view, sees(not_flat=0.6, v4=0.4), shows(HERE)).dice
    assert (die_there.face.value, die_there.leaning < 0.5) == (4, True)


@pytest.mark.parametrize(("leaning", "leans"), [(0.55, False), (0.65, True)])
def test_above_one_limit_a_die_leans(view: View, found: Found, leaning: float, leans: bool) -> None:
    refusal = find_refusal(view, replace(found, dice=(replace(found.dice[0], leaning=leaning),)), frozenset())
    assert (refusal is not None) is leans
    assert refusal is None or (refusal.reason, refusal.say) == (Reason.COCKED, COCKED_SAY)


def test_what_shows_beside_a_leaning_die_is_another_one_under_it(view: View, found: Found) -> None:
    stacked = replace(found.dice[0], leaning=0.9, overhang_mm2=40.0)
    refusal = told(view, replace(found, dice=(stacked,)))
    assert (refusal.reason, refusal.say) == (Reason.STACKED, STACKED_SAY)


def test_a_die_in_a_lamp_s_light_is_told_as_such(view: View, found: Found) -> None:
    lit = replace(found.dice[0], washed_out=True)
    assert told(view, replace(found, dice=(lit,))).reason is Reason.GLARE


@pytest.mark.parametrize(("side_px", "say"), [(80.0, UNREAD_SAY), (170.0, THING_SAY)])
def test_what_the_networks_see_in_something_larger_than_a_die_is_none(view: View, side_px: float, say: str) -> None:
    (claim,) = found_in(view, always_sees(5), shows(HERE)).unread
    x, y = claim.place.tolist()
    half = side_px / 2
    thing = UnexplainedThing(500.0, (x, y), (x - half, y - half, x + half, y + half), False)
    assert told(view, Found((), (claim,), (thing,))).say == say


def test_whatever_hides_dice_is_told_first(view: View, found: Found) -> None:
    leaning = replace(found.dice[0], leaning=0.9)
    hand = UnexplainedThing(9000.0, (600.0, 600.0), (400.0, 400.0, 800.0, 876.0), True)
    white = replace(hand, washed_out=True, from_outside=False)
    assert told(view, Found((leaning,), (), (hand,))).reason is Reason.HAND
    assert told(view, Found((leaning,), (), (hand, white))).reason is Reason.GLARE


@pytest.mark.parametrize(
    ("from_outside", "counts", "is_told"), [(False, {1}, False), (False, {1, 2}, True), (True, {1}, True)]
)
def test_a_coin_beside_all_the_dice_is_no_matter_but_a_finger_is(
    view: View, found: Found, from_outside: bool, counts: set[int], is_told: bool
) -> None:
    thing = UnexplainedThing(500.0, (600.0, 600.0), (560.0, 560.0, 640.0, 640.0), from_outside)
    refusal = find_refusal(view, replace(found, things=(thing,)), frozenset(counts))
    assert (refusal is not None) is is_told
