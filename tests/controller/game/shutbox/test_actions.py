"""What can be done in each phase, and by whom: the tables are the truth, and no other command is taken."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from controller.errors import NotNow
from controller.game.core.actions import Action, ActionKind, Role, roles_of
from controller.game.core.commands import (
    Abandon,
    Believe,
    Command,
    ConfirmTiles,
    GoOn,
    Park,
    PutRight,
    ReportFault,
    StartGame,
    TryAgain,
    Undo,
)
from controller.game.core.engine import AnyGame
from controller.game.core.phases import Ended, Parked
from controller.game.core.players import Player
from controller.game.fleet.commands import OF_ONE, CallGo, Claim, EndRound, NameCombination, Shout, WithdrawShout
from controller.game.fleet.events import ShoutWithdrawn
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectGame, CorrectThrow, EndTurn, TakeThrow
from controller.game.shutbox.events import TurnEnded
from controller.game.shutbox.state import Game, thrower_of
from controller.game.table.caller import Caller, may
from controller.game.table.engines import actions_of, decide
from controller.rules.errors import IllegalMove, InvalidNotation
from hardware.errors import Fault
from tests.controller.game.shutbox.test_random_matches import AuditedMatch, next_command, start_of
from tests.support.race_stories import NOTHING, STRAIGHT, race, race_of, racing, ready, shouted, taken
from tests.support.stories import found, play, table_of, with_board

ANN, BOB = Player("Ann"), Player("Bob")
HOUSE = Player("House", house=True)
JAM = Fault("H-301", "front-7", "SHUT", "OPEN", "Free the tile.")
BLIND = Fault("V-101", "camera", "a picture", "none", "See to the camera.")
BUS = Fault("H-201", "0x40", "an answer", "none", "See to the cable.")
START = StartGame((ANN, BOB), options={"first": "chosen"})
WAITING = play(None, START, ConfirmTiles())
CHOOSING = play(WAITING, TakeThrow((5, 3)))
LOST = play(with_board(WAITING, ". . . . . . . . ./9 . . . . . . . ."), TakeThrow((1, 2)))
WITH_HOUSE = play(None, StartGame((HOUSE, ANN), options={"first": "chosen"}), ConfirmTiles())
PAGE = Path(__file__).parents[4] / "docs" / "reference" / "what-can-be-done.md"

MOMENTS: Mapping[str, Game | None] = {
    "no game is on": None,
    "a throw is awaited": WAITING,
    "a throw is awaited, for who begins": play(
        None, StartGame((ANN, BOB), options={"first": "lowest"}), ConfirmTiles()
    ),
    "tiles are chosen": CHOOSING,
    "a turn is lost": LOST,
    "a throw is awaited after a choice": play(CHOOSING, Choose(("front-8",)), ConfirmTiles()),
    "the tiles move": play(CHOOSING, Choose(("front-8",))),
    "a tile has stopped the game": play(CHOOSING, Choose(("front-8",)), ReportFault(JAM)),
    "the bus has stopped the game": play(WAITING, ReportFault(BUS)),
    "the camera has stopped the game before a throw": play(WAITING, ReportFault(BLIND)),
    "the camera has stopped the game after a throw": play(CHOOSING, ReportFault(BLIND)),
    "the game is paused": play(CHOOSING, Park()),
    "tiles were moved while the box was off": play(WAITING, found(WAITING, front_3="SHUT")),
    "a tile was half way then": play(WAITING, found(WAITING, front_3="BETWEEN")),
    "the game is over": replace(WAITING, phase=Ended((0,))),
    "the game was given up": play(CHOOSING, Abandon()),
    "the house's throw is awaited": WITH_HOUSE,
    "the house chooses": play(WITH_HOUSE, TakeThrow((5, 3))),
    "the house's turn is lost": play(with_board(WITH_HOUSE, ". . . . . . . . ./9 . . . . . . . ."), TakeThrow((1, 2))),
}
ROLLING = race_of(2, challenge="in_turn")
TOLD = (Claim((6, 6, 6, 6, 6, 6), "Ann"), Claim((2, 2, 2, 2, 2, 2), "Bob"))
SHOUTED = shouted(racing(3), "Ann")
MOMENTS_OF_RACES: Mapping[str, AnyGame] = {
    "they throw for who names first": ROLLING,
    "combinations are named": race_of(3),
    "one names for all": race(ROLLING, *TOLD),
    "a round can begin": ready(3),
    "the box counts": race(ready(3), CallGo()),
    "a round is on": racing(3),
    "one has shouted": SHOUTED,
    "somebody has pressed the button": race(racing(2), Shout()),
    "all have shouted": shouted(shouted(SHOUTED, "Bob"), "Cleo"),
    "a chip is on its way": race(SHOUTED, Claim(STRAIGHT, "Ann")),
    "one has a chip": taken(racing(3), "Ann"),
    "the last one's time runs": taken(racing(2, timer=10), "Ann"),
    "the next round begins": taken(racing(2), "Ann"),
    "a tile has stopped the race": race(SHOUTED, Claim(STRAIGHT, "Ann"), ReportFault(JAM)),
    "the race is paused": race(SHOUTED, Park()),
    "chips were moved while the box was off": race(ready(3), found(ready(3), front_3="SHUT")),
    "the race is over": replace(racing(3), phase=Ended((0,))),
    "the race was given up": race(SHOUTED, Abandon()),
}
COMMANDS: Mapping[ActionKind, Command] = {
    "start": START,
    "dice": TakeThrow((1, 2)),
    "correct": CorrectThrow((1, 6)),
    "choose": Choose(("front-8",)),
    "undo": Undo(),
    "accept": AcceptLoss(),
    "go_on": GoOn(),
    "try_again": TryAgain(),
    "believe": Believe(),
    "end_turn": EndTurn(),
    "put_right": PutRight(),
    "correct_game": CorrectGame(),
    "park": Park(),
    "abandon": Abandon(),
    "name": NameCombination("three-pairs"),
    "go": CallGo(),
    "shout": Shout(),
    "claim": Claim(NOTHING),
    "withdraw": WithdrawShout(),
    "end_round": EndRound(),
}
# What no game hears of: it learns of a throw when its dice are read.
UNHEARD: frozenset[ActionKind] = frozenset({"roll", "throw"})


@pytest.mark.parametrize("moment", [*MOMENTS, *MOMENTS_OF_RACES])
def test_what_is_in_the_table_is_taken_and_nothing_else(moment: str) -> None:
    game = {**MOMENTS, **MOMENTS_OF_RACES}[moment]
    offered = {action.kind: action.by for action in actions_of(game)}
    for kind, command in COMMANDS.items():
        if kind in offered:
            assert is_taken(game, given_by(command, offered[kind])), kind
        elif kind != "park":
            assert not is_taken(game, given_by(command, ("Ann",))), kind


def given_by(command: Command, by: tuple[str, ...]) -> Command:
    """The command, of the first who may give it where each gives it for himself."""
    return replace(command, player=by[0]) if isinstance(command, OF_ONE) else command


def is_taken(game: AnyGame | None, command: Command) -> bool:
    """True unless it comes at the wrong moment; dice by another count than this throw's, and the like, are another."""
    counts = game.dice_allowed if isinstance(game, Game) and not game.is_over else {2}
    if isinstance(command, TakeThrow | CorrectThrow) and 2 not in counts:
        command = type(command)(command.dice[:1])
    try:
        return bool(decide(game, command))
    except (IllegalMove, InvalidNotation):
        return True
    except NotNow:
        return False


