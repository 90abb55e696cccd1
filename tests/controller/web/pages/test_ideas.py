"""Learn by playing: 200 first turns by chance, every idea told at most once and when it first happens, and the end."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from controller.game.core.commands import Abandon, Command, ConfirmTiles, StartGame
from controller.game.core.message import compose
from controller.game.core.phases import Moving
from controller.game.core.players import Player
from controller.game.core.sight import SnapshotContext
from controller.game.shutbox.commands import AcceptLoss, Choose, TakeThrow
from controller.game.shutbox.evolve import evolve_box_game as evolve
from controller.game.shutbox.state import AwaitingThrow, Choosing, Game, TurnLost
from controller.game.table.engines import decide
from controller.game.table.snapshot import Snapshot, snapshot_of
from controller.messages.words import words_in
from controller.web.pages.lesson import IDEAS, Idea, ideas_now, is_asked, say_ideas
from tests.support.stories import play
from tests.support.together import together

AT_REST = SnapshotContext(1, 1, "two-level-9")
START = StartGame((Player("Mia"), Player("House", house=True)), game="two-level", options={"first": "chosen"})


def next_command(game: Game, chance: random.Random) -> Command | None:
    """What a learner might do, who knows nothing yet; None once his turn is over."""
    match game.phase:
        case Moving():
            return ConfirmTiles()
        case AwaitingThrow() if game.turn == 0:
            count = chance.choice(sorted(game.dice_allowed))
            return TakeThrow(tuple(chance.randint(1, 6) for _ in range(count)), "camera")
        case Choosing(throw):
            move = chance.choice(game.rules.legal_moves(game.board, throw))
            return Choose(tuple(tile.name for tile in move))
        case TurnLost():
            return AcceptLoss()
    return None


def first_turn(seed: int) -> Iterator[Snapshot]:
    """Every moment of a first turn, up to the one after it."""
    chance = random.Random(seed)
    game: Game | None = None
    command: Command | None = START
    while command is not None:
        for event in decide(game, command):
            game = evolve(game, event)
            yield snapshot_of(game, AT_REST)
        assert game is not None
        command = next_command(game, chance)


def told_in(moments: list[Snapshot]) -> list[tuple[int, Idea]]:
    """Which ideas are told at which moment, to somebody who remembers."""
    said: list[tuple[int, Idea]] = []
    for index, moment in enumerate(moments):
        said += [(index, idea) for idea in ideas_now(moment, [idea for _, idea in said])]
    return said


def first(moments: list[Snapshot], idea: Idea) -> int | None:
    """The moment at which an idea happens first, by the rules in other words."""
    for index, moment in enumerate(moments):
        asked = moment.turn == "Mia" and moment.phase in ("awaiting_throw", "choosing")
        back = [tile for tile in moment.tiles if tile.name.startswith("back")]
        happens = {
            "throw": asked and moment.can("roll"),
            "sum": asked and moment.can("choose"),
            "reveal": moment.turn == "Mia"
            and moment.phase == "awaiting_throw"
            and any(tile.state == "showing" for tile in back),
            "one_die": asked and moment.dice_allowed == (1, 2),
            "over": moment.phase == "turn_lost" or (moment.phase != "ended" and moment.scores["Mia"] is not None),
            "end": moment.phase == "ended",
        }
        if happens[idea]:
            return index
    return None


@pytest.mark.long
def test_every_idea_is_told_once_when_it_first_happens_and_the_end_is_told() -> None:
    heard = set()
    for seed in range(200):
        moments = list(first_turn(seed))
        told = told_in(moments)
        assert [idea for _, idea in told[:2]] == ["throw", "sum"]
        # Who shuts the box ends the game with it.
        last = "end" if moments[-1].phase == "ended" else "over"
        assert told[-1][1] == last
        assert len({idea for _, idea in told}) == len(told)
        ends = first(moments, last)
        for idea in IDEAS:
            when = first(moments, idea)
            wanted = [] if when is None or (ends is not None and when > ends) else [when]
            assert [index for index, each in told if each == idea] == wanted, (seed, idea)
        heard |= {idea for _, idea in told}
    assert heard == set(IDEAS)


@together("seed", range(20))
def test_what_is_told_is_about_what_lies_there(seed: int) -> None:
    moments = list(first_turn(seed))
    words = words_in("en")
    for index, idea in told_in(moments):
        [said] = say_ideas([idea], moments[index], words)
        assert said.idea == idea
        assert "%(" not in said.text
        if idea == "sum":
            assert f"You threw {sum(moments[index].throw)}." in said.text
        if idea == "reveal":
            shown = {tile.mark for tile in moments[index].tiles if tile.row == 2 and tile.state == "showing"}
            assert set(re.findall(r"(\d) behind", said.text)) == shown
            assert f" {moments[index].score_now} points now." in said.then


@together("seed", range(20))
def test_what_is_told_goes_when_it_applies_no_more_and_does_not_come_back(seed: int) -> None:
    said: list[Idea] = []
    shown: tuple[Idea, ...] = ()
    for moment in first_turn(seed):
        if not is_asked(moment):
            assert moment.phase == "moving"
            continue
        now = ideas_now(moment, said)
        said += [idea for idea in shown if idea not in now]
        assert not set(now) & set(said)
        assert moment.phase != "choosing" or set(now) <= {"sum"}
        assert moment.phase != "awaiting_throw" or "sum" not in now
        shown = now
    assert shown == ("over",)


def test_what_is_revealed_is_told_to_count_at_once_though_the_points_have_gone_up() -> None:
    ten = Choose(tuple(f"front-{number}" for number in range(1, 5)))
    game = play(None, START, ConfirmTiles(), TakeThrow((4, 6), "camera"), ten, ConfirmTiles())
    moment = snapshot_of(game, AT_REST)
    [said] = say_ideas(ideas_now(moment, ["throw", "sum"]), moment, words_in("en"))
    assert moment.score_now == 45 - 10 + 30
    assert said.then == "Every number you see counts, these too: that is 65 points now. It can rise after a good move."


def test_the_end_says_what_the_turn_came_to() -> None:
    words = words_in("en")
    ended = list(first_turn(1))[-1]
    for points, says in ((0, "The box is shut"), (1, "with 1 point."), (12, "with 12 points.")):
        [said] = say_ideas(["over"], replace(ended, scores={"Mia": points, "House": None}), words)
        assert says in said.text


@pytest.mark.parametrize(
    ("winners", "says"),
    [
        (("Mia",), "You have the fewest points left: you have won."),
        (("House",), "The coach has fewer points left, and wins this time."),
        (("Mia", "House"), "You and the coach have the same points left: a draw."),
    ],
)
def test_the_end_of_the_game_takes_the_place_of_the_end_of_the_turn(winners: tuple[str, ...], says: str) -> None:
    over = list(first_turn(1))[-1]
    ended = replace(over, phase="ended", winners=winners)
    assert ideas_now(over, []) == ("over",)
    assert (ideas_now(ended, []), ideas_now(ended, ["over"]), ideas_now(ended, ["end"])) == (("end",), ("end",), ())
    [said] = say_ideas(["end"], ended, words_in("en"))
    assert (said.title, said.text) == ("Your first game is over", says)


def test_nothing_is_told_in_another_game_nor_in_one_that_was_given_up() -> None:
    moments = list(first_turn(1))
    assert ideas_now(moments[-1], ["over"]) == ()
    assert ideas_now(replace(moments[1], game="pub"), []) == ()
    game: Game | None = None
    for command in (START, Abandon()):
        for event in decide(game, command):
            game = evolve(game, event)
    assert ideas_now(snapshot_of(game, AT_REST), []) == ()


def test_the_house_is_not_taught() -> None:
    moment = next(moment for moment in first_turn(1) if moment.phase == "awaiting_throw")
    assert ideas_now(replace(moment, turn="House"), []) == ()


def test_who_goes_back_is_told_again_what_holds_there() -> None:
    moment = next(moment for moment in first_turn(1) if moment.phase == "choosing")
    undone = compose("choice.undone", player="Mia", tiles=("front-9",))
    back = replace(moment, messages=(*moment.messages, undone))
    assert (ideas_now(moment, ["throw", "sum", "reveal"]), ideas_now(back, ["throw", "sum", "reveal"])) == (
        (),
        ("sum",),
    )


def test_a_turn_that_is_not_ended_yet_is_to_be_ended_first() -> None:
    moments = [moment for seed in range(9) for moment in first_turn(seed)]
    lost = next(moment for moment in moments if moment.phase == "turn_lost")
    [said] = say_ideas(["over"], lost, words_in("en"))
    assert said.then.startswith("End the turn.")
