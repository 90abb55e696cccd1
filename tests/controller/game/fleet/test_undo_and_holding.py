"""Chips put back, the button of the box, and what may hold a race: faults, pauses, tiles that were moved meanwhile."""

from typing import Any

import pytest

from controller.errors import NotNow
from controller.game.core.actions import ActionKind
from controller.game.core.commands import (
    Abandon,
    Believe,
    ConfirmTiles,
    GoOn,
    Park,
    PutRight,
    ReportFault,
    ReportTiles,
    TryAgain,
    Undo,
)
from controller.game.core.phases import Ended, FoundTile, Moving
from controller.game.core.players import Player, Source
from controller.game.fleet.commands import (
    CallGo,
    Claim,
    CountDown,
    EndRound,
    NameCombination,
    PassSecond,
    Shout,
    WithdrawShout,
)
from controller.game.fleet.events import ChipReturned, ChipTaken, RaceEnded, ShoutsVoided, ShoutWithdrawn
from controller.game.fleet.state import Counting, Naming, Racing, RollingOff
from controller.game.shutbox.commands import Choose, CorrectGame, EndTurn
from controller.game.table.engines import actions_of, decide, news_of
from hardware.errors import Fault
from hardware.tiles import Position
from tests.support.races import RIGHT, WRONG, RaceByHand
from tests.support.together import together

BLIND = Fault("V-101", "camera", "a picture", "none", "See to the camera.")
MOVED = FoundTile("front-2", Position.SHUT, Position.OPEN)


def jam(tile: str) -> Fault:
    return Fault("H-301", tile, "SHUT", "OPEN", "Free the tile.")


def who(table: RaceByHand, kind: ActionKind) -> tuple[str, ...]:
    return next((action.by for action in actions_of(table.race) if action.kind == kind), ())


def test_a_chip_is_put_back_and_its_player_races_on() -> None:
    table = RaceByHand(3)
    table.begin()
    table.finish(1)
    assert table.do(Undo()) == (ChipReturned((1,), "front-3"),)
    assert (table.race.finishes, table.race.racing, table.race.phase) == ((), (0, 1, 2), Racing())
    assert len(table.race.chips) == 3
    table.finish(0, 1)
    assert table.race.totals == (3, 2, 1)
    with pytest.raises(NotNow):
        RaceByHand(3).do(Undo())


def test_the_last_chip_and_the_end_of_the_round_are_put_back_with_it() -> None:
    table = RaceByHand(2)
    table.play_round(0)
    assert (table.race.round, table.race.totals) == (2, (2, 1))
    table.do(Undo())
    assert (table.race.round, table.race.totals, table.race.racing) == (1, (0, 0), (0, 1))
    table.finish(1)
    assert table.race.totals == (1, 2)


def held_for_the_last(**options: Any) -> RaceByHand:
    """Ann and Bob have shouted, Bob's dice were right and had to wait, and Ann's ended the round for both."""
    table = RaceByHand(2, challenge="in_order", **options)
    table.begin()
    table.shout(0, 1)
    table.claim(1)
    table.claim(0)
    return table


def test_a_chip_that_the_last_one_has_in_any_case_is_put_back_with_the_one_before() -> None:
    """Alone it would be his again at once, and what was wrong before it could not be put right any more."""
    table = held_for_the_last()
    assert (table.race.round, table.race.totals) == (2, (2, 1))
    before = table.race
    events = table.do(Undo())
    assert events[0] == ChipReturned((0,), "front-2")
    assert table.race.totals == (1, 2), "Bob's dice were right, and are the first now"
    told = {message.key: message for message in news_of(before, events, table.race)}
    assert told["race.round_ended"].args["round"] == 1


@pytest.mark.parametrize(
    ("player", "source", "typed"),
    [(Player("Ann"), "typed", 1), (Player("Ann"), "camera", 0), (Player("House", house=True), "typed", 0)],
)
def test_dice_that_a_person_typed_are_told_from_those_that_were_seen(
    player: Player, source: Source, typed: int
) -> None:
    table = RaceByHand((player, Player("Bob")), challenge="in_order")
    table.begin()
    table.do(Shout("all-twos", player.name))
    before = table.race
    events = table.do(Claim(RIGHT["all-twos"], player.name, source=source))
    [taken] = [each for each in news_of(before, events, table.race) if each.key == "race.taken"]
    assert taken.args["typed"] == typed


