"""A race as each is shown it: what now, whose dice, who has which chip, and the sheet."""

import json
import re
from dataclasses import replace

import pytest

from controller.game.core.commands import Command, ConfirmTiles, OptionValue, ReportFault
from controller.game.core.engine import AnyGame
from controller.game.core.players import Player
from controller.game.core.sight import OwnDice
from controller.game.fleet.commands import CallGo, Claim, CountDown, EndRound, NameCombination, PassSecond, Shout
from controller.game.table.caller import Caller
from controller.game.table.engines import decide, news_of
from controller.game.table.questions import FleetQuestion
from controller.game.table.snapshot import Snapshot
from controller.messages.words import words_in
from controller.opponents.hints import FleetBook
from controller.rules.fleet.dice import JOKER
from controller.web.pages.table.audience import View
from controller.web.pages.table.ending import ending_of
from controller.web.pages.table.fault import fault_of
from controller.web.pages.table.race import Hand, RaceTable
from controller.web.pages.table.view import TableView
from controller.web.pages.templates import Templates
from hardware.errors import Fault
from tests.controller.web.pages.races import ANN, ONLOOKER, SHARED, look, race, run, shown

TWOS_LIE = (2, 2, 2, 2, 2, 7)
TWOS, PAIRS = (2, 2, 2, 2, "joker", 2), (3, 3, 4, 4, 5, 5)
ENGLISH = words_in("en")


def raced(**options: OptionValue) -> AnyGame:
    """Ann goes for All Twos and Ben for Three Pairs; the round is on."""
    named = run(
        race("Ann", "Ben", "Cleo", **options),
        NameCombination("all-twos", "Ann"),
        NameCombination("three-pairs", "Ben"),
        NameCombination("all-threes", "Cleo"),
    )
    return run(named, CallGo(), CountDown())


def race_of(table: TableView) -> RaceTable:
    assert table.race is not None
    return table.race


def hand_of(snapshot: Snapshot) -> Hand:
    return race_of(shown(snapshot)).hands[0]


def part_of(table: TableView, part: str) -> str:
    return Templates(ENGLISH).render(f"parts/{part}.html", table=table, fault=None, drawer=None)


def test_another_game_has_no_race() -> None:
    assert shown(replace(look(race("Ann", "Ben")), race=None)).race is None


def test_who_is_to_name_is_offered_what_he_has_left() -> None:
    table = shown(look(race("Ann", "Ben", game="flash")))
    hand = race_of(table).hands[0]
    assert table.say == ("Round 1 of 8: name a combination.",)
    assert ("all-jokers", "All Bolts") in hand.choices
    assert len(hand.choices) == 8
    # Each is shown with six dice that are one.
    examples = race_of(table).examples
    assert {name for name, _ in hand.choices} == set(examples)
    assert examples["all-jokers"] == (JOKER,) * 6
    assert part_of(table, "own").count('class="face') == 6 * 8


def test_what_was_named_is_nobody_else_s_to_know_until_all_have() -> None:
    named = look(run(race("Ann", "Ben"), NameCombination("all-twos", "Ann")))
    assert shown(named).say == ("You have named one. The others have not named theirs yet.",)
    assert [runner.does for runner in race_of(shown(named)).runners] == ["has named", "is naming"]
    assert "all-twos" not in part_of(shown(named, ONLOOKER), "own")
    ready = look(run(race("Ann", "Ben"), NameCombination("all-twos", "Ann"), NameCombination("straight", "Ben")))
    assert shown(ready).say == ("For you: All Twos. Your six dice come at GO.",)
    assert shown(replace(ready, simulated=False)).say == ("For you: All Twos. Take your six dice.",)
    assert [runner.combination for runner in race_of(shown(ready)).runners] == ["All Twos", "Straight"]


def test_go_is_for_all_at_the_table_and_for_nobody_who_looks_on() -> None:
    ready = look(run(race("Ann", "Ben", challenge="in_order")))
    assert race_of(shown(ready)).may_go
    assert not race_of(shown(ready, ONLOOKER)).may_go


