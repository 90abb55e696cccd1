"""Who begins, who wins, what a round adds and who pays: every reading by a short story."""

import pytest

from controller.errors import NotNow
from controller.game.core.commands import Abandon, ConfirmTiles, ReportFault, StartGame
from controller.game.core.ledger import Ledger
from controller.game.core.phases import Ended
from controller.game.core.players import Player
from controller.game.core.sight import SnapshotContext
from controller.game.shutbox.commands import AcceptLoss, Choose, EndTurn, TakeThrow
from controller.game.shutbox.events import RoundEnded, RoundTied, TurnEnded
from controller.game.shutbox.messages import describe_phase, describe_stalemate
from controller.game.shutbox.state import AwaitingThrow, Choosing
from controller.game.table.snapshot import snapshot_of
from controller.rules.errors import InvalidOption
from controller.rules.shutbox.games import GAMES
from controller.rules.shutbox.ruleset import rules_of
from controller.rules.tiles import NO_MARKS, Marks
from hardware.errors import Fault
from tests.support.said import said
from tests.support.stories import NAMES, coins, lying_at, play, roll, score, table_of, told, winners, with_board
from tests.support.together import together

LAST_NINE = ". . . . . . . . 9"
NINE_BEHIND = ". . . . . . . . ./9 . . . . . . . ."


# Who begins.


@pytest.mark.parametrize(("first", "beginner"), [("lowest", 1), ("highest", 2)])
def test_the_lowest_or_the_highest_throw_begins_and_the_others_follow_in_their_order(first: str, beginner: int) -> None:
    game = table_of(3, first=first)
    assert game.match.rolling == (0, 1, 2)

    game = roll(game, 4, 2, 5)

    assert (game.match.rolling, game.turn, game.phase) == ((), beginner, AwaitingThrow())
    assert game.match.order == {1: (1, 2, 0), 2: (2, 0, 1)}[beginner]
    assert game.board == game.rules.start()
    assert score(game, 10, 20).scores == {1: (None, 10, 20), 2: (20, None, 10)}[beginner]


def test_only_those_who_are_level_throw_again_for_who_begins() -> None:
    level = roll(table_of(3, first="lowest"), 2, 5, 2)
    assert (level.match.rolling, level.turn) == ((0, 2), 0)

    again = roll(level, 6, 6)
    assert (again.match.rolling, again.turn) == ((0, 2), 0)
    assert roll(again, 6, 1).match.order == (2, 0, 1)


def test_the_throw_for_who_begins_is_asked_for_and_told() -> None:
    game = table_of(2, first="highest")
    assert said(describe_phase(game)) == "Ann: throw one die. The highest throw begins."
    assert snapshot_of(game, SnapshotContext(1, 2, "box")).rolling

    _, first, game = told(game, TakeThrow((4,)))
    _, level, game = told(game, TakeThrow((4,)))
    game = roll(game, 3)
    _, decided, game = told(game, TakeThrow((5,)))

    assert first == "Ann threw 4."
    assert level == "Bob threw 4. Ann and Bob are level and throw again."
    assert decided == "Bob threw 5. Bob begins."


def test_who_begins_is_thrown_for_with_as_many_dice_as_agreed() -> None:
    game = table_of(2, first="lowest", first_dice=2)
    assert game.dice_allowed == {2}
    with pytest.raises(NotNow, match="2 dice, not 1"):
        play(game, TakeThrow((3,)))

    assert play(game, TakeThrow((3, 3)), TakeThrow((4, 1))).turn == 1


def test_nobody_throws_for_who_begins_alone_or_in_a_later_round() -> None:
    assert table_of(1, first="lowest").match.rolling == ()

    later = score(roll(table_of(2, first="lowest", match="points"), 4, 2), 10, 20)
    assert (later.match.round, later.match.rolling, later.match.order) == (2, (), (1, 0))