def test_with_a_time_for_the_last_one_his_chip_is_put_back_alone() -> None:
    table = held_for_the_last(timer=20)
    assert table.do(Undo()) == (ChipReturned((1,), "front-1"),)
    assert (table.race.round, table.race.racing) == (1, (1,))


def test_the_time_of_the_last_does_not_run_once_the_chip_before_is_put_back() -> None:
    table = RaceByHand(2, timer=5)
    table.begin()
    table.finish(0)
    table.wait(2)
    table.do(Undo())
    assert (table.race.left_s, table.race.racing) == (None, (0, 1))
    table.finish(1)
    assert table.race.left_s == 5


def test_a_shared_chip_is_put_back_for_all_who_have_it() -> None:
    table = RaceByHand(3, equal_shouts="share")
    table.begin()
    table.shout(0, 1)
    table.claim(0)
    table.claim(1)
    table.do(Undo())
    assert (table.race.racing, table.race.cries, len(table.race.chips)) == ((0, 1, 2), (), 3)


@pytest.mark.parametrize("then", ["shout", "go"])
def test_a_chip_stays_where_it_is_from_the_next_shout_or_go_on(then: str) -> None:
    table = RaceByHand(3 if then == "shout" else 2, challenge="in_order")
    table.begin()
    table.finish(0)
    assert who(table, "undo")
    if then == "shout":
        table.shout(1)
    else:
        table.do(CallGo())
    with pytest.raises(NotNow):
        table.do(Undo())


def test_what_the_house_names_at_once_leaves_the_last_chip_to_be_put_back() -> None:
    table = RaceByHand(2, challenge="announced")
    table.begin("straight", "straight")
    table.finish(0)
    assert table.race.round == 2
    table.do(NameCombination("all-twos", "Ann"))
    assert table.do(Undo())[0] == ChipReturned((0,), "front-2")
    assert (table.race.round, table.race.named) == (1, ("straight", "straight"))
    table.finish(0)
    assert table.race.named == (None, None), "in a round that begins anew everybody names anew"


def test_no_chip_is_put_back_where_nobody_may() -> None:
    table = RaceByHand(3, undo="nobody")
    table.begin()
    table.finish(0)
    assert not who(table, "undo")
    with pytest.raises(NotNow):
        table.do(Undo())


@pytest.mark.parametrize("how", ["refused", "withdrawn", "voided"])
def test_what_became_of_others_shouts_meanwhile_stays_so_when_a_chip_is_put_back(how: str) -> None:
    table = RaceByHand(4, wrong_shout="no_chip", equal_shouts="again")
    table.begin()
    table.shout(0)
    table.shout(1, 2, at_ms=5000)
    table.claim(0)
    match how:
        case "refused":
            table.claim(1, right=False)
            table.withdraw(2)
        case "withdrawn":
            table.withdraw(1)
            table.withdraw(2)
        case "voided":
            table.claim(1)
            assert table.claim(2) == (ShoutsVoided((1, 2)),)
    table.do(Undo())
    assert table.race.cries == ()
    assert table.race.out == (frozenset({1}) if how == "refused" else frozenset())
    assert table.race.finishes == ()


def test_a_claim_that_was_seen_meanwhile_need_not_be_seen_again() -> None:
    table = RaceByHand(5)
    table.begin()
    table.shout(0, 1, 2)
    table.claim(0)
    table.claim(2)
    table.do(Undo())
    assert [cry.seat for cry in table.race.cries] == [1, 2]
    table.claim(1)
    assert table.taken()[1:] == [((1,), "front-5"), ((2,), "front-4")]


def test_a_chip_put_back_where_the_others_are_out_of_it_leaves_him_the_last() -> None:
    table = RaceByHand(3, wrong_shout="no_chip")
    table.begin()
    table.shout(0, 1, 2)
    table.claim(0)
    table.claim(1, right=False)
    assert table.race.round == 2
    assert table.do(Undo()) == (ChipReturned((0,), "front-3"),)
    assert [cry.seat for cry in table.race.cries] == [2]


