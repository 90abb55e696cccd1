"""The game as a pure machine: a story, every refusal, and random walks that must replay to the same state."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from controller.errors import BadPlayers, NotNow, SameDice
from controller.game.core.commands import Abandon, Command, ConfirmTiles, GoOn, Park, ReportFault, StartGame, TryAgain
from controller.game.core.events import GameEvent, GameHalted, GameResumed
from controller.game.core.phases import Ended, Halted, Moving, Parked
from controller.game.core.players import Player
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectThrow, EndTurn, TakeThrow
from controller.game.shutbox.events import ThrowCorrected
from controller.game.shutbox.evolve import evolve_box_game as evolve
from controller.game.shutbox.evolve import replay_box_game as replay
from controller.game.shutbox.state import AwaitingThrow, Choosing, Game, TurnLost
from controller.game.table.engines import decide
from controller.game.table.wire import EVENT
from controller.rules.errors import IllegalMove, InvalidNotation, InvalidOption
from controller.rules.throw import Throw
from hardware.errors import Fault
from tests.support.stories import play, with_board
from tests.support.together import together

ANN, BOB = Player("Ann"), Player("Bob")
START = StartGame((ANN, BOB), options={"first": "chosen"})
JAM = Fault("H-301", "front-7", "SHUT", "OPEN", "Free the tile.")


def started(*players: Player, game: str = "two-level", **options: object) -> Game:
    return play(None, StartGame(players or (ANN, BOB), game, {"first": "chosen", **options}), ConfirmTiles())


def test_a_turn_from_throw_to_score() -> None:
    game = started()
    assert (game.player, game.phase) == (ANN, AwaitingThrow())

    game = play(game, TakeThrow((5, 3), "camera"))
    assert game.phase == Choosing(Throw((3, 5)))

    game = play(game, Choose(("front-8",)))
    assert game.phase == Moving(AwaitingThrow())
    assert str(game.board) == "1 2 3 4 5 6 7 . 9/9 8 7 6 5 4 3 2 1"

    game = play(with_board(game, "1 . . . . . . . ./9 . . . . . . . ."), TakeThrow((2, 1)))
    assert game.phase == TurnLost(Throw((1, 2)))

    game = play(game, AcceptLoss())
    assert game.scores == (1, None)
    assert (game.player, game.board, game.phase) == (BOB, game.rules.start(), Moving(AwaitingThrow()))


def test_the_lowest_score_wins_and_a_tie_has_two_winners() -> None:
    lost = ". . . . . . . . ./9 . . . . . . . ."
    game = play(with_board(started(), lost), TakeThrow((1, 2)), AcceptLoss(), ConfirmTiles())
    better = play(with_board(game, ". . . . . . . . ./. 8 . . . . . . ."), TakeThrow((1, 2)), AcceptLoss())
    tied = play(with_board(game, lost), TakeThrow((1, 2)), AcceptLoss())

    assert (better.scores, better.phase) == ((9, 8), Ended((1,)))
    assert (tied.scores, tied.phase) == ((9, 9), Ended((0, 1)))


def test_shutting_the_box_wins_at_once_when_the_sensors_have_seen_it() -> None:
    game = play(with_board(started(), ". . . . . . . . ./. 8 . . . . . . ."), TakeThrow((4, 4)), Choose(("back-8",)))
    assert game.phase == Moving(AwaitingThrow())
    assert game.scores == (None, None)

    game = play(game, ConfirmTiles())
    assert (game.scores, game.phase) == ((0, None), Ended((0,)))


def test_with_play_on_the_others_still_play_after_a_shut() -> None:
    game = with_board(started(shut="play_on"), ". . . . . . . . ./. 8 . . . . . . .")
    game = play(game, TakeThrow((4, 4)), Choose(("back-8",)), ConfirmTiles())

    assert (game.scores, game.player, game.phase) == ((0, None), BOB, Moving(AwaitingThrow()))
    assert game.board == game.rules.start()


def test_a_board_is_carried_over_only_where_the_option_says_so() -> None:
    left = ". . . . . . . . ./9 . . . . . . . ."
    carried = play(with_board(started(carry_board=True), left), TakeThrow((1, 2)), AcceptLoss())
    reset = play(with_board(started(), left), TakeThrow((1, 2)), AcceptLoss())

    assert str(carried.board) == left
    assert reset.board == reset.rules.start()


def test_a_wrong_reading_is_corrected_before_the_choice_and_after_a_lost_turn() -> None:
    game = play(started(), TakeThrow((5, 3), "camera"))
    assert decide(game, CorrectThrow((5, 2))) == (ThrowCorrected((3, 5), (2, 5)),)
    assert play(game, CorrectThrow((5, 2))).phase == Choosing(Throw((2, 5)))
    assert play(game, CorrectThrow((5, 2))).throws == 1

    lost = play(with_board(started(), ". . . . . . . . ./9 . . . . . . . ."), TakeThrow((1, 2), "camera"))
    assert play(lost, CorrectThrow((6, 3))).phase == Choosing(Throw((3, 6)))


@given(throw=st.lists(st.integers(1, 6), min_size=2, max_size=2), said=st.permutations([0, 1]))
@pytest.mark.parametrize("after", [(), (Park(), GoOn(), ConfirmTiles())])
def test_a_correction_to_the_dice_that_are_played_is_refused(
    after: tuple[Command, ...], throw: list[int], said: list[int]
) -> None:
    game = play(started(), TakeThrow(tuple(throw), "camera"), *after)
    with pytest.raises(SameDice, match=f"^{min(throw)} and {max(throw)} is already in play"):
        decide(game, CorrectThrow(tuple(throw[place] for place in said)))


def test_who_says_the_same_dice_to_a_game_that_its_camera_halted_lets_it_go_on() -> None:
    blind = Fault("V-101", "camera", "a picture", "none", "See to the camera.")
    halted = play(started(), TakeThrow((5, 3)), ReportFault(blind))
    assert decide(halted, CorrectThrow((5, 3))) == (GameResumed(),)
    assert play(halted, CorrectThrow((5, 3)), ConfirmTiles()).phase == Choosing(Throw((3, 5)))


def test_a_fault_halts_and_the_tiles_are_moved_again_once_it_is_seen_to() -> None:
    game = play(started(), TakeThrow((5, 3)), Choose(("front-8",)), ReportFault(JAM))
    assert game.phase == Halted(JAM, AwaitingThrow())
    assert decide(game, ReportFault(JAM)) == ()

    assert play(game, TryAgain()).phase == Moving(AwaitingThrow())
    assert play(game, TryAgain(), ConfirmTiles()).phase == AwaitingThrow()


def test_a_parked_game_keeps_its_throw() -> None:
    game = play(started(), TakeThrow((5, 3)), Park())

    assert game.phase == Parked(Choosing(Throw((3, 5))))
    assert play(game, GoOn(), ConfirmTiles()).phase == Choosing(Throw((3, 5)))


@together(
    ("commands", "refused", "error"),
    [
        ([], TakeThrow((1, 2)), NotNow),
        ([START], TakeThrow((1, 2)), NotNow),
        ([START], StartGame((ANN,)), NotNow),
        ([START, ConfirmTiles()], Choose(("front-1",)), NotNow),
        ([START, ConfirmTiles()], TakeThrow((1,)), NotNow),
        ([START, ConfirmTiles()], TakeThrow((1, 7)), InvalidNotation),
        ([START, ConfirmTiles()], AcceptLoss(), NotNow),
        ([START, ConfirmTiles()], ConfirmTiles(), NotNow),
        ([START, ConfirmTiles()], CorrectThrow((1, 2)), NotNow),
        ([START, ConfirmTiles(), TakeThrow((1, 2))], TakeThrow((1, 2)), NotNow),
        ([START, ConfirmTiles(), ReportFault(JAM)], GoOn(), NotNow),
        ([START, ConfirmTiles(), Park()], TryAgain(), NotNow),
        ([START, ConfirmTiles(), TakeThrow((1, 2))], Choose(("front-7",)), IllegalMove),
        ([START, ConfirmTiles(), TakeThrow((1, 2))], Choose(("front-17",)), InvalidNotation),
        ([START, Abandon()], AcceptLoss(), NotNow),
        ([], StartGame((ANN, ANN)), BadPlayers),
        ([], StartGame(()), BadPlayers),
        ([], StartGame((Player(" x"),)), BadPlayers),
        ([], StartGame((ANN,), "chess"), InvalidOption),
    ],
)
def test_what_cannot_be_done_now_is_refused(
    commands: Sequence[Command], refused: Command, error: type[Exception]
) -> None:
    game = play(None, *commands) if commands else None
    with pytest.raises(error):
        decide(game, refused)


class RandomTable(RuleBasedStateMachine):
    """Anything anybody may do in any order: refusals change nothing, and the events replay to the same game."""

    def __init__(self) -> None:
        super().__init__()
        self.game: Game | None = None
        self.events: list[GameEvent] = []

    def try_out(self, command: Command) -> None:
        try:
            happened = decide(self.game, command)
        except (NotNow, IllegalMove, InvalidNotation):
            return
        for event in happened:
            assert not isinstance(event, ThrowCorrected) or event.read != event.dice, "a correction corrects"
            self.game = evolve(self.game, event)
            self.events.append(event)

    @precondition(lambda self: self.game is None)
    @rule(shut=st.sampled_from(["immediate", "play_on"]), carry=st.booleans(), columns=st.sampled_from([1, 3, 9]))
    def start(self, shut: str, carry: bool, columns: int) -> None:
        self.try_out(
            StartGame((ANN, BOB), options={"first": "chosen", "shut": shut, "carry_board": carry, "columns": columns})
        )

    @rule(dice=st.lists(st.integers(1, 6), min_size=1, max_size=2))
    def throw(self, dice: list[int]) -> None:
        self.try_out(TakeThrow(tuple(dice)))
        self.try_out(CorrectThrow(tuple(dice)))

    @rule(data=st.data())
    def choose(self, data: st.DataObject) -> None:
        if self.game is not None and isinstance(self.game.phase, Choosing):
            moves = self.game.rules.legal_moves(self.game.board, self.game.phase.throw)
            self.try_out(Choose(tuple(map(str, data.draw(st.sampled_from(moves))))))

    @rule(command=st.sampled_from([AcceptLoss(), GoOn(), TryAgain(), ConfirmTiles(), Park(), ReportFault(JAM)]))
    def anything_else(self, command: Command) -> None:
        self.try_out(command)

    @invariant()
    def the_journal_tells_the_whole_story(self) -> None:
        copied = [EVENT.validate_json(EVENT.dump_json(event)) for event in self.events]
        assert replay(copied) == self.game

    @invariant()
    def scores_and_phase_agree(self) -> None:
        if self.game is None:
            return
        played = [score is not None for score in self.game.scores]
        assert played == sorted(played, reverse=True), "seats play in order"
        if isinstance(self.game.phase, Choosing):
            assert self.game.rules.legal_moves(self.game.board, self.game.phase.throw)
        if isinstance(self.game.phase, Ended) and self.game.phase.winners:
            assert min(s for s in self.game.scores if s is not None) == self.game.scores[self.game.phase.winners[0]]


TestRandomTable = RandomTable.TestCase
TestRandomTable.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)


@pytest.mark.parametrize(
    ("game", "options", "dice"),
    [("lucky-7", {"race": "rotation"}, (1, 4)), ("unlucky-7", {"on_seven": "round"}, (3, 4)), ("pub", {}, (6, 6))],
)
def test_ending_a_lost_turn_after_a_fault_is_what_accepting_it_is(
    game: str, options: dict[str, object], dice: tuple[int, ...]
) -> None:
    state = replace(started(game=game, **options), phase=TurnLost(Throw(dice)))
    halted = evolve(state, GameHalted(JAM))
    resumed, *ended = decide(halted, EndTurn())
    assert resumed == GameResumed()
    assert tuple(ended) == decide(state, AcceptLoss())
    after = reduce(evolve, decide(halted, EndTurn()), halted)
    # What a fault has ended nobody takes back.
    assert after == replace(reduce(evolve, decide(state, AcceptLoss()), state), earlier=None)


@pytest.mark.parametrize(("game", "options"), [("two-level", {"carry_board": True}), ("lucky-7", {"race": "rotation"})])
def test_a_turn_on_a_board_that_others_left_cannot_be_ended_before_its_first_throw(
    game: str, options: dict[str, object]
) -> None:
    state = started(game=game, **options)
    left = state.board.without([next(iter(state.board.showing))])
    waiting = replace(state, board=left, phase=AwaitingThrow())
    halted = evolve(waiting, GameHalted(JAM))
    with pytest.raises(NotNow, match=r"you cannot end the turn .* now: tile 7.* needs help\. You can try"):
        decide(halted, EndTurn())
