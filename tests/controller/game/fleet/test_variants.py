"""The variants V1 to V7 of S003 and the readings of what it leaves open (RULES.md, section 3), alone and together."""

import pytest

from controller.errors import NotNow
from controller.game.core.commands import Abandon, Park
from controller.game.core.phases import Parked
from controller.game.fleet.commands import CallGo, Claim, CountDown, EndRound, NameCombination, PassSecond, Shout
from controller.game.fleet.engine import view_of_race
from controller.game.fleet.events import ChipTaken, ClaimHeld, ClaimRefused, RaceEnded, SecondPassed, ShoutsVoided
from controller.game.fleet.state import Box, Naming, Racing, Ready
from controller.rules.errors import InvalidOption
from tests.support.races import NAMES, RIGHT, WRONG, RaceByHand
from tests.support.together import together


def test_v1_each_announces_one_of_his_own_before_the_round() -> None:
    """S003: "before each round each player announces which one of the combinations ... he or she will try"."""
    table = RaceByHand(2)
    table.do(NameCombination("straight", "Ann"))
    with pytest.raises(NotNow, match="Bob has yet to name"):
        table.do(CallGo())
    table.do(NameCombination("all-sixes", "Ann"), NameCombination("straight", "Bob"))
    assert table.race.named == ("all-sixes", "straight")
    with pytest.raises(NotNow):
        table.do(NameCombination("straight", "Ann"))
    table.do(CallGo(), CountDown())
    with pytest.raises(NotNow, match="Ann races for all-sixes in this round, not for straight"):
        table.do(Shout("straight", "Ann"))


def test_what_each_has_named_is_secret_until_all_have_in_a_pause_too() -> None:
    table = RaceByHand(2)
    table.do(NameCombination("straight", "Ann"))
    for command in (None, Park()):
        if command is not None:
            table.do(command)
        columns = view_of_race(table.race).columns
        assert [(each.named, each.has_named) for each in columns] == [(None, True), (None, False)]
    assert isinstance(table.race.phase, Parked)


def test_v2_anything_that_is_left_is_named_with_the_shout() -> None:
    """S003: "players do not announce ... can determine what to seek based on the results of any roll"."""
    table = RaceByHand(3, challenge="unannounced")
    assert isinstance(table.race.phase, Ready)
    table.begin()
    with pytest.raises(NotNow, match="say which combination it is"):
        table.do(Shout(None, "Ann"))
    table.shout(0, combination="straight")
    table.claim(0)
    table.shout(1, combination="straight")
    table.claim(1)
    # The last has named none: the points count, and no box is used up.
    assert table.race.sheets == ((Box("straight", 3),), (Box("straight", 2),), (Box("", 1),))
    assert table.race.totals == (3, 2, 1)
    table.begin()
    with pytest.raises(NotNow, match="Ann has straight no more"):
        table.do(Shout("straight", "Ann"))
    assert len(table.race.left(2)) == 10


def test_v3_who_throws_the_highest_names_first_for_all_and_then_each_in_turn() -> None:
    """S003: "turns are taken by players in deciding"; "first to play is decided by roll of the dice"."""
    table = RaceByHand(3, challenge="in_turn")
    table.do(Claim((6, 6, 6, 6, 6, 2), "Ann"), Claim((6, 6, 6, 6, 6, "joker"), "Bob"), Claim((2,) * 6, "Cleo"))
    assert (table.race.namer, table.race.phase) == (1, Naming())
    with pytest.raises(NotNow, match="Ann cannot do that now; only Bob can"):
        table.do(NameCombination("straight", "Ann"))
    table.do(NameCombination("straight", "Bob"))
    assert table.race.named == ("straight",) * 3
    table.do(CallGo(), CountDown())
    table.finish(0, 2)
    assert [[box.combination for box in sheet] for sheet in table.race.sheets] == [["straight"]] * 3
    assert table.race.namer == 2
    with pytest.raises(NotNow, match="Cleo has straight no more"):
        table.do(NameCombination("straight", "Cleo"))