def test_the_count_is_shown_while_it_is_counted_and_go_when_it_is_over() -> None:
    counting = look(run(race("Ann", "Ben", challenge="in_order"), CallGo()), countdown_s=2)
    assert race_of(shown(counting, ONLOOKER, "wall")).count == 2
    assert ">2<" in part_of(shown(counting, ONLOOKER, "wall"), "beside")


def test_who_races_has_his_dice_and_keeps_some_of_them() -> None:
    hand = hand_of(look(raced(), {"Ann": OwnDice(kept=(2, 7), thrown=(3, 4, 5, 6))}))
    assert hand.say == "Go for All Twos."
    assert hand.frozen == (2, 7)
    assert [die.face for die in hand.dice] == [3, 4, 5, 6]
    assert {"throw", "shout"} <= hand.actions
    assert not hand.choices


@pytest.mark.parametrize(
    ("own", "main"),
    [({}, "throw-1"), ({"Ann": OwnDice(thrown=TWOS_LIE)}, "throw-1"), ({"Ann": OwnDice(kept=TWOS_LIE)}, "shout-1")],
)
@pytest.mark.parametrize("keeping", ["frozen", "unfrozen"])
def test_the_main_button_is_for_the_throw_until_every_die_is_kept(
    own: dict[str, OwnDice], main: str, keeping: str
) -> None:
    bar = part_of(shown(look(raced(keeping=keeping), own)), "own").partition('id="bar-1"')[2]
    buttons = re.findall(r'class="b (go )?big [a-z]+" id="([a-z]+-1)"', bar)
    assert dict(map(reversed, buttons)) == {each: "go " * (each == main) for each in ("shout-1", "throw-1")}


@pytest.mark.parametrize(
    ("keeping", "dice", "asked"),
    [
        ("frozen", OwnDice(kept=(2, 7), thrown=(3, 4, 5, 6)), {"throw": [3, 4, 5, 6], "kept": [2, "joker"]}),
        ("unfrozen", OwnDice(kept=(2, 7), thrown=(3, 4, 5, 6)), {"throw": [2, 3, 4, 5, 6, "joker"]}),
        ("frozen", OwnDice(kept=(), thrown=()), {}),
    ],
)
def test_the_odds_are_asked_about_the_dice_as_they_lie(keeping: str, dice: OwnDice, asked: dict[str, object]) -> None:
    question = json.loads(hand_of(look(raced(keeping=keeping), {"Ann": dice})).question)
    assert question["set"]["keeping"] == keeping
    assert {name: question[name] for name in question if name in ("throw", "kept")} == asked
    assert FleetBook().answer(FleetQuestion(**question))["value"] > 0


def test_nobody_asks_for_odds_that_nobody_is_told_or_of_what_he_has_not_named() -> None:
    dice = {"Ann": OwnDice(kept=(), thrown=(2, 3, 4, 5, 6, 7))}
    unannounced = run(race("Ann", "Ben", challenge="unannounced"), CallGo(), CountDown())
    for race_on in (raced(hints="never"), unannounced):
        assert hand_of(look(race_on, dice)).question == ""
        assert "Ask for the odds" not in part_of(shown(look(race_on, dice)), "own")
    assert "Ask for the odds" in part_of(shown(look(raced(), dice)), "own")


def test_dice_that_are_not_frozen_can_be_taken_up_again() -> None:
    hand = hand_of(look(raced(keeping="unfrozen"), {"Ann": OwnDice(kept=(2, 7), thrown=(3, 4, 5, 6))}))
    assert hand.frozen == ()
    assert [die.is_kept for die in hand.dice] == [True, True, False, False, False, False]


def test_who_shouts_unannounced_says_which_one_it_is() -> None:
    hand = hand_of(look(run(race("Ann", "Ben", challenge="unannounced"), CallGo(), CountDown())))
    assert hand.say == "Go for any combination that you have left."
    assert len(hand.choices) == 10


def test_what_was_claimed_unannounced_stands_in_the_sheet_at_once() -> None:
    begun = run(race("Ann", "Ben", "Cleo", challenge="unannounced"), CallGo(), CountDown())
    table = shown(look(run(begun, Shout("three-pairs", "Ann"), Claim(PAIRS, "Ann"))))
    assert [box.points for box in race_of(table).lines[1].boxes] == [3, None, None]
    assert race_of(table).runners[0].combination == "Three Pairs"