@pytest.mark.parametrize(
    ("first", "seconds"),
    [("chosen", [0, 0, 0]), ("rotate", [1, 2, 0]), ("winner", [2, 1, 0])],
)
def test_who_begins_the_next_round_follows_the_option(first: str, seconds: list[int]) -> None:
    game, began = table_of(3, first=first, match="points"), []
    for winner in (2, 1, 0):
        game = score(game, *(5 if seat == winner else 20 for seat in game.match.order))
        began.append(game.turn)

    assert began == seconds


def test_the_first_seat_moves_on_past_those_who_are_out() -> None:
    game = score(table_of(3, first="rotate", match="drop-out"), 5, 45, 5)

    assert game.match.active == (0, 2)
    assert game.match.order == (2, 0)


def test_the_winner_begins_nothing_new_where_nobody_won() -> None:
    game = score(table_of(2, first="winner", ties="carry_over", match="points"), 20, 5)
    assert game.turn == 1

    assert score(game, 7, 7).turn == 1


def test_a_play_off_does_not_change_who_begins_the_next_round() -> None:
    stays = table_of(3, ties="play_off", match="points")
    rotates = table_of(3, ties="play_off", match="points", first="rotate")

    assert score(stays, 20, 5, 5, 9, 8).match.order == (0, 1, 2)
    assert score(rotates, 20, 5, 5, 9, 8).match.order == (1, 2, 0)


# Ties of a round.


@pytest.mark.parametrize(("ties", "won"), [("split", (0, 2)), ("earlier_wins", (0,)), ("carry_over", None)])
def test_equal_lowest_scores_are_split_or_go_to_the_earlier_or_to_nobody(
    ties: str, won: tuple[int, ...] | None
) -> None:
    assert winners(score(table_of(3, ties=ties), 5, 20, 5)) == won


def test_the_earlier_of_the_tied_is_the_one_who_played_earlier() -> None:
    game = roll(table_of(2, first="lowest", ties="earlier_wins"), 4, 2)

    assert winners(score(game, 5, 5)) == (1,)


def test_in_a_play_off_only_the_tied_play_another_turn_and_the_scores_of_the_round_stay() -> None:
    game = score(table_of(3, ties="play_off"), 5, 20)
    events, news, tied = told(lying_at(game, 5), AcceptLoss())
    assert events[-1] == RoundTied((0, 2))
    assert news == "Cleo ends with 5 points. Ann and Cleo are level and play another turn for the round."
    assert (tied.match.order, tied.turn, tied.board) == ((0, 2), 0, tied.rules.start())
    assert snapshot_of(tied, SnapshotContext(1, 9, "box")).scores == {"Ann": None, "Bob": None, "Cleo": None}

    level = score(tied, 30, 30)
    assert (winners(level), level.match.order) == (None, (0, 2))
    decided = score(level, 12, 11)
    assert (decided.scores, winners(decided)) == ((5, 20, 5), (2,))


def test_a_shut_in_a_play_off_does_not_end_it_and_nobody_pays_for_it() -> None:
    game = score(table_of(2, game="pub", ties="play_off", stake=2), 5, 5, 0)

    assert (winners(game), game.turn) == (None, 1)
    assert coins(score(game, 7)) == (2, -2)
    assert score(game, 0).match.order == (0, 1), "both have shut it: once more"


def test_the_end_of_a_play_off_is_told_with_its_own_scores() -> None:
    won = score(table_of(2, ties="play_off"), 12, 12, 10, 3)

    assert said(describe_phase(won)) == "Bob wins with 3 points."


@pytest.mark.parametrize("match", ["tournament", "drop-out"])
@pytest.mark.parametrize("ties", ["play_off", "carry_over", "earlier_wins"])
def test_ties_of_a_round_do_not_matter_where_totals_run_on(match: str, ties: str) -> None:
    events, news, _ = told(lying_at(score(table_of(2, match=match, ties=ties, stake=1), 5), 5), AcceptLoss())

    assert events[-1] == RoundEnded((0, 1))
    assert news.endswith(
        "Round 1: Ann and Bob win. Points in all: Ann 5, Bob 5. Coins: Ann -1, Bob -1. Ann begins round 2."
    )


