"""The parts of the play page: at every moment and for everybody just the controls of what is theirs to do."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from controller.game.core.commands import ConfirmTiles, StartGame
from controller.game.core.players import Origin, Player
from controller.game.core.sight import BaizeView, CameraState, DieView, SnapshotContext
from controller.game.shutbox.commands import TakeThrow
from controller.game.table.caller import Caller
from controller.game.table.snapshot import Snapshot, snapshot_of
from controller.web.pages.table.audience import Audience
from controller.web.pages.table.parts import DrawnParts
from tests.controller.game.shutbox.test_actions import CHOOSING, MOMENTS, WAITING
from tests.controller.web.pages.elements import elements_of
from tests.support.stories import play, with_board
from tests.support.together import together

CALLERS = {
    "who plays for all": Caller("page"),
    "Ann": Caller("page", seats=frozenset({"Ann"}), shares=False),
    "Bob": Caller("page", seats=frozenset({"Bob"}), shares=False),
    "an operator": Caller("page", role="operator"),
    "who looks on": Caller("page", role="spectator"),
}
DRAWN = DrawnParts()
PLAYERS = Audience("play", "en", CALLERS["who plays for all"])
# Offered elsewhere than by a button: a game begins on a page of its own.
LINKS = {"start"}


def snapshot_at(moment: str) -> Snapshot:
    context = SnapshotContext(
        7, 5, "two-level-9", game_id=3, simulated=True, baize=BaizeView(280.0, 200.0, 16.0), camera_reads=True
    )
    return snapshot_of(MOMENTS[moment], context)


def drawn(snapshot: Snapshot, caller: Caller = CALLERS["who plays for all"]) -> str:
    """All parts of the page of the table, one after the other."""
    return "\n".join(DRAWN.of(snapshot, Audience("play", "en", caller)).values())


def controls_in(html: str) -> set[str]:
    """The kinds of what can be done by the controls of a page."""
    found = set()
    for element in elements_of(html):
        for name in ("data-do", "data-keypad"):
            found |= {element.attributes[name]} if name in element.attributes else set()
        if "data-confirm" in element.attributes:
            found.add("choose")
        if element.attributes.get("href") == "/start":
            found.add("start")
    return found


@together("caller", CALLERS)
@together("moment", MOMENTS)
def test_everything_that_is_theirs_to_do_has_its_control_and_nothing_else(moment: str, caller: str) -> None:
    snapshot = snapshot_at(moment)
    audience = Audience("play", "en", CALLERS[caller])
    theirs = {each.kind for each in snapshot.actions if audience.action(snapshot, each.kind)}
    # The dice of a throw that something has come of already lie no more: taking it back comes first.
    theirs -= set() if snapshot.throw else {"correct"}
    # The house chooses by itself, whoever acts for its seat.
    theirs -= {"choose"} if snapshot.thinking else set()
    theirs -= {"park"} if snapshot.phase in ("idle", "ended") else set()

    shown = controls_in(drawn(snapshot, CALLERS[caller]))

    assert shown - LINKS == theirs - LINKS
    assert not theirs & LINKS or shown >= LINKS


def test_while_the_house_chooses_no_tile_and_no_move_is_offered() -> None:
    shown = drawn(snapshot_at("the house chooses"))

    assert not [each for each in elements_of(shown) if "data-tiles" in each.attributes or "data-can" in each.attributes]
    assert "The house plays" in shown


@together("moment", MOMENTS)
def test_no_page_has_what_its_own_policy_refuses(moment: str) -> None:
    for element in elements_of(drawn(snapshot_at(moment))):
        assert not [name for name in element.attributes if name == "style" or name.startswith("on")]


def test_of_two_watchers_one_may_be_behind_the_other_and_nothing_is_drawn_again() -> None:
    audience = Audience("play", "en", CALLERS["who looks on"])
    earlier, later = snapshot_at("a throw is awaited"), snapshot_at("tiles are chosen")
    shown = [DRAWN.of(snapshot, audience) for snapshot in (earlier, later) * 2]

    assert shown[0] is shown[2]
    assert shown[1] is shown[3]


@together("moment", MOMENTS)
def test_every_id_stands_once(moment: str) -> None:
    ids = [each.attributes["id"] for each in elements_of(drawn(snapshot_at(moment))) if "id" in each.attributes]

    assert len(ids) == len(set(ids))


@together("moment", MOMENTS)
def test_one_button_a_page_stands_out(moment: str) -> None:
    parts = DRAWN.of(snapshot_at(moment), Audience("play", "en", CALLERS["who plays for all"]))
    filled = [each for each in elements_of(parts["acts"]) if "go" in each.attributes.get("class", "").split()]

    assert len(filled) <= 1


@pytest.mark.parametrize(
    ("moment", "urgent"),
    [
        ("a tile has stopped the game", True),
        ("tiles were moved while the box was off", True),
        ("tiles are chosen", False),
    ],
)
def test_a_fault_is_said_at_once_and_everything_else_when_there_is_time(moment: str, urgent: bool) -> None:
    say = DRAWN.of(snapshot_at(moment), Audience("play", "en", CALLERS["who looks on"]))["say"]

    assert ("data-urgent" in elements_of(say)[0].attributes) is urgent


def test_dice_and_luck_of_a_throw_are_told() -> None:
    shown = drawn(snapshot_at("tiles are chosen"))

    assert "5 and 3: about once in 18 throws" in shown
    assert 'aria-label="Dice in the field: 5 and 3"' in shown


def test_beside_the_scores_stands_what_they_are_made_of_while_a_game_is_on() -> None:
    assert "Every number you see counts, in the back row too" in drawn(snapshot_at("a throw is awaited"))
    assert "Every number you see" not in drawn(snapshot_at("the game is over"))


def test_likely_dice_are_one_tap_away() -> None:
    sight = CameraState(dice=(DieView(5, 10, 10, "red"), DieView(3, 50, 50, "red")), likely=((5, 2), (6, 3)))
    snapshot = snapshot_of(CHOOSING, SnapshotContext(7, 5, "two-level-9", game_id=3, sight=sight))
    taps = [each.attributes for each in elements_of(drawn(snapshot)) if "data-dice" in each.attributes]

    assert [(each["data-do"], each["data-dice"]) for each in taps] == [("correct", "5 2"), ("correct", "6 3")]


def test_with_how_many_dice_is_asked_where_the_rules_give_it() -> None:
    one_or_two = replace(snapshot_at("a throw is awaited"))
    actions = tuple(replace(each, counts=(1, 2)) if each.kind == "roll" else each for each in one_or_two.actions)
    shown = elements_of(drawn(replace(one_or_two, actions=actions)))

    assert [each.attributes["data-count"] for each in shown if "data-count" in each.attributes] == ["2", "1"]


def test_equal_numbers_in_the_list_are_told_apart_by_a_sign_and_by_name() -> None:
    game = play(with_board(WAITING, "1 . . 4 5 6 7 8 9/9 8 7 6 5 4 3 2 1"), TakeThrow((6, 5)))
    moves = DRAWN.of(snapshot_of(game, SnapshotContext(7, 5, "two-level-9", game_id=3)), PLAYERS)["moves"]
    found = [each.attributes for each in elements_of(moves)]
    sevens = [each.get("data-behind") for each in found if each.get("data-mark") == "7"]
    names = [each["aria-label"] for each in found if "aria-label" in each]

    assert sevens == [None, "▴"]
    assert names[:2] == ["Choose 4 and 7 in front", "Choose 4 and the 7 behind"]


def test_nobody_is_asked_to_type_dice_that_the_camera_reads() -> None:
    asks, at = "Throw, and type what the dice show", SnapshotContext(7, 5, "two-level-9", game_id=3)
    moments = (replace(at, reading=True), replace(at, comparing=True), replace(at, camera_reads=False))
    reading, looking, blind = (DRAWN.of(snapshot_of(WAITING, each), PLAYERS) for each in moments)

    assert "The dice roll, and the camera reads them once they lie still." in reading["moves"]
    assert "The box looks at its tiles first." in looking["moves"]
    assert [asks in each["moves"] for each in (reading, looking, blind)] == [False, False, True]


def test_in_the_place_of_the_button_that_throws_stands_what_the_dice_do_until_they_are_read() -> None:
    at = SnapshotContext(7, 5, "two-level-9", game_id=3, reading=True)
    rolling, looked_at = (
        DRAWN.of(snapshot_of(WAITING, each), PLAYERS) for each in (at, replace(at, sight=CameraState(eye="reading")))
    )
    [undo] = (each.attributes for each in elements_of(rolling["acts"]) if each.tag == "button")

    assert undo["id"] == "act-undo"
    assert ">The dice are rolling</p>" in rolling["acts"]
    assert ">The camera reads the dice</p>" in looked_at["acts"]


def test_dice_roll_on_the_baize_until_they_are_read() -> None:
    at = SnapshotContext(7, 5, "two-level-9", game_id=3)
    still, rolling = (DRAWN.of(snapshot_of(WAITING, each), PLAYERS)["box"] for each in (at, replace(at, reading=True)))

    assert "tumbling" not in still
    [dice] = [each for each in elements_of(rolling) if "tumbling" in each.attributes.get("class", "")]
    assert (dice.attributes["aria-label"], rolling.count('class="die"')) == ("The dice are rolling", 2)


def test_the_name_with_which_the_sentence_begins_is_told_apart() -> None:
    assert "<b>Ann</b>:</span>" in DRAWN.of(snapshot_of(WAITING, SnapshotContext(7, 5, "two-level-9")), PLAYERS)["say"]


def test_who_meets_a_free_table_is_told_what_is_played_and_where_it_is_learnt() -> None:
    moves = DRAWN.of(snapshot_at("no game is on"), PLAYERS)["moves"]

    assert "Shut the Box is a game of dice and tiles." in moves
    assert '<a href="/learn">' in moves


def test_on_a_real_box_hands_throw_and_nothing_tumbles() -> None:
    snapshot = snapshot_of(WAITING, SnapshotContext(7, 5, "two-level-9", game_id=3))
    shown = drawn(snapshot)

    assert "Throw by hand into the field" in shown
    assert "data-count=" not in shown


def test_where_it_is_agreed_nobody_can_ask_for_the_odds_and_all_see_so() -> None:
    snapshot = snapshot_at("tiles are chosen")

    assert "data-hint" in drawn(snapshot)
    for caller in CALLERS.values():
        without = drawn(replace(snapshot, hints=False), caller)
        assert "data-hint" not in without
        assert "Nobody sees the odds in this game, as agreed." in without


def test_somebody_who_looks_at_the_camera_s_pictures_is_shown_to_all() -> None:
    snapshot = snapshot_at("a throw is awaited")

    for caller in CALLERS.values():
        assert "Somebody looks at the camera" in drawn(replace(snapshot, looked_at=True), caller)
        assert "Somebody looks at the camera" not in drawn(snapshot, caller)


def test_a_mark_is_shown_as_text_whatever_stands_in_it() -> None:
    snapshot = snapshot_at("a throw is awaited")
    evil = replace(snapshot.tiles[0], mark="<b>&'\"")
    shown = drawn(replace(snapshot, tiles=(evil, *snapshot.tiles[1:])))

    assert "<span>&lt;b&gt;&amp;&#39;&#34;</span>" in shown


def test_the_rules_that_are_linked_are_those_that_are_played_by() -> None:
    snapshot = replace(snapshot_at("tiles are chosen"), game="pub", options={"tiles": 9, "one_die": "never"})

    assert 'href="/rules/pub?one_die=never"' in drawn(snapshot)


@pytest.mark.parametrize(("seats", "named"), [({"Ann"}, "Ann"), ({"Ann", "Bob"}, ""), (set(), "")])
def test_who_sits_down_again_is_offered_his_name_and_not_two_as_one(seats: set[str], named: str) -> None:
    caller = Caller("page", seats=frozenset(seats), shares=False)
    chairs = DRAWN.of(snapshot_at("no game is on"), Audience("join", "en", caller))["chairs"]
    [field] = [each for each in elements_of(chairs) if each.attributes.get("name") == "name"]

    assert field.attributes["value"] == named


@together("moment", MOMENTS)
def test_the_wall_tells_what_the_table_tells_and_offers_nothing(moment: str) -> None:
    snapshot = snapshot_at(moment)
    wall = DRAWN.of(snapshot, Audience("wall", "en", CALLERS["who looks on"]))
    played = DRAWN.of(snapshot, Audience("play", "en", CALLERS["who plays for all"]))

    def marked(parts: Mapping[str, str]) -> set[str]:
        return {each.attributes["id"] for each in elements_of(parts["box"]) if "data-can" in each.attributes}

    assert snapshot.thinking or marked(wall) == marked(played)
    assert not [each for each in elements_of(wall["box"]) if "aria-pressed" in each.attributes]
    if snapshot.phase == "choosing":
        assert marked(wall) == {name for move in snapshot.moves for name in move} != set()
        assert f"<b>{snapshot.score_now}</b>" in wall["beside"]


def test_who_ends_his_own_turn_waits_for_nobody() -> None:
    lost = snapshot_at("a turn is lost")
    assert "The end of the turn" in drawn(lost, CALLERS[lost.turn or ""])
    assert "Waiting for" not in drawn(lost, CALLERS[lost.turn or ""])
    other = CALLERS["Bob" if lost.turn == "Ann" else "Ann"]
    assert f"Waiting for {lost.turn}." in drawn(lost, other)


@pytest.mark.parametrize(
    ("moment", "caller", "says"),
    [
        ("tiles are chosen", "Ann", ""),
        ("tiles are chosen", "Bob", "Ann plays now, on another device."),
        ("tiles are chosen", "who looks on", "Ann plays now, on another device."),
        ("a throw is awaited", "Ann", "The dice come first."),
        ("a turn is lost", "Bob", "Ann plays now, on another device."),
        ("the house chooses", "Ann", "House is played by the box."),
        ("the game is over", "Ann", ""),
    ],
)
def test_whoever_shuts_nothing_is_told_at_a_tap_whose_turn_it_is(moment: str, caller: str, says: str) -> None:
    box = DRAWN.of(snapshot_at(moment), Audience("play", "en", CALLERS[caller]))["box"]
    assert elements_of(box)[0].attributes.get("data-turn", "") == says


@pytest.mark.parametrize(
    ("caller", "is_told"),
    [
        (Caller("page", seats=frozenset({"Bob"})), True),
        (Caller("page", seats=frozenset({"Ann"})), False),
        (Caller("page", seats=frozenset({"Bob"}), shares=False), False),
        (Caller("page"), False),
    ],
)
def test_who_plays_for_another_beside_himself_is_told(caller: Caller, is_told: bool) -> None:
    say = DRAWN.of(snapshot_at("tiles are chosen"), Audience("play", "en", caller))["say"]
    assert ("You play for Ann, who has no device here." in say) is is_told


@pytest.mark.parametrize(("origin", "is_told"), [(Origin("page", 1), True), (Origin("page"), False)])
@pytest.mark.parametrize(
    ("moment", "told"),
    [("the game was given up", "Bob has given it up."), ("the game is paused", "Bob has paused it.")],
)
def test_it_is_said_who_gave_the_game_up_or_paused_it(moment: str, told: str, origin: Origin, is_told: bool) -> None:
    context = SnapshotContext(7, 5, "two-level-9", game_id=3, origin=origin)
    say = DRAWN.of(snapshot_of(MOMENTS[moment], context), PLAYERS)["say"]
    assert (told in say) is is_told
    assert ("Somebody has paused it." in say) is (moment == "the game is paused" and not is_told)


def test_a_domino_that_does_not_fit_says_that_both_numbers_count() -> None:
    start = StartGame((Player("Ann"),), "dominoes")
    snapshot = snapshot_of(play(None, start, ConfirmTiles(), TakeThrow((6, 3))), SnapshotContext(7, 5, "dominoes-15"))
    assert "{tile} does not go with 6 and 3: both numbers must match." in drawn(snapshot)


@pytest.mark.parametrize(
    ("caller", "is_first"),
    [
        (Caller("page", "spectator"), True),
        (Caller("page", seats=frozenset({"Cleo"}), shares=False), True),
        (Caller("page", seats=frozenset({"Bob"}), shares=False), False),
        (Caller("page"), False),
    ],
)
def test_who_only_looks_on_has_the_scores_before_the_moves(caller: Caller, is_first: bool) -> None:
    seats = DRAWN.of(snapshot_at("tiles are chosen"), Audience("play", "en", caller))["seats"]
    assert ("data-looks-on" in seats) is is_first