def test_a_shout_asks_for_the_dice_and_can_be_taken_back() -> None:
    hand = hand_of(look(run(raced(), Shout(player="Ann"))))
    assert hand.actions == {"claim", "withdraw"}
    assert hand.say == "Say what your dice show."


@pytest.mark.parametrize(
    ("own", "said", "is_open"),
    [
        ({"Ann": OwnDice(thrown=TWOS_LIE)}, "The box looks at your dice.", False),
        ({}, "The box sees none of your dice: type what they show, or keep playing.", True),
    ],
)
def test_who_shouts_at_a_simulated_box_before_throwing_is_asked_to_type(
    own: dict[str, OwnDice], said: str, is_open: bool
) -> None:
    table = shown(replace(look(run(raced(), Shout(player="Ann")), own), camera_reads=True))
    assert race_of(table).hands[0].say == said
    assert ('id="claim-1" open' in part_of(table, "own")) == is_open


def test_who_has_a_chip_is_told_so_and_all_see_who_has_which() -> None:
    table = shown(look(run(raced(), Shout(player="Ann"), Claim(TWOS, "Ann"))))
    found = race_of(table)
    assert table.say == ("You have the chip of 3. The others are still racing.",)
    own, acts = part_of(table, "own"), part_of(table, "acts")
    assert ("Round 1 of 10" in own, '<div class="card others">' in own) == (True, True)
    assert 'data-lost="Ann took the chip of 3: it is put back, and the race for it goes on."' in acts
    assert [(chip.points, chip.taken_by) for chip in found.chips] == [(3, ("Ann",)), (2, ()), (1, ())]
    assert [(runner.chip, runner.total) for runner in found.runners] == [(3, 3), (None, 0), (None, 0)]
    assert [box.points for box in found.lines[0].boxes] == [3, None, None]
    assert [box.is_now for box in found.lines[1].boxes] == [False, True, False]


def test_chips_may_be_worth_more_than_what_stands_on_their_tiles() -> None:
    table = shown(look(race("Ann", "Ben", "Cleo", chips="1-3-8-15-25-40")))
    assert [(chip.tile, chip.points) for chip in race_of(table).chips] == [("3", 8), ("2", 3), ("1", 1)]
    assert "tile 3" in part_of(table, "under")


def test_a_wrong_shout_that_costs_the_chip_is_said() -> None:
    snapshot = look(run(raced(wrong_shout="no_chip"), Shout(player="Ann"), Claim(PAIRS, "Ann")))
    assert shown(snapshot).say == ("No chip for you in this round.",)
    assert race_of(shown(snapshot)).runners[0].does == "no chip in this round"


def test_the_last_one_is_told_his_time() -> None:
    others = (Shout(player="Ben"), Claim(PAIRS, "Ben"), Shout(player="Cleo"), Claim((3,) * 6, "Cleo"))
    snapshot = look(run(raced(timer=10), *others, ConfirmTiles(), PassSecond()))
    assert race_of(shown(snapshot)).left_s == 9
    assert shown(snapshot).say == ("You are last: hurry.",)
    assert "9 seconds left" in part_of(shown(snapshot), "own")
    assert "9 seconds left" in part_of(shown(snapshot, ONLOOKER, "wall"), "beside")


def test_a_device_that_several_play_at_has_a_hand_for_each_of_them() -> None:
    found = race_of(shown(look(raced()), SHARED))
    assert [hand.name for hand in found.hands] == ["Ann", "Ben", "Cleo"]
    assert found.say == ""
    page = part_of(shown(look(raced()), SHARED), "own")
    assert page.count('name="whose"') == 3
    assert 'data-do="shout" data-player="Cleo"' in page