def test_after_a_round_without_a_winner_a_single_game_goes_on_with_new_stakes() -> None:
    tied = score(table_of(2, ties="carry_over", stake=3), 5, 5)
    assert (tied.match.round, tied.scores, tied.match.ledger.pool, coins(tied)) == (2, (None, None), 12, (-6, -6))

    won = score(tied, 9, 8)
    assert (winners(won), won.match.ledger.pool, coins(won)) == ((1,), 0, (-6, 6))


@pytest.mark.parametrize(("shut", "won"), [("immediate", (0,)), ("play_on", None)])
def test_a_shut_ends_the_round_at_once_or_the_others_play_on(shut: str, won: tuple[int, ...] | None) -> None:
    game = score(table_of(2, shut=shut), 0)

    assert winners(game) == won
    assert won or winners(score(game, 0)) == (0, 1)


# Losing on the first throw (2-to-go, 3-to-go).


@pytest.mark.parametrize(("lost", "won"), [("round", ()), ("turn", (0, 1)), ("game", ())])
def test_where_all_lose_on_the_first_throw_nobody_wins_unless_it_is_a_turn_like_any_other(
    lost: str, won: tuple[int, ...]
) -> None:
    game = play(table_of(2, "2-to-go", lost=lost, stake=2), TakeThrow((1, 3)))
    ends = "Nothing can be shut: the turn is over with 45 points"
    loses = ends if lost == "turn" else "No move that fits has the 2, and that loses: 45 points"
    assert said(describe_phase(game)) == f"Ann threw 1 and 3, total 4. {loses}."

    over = play(game, AcceptLoss(), ConfirmTiles(), TakeThrow((1, 3)), AcceptLoss())
    assert (over.scores, winners(over)) == ((45, 45), won)
    assert coins(over) == (0, 0)
    assert said(describe_phase(over)) == (
        "Ann and Bob share the win with 45 points." if won else "The game is over, and nobody wins."
    )


def test_who_loses_on_the_first_throw_is_told_so_and_cannot_win_the_round() -> None:
    events, news, game = told(lying_at(table_of(2, "3-to-go", score="count"), 45), AcceptLoss())
    assert (events, news) == ([TurnEnded(0, 9, lost=True)], "Ann loses on the first throw.")

    assert game.match.lost == {0}
    assert winners(score(play(game, ConfirmTiles()), 44)) == (1,)


def test_nobody_loses_by_a_fault_on_a_first_throw_that_fits() -> None:
    jam = Fault("H-301", "front-2", "SHUT", "OPEN", "Free the tile.")
    fitting = play(table_of(2, "2-to-go"), TakeThrow((3, 5)), ReportFault(jam), EndTurn())
    assert (fitting.match.lost, fitting.scores) == (frozenset(), (45, None))
    missed = play(table_of(2, "2-to-go"), TakeThrow((1, 3)), ReportFault(jam), EndTurn())
    assert missed.match.lost == {0}


def test_a_later_throw_that_cannot_be_met_is_not_lost() -> None:
    assert told(lying_at(table_of(2, "2-to-go"), 43), AcceptLoss())[0] == [TurnEnded(0, 43)]


@pytest.mark.parametrize(("lost", "active"), [("round", (0, 1, 2)), ("turn", (0, 1, 2)), ("game", (1, 2))])
def test_losing_the_game_is_to_be_out_of_the_match(lost: str, active: tuple[int, ...]) -> None:
    game = score(table_of(3, "2-to-go", lost=lost, match="tournament"), 45, 20, 30)

    assert game.match.totals == (45, 20, 30), "the full score is noted where totals run on"
    assert (game.match.active, game.match.order, game.match.lost) == (active, active, frozenset())