def test_tiles_that_somebody_vouched_for_and_that_move_are_asked_about_before_a_chip_is_put_back() -> None:
    table = RaceByHand(3)
    table.begin()
    table.finish(0)
    table.slow = True
    table.shout(1)
    table.claim(1)
    # The round is over, all chips are up again; somebody vouches for the one that lay.
    table.do(ReportFault(jam("front-3")), Believe(), ConfirmTiles())
    assert table.race.round == 2
    action = next(each for each in actions_of(table.race) if each.kind == "undo")
    assert action.vouched == ("front-3",)
    with pytest.raises(NotNow, match="front-3: somebody vouched for it"):
        table.do(Undo())
    table.do(Undo(vouched=True))
    assert table.race.round == 1
    assert not table.race.believed


def test_the_button_of_the_box_is_a_shout_of_one_of_two() -> None:
    table = RaceByHand(2)
    table.begin()
    table.do(Shout(at_ms=7))
    assert table.do(Shout(at_ms=900)) == ()
    assert (who(table, "claim"), who(table, "withdraw"), who(table, "shout")) == (("Ann", "Bob"),) * 3
    with pytest.raises(NotNow, match="say whose dice these are: Ann and Bob"):
        table.do(Claim(RIGHT["all-twos"]))
    table.do(Claim(RIGHT["all-twos"], "Bob"))
    assert table.race.totals == (1, 2)


@pytest.mark.parametrize("player", [None, "Ann", "Bob"])
def test_whoever_pressed_the_button_takes_it_back(player: str | None) -> None:
    table = RaceByHand(2)
    table.begin()
    table.do(Shout())
    assert table.do(WithdrawShout(player)) == (ShoutWithdrawn(None),)
    assert table.race.cries == ()


def test_a_claim_that_waits_for_who_pressed_the_button_has_its_chip_once_that_is_taken_back() -> None:
    table = RaceByHand(2)
    table.begin()
    table.do(Shout())
    table.shout(0)
    table.do(Claim(RIGHT["all-twos"], "Ann"))
    assert table.race.totals == (0, 0)
    assert who(table, "claim") == ("Bob",)
    table.do(WithdrawShout())
    assert table.race.totals == (2, 1)


def test_a_pressed_button_among_shouts_at_once() -> None:
    table = RaceByHand(2, equal_shouts="again")
    table.begin()
    table.do(Shout(at_ms=10))
    table.shout(0, at_ms=20)
    table.claim(0)
    assert table.do(Claim(RIGHT["all-twos"], "Bob")) == (ShoutsVoided((1, 0)),)
    assert table.race.cries == ()


def test_the_button_is_the_one_person_s_where_the_house_plays_the_other() -> None:
    table = RaceByHand((Player("House", house=True, strength="steady"), Player("Bob")))
    table.begin()
    table.do(Shout())
    assert table.race.cries[0].seat == 1
    with pytest.raises(NotNow, match="the house alone is still to shout"):
        table.do(Shout())


def test_the_button_says_nothing_of_what_it_is_and_the_dice_do() -> None:
    table = RaceByHand(2, challenge="unannounced", timer=5)
    table.begin()
    table.do(Shout(), Claim(RIGHT["straight"], "Ann"))
    table.do(Shout(), Claim(WRONG, "Bob"))
    assert table.race.racing == (1,)
    table.do(Shout(), Claim(RIGHT["three-pairs"], "Bob"))
    assert [[box.combination for box in sheet] for sheet in table.race.sheets] == [["straight"], ["three-pairs"]]


def test_the_button_is_nobody_s_in_a_race_of_three() -> None:
    table = RaceByHand(3)
    table.begin()
    with pytest.raises(NotNow, match="say which player: Ann, Bob or Cleo"):
        table.do(Shout())