def test_a_pause_is_never_refused_and_changes_nothing_where_there_is_nothing_to_pause() -> None:
    for game in (*MOMENTS.values(), *MOMENTS_OF_RACES.values()):
        paused = game is None or game.is_over or isinstance(game.phase, Parked)
        assert (decide(game, Park()) == ()) is paused


@pytest.mark.parametrize("batch", range(4))
def test_whatever_happens_at_a_table_something_can_be_done_and_only_that(batch: int) -> None:
    """Random matches of every game, with faults and pauses: the table and the judge agree at every event."""
    chance = random.Random(f"actions/{batch}")
    for _ in range(12):
        match = AuditedMatch(closely=False)
        match.do(start_of(chance))
        for _ in range(60):
            game = match.game
            assert game is not None
            if game.is_over:
                break
            offered = {action.kind for action in actions_of(game)}
            assert offered >= {"abandon"}
            for kind in set(get_args(ActionKind)) - offered - UNHEARD - {"park"}:
                assert not is_taken(game, COMMANDS[kind]), (kind, game.phase)
            match.do(next_command(chance, game))


def test_a_button_that_was_pressed_by_mistake_can_be_taken_back_by_any_who_race() -> None:
    pressed = MOMENTS_OF_RACES["somebody has pressed the button"]
    assert {action.by for action in actions_of(pressed) if action.kind == "withdraw"} == {("Ann", "Bob")}
    assert decide(pressed, WithdrawShout("Bob")) == decide(pressed, WithdrawShout()) == (ShoutWithdrawn(None),)


def test_a_refusal_says_what_can_be_done_instead() -> None:
    with pytest.raises(NotNow) as refused:
        decide(CHOOSING, AcceptLoss())
    assert str(refused.value) == (
        "you cannot accept the end of the turn now: it is Ann's turn to choose tiles for 3 and 5. "
        "You can choose tiles, correct the dice, pause or give the game up"
    )


@pytest.mark.parametrize(
    ("name", "options", "choice", "points"),
    [
        ("two-level", {}, ("front-8",), 39),
        ("two-level", {}, (), 45),
        ("pub", {}, ("front-8",), 37),
        ("missionary", {}, ("front-8",), 8),
        ("2-to-go", {}, (), 45),
        ("2-to-go", {"lost": "turn"}, (), 45),
        ("two-level", {"alternate": True}, (), None),
    ],
)
def test_the_end_of_a_turn_says_what_it_ends_with(
    name: str, options: dict[str, object], choice: tuple[str, ...], points: int | None
) -> None:
    """Told is what follows: the points of the turn, and none where it is lost or goes on."""
    throw = (5, 3) if name != "2-to-go" else (1, 1)
    game = play(table_of(2, name, **options), TakeThrow(throw), *([Choose(choice)] if choice else []), ReportFault(JAM))
    [action] = [each for each in actions_of(game) if each.kind == "end_turn"]
    ended = [each.score for each in decide(game, EndTurn()) if isinstance(each, TurnEnded) and not each.lost]
    assert (action.points, ended) == (points, [] if points is None else [points])