@pytest.mark.parametrize(
    ("first", "dice", "namer"),
    [
        ("highest", ((6, 6, 6, 6, 6, 5), (6, 6, 6, 6, 6, "joker")), 1),
        # A joker is any number: whoever wants a low total takes it for a 2, and it is never a 7.
        ("lowest", ((2, 2, 2, 2, 2, 3), (2, 2, 2, 2, 2, "joker")), 1),
        ("lowest", ((2, 2, 2, 2, 2, 2), (6,) * 6), 0),
    ],
)
def test_who_names_first_is_decided_by_a_throw(first: str, dice: tuple[tuple[int | str, ...], ...], namer: int) -> None:
    table = RaceByHand(2, challenge="in_turn", first=first)
    table.do(*(Claim(each, name) for each, name in zip(dice, NAMES, strict=False)))
    assert table.race.namer == namer


def test_the_tied_throw_again_and_the_others_do_not() -> None:
    table = RaceByHand(3, challenge="in_turn")
    table.do(Claim((6,) * 6, "Ann"), Claim((2,) * 6, "Bob"), Claim(("joker",) * 6, "Cleo"))
    assert table.race.rolling == (0, 2)
    with pytest.raises(NotNow, match="only Ann and Cleo can"):
        table.do(Claim((6,) * 6, "Bob"))
    table.do(Claim((2,) * 6, "Ann"))
    with pytest.raises(NotNow):
        table.do(Claim((6,) * 6, "Ann"))
    table.do(Claim((3,) * 6, "Cleo"))
    assert table.race.namer == 2


def test_the_earliest_seat_names_first_where_that_is_agreed() -> None:
    table = RaceByHand(2, challenge="in_turn", first="chosen")
    assert (table.race.phase, table.race.namer, table.race.rolling) == (Naming(), 0, ())


@pytest.mark.parametrize(("namer", "seats"), [("rotation", [0, 1, 2, 0]), ("winner", [0, 2, 2, 1])])
def test_v3w_the_winner_of_a_round_names_next_or_each_in_turn(namer: str, seats: list[int]) -> None:
    """RULES.md: "round winner names the next challenge [X:7] = V3w"."""
    table = RaceByHand(3, challenge="in_turn", first="chosen", namer=namer)
    found = []
    for order in ((2, 0), (2, 1), (1, 0), (0, 1)):
        found.append(table.race.namer)
        table.play_round(*order)
    assert found == seats


def test_the_winner_of_a_shared_chip_who_shouted_first_names_next() -> None:
    table = RaceByHand(3, challenge="in_turn", first="chosen", namer="winner", equal_shouts="share")
    table.begin()
    table.shout(2, at_ms=10)
    table.shout(1, at_ms=20)
    table.claim(1)
    table.claim(2)
    assert table.race.namer == 2


def test_who_names_next_is_the_next_in_turn_where_nobody_finished() -> None:
    table = RaceByHand(3, challenge="in_turn", first="chosen", namer="winner")
    table.begin()
    table.do(EndRound())
    assert table.race.namer == 1


def test_v4_the_combinations_come_in_the_order_of_the_sheet_for_all() -> None:
    """S003: "the players simply achieve each combination in the order in which they appear on the scoring sheet"."""
    table = RaceByHand(2, challenge="in_order")
    for name in table.race.rules.card.combinations:
        assert table.race.named == (name, name)
        table.play_round(0)
    assert table.race.is_over


def test_v5_the_last_has_a_set_time_and_then_no_chip() -> None:
    """S003: "the final player is put on a timer"; "If ... not achieved in the allotted time ... collects no chip"."""
    table = RaceByHand(3, timer=5)
    table.begin()
    table.finish(0)
    before = table.race.left_s
    table.finish(1)
    assert (before, table.race.left_s) == (None, 5)
    table.wait(4)
    assert (table.race.left_s, table.race.round) == (1, 1)
    events = table.do(PassSecond())
    assert events[:2] == (SecondPassed(), RaceEnded((2,), by_time=True))
    assert table.race.totals == (3, 2, 0)
    assert table.race.sheets[2] == (Box("all-twos", 0),)


def test_v5_the_last_who_finishes_in_time_takes_the_lowest_chip() -> None:
    table = RaceByHand(3, timer=5)
    table.begin()
    table.finish(0, 1)
    table.wait(4)
    table.finish(2)
    assert table.taken() == [((0,), "front-3"), ((1,), "front-2"), ((2,), "front-1")]
    assert table.race.sheets[2] == (Box("all-twos", 1),)


def test_v5_a_shout_in_time_is_looked_at_before_the_time_is_up_and_a_wrong_one_gains_nothing() -> None:
    table = RaceByHand(2, timer=5)
    table.begin()
    table.finish(0)
    table.wait(3)
    table.shout(1)
    table.wait(10)
    assert (table.race.left_s, table.race.round) == (1, 1)
    table.claim(1, right=False)
    assert table.race.racing == (1,)
    table.wait(1)
    assert table.race.totals == (2, 0)