def test_who_is_out_of_a_match_for_points_is_named() -> None:
    game = score(table_of(3, "2-to-go", lost="game", match="points"), 45, 20)
    _, news, _ = told(lying_at(game, 30), AcceptLoss())
    assert "Won so far: Ann 0, Bob 1, Cleo 0. Out: Ann." in news


def test_the_last_one_who_has_not_lost_the_game_wins_the_match() -> None:
    assert winners(score(table_of(2, "2-to-go", lost="game", match="points"), 45, 20)) == (1,)
    assert winners(score(table_of(2, "2-to-go", lost="round", match="points"), 45, 20)) is None


# A seven (unlucky-7, lucky-7).


def test_a_seven_ends_the_turn_with_what_is_open() -> None:
    game = play(table_of(2, "unlucky-7"), TakeThrow((3, 4)))
    assert said(describe_phase(game)) == "Ann threw 3 and 4, total 7. A 7 ends the turn: 45 points."

    game = play(game, AcceptLoss())
    assert (game.scores, game.turn, winners(game)) == ((45, None), 1, None)


def test_a_seven_ends_the_round_and_the_lowest_of_those_who_have_played_wins() -> None:
    seven = with_board(score(table_of(3, "unlucky-7", on_seven="round"), 20), LAST_NINE)

    over = play(seven, TakeThrow((3, 4)), AcceptLoss())

    assert (over.scores, over.phase) == ((20, 9, None), Ended((1,)))
    assert (over.turn, str(over.board)) == (1, LAST_NINE), "the board stays for all to see"
    assert winners(play(with_board(seven, "1 . . . . . . . ."), TakeThrow((1, 1)), AcceptLoss())) is None


def test_a_seven_in_a_play_off_ends_the_turn_alone() -> None:
    level = score(table_of(2, "unlucky-7", on_seven="round", ties="play_off", stake=2), 12, 12)

    seven = play(level, TakeThrow((3, 4)))
    assert said(describe_phase(seven)) == "Ann threw 3 and 4, total 7. A 7 ends the turn: 45 points."
    after = play(seven, AcceptLoss())
    assert (winners(after), after.turn) == (None, 1)
    assert coins(score(after, 30)) == (-2, 2)


def test_a_seven_may_be_played_and_then_ends_the_turn() -> None:
    game = play(table_of(2, "unlucky-7", on_seven="played"), TakeThrow((3, 4)))
    assert isinstance(game.phase, Choosing)

    game = play(game, Choose(("front-7",)), ConfirmTiles())
    assert (game.scores, game.turn) == ((38, None), 1)


def test_a_seven_that_shuts_the_box_wins() -> None:
    game = with_board(table_of(2, "unlucky-7", on_seven="played"), ". . . . . . 7 . .")

    assert winners(play(game, TakeThrow((3, 4)), Choose(("front-7",)), ConfirmTiles())) == (0,)


def test_the_race_for_the_seven_is_one_throw_each_until_somebody_shuts_it() -> None:
    game = play(table_of(3, "lucky-7"), TakeThrow((1, 2)))
    assert said(describe_phase(game)) == "Ann threw 1 and 2, total 3. Nothing can be shut, and the next player throws."
    for seat in (1, 2, 0, 1):
        game = play(game, AcceptLoss(), ConfirmTiles())
        assert (game.turn, game.scores) == (seat, (None, None, None))
        game = play(game, TakeThrow((1, 2)))

    game = play(game, AcceptLoss(), ConfirmTiles(), TakeThrow((3, 4)), Choose(("front-7",)), ConfirmTiles())
    assert (game.scores, game.phase) == ((7, 7, 0), Ended((2,)))
    assert said(describe_phase(game)) == "Cleo shuts the box and wins with 0 points."


def test_the_seven_can_also_be_played_for_by_whole_turns() -> None:
    game = play(table_of(2, "lucky-7", race="turn"), TakeThrow((1, 2)), AcceptLoss(), ConfirmTiles())

    assert game.scores == (7, None)
    assert winners(play(game, TakeThrow((1, 2)), AcceptLoss())) == (0, 1)


# A common board.


