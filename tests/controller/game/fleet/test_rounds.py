"""The rounds of a race by S003 ("Play of the Game") and RULES.md, section 3: chips, shouts, boxes, totals, coins."""

import pytest

from controller.errors import BadPlayers, NotNow
from controller.game.core.commands import Abandon, StartGame
from controller.game.core.phases import Ended, Moving
from controller.game.core.players import Player
from controller.game.fleet.commands import CallGo, Claim, CountDown, EndRound, NameCombination, Shout
from controller.game.fleet.events import RaceEnded
from controller.game.fleet.state import Box, Naming, Racing, RollingOff
from controller.game.table.engines import decide, evolve
from controller.rules.errors import InvalidNotation
from controller.rules.fleet.cards import CARDS
from tests.support.races import RIGHT, WRONG, RaceByHand


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_chips_correspond_to_the_number_of_competitors(players: int) -> None:
    """S003: "If there are four players, for instance, chips 1 through 4 ... would be used"."""
    table = RaceByHand(players)
    assert [table.race.worth(tile) for tile in table.race.chips] == [*range(1, players + 1)]


@pytest.mark.parametrize("players", [0, 1, 7])
def test_a_race_is_for_two_to_six(players: int) -> None:
    """S003: "first through sixth sets of six dice"; more would need more of them."""
    with pytest.raises(BadPlayers):
        decide(None, StartGame(tuple(Player(f"P{each}") for each in range(players)), "fleet"))


def test_who_finishes_takes_the_highest_chip_and_the_last_collects_the_chip_worth_one() -> None:
    """S003: "selects the highest scoring chip in the middle"; "the last player collects the chip worth one point"."""
    table = RaceByHand(4)
    table.begin()
    table.finish(2, 0, 3)
    assert table.taken() == [((2,), "front-4"), ((0,), "front-3"), ((3,), "front-2"), ((1,), "front-1")]
    assert table.race.totals == (3, 1, 4, 2)
    assert table.race.round == 2


def test_the_score_of_a_round_is_written_in_the_box_for_the_combination_of_each() -> None:
    """S003: "written in the box for the combination achieved by that player"; the last need not finish."""
    table = RaceByHand(2)
    table.begin("straight", "all-jokers")
    table.finish(1)
    assert table.race.sheets == ((Box("straight", 1),), (Box("all-jokers", 2),))


@pytest.mark.parametrize("game", ["fleet", "flash"])
def test_after_all_rounds_of_the_card_the_highest_total_wins(game: str) -> None:
    """S003: "played in ten (10) rounds or either (8) rounds"; "the player with the highest total wins the game"."""
    table = RaceByHand(3, game=game, challenge="in_order")
    for _ in CARDS[game].combinations:
        table.play_round(2, 0)
    rounds = len(CARDS[game].combinations)
    assert rounds == {"fleet": 10, "flash": 8}[game]
    assert table.race.phase == Ended((2,))
    assert table.race.totals == (2 * rounds, rounds, 3 * rounds)


def test_everybody_has_each_box_of_the_sheet_once() -> None:
    """RULES.md: "All categories played"; nobody names what he has used up."""
    table = RaceByHand(2)
    table.play_round(0)
    with pytest.raises(NotNow, match="Ann has all-twos no more"):
        table.do(NameCombination("all-twos", "Ann"))
    for _ in range(9):
        table.play_round(0)
    card = list(CARDS["fleet"].combinations)
    assert [[box.combination for box in sheet] for sheet in table.race.sheets] == [card, card]


def test_a_combination_of_the_other_card_is_none_of_this_sheet() -> None:
    table = RaceByHand(2)
    with pytest.raises(NotNow, match="six-of-a-kind is not on the sheet of fleet"):
        table.do(NameCombination("six-of-a-kind", "Ann"))
    with pytest.raises(InvalidNotation):
        table.do(NameCombination("seven-of-a-kind", "Ann"))


def test_the_others_continue_while_dice_are_looked_at() -> None:
    """S003: "Play, however, does not stop. Instead, the other players continue in their efforts"."""
    table = RaceByHand(3)
    table.begin()
    table.slow = True
    table.finish(0)
    assert table.race.phase == Moving(Racing())
    table.finish(1)
    assert table.race.totals == (3, 2, 1)