@pytest.mark.parametrize(("caller", "view"), [(ONLOOKER, "play"), (ANN, "wall")])
def test_nobody_acts_who_looks_on_and_nobody_at_the_wall(caller: Caller, view: View) -> None:
    table = shown(look(raced(), {"Ann": OwnDice(thrown=(2, 2, 3, 4, 5, 6))}), caller, view)
    assert race_of(table).hands == ()
    assert "<button" not in part_of(table, "own") + part_of(table, "beside")
    assert race_of(table).runners[0].spoken == ("2", "2", "3", "4", "5", "6")


def test_the_house_is_nobody_s_hand() -> None:
    game = race("Ann", Player("House", house=True, strength="steady"))
    assert [hand.name for hand in race_of(shown(look(game), SHARED)).hands] == ["Ann"]


def test_the_wall_shows_the_sheet_between_rounds_and_who_is_how_far_within_them() -> None:
    between, within = look(race("Ann", "Ben")), look(raced())
    assert "<table>" in part_of(shown(between, ONLOOKER, "wall"), "beside")
    assert "<table>" not in part_of(shown(within, ONLOOKER, "wall"), "beside")


def test_what_a_race_is_made_of_is_no_answer_to_a_fault() -> None:
    fault = Fault("H-301", "front-3", "SHUT", "OPEN", "")
    halted = run(raced(), Shout(player="Ann"), Claim(TWOS, "Ann"), ReportFault(fault))
    view = fault_of(shown(look(halted)), ENGLISH)
    assert view is not None
    assert {answer.kind for answer in view.answers} <= {"try_again", "believe", "undo", "go_on"}


def test_the_most_points_win_by_as_many_as_they_lead() -> None:
    ended = replace(look(raced()), phase="ended", winners=("Ann",), standing={"Ann": 30, "Ben": 24, "Cleo": 9})
    ending = ending_of(ended, ENGLISH)
    assert ending is not None
    assert (ending.title, ending.left, ending.has_luck) == ("Ann wins by 6 points.", "", False)


def test_what_is_over_is_filled_into_the_sheet() -> None:
    ended = look(run(raced(), Shout(player="Ann"), Claim(TWOS, "Ann"), EndRound()))
    found = race_of(shown(ended))
    assert [box.points for box in found.lines[0].boxes] == [3, None, None]
    assert [box.points for box in found.lines[1].boxes] == [None, 0, None]
    assert ("all-twos", "All Twos") not in found.hands[0].choices


def test_the_wall_tells_what_the_box_says_of_a_shout() -> None:
    before = run(raced(), Shout(player="Ann"))
    events = decide(before, Claim(PAIRS, "Ann"))
    after = run(before, Claim(PAIRS, "Ann"))
    wrong = replace(look(after), messages=(*look(after).messages, *news_of(before, events, after)))
    said = "Ann: 3 3 4 4 5 5 is not All Twos."
    assert [said in part_of(shown(wrong, ONLOOKER, view), "beside") for view in ("wall", "play")] == [True, False]


def test_the_wall_tells_what_came_of_a_round_until_all_have_named_again() -> None:
    def told(before: AnyGame, wish: Command) -> str:
        events, after = decide(before, wish), run(before, wish)
        news = tuple(news_of(before, events, after))
        return part_of(shown(replace(look(after), messages=(*look(after).messages, *news)), ONLOOKER, "wall"), "beside")

    over = run(raced(), Shout(player="Ann"), Claim(TWOS, "Ann"))
    assert "Round ended early: Ben and Cleo take no chip." in told(over, EndRound())
    again = run(over, EndRound(), ConfirmTiles())
    assert "After round 1: Ann 3, Ben 0, Cleo 0." in told(again, NameCombination("straight", "Ben"))


def test_the_wall_shows_the_dice_of_everybody_and_marks_who_won() -> None:
    wall = part_of(
        shown(
            look(raced(), {"Ann": OwnDice((), (2, 2, 2, 2, 7, 2)), "Ben": OwnDice((3,), (3, 4, 4, 5, 5))}),
            ONLOOKER,
            "wall",
        ),
        "beside",
    )
    assert wall.count('class="lie"') == 2
    assert wall.count('class="won"') == 0
    ended = replace(look(raced()), phase="ended", winners=("Ben",))
    assert part_of(shown(ended, ONLOOKER, "wall"), "beside").count('class="won"') == 1
