"""Who may give which command: identity is checked before any rule is asked."""

from dataclasses import replace

import pytest

from controller.errors import NotNow, NotYours
from controller.game.core.actions import OF_TURN
from controller.game.core.commands import Abandon, Park, StartGame
from controller.game.core.players import BY_THE_BOX, Origin, Player
from controller.game.shutbox.commands import Choose, CorrectThrow
from controller.game.shutbox.messages import news_of_box_game as news_of
from controller.game.table.caller import Caller, check_may, may, origin_of
from controller.game.table.engines import actions_of, decide
from tests.controller.game.shutbox.test_actions import CHOOSING, MOMENTS, WITH_HOUSE
from tests.support.race_stories import race
from tests.support.said import said, text_of
from tests.support.stories import play
from tests.support.together import together

ANN = Caller("terminal", seats=frozenset({"Ann"}), shares=False, taken=frozenset({"Bob"}))
BOB = Caller("page", seats=frozenset({"Bob"}), shares=False, taken=frozenset({"Ann"}))
ALONE = Caller("terminal")
NOBODY = Caller("script", shares=False)


@together("moment", MOMENTS)
def test_what_a_turn_is_made_of_is_for_who_holds_its_seat_and_the_rest_for_the_table(moment: str) -> None:
    game = MOMENTS[moment]
    for action in actions_of(game):
        assert may(action, ALONE)
        assert not may(action, Caller("page", "spectator"))
        assert may(action, Caller("page", "operator")) is (action.kind not in OF_TURN)
        assert may(action, NOBODY) is (action.kind in ("start", "park", "go_on"))
        for name, caller in (("Ann", ANN), ("Bob", BOB)):
            wanted = action.kind in ("start", "park", "go_on") or name in action.by
            assert may(action, caller) is wanted, (action.kind, name)


@pytest.mark.parametrize(
    ("caller", "says"),
    [
        (BOB, "only Ann can choose tiles now; you play for Bob here"),
        (NOBODY, "only Ann can choose tiles now; take a seat first"),
        (Caller("page", "spectator"), "spectators cannot choose tiles; take a seat first"),
        (Caller("page", "operator"), "only Ann can choose tiles now; take a seat first"),
    ],
    ids=str,
)
def test_who_may_not_is_told_whose_it_is(caller: Caller, says: str) -> None:
    with pytest.raises(NotYours) as refused:
        check_may(CHOOSING, "choose", caller)
    assert str(refused.value) == says


@pytest.mark.parametrize(
    ("caller", "says"),
    [
        (ANN, "You can choose tiles, correct the dice, pause or give the game up"),
        (BOB, "You can pause or give the game up"),
        (NOBODY, "You can pause"),
        (Caller("page", "operator"), "You can pause or give the game up"),
        (Caller("page", "spectator"), "You can only look on"),
    ],
    ids=str,
)
def test_what_nobody_can_do_now_is_refused_with_what_this_caller_can_do(caller: Caller, says: str) -> None:
    with pytest.raises(NotNow) as refused:
        check_may(CHOOSING, "undo", caller)
    assert str(refused.value) == f"you cannot take it back now: it is Ann's turn to choose tiles for 3 and 5. {says}"


def test_to_pause_a_paused_game_is_no_refusal() -> None:
    parked = MOMENTS["the game is paused"]
    assert "park" not in {action.kind for action in actions_of(parked)}
    for caller in (ANN, BOB, ALONE, NOBODY):
        check_may(parked, "park", caller)


def test_a_seat_that_nobody_holds_is_for_who_shares_the_table_and_one_that_another_holds_is_not() -> None:
    shared = Caller("terminal", taken=frozenset({"Bob"}))
    check_may(CHOOSING, "choose", shared)
    with pytest.raises(NotYours):
        check_may(CHOOSING, "choose", Caller("terminal", taken=frozenset({"Ann"})))


def test_the_house_s_dice_are_thrown_by_the_one_whom_the_table_names() -> None:
    check_may(WITH_HOUSE, "roll", ANN)
    with pytest.raises(NotYours):
        check_may(WITH_HOUSE, "roll", BOB)


def test_an_event_tells_its_door_and_whose_seat_it_was() -> None:
    assert origin_of(CHOOSING, Choose(("front-8",)), ALONE) == Origin("terminal", 0)
    assert origin_of(CHOOSING, Park(), ALONE) == Origin("terminal", None)
    assert origin_of(CHOOSING, Park(), BOB) == Origin("page", 1)
    assert origin_of(None, StartGame((Player("Bob"),)), BOB) == Origin("page", None)
    assert Origin("box", None) == BY_THE_BOX


def test_a_correction_tells_from_what_to_what_and_by_whom() -> None:
    chosen = play(CHOOSING, Choose(("front-8",)))
    for game, before in ((CHOOSING, ""), (chosen, "Ann takes the choice back: front-8. ")):
        events = decide(game, CorrectThrow((5, 4)))
        after = play(game, CorrectThrow((5, 4)))
        assert text_of(news_of(game, events, after, by=0)) == f"{before}Ann corrects 3 and 5 to 4 and 5."
    [told] = news_of(CHOOSING, decide(CHOOSING, CorrectThrow((5, 4))), after)
    assert said(told).startswith("Somebody corrects")


@pytest.mark.parametrize("game", ["pub", "fleet"])
def test_who_has_no_chair_ends_no_game_of_others_and_a_shared_terminal_still_does(game: str) -> None:
    begin = StartGame((Player("Ann"), Player("Bob"), Player("House", house=True)), game=game)
    played = race(None, begin) if game == "fleet" else play(None, begin)
    (give_up,) = (each for each in actions_of(played) if each.kind == "abandon")
    guest = Caller("page", shares=True, taken=frozenset({"Ann", "Bob"}))
    assert give_up.by == ("Ann", "Bob")
    assert not may(give_up, guest)
    assert may(give_up, replace(guest, taken=frozenset({"Ann"})))
    assert may(give_up, ALONE)
    assert may(give_up, ANN)
    assert may(give_up, Caller("page", "operator"))


@pytest.mark.parametrize("game", ["pub", "fleet"])
def test_who_may_give_a_game_up_may_play_on_and_no_operator_does_it_for_them(game: str) -> None:
    options = {"undo": "nobody"}
    begin = StartGame((Player("Ann"), Player("Bob"), Player("House", house=True)), game=game, options=options)
    given_up = (race if game == "fleet" else play)(None, begin, Abandon())
    start, play_on = actions_of(given_up)
    assert (start.kind, play_on.kind, play_on.by) == ("start", "undo", ("Ann", "Bob"))
    assert not may(play_on, Caller("page", shares=True, taken=frozenset({"Ann", "Bob"})))
    assert not may(play_on, Caller("page", "spectator"))
    assert may(play_on, ANN)
    assert not may(play_on, Caller("page", "operator"))


def test_a_game_of_houses_alone_is_ended_by_whoever_is_there() -> None:
    played = play(None, StartGame((Player("House", house=True), Player("Inn", house=True))))
    assert all(may(each, ALONE) for each in actions_of(played) if each.kind == "abandon")