def test_v5_with_v2_the_last_may_make_any_that_is_left() -> None:
    """S003: "or any combination remaining to be achieved on his score sheet, depending on the game variation"."""
    table = RaceByHand(2, challenge="unannounced", timer=5)
    table.begin()
    table.shout(0, combination="straight")
    table.claim(0)
    table.shout(1, combination="all-jokers")
    table.claim(1)
    assert table.race.sheets == ((Box("straight", 2),), (Box("all-jokers", 1),))
    table.begin()
    table.shout(0, combination="all-twos")
    table.claim(0)
    table.wait(5)
    assert table.race.sheets[1] == (Box("all-jokers", 1),)


def test_v5_time_does_not_pass_in_a_pause_nor_while_nobody_is_the_last() -> None:
    table = RaceByHand(2, timer=5)
    table.begin()
    table.wait(3)
    assert table.race.left_s is None
    table.finish(0)
    table.do(Park())
    table.wait(9)
    assert table.race.left_s == 5


@pytest.mark.parametrize(
    ("chips", "few", "players", "worths"),
    [
        ("1-2-3-4-5-6", "lowest", 3, [1, 2, 3]),
        ("1-2-3-4-5-6", "highest", 3, [4, 5, 6]),
        ("1-3-8-15-25-40", "lowest", 6, [1, 3, 8, 15, 25, 40]),
        ("1-3-8-15-25-40", "lowest", 2, [1, 3]),
        ("1-3-8-15-25-40", "highest", 2, [25, 40]),
        ("1-5-10-20-50-100", "lowest", 4, [1, 5, 10, 20]),
        ("1-5-10-20-50-100", "highest", 4, [10, 20, 50, 100]),
    ],
)
def test_v7_expanded_chips(chips: str, few: str, players: int, worths: list[int]) -> None:
    """S003: "1, 3, 8, 15, 25, and 40; or perhaps 1, 5, 10, 20, 50, and 100"; RULES.md: the N lowest, or N chosen."""
    table = RaceByHand(players, chips=chips, few_chips=few)
    table.play_round()
    assert sorted(table.race.totals) == worths


@together("challenge", ["announced", "unannounced", "in_turn", "in_order"])
@together("timer", [0, 5])
@together("chips", ["1-2-3-4-5-6", "1-5-10-20-50-100"])
def test_v5_to_v7_go_with_each_of_v1_to_v4(challenge: str, timer: int, chips: str) -> None:
    """RULES.md: "V5-V7 combine with V1-V4"."""
    options = {"challenge": challenge, "timer": timer, "chips": chips, "first": "chosen", "keeping": "unfrozen"}
    table = RaceByHand(3, game="flash", **options)
    for _ in range(8):
        table.play_round(0, 1)
        table.wait(timer)
    worths = [int(word) for word in chips.split("-")]
    last = 0 if timer else worths[0]
    assert table.race.totals == (8 * worths[2], 8 * worths[1], 8 * last)
    assert table.race.is_over


def test_the_first_shout_has_the_first_chip_whoever_shows_his_dice_first() -> None:
    """RULES.md, "simultaneous shouts": the earlier time stamp, however late its dice are seen."""
    table = RaceByHand(4)
    table.begin()
    table.shout(0, at_ms=0)
    table.shout(1, at_ms=1)
    table.shout(2, at_ms=9_000)
    assert isinstance(table.claim(2)[0], ClaimHeld)
    assert isinstance(table.claim(1)[0], ClaimHeld)
    table.claim(0)
    assert table.taken()[:3] == [((0,), "front-4"), ((1,), "front-3"), ((2,), "front-2")]


@pytest.mark.parametrize("how", ["refused", "withdrawn"])
def test_a_right_claim_has_its_chip_once_the_shout_before_it_comes_to_nothing(how: str) -> None:
    table = RaceByHand(3)
    table.begin()
    table.shout(0, 1)
    table.claim(1)
    table.claim(0, right=False) if how == "refused" else table.withdraw(0)
    assert table.taken() == [((1,), "front-3")]
    assert table.race.racing == (0, 2)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize(("gap", "shared"), [(0, True), (100, True), (101, False)])