def at(phase: str) -> RaceByHand:
    """A race of three in this phase; the last one's time will run."""
    table = RaceByHand(3, challenge="in_turn" if phase in ("rolling_off", "naming") else "in_order", timer=5)
    if phase == "naming":
        table.do(*(Claim((face,) * 6, name) for face, name in ((6, "Ann"), (2, "Bob"), (3, "Cleo"))))
    if phase in ("counting", "racing", "moving", "last"):
        table.do(CallGo())
    if phase in ("racing", "moving", "last"):
        table.do(CountDown())
    if phase == "last":
        table.finish(0, 1)
    if phase == "moving":
        table.slow = True
        table.finish(0)
    assert table.race.phase.word == {"last": "racing"}.get(phase, phase)
    return table


PHASES = ("rolling_off", "naming", "ready", "counting", "racing", "moving", "last")


@pytest.mark.parametrize("phase", PHASES)
def test_a_fault_a_pause_and_tiles_that_were_moved_hold_a_race_in_any_phase_and_let_it_go_on(phase: str) -> None:
    table = at(phase)
    rest = table.race.resting
    for hold, let_go in (
        (ReportFault(jam("front-2")), TryAgain()),
        (ReportFault(BLIND), TryAgain()),
        (ReportFault(jam("front-2")), ConfirmTiles()),
        (ReportFault(jam("front-2")), Believe()),
        (Park(), GoOn()),
        (ReportTiles((MOVED,)), PutRight()),
        (ReportTiles((MOVED,)), ConfirmTiles()),
    ):
        table.do(hold)
        assert table.race.phase.word in ("halted", "parked", "differing")
        assert table.do(hold) == ()
        assert table.race.resting == rest
        table.do(let_go)
        if isinstance(table.race.phase, Moving):
            table.do(ConfirmTiles())
        assert table.race.phase == rest
        assert table.race.left_s == (5 if phase == "last" else None)


@together("phase", PHASES)
@together("hold", [ReportFault(jam("front-1")), Park(), ReportTiles((MOVED,))])
def test_while_it_is_held_nobody_races(phase: str, hold: ReportFault | Park | ReportTiles) -> None:
    table = at(phase)
    if phase in ("racing", "moving", "last"):
        table.shout(2)
    table.do(hold)
    for command in (
        NameCombination("straight", "Ann"),
        CallGo(),
        Shout(None, "Bob"),
        Claim(RIGHT["all-twos"], "Cleo"),
        WithdrawShout("Cleo"),
        EndRound(),
        Choose(("front-1",)),
        EndTurn(),
        CorrectGame(),
    ):
        with pytest.raises(NotNow):
            table.do(command)
    for of_the_box in (PassSecond(), CountDown()):
        assert table.do(of_the_box) == ()


@pytest.mark.parametrize("phase", PHASES)
def test_a_game_can_be_given_up_in_any_phase(phase: str) -> None:
    table = at(phase)
    table.do(Park(), Abandon())
    assert table.race.phase == Ended((), given_up=True)
    at(phase).do(Abandon())


def test_eyes_stand_in_for_a_camera_that_is_at_fault() -> None:
    table = at("racing")
    table.do(ReportFault(BLIND))
    table.shout(1)
    table.claim(1)
    assert table.taken() == [((1,), "front-3")]
    table = at("rolling_off")
    table.do(ReportFault(BLIND))
    table.do(*(Claim((face,) * 6, name) for face, name in ((6, "Ann"), (2, "Bob"), (3, "Cleo"))))
    assert (table.race.namer, table.race.phase) == (0, Naming())


def test_a_claim_is_refused_in_words_where_nobody_is_to_show_anything() -> None:
    table = at("rolling_off")
    table.do(ReportFault(jam("front-1")))
    for player in (None, "Ann"):
        with pytest.raises(NotNow):
            table.do(Claim(RIGHT["all-twos"], player))
    assert isinstance(table.race.resting, RollingOff)


def test_a_round_that_is_ended_while_a_chip_is_moved() -> None:
    table = at("moving")
    events = table.do(EndRound())
    assert events == (RaceEnded((1, 2)),)
    assert len(table.race.chips) == 3


def test_no_tile_is_confirmed_that_is_not_on_its_way() -> None:
    table = at("racing")
    with pytest.raises(NotNow):
        table.do(ConfirmTiles())
    table.do(CountDown())
    assert isinstance(at("counting").race.phase, Counting)
    assert decide(table.race, PassSecond()) == ()
    assert not [event for event in table.events if isinstance(event, ChipTaken)]