def test_with_alternate_throws_each_goes_on_where_the_other_left_the_board() -> None:
    game = play(table_of(2, "two-level", alternate=True), TakeThrow((5, 3)), Choose(("front-8",)), ConfirmTiles())
    game = play(game, ConfirmTiles())

    assert (game.turn, game.phase, game.scores) == (1, AwaitingThrow(), (None, None))
    assert str(game.board) == "1 2 3 4 5 6 7 . 9/9 8 7 6 5 4 3 2 1"
    assert play(game, TakeThrow((5, 4)), Choose(("front-9",)), ConfirmTiles()).turn == 0


def test_with_alternate_throws_who_cannot_move_is_out_and_the_last_one_left_wins() -> None:
    game = with_board(table_of(3, "two-level", alternate=True), NINE_BEHIND)

    game = play(game, TakeThrow((1, 2)), AcceptLoss(), ConfirmTiles())
    assert (game.scores, game.turn, str(game.board)) == ((9, None, None), 1, NINE_BEHIND)

    game = play(game, TakeThrow((1, 2)), AcceptLoss())
    assert (game.scores, game.phase) == ((9, 9, 0), Ended((2,)))


def test_with_alternate_throws_a_shut_wins_at_once() -> None:
    game = with_board(table_of(3, "two-level", alternate=True, shut="play_on"), NINE_BEHIND)

    game = play(game, TakeThrow((4, 5)), Choose(("back-9",)), ConfirmTiles())
    assert (game.scores, game.phase) == ((0, None, None), Ended((0,)))


def test_alternate_throws_have_their_board_in_common_anyway() -> None:
    with pytest.raises(InvalidOption, match="leave out carry_board"):
        rules_of("two-level", {"alternate": True, "carry_board": True})


def test_a_carried_board_goes_on_into_the_next_round_unless_it_is_shut() -> None:
    carried = score(table_of(2, "two-level", carry_board=True, match="points"), 9, 8)
    assert (carried.match.round, str(carried.board)) == (2, ". . . . . . . 8 ./. . . . . . . 2 .")

    assert score(carried, 0).board == carried.rules.start()
    assert score(table_of(2, "two-level", match="points"), 9, 8).board == carried.rules.start()


# Matches whose totals run on.


def test_a_tournament_ends_after_the_round_in_which_a_total_reaches_a_hundred() -> None:
    game = score(table_of(3, match="tournament"), 45, 44, 10, 45, 44, 20)
    assert (winners(game), game.match.totals) == (None, (90, 88, 30))

    below = score(game, 9, 11, 10)
    assert (winners(below), below.match.totals) == (None, (99, 99, 40))
    over = score(game, 10, 5, 45)
    assert (winners(over), over.match.totals) == ((2,), (100, 93, 75))


@pytest.mark.parametrize(("match_end", "won"), [("after_round", None), ("at_once", (2,))])
def test_a_tournament_looks_at_the_totals_after_the_round_or_at_once(
    match_end: str, won: tuple[int, ...] | None
) -> None:
    game = score(table_of(3, match="tournament", match_end=match_end, match_limit=60), 40, 30, 10, 20)

    assert winners(game) == won
    if won:
        assert (game.match.totals, game.scores, game.turn) == ((60, 30, 10), (20, None, None), 0)
        assert said(describe_phase(game)) == "Cleo wins with 10 in all after 2 rounds."
    else:
        assert winners(score(game, 5, 40)) == (1,)


def test_an_extra_round_is_for_the_tied_alone_and_the_lower_total_after_it_wins() -> None:
    game = score(table_of(3, match="tournament", match_limit=40), 40, 10, 10)
    assert (winners(game), game.match.active, game.match.order) == (None, (1, 2), (1, 2))

    assert winners(score(game, 5)) is None
    assert winners(score(game, 5, 6)) == (1,)
    assert winners(score(game, 5, 5, 7, 6)) == (2,)