@pytest.mark.parametrize("players", [1, 2])
def test_a_miss_passes_the_turn_on_in_a_race_only_where_somebody_else_plays(players: int) -> None:
    game = play(table_of(players, "lucky-7", race="rotation"), TakeThrow((1, 4)), ReportFault(JAM))
    [action] = [each for each in actions_of(game) if each.kind == "end_turn"]
    ended = [each.score for each in decide(game, EndTurn()) if isinstance(each, TurnEnded)]
    assert len(ended) == (players == 1)
    assert action.points == (ended[0] if ended else None)


def test_what_a_turn_is_made_of_is_for_who_has_it() -> None:
    by = {action.kind: action.by for action in actions_of(CHOOSING)}
    assert by == {"choose": ("Ann",), "correct": ("Ann",), "park": ("Ann", "Bob"), "abandon": ("Ann", "Bob")}
    assert {action.by for action in actions_of(LOST) if action.kind == "accept"} == {("Ann",)}


@pytest.mark.parametrize(
    ("players", "turn", "thrower"),
    [
        ((ANN, HOUSE), 1, "Ann"),
        ((HOUSE, ANN, BOB), 0, "Bob"),
        ((ANN, HOUSE, BOB), 1, "Ann"),
        ((ANN, BOB), 1, "Bob"),
        ((HOUSE,), 0, None),
    ],
    ids=str,
)
def test_the_house_s_dice_are_thrown_by_who_sat_before_it(
    players: tuple[Player, ...], turn: int, thrower: str | None
) -> None:
    game = play(None, StartGame(players, options={"first": "chosen"}), ConfirmTiles())
    while game.turn != turn:
        game = play(
            with_board(game, ". . . . . . . . ./9 . . . . . . . ."), TakeThrow((1, 2)), AcceptLoss(), ConfirmTiles()
        )
    assert thrower_of(game) == thrower
    [throw] = [action for action in actions_of(game) if action.kind == "roll"]
    assert throw.by == ((thrower,) if thrower else tuple(player.name for player in players))


def test_dice_that_are_being_read_are_not_thrown_again() -> None:
    assert "roll" not in {action.kind for action in actions_of(WAITING, can_throw=False)}
    assert "dice" in {action.kind for action in actions_of(WAITING, can_throw=False)}


def test_the_page_has_every_moment_action_and_player() -> None:
    assert PAGE.read_text("utf-8").partition("<!-- the table -->\n")[2] == table(), table()


def table() -> str:
    """Moments of each family against its actions, with who may; then roles against all."""
    tables = (_lines_of_moments(MOMENTS), _lines_of_moments(MOMENTS_OF_RACES), _lines_of_roles(get_args(ActionKind)))
    return "\n\n".join(map("\n".join, tables)) + "\n"


def _lines_of_moments(moments: Mapping[str, AnyGame | None]) -> list[str]:
    who = {
        moment: {action.kind: _who(game, action.by) for action in actions_of(game)} for moment, game in moments.items()
    }
    kinds = [kind for kind in get_args(ActionKind) if any(kind in by for by in who.values())]
    lines = _head_of(kinds)
    for moment, by in who.items():
        lines.append(f"| {moment} | {' | '.join(by.get(kind, '') for kind in kinds)} |")
    return lines


def _head_of(kinds: Sequence[ActionKind]) -> list[str]:
    return [f"| | {' | '.join(f'`{kind}`' for kind in kinds)} |", f"|---|{'---|' * len(kinds)}"]


def _lines_of_roles(kinds: tuple[ActionKind, ...]) -> list[str]:
    """Roles against actions: y: may, where a table above has it; s: for the seats he holds, or that nobody does."""
    lines = _head_of(kinds)
    for role in get_args(Role):
        signs = []
        for kind in kinds:
            action = Action(kind, "", ("Ann",), roles=roles_of(kind))
            own, other = (Caller("page", role, frozenset({name}), shares=False) for name in ("Ann", "Bob"))
            signs.append("y" if may(action, other) else "s" if may(action, own) else "")
        lines.append(f"| {role} | {' | '.join(signs)} |")
    return lines


def _who(game: AnyGame | None, by: tuple[str, ...]) -> str:
    """t: the player at turn; b: who sat before the house; r: those of a race whom it is due; e: every player; a:
    anybody.
    """
    if game is None or not by:
        return "a"
    if len(by) == len(game.players):
        return "e"
    if not isinstance(game, Game):
        return "r"
    return "t" if by == (game.player.name,) else "b"