def test_nobody_shouts_before_go_nor_twice() -> None:
    table = RaceByHand(2, challenge="in_order")
    with pytest.raises(NotNow):
        table.do(Shout(None, "Ann"))
    table.do(CallGo())
    with pytest.raises(NotNow):
        table.do(Shout(None, "Ann"))
    table.do(CountDown(), Shout(None, "Ann"))
    with pytest.raises(NotNow, match="Ann cannot do that now"):
        table.do(Shout(None, "Ann"))


def test_dice_are_claimed_for_who_has_shouted_and_for_nobody_else() -> None:
    table = RaceByHand(3)
    table.begin()
    with pytest.raises(NotNow, match="say what the dice show"):
        table.do(Claim(RIGHT["all-twos"], "Bob"))
    table.shout(0)
    with pytest.raises(NotNow, match="Bob cannot do that now; only Ann can"):
        table.do(Claim(RIGHT["all-twos"], "Bob"))
    with pytest.raises(NotNow, match="nobody here is called 'Zoe'"):
        table.do(Claim(RIGHT["all-twos"], "Zoe"))
    table.claim(0)
    with pytest.raises(NotNow):
        table.do(Claim(RIGHT["all-twos"], "Ann"))
    assert table.taken() == [((0,), "front-3")]


@pytest.mark.parametrize("dice", [(2, 2, 2, 2, 2), (1, 2, 3, 4, 5, 6), (2, 2, 2, 2, 2, 7), (2, 2, 2, 2, 2, "anchor")])
def test_dice_that_no_set_has_are_no_claim(dice: tuple[int | str, ...]) -> None:
    table = RaceByHand(2)
    table.begin()
    table.shout(0)
    with pytest.raises(InvalidNotation):
        table.do(Claim(dice, "Ann"))
    assert table.race.cry_of(0)


def test_a_round_that_is_ended_leaves_no_chip_to_those_who_still_race() -> None:
    table = RaceByHand(4)
    table.begin()
    table.finish(3)
    table.do(EndRound())
    assert table.race.totals == (0, 0, 0, 4)
    assert table.events[-2:][0] == RaceEnded((0, 1, 2))
    assert [len(sheet) for sheet in table.race.sheets] == [1, 1, 1, 1]


def test_a_right_claim_that_waits_has_its_chip_when_the_round_is_ended() -> None:
    table = RaceByHand(4)
    table.begin()
    table.shout(0)
    table.shout(1, at_ms=500)
    table.claim(1)
    assert table.taken() == []
    table.do(EndRound())
    assert table.taken() == [((1,), "front-4")]
    assert table.race.totals == (0, 4, 0, 0)


def test_all_rounds_ended_by_hand_is_a_game_that_all_share() -> None:
    table = RaceByHand(3, challenge="in_order", stake=2)
    for _ in range(10):
        table.begin()
        table.do(EndRound())
    assert table.race.phase == Ended((0, 1, 2))
    assert table.race.ledger.balances == (0, 0, 0)


@pytest.mark.parametrize(("odd", "balances"), [("earliest_seat", (2, 1, -3)), ("latest_seat", (1, 2, -3))])
def test_a_tie_on_the_total_shares_the_pool(odd: str, balances: tuple[int, ...]) -> None:
    """RULES.md, ambiguities: "tie on total: shared"; money for what does not divide."""
    table = RaceByHand(3, challenge="in_order", stake=3, odd_coin=odd)
    for number in range(10):
        table.play_round(*((0, 1) if number % 2 else (1, 0)))
    assert table.race.phase == Ended((0, 1))
    shares = [9 // 2, 9 // 2]
    shares[0 if odd == "earliest_seat" else 1] += 1
    assert table.race.ledger.balances == (shares[0] - 3, shares[1] - 3, -3) == balances
    assert table.race.ledger.pool == 0


def test_a_game_given_up_gives_the_stakes_back() -> None:
    table = RaceByHand(2, stake=5)
    table.begin()
    table.finish(0)
    assert table.race.ledger.pool == 10
    table.do(Abandon())
    assert table.race.phase == Ended((), given_up=True)
    assert table.race.ledger.balances == (0, 0)
    with pytest.raises(NotNow):
        table.do(CallGo())


def test_a_game_begins_with_its_start() -> None:
    with pytest.raises(ValueError, match="cannot begin"):
        evolve(None, RaceEnded(()))
    assert isinstance(RaceByHand(2, challenge="in_turn").race.phase, RollingOff)
    assert isinstance(RaceByHand(2).race.phase, Naming)
    assert WRONG not in RIGHT.values()