def test_an_extra_round_is_played_to_its_end_even_where_totals_count_at_once() -> None:
    game = score(table_of(3, match="tournament", match_limit=40, match_end="at_once"), 10, 10, 40, 5)

    assert (winners(game), game.turn) == (None, 1)
    assert winners(score(game, 4)) == (1,)


@pytest.mark.parametrize(
    ("options", "scores"),
    [
        ({"match": "tournament", "match_limit": 40}, (40, 10, 10)),
        ({"match": "points", "rounds": 2}, (20, 10, 15, 20, 15, 10)),
    ],
)
def test_equal_ends_of_a_match_lead_to_an_extra_round_or_are_shared(
    options: dict[str, object], scores: tuple[int, ...]
) -> None:
    extra = score(table_of(3, "golf", **options), *scores)

    assert winners(score(table_of(3, "golf", match_tie="share", **options), *scores)) == (1, 2)
    assert (winners(extra), extra.match.active) == (None, (1, 2))
    assert winners(score(extra, 9, 8)) == (2,)


@pytest.mark.parametrize("match", ["tournament", "drop-out"])
def test_a_shut_scores_nothing_and_the_others_still_play_where_totals_run_on(match: str) -> None:
    game = score(table_of(2, game="pub", match=match, stake=2), 0)
    assert (winners(game), game.turn, coins(game)) == (None, 1, (-2, -2))

    game = score(game, 20)
    assert (winners(game), game.match.totals) == (None, (0, 20))


@pytest.mark.parametrize("match", ["tournament", "drop-out"])
def test_a_shut_wins_the_match_where_the_players_agreed_on_that(match: str) -> None:
    game = score(table_of(3, game="pub", match=match, match_shut="wins_match", stake=2), 40, 0)

    assert winners(game) == (1,)
    assert coins(game) == (-4, 8, -4), "the pool of the match, and one stake more from each"


def test_winning_a_race_is_winning_a_round_and_not_the_match() -> None:
    seven = (TakeThrow((3, 4)), Choose(("front-7",)), ConfirmTiles())
    rounds = play(table_of(2, "lucky-7", match="tournament", match_limit=14), *seven)
    at_once = play(table_of(2, "lucky-7", match="tournament", match_shut="wins_match"), *seven)

    assert (winners(rounds), rounds.match.totals) == (None, (0, 7))
    assert winners(play(rounds, ConfirmTiles(), *seven)) == (0,)
    assert winners(at_once) == (0,)


def test_who_reaches_forty_five_drops_out_and_the_last_one_left_wins() -> None:
    game = score(table_of(3, match="drop-out"), 45, 44, 20)
    assert (winners(game), game.match.active, game.match.order) == (None, (1, 2), (1, 2))

    _, news, game = told(lying_at(score(game, 1), 24), AcceptLoss())
    assert winners(game) == (2,)
    assert (
        news == "Cleo ends with 24 points. Round 2: Bob wins. Points in all: Ann 45, Bob 45, Cleo 44. Out: Ann and Bob."
    )
    assert said(describe_phase(game)) == "Cleo wins with 44 in all after 2 rounds."


def test_players_drop_out_at_the_total_they_agreed_on() -> None:
    assert score(table_of(3, match="drop-out", match_limit=20), 19, 20, 5).match.active == (0, 2)


@together(
    ("options", "seats", "told"),
    [
        ({"ties": "play_off"}, 2, True),
        ({"ties": "carry_over"}, 3, True),
        ({"ties": "split"}, 2, False),
        ({"ties": "earlier_wins"}, 2, False),
        ({"match": "tournament"}, 2, True),
        ({"match": "tournament", "match_end": "at_once"}, 2, False),
        ({"match": "tournament", "match_end": "at_once"}, 3, True),
        ({"match": "drop-out"}, 2, True),
        ({"match": "drop-out", "all_drop": "replay", "match_tie": "share"}, 2, True),
        ({"match": "points"}, 2, True),
        ({"match": "points", "ties": "earlier_wins"}, 2, False),
        ({"match": "points", "match_tie": "share"}, 2, False),
        ({"ties": "play_off"}, 1, False),
    ],
)
def test_a_match_that_nobody_can_win_says_so_when_it_is_made(
    options: dict[str, object], seats: int, told: bool
) -> None:
    """A tile worth 99 is shut by no throw; with the 1 beside it some throw shuts something."""
    hopeless = Marks({"front-1": "moon"}, {"moon": 99})
    for tiles, marks, expected in ((1, hopeless, told), (2, hopeless, False), (1, NO_MARKS, False)):
        command = StartGame(tuple(map(Player, NAMES[:seats])), "golf", {"tiles": tiles, **options}, marks)
        assert bool(describe_stalemate(play(None, command))) is expected