def test_shouts_at_the_same_time_share_the_chip(order: tuple[int, int], gap: int, shared: bool) -> None:
    """RULES.md, "simultaneous shouts": "tie -> same chip shared"."""
    table = RaceByHand(3, equal_shouts="share")
    table.begin()
    table.shout(0)
    table.shout(1, at_ms=gap)
    table.claim(order[0])
    table.claim(order[1])
    took = [((0, 1), "front-3")] if shared else [((0,), "front-3"), ((1,), "front-2")]
    assert table.taken() == [*took, ((2,), "front-1")]
    assert table.race.totals == ((3, 3, 1) if shared else (3, 2, 1))


def test_three_at_once_share_it_and_a_chain_of_shouts_does_not_reach_further_than_its_first() -> None:
    table = RaceByHand(5, equal_shouts="share")
    table.begin()
    table.shout(0, at_ms=0)
    table.shout(1, at_ms=80)
    table.shout(2, at_ms=160)
    for seat in (1, 2, 0):
        table.claim(seat)
    assert table.taken() == [((0, 1), "front-5"), ((2,), "front-4")]
    table = RaceByHand(4, equal_shouts="share")
    table.begin()
    table.shout(0, 1, 2)
    for seat in (2, 0, 1):
        table.claim(seat)
    assert table.taken() == [((0, 1, 2), "front-4"), ((3,), "front-1")]


def test_of_two_at_once_all_may_share_the_highest_and_nobody_is_left() -> None:
    table = RaceByHand(2, equal_shouts="share")
    table.begin()
    table.shout(0, 1)
    table.claim(0)
    table.claim(1)
    assert table.race.totals == (2, 2)
    assert table.race.round == 2


@pytest.mark.parametrize("equal", ["share", "again"])
@pytest.mark.parametrize("how", ["refused", "withdrawn"])
def test_who_shouted_at_once_with_a_wrong_one_is_alone(equal: str, how: str) -> None:
    table = RaceByHand(3, equal_shouts=equal)
    table.begin()
    table.shout(0, 1)
    table.claim(0)
    table.claim(1, right=False) if how == "refused" else table.withdraw(1)
    assert table.taken() == [((0,), "front-3")]
    assert table.race.cries == ()


def test_shouts_at_once_do_not_count_and_all_throw_again() -> None:
    """RULES.md, "simultaneous shouts": "re-roll"."""
    table = RaceByHand(4, equal_shouts="again")
    table.begin()
    table.shout(0, 1, 2)
    table.claim(0)
    table.withdraw(2)
    assert table.claim(1) == (ShoutsVoided((0, 1)),)
    assert (table.taken(), table.race.cries, table.race.racing) == ([], (), (0, 1, 2, 3))
    table.finish(1)
    assert table.taken() == [((1,), "front-4")]


def test_a_wrong_shout_is_refused_and_play_goes_on() -> None:
    """RULES.md, "wrong shout": "shout refused, play on"."""
    table = RaceByHand(2)
    table.begin()
    table.shout(0)
    events = table.claim(0, right=False)
    assert events == (ClaimRefused(0, "all-twos", tuple(map(int, WRONG)), "typed", costs=False),)
    assert isinstance(table.race.phase, Racing)
    table.finish(0)
    assert table.race.totals == (2, 1)


def test_a_wrong_shout_costs_the_chip_where_that_is_agreed() -> None:
    """RULES.md, "wrong shout": "lose chip"."""
    table = RaceByHand(3, wrong_shout="no_chip")
    table.begin()
    table.shout(0)
    assert table.claim(0, right=False)[0] == ClaimRefused(0, "all-twos", (2, 3, 4, 5, 6, 6), "typed", costs=True)
    with pytest.raises(NotNow):
        table.do(Shout(None, "Ann"))
    table.finish(1)
    assert table.race.totals == (0, 3, 1)
    assert table.race.sheets[0] == (Box("all-twos", 0),)
    # It is for this round only.
    assert table.race.out == frozenset()


def test_down_to_nobody_left_in_a_round_of_wrong_shouts() -> None:
    table = RaceByHand(3, wrong_shout="no_chip")
    table.begin()
    table.shout(0, 1, 2)
    table.claim(0, right=False)
    table.claim(1, right=False)
    # He has shouted, and may be the first to finish: his dice are looked at.
    assert table.race.racing == (2,)
    table.claim(2, right=False)
    assert table.race.totals == (0, 0, 0)
    assert table.race.round == 2
    assert [len(sheet) for sheet in table.race.sheets] == [1, 1, 1]