def test_a_race_for_a_tile_that_no_throw_shuts_never_ends() -> None:
    hopeless = Marks({"front-7": "moon"}, {"moon": 1})
    for match in ("single", "points"):
        start = StartGame(tuple(map(Player, NAMES[:2])), "lucky-7", {"match": match, "match_tie": "share"}, hopeless)
        assert describe_stalemate(play(None, start))


def test_who_drop_out_level_play_on_until_one_is_left() -> None:
    tied = score(table_of(2, match="drop-out"), 45, 45)
    assert (winners(tied), tied.match.active, tied.match.round) == (None, (0, 1), 2)
    again = score(tied, 5, 5)
    assert winners(again) is None
    assert winners(score(again, 9, 3)) == (1,)


def test_where_all_drop_out_together_the_lowest_total_wins_or_the_round_is_played_again() -> None:
    lowest = score(table_of(2, match="drop-out"), 40, 41, 10, 5)
    replayed = score(table_of(2, match="drop-out", all_drop="replay"), 40, 41, 10, 5)

    assert winners(lowest) == (1,)
    assert (winners(replayed), replayed.match.totals, replayed.match.round) == (None, (40, 41), 3)
    assert winners(score(replayed, 4, 4)) == (0,)
    assert winners(score(table_of(2, match="drop-out", match_tie="share"), 45, 45)) == (0, 1)


def test_who_plays_alone_drops_out_and_that_is_the_end() -> None:
    assert winners(score(table_of(1, match="drop-out"), 20)) is None
    assert winners(score(table_of(1, match="drop-out"), 20, 25)) == (0,)


# Matches for points.


def test_after_so_many_rounds_most_points_win() -> None:
    game = score(table_of(2, match="points", rounds=3), 9, 8, 9, 8)
    assert (winners(game), game.match.points, game.match.totals) == (None, (0, 2), (0, 0))
    assert snapshot_of(game, SnapshotContext(1, 9, "box")).standing == {"Ann": 0, "Bob": 2}

    over = score(game, 8, 9)
    assert (winners(over), over.match.points) == ((1,), (1, 2))
    assert said(describe_phase(over)) == "Bob wins with 2 of 3 rounds."


def test_a_shut_wins_a_round_of_a_match_for_points_at_once() -> None:
    game = score(table_of(3, match="points"), 20, 0)

    assert (game.match.round, game.match.points) == (2, (0, 1, 0))


def test_all_who_share_a_round_get_a_point_and_who_is_level_at_the_end_plays_on() -> None:
    game = score(table_of(3, match="points", rounds=1), 9, 9, 20)
    assert (winners(game), game.match.points, game.match.active) == (None, (1, 1, 0), (0, 1))

    assert winners(score(game, 7, 8)) == (0,)


# Money.


def test_in_a_single_game_everybody_pays_and_the_winner_takes_the_pool() -> None:
    game = table_of(3, stake=3)
    assert (coins(game), game.match.ledger.pool) == ((-3, -3, -3), 9)
    assert snapshot_of(game, SnapshotContext(1, 2, "box")).coins == {"Ann": -3, "Bob": -3, "Cleo": -3}

    _, news, over = told(lying_at(score(game, 9, 8), 10), AcceptLoss())
    assert (coins(over), over.match.ledger.pool) == ((-3, 6, -3), 0)
    assert news == "Cleo ends with 10 points. Coins: Ann -3, Bob +6, Cleo -3."


def test_for_points_every_round_has_its_pool_and_a_tournament_has_one() -> None:
    points = score(table_of(2, match="points", stake=3), 5, 9)
    tournament = score(table_of(2, match="tournament", stake=3, match_limit=30), 20, 9)

    assert (coins(points), points.match.ledger.pool) == ((0, -6), 6)
    assert (coins(tournament), tournament.match.ledger.pool) == ((-3, -3), 6)
    assert coins(score(tournament, 10, 9)) == (-3, 3)


def test_the_coins_are_told_once_at_the_end_of_a_match() -> None:
    game = score(table_of(2, match="points", rounds=1, stake=1), 5)

    news = told(lying_at(game, 9), AcceptLoss())[1]
    assert news == "Bob ends with 9 points. Round 1: Ann wins. Won so far: Ann 1, Bob 0. Coins: Ann +1, Bob -1."


@pytest.mark.parametrize(
    ("double_stake", "after"), [("none", (4, -2, -2)), ("extra", (8, -4, -4)), ("on_top", (12, -6, -6))]
)
def test_everybody_else_pays_for_a_shut_as_agreed(double_stake: str, after: tuple[int, ...]) -> None:
    assert coins(score(table_of(3, double_stake=double_stake, stake=2), 0)) == after


def test_only_the_pub_lets_the_others_pay_for_a_shut_unless_it_is_said() -> None:
    paying = {name for name in GAMES if rules_of(name).terms.double_stake != "none"}

    assert (paying, rules_of("pub").terms.double_stake) == ({"pub"}, "extra")


def test_a_shut_that_does_not_win_outright_is_not_paid_for() -> None:
    assert coins(score(table_of(2, game="pub", stake=2, shut="play_on"), 0, 9)) == (2, -2)


@pytest.mark.parametrize(("odd_coin", "after"), [("earliest_seat", (1, -1, 0)), ("latest_seat", (0, -1, 1))])
def test_the_coin_that_does_not_divide_goes_to_one_seat_whoever_began(odd_coin: str, after: tuple[int, ...]) -> None:
    game = roll(table_of(3, first="highest", odd_coin=odd_coin, stake=1), 1, 2, 6)

    assert game.match.order == (2, 0, 1)
    assert coins(score(game, 5, 5, 9)) == after


def test_what_the_last_round_leaves_goes_to_the_winner_of_the_match() -> None:
    game = score(table_of(2, match="points", rounds=2, ties="carry_over", stake=1), 5, 9, 7, 7)

    assert (winners(game), coins(game), game.match.ledger.pool) == ((0,), (2, -2), 0)


@pytest.mark.parametrize("match", ["single", "tournament", "drop-out", "points"])
def test_a_game_that_is_given_up_gives_the_stakes_back(match: str) -> None:
    game = play(table_of(3, match=match, stake=4), Abandon())

    assert (coins(game), game.match.ledger.pool) == ((0, 0, 0), 0)


def test_the_ledger_never_makes_or_loses_a_coin() -> None:
    ledger = Ledger.empty(3).stake((0, 1, 2), 5).stake((0, 2), 1)
    assert (ledger.balances, ledger.paid, ledger.pool) == ((-6, -5, -6), (6, 5, 6), 17)

    assert ledger.collect((0, 1), 2, 4).balances == (-10, -9, 2)
    assert ledger.collect((0, 1), 2, 4).pool == 17
    assert ledger.refund() == Ledger.empty(3)
    assert ledger.pay_out((2, 1), "earliest_seat") == Ledger((-6, 4, 2), (0, 0, 0))
    assert ledger.pay_out((2, 1), "latest_seat") == Ledger((-6, 3, 3), (0, 0, 0))
    assert ledger.pay_out((0, 1, 2), "latest_seat").balances == (-1, 0, 1)