@pytest.mark.parametrize("timer", [0, 5])
def test_the_first_to_finish_takes_the_highest_chip_where_the_others_are_out_of_it(timer: int) -> None:
    table = RaceByHand(2, wrong_shout="no_chip", timer=timer)
    table.begin()
    table.shout(0, 1)
    table.claim(0, right=False)
    table.claim(1)
    assert table.race.totals == (0, 2)


def test_the_last_one_left_without_a_shout_takes_the_lowest_chip_where_the_others_are_out_of_it() -> None:
    table = RaceByHand(2, wrong_shout="no_chip")
    table.begin()
    table.shout(0)
    table.claim(0, right=False)
    assert table.race.totals == (0, 1)


def test_the_timer_runs_for_the_last_one_too_where_another_is_out_of_it() -> None:
    table = RaceByHand(2, wrong_shout="no_chip", timer=5)
    table.begin()
    table.shout(0)
    table.claim(0, right=False)
    assert table.race.left_s == 5
    table.shout(1)
    table.claim(1, right=False)
    assert table.race.totals == (0, 0)
    assert table.race.round == 2


@pytest.mark.parametrize(("unfinished", "left"), [("used_up", 9), ("open", 10)])
def test_what_was_not_finished_is_used_up_or_can_be_named_again(unfinished: str, left: int) -> None:
    """RULES.md: "unfinished combination of the last player: used up (10 rounds, 10 boxes)"."""
    table = RaceByHand(2, unfinished=unfinished)
    table.play_round(0)
    assert (len(table.race.left(0)), len(table.race.left(1))) == (9, left)
    assert table.race.totals == (2, 1)
    table = RaceByHand(2, unfinished=unfinished, timer=5)
    table.play_round(0)
    table.wait(5)
    assert len(table.race.left(1)) == left
    table = RaceByHand(2, unfinished=unfinished)
    table.begin()
    table.do(EndRound())
    assert len(table.race.left(0)) == left


@pytest.mark.parametrize("challenge", ["in_turn", "in_order"])
def test_what_was_for_all_is_used_up_for_all(challenge: str) -> None:
    table = RaceByHand(2, challenge=challenge, first="chosen", unfinished="open")
    for _ in range(10):
        table.begin()
        table.do(EndRound())
    assert table.race.is_over
    assert table.race.left(0) == table.race.left(1) == ()


@pytest.mark.parametrize(
    ("option", "name", "dice", "right"),
    [
        ({"groups": "distinct"}, "three-pairs", (4,) * 6, False),
        ({"groups": "may_repeat"}, "three-pairs", (4,) * 6, True),
        ({"straight": "with_joker"}, "straight", RIGHT["straight"], True),
        ({"straight": "impossible"}, "straight", RIGHT["straight"], False),
        ({"even_odd_jokers": True}, "all-even", (2, 2, 4, 4, 6, "joker"), True),
        ({"even_odd_jokers": False}, "all-even", (2, 2, 4, 4, 6, "joker"), False),
        ({"six_jokers": True}, "all-odd", ("joker",) * 6, True),
        ({"six_jokers": False}, "all-odd", ("joker",) * 6, False),
    ],
)
def test_the_readings_of_combinations_decide_claims(
    option: dict[str, object], name: str, dice: tuple[int | str, ...], right: bool
) -> None:
    """RULES.md, section 3, the first four ambiguities."""
    game = "flash" if name in ("all-even", "all-odd") else "fleet"
    table = RaceByHand(2, game=game, **option)
    table.begin(name)
    table.shout(0)
    events = table.do(Claim(dice, "Ann"))
    assert isinstance(events[0], ChipTaken if right else ClaimRefused)


def test_options_of_other_games_are_none_of_a_race() -> None:
    for options in ({"first": "rotate"}, {"timer": 7}, {"stake": -1}, {"double_stake": "extra"}):
        with pytest.raises(InvalidOption):
            RaceByHand(2, **options)


@pytest.mark.parametrize(("hints", "tells"), [("always", True), ("never", False)])
def test_whether_the_box_tells_odds_while_a_race_is_on_is_agreed(hints: str, tells: bool) -> None:
    table = RaceByHand(2, hints=hints)
    assert table.race.tells_odds is tells
    table.do(Abandon())
    assert table.race.tells_odds
