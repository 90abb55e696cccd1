"""A game looked back on: expectation, luck and errors add up to the result, in every game, however it is played."""

import random
from collections.abc import Iterable, Mapping, Sequence

import pytest

from controller.errors import NotNow
from controller.game.core.commands import (
    Abandon,
    Command,
    ConfirmTiles,
    PutRight,
    ReportFault,
    ReportTiles,
    StartGame,
    Undo,
)
from controller.game.core.events import GameEvent
from controller.game.core.phases import FoundTile, Halted, Moving, TileMismatch
from controller.game.core.players import Player
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectGame, CorrectThrow, EndTurn, TakeThrow
from controller.game.shutbox.events import TurnEnded
from controller.game.shutbox.evolve import evolve_box_game
from controller.game.shutbox.hands import can_correct_game
from controller.game.shutbox.state import AwaitingThrow, Choosing, Game, TurnLost
from controller.game.table.engines import decide
from controller.odds.shutbox.model import throws_of
from controller.opponents.house import House
from controller.opponents.lookback import Account, LookBack, look_back
from controller.opponents.statistics import statistics_of
from controller.rules.shutbox.games import GAMES
from controller.rules.shutbox.ruleset import rules_of
from hardware.errors import Fault
from hardware.tiles import Position
from tests.support.stories import found_by_chance

BLIND = Fault("V-101", "camera", "a picture", "none", "See to the camera.")
# Boards of a size whose odds are counted in no time; the games as their documents have them take the same way.
SMALL = {
    "two-level": {"columns": 4},
    "double-shutter": {"columns": 4},
    "the-300": {"tiles": 8, "dice": 2},
    "full-house": {"tiles": 8},
    "2012": {"tiles": 8},
}


def played(game: str, seed: int, players: Sequence[Player], **options: object) -> list[GameEvent]:
    """A game by chance, or as well as its house players can, with a fault, a correction or a power cut now and then."""
    chance, house = random.Random(f"{game}/{seed}"), House()
    events = list(decide(None, StartGame(tuple(players), game, {"first": "chosen", **SMALL.get(game, {}), **options})))
    now = _after(None, events)
    while not now.is_over and len(events) < 400:
        more = decide(now, _next(chance, house, now))
        events += more
        now = _after(now, more)
    return events


def _after(game: Game | None, events: Iterable[GameEvent]) -> Game:
    for event in events:
        game = evolve_box_game(game, event)
    assert game is not None
    return game


def _next(chance: random.Random, house: House, game: Game) -> Command:
    if not isinstance(game.phase, TileMismatch | Halted) and chance.random() < 0.04:
        return found_by_chance(chance, game)
    match game.phase:
        case TileMismatch():
            return CorrectGame() if can_correct_game(game) else PutRight()
        case AwaitingThrow():
            dice = house.choose_dice(game) if game.player.house else chance.choice(sorted(game.dice_allowed))
            return TakeThrow(tuple(chance.randint(1, game.rules.sides) for _ in range(dice)))
        case Choosing(throw) | TurnLost(throw) if chance.random() < 0.1:
            first, *others = throw.dice
            another = (first - 1 + chance.randrange(1, game.rules.sides)) % game.rules.sides + 1
            return CorrectThrow((another, *others))
        case Choosing(throw):
            if game.player.house:
                return _choice(house, game)
            if chance.random() < 0.02:
                return ReportFault(BLIND)
            return Choose(tuple(tile.name for tile in chance.choice(game.rules.legal_moves(game.board, throw))))
        case TurnLost():
            return AcceptLoss()
        case Moving():
            return ConfirmTiles()
    return EndTurn()


def _choice(house: House, game: Game) -> Choose:
    return Choose(house.choose(game).tiles)


@pytest.mark.long
def test_it_adds_up_in_every_game() -> None:
    turns = 0
    for game in GAMES:
        for seed in range(2):
            events = played(game, seed, (Player("Ann"), Player("Bob")))
            found = look_back(events)
            assert found.missing == ""
            for account in (*found.points, *found.wins):
                if account.result is not None:
                    turns += 1
                    assert_adds_up(account)
            assert_scores_told(found, events)
    assert turns > 100


def assert_adds_up(account: Account) -> None:
    assert account.result is not None
    assert account.expected + account.luck + account.errors == pytest.approx(account.result, abs=1e-9, rel=1e-12)


def assert_scores_told(found: LookBack, events: Sequence[GameEvent]) -> None:
    """Every turn that was played has its score, in the order of the turns."""
    noted = [(event.player, event.score) for event in events if isinstance(event, TurnEnded)]
    told = [(each.player, each.result) for each in found.points if each.result is not None]
    assert all(each in noted for each in told)


@pytest.mark.parametrize("game", ["pub", "2-to-go", "two-level", "thai", "digital"])
def test_the_perfect_house_makes_no_errors(game: str) -> None:
    perfect = Player("House", house=True, strength="perfect")
    alone = look_back(played(game, 5, (perfect,)))
    against = look_back(played(game, 6, (perfect, Player("Hal", house=True, strength="perfect"))))

    assert [share.errors for share in alone.shares] == [0]
    assert against.wins
    assert all(each.errors == 0 for each in against.wins)


def test_choices_that_cost_are_told_with_the_better_ones() -> None:
    """With 1 and 2 thrown at 1 2 3 the 3 goes, or the others; what is left is counted by hand, of 36 throws each."""
    events = told("golf", {"tiles": 3, "one_die": "never"}, TakeThrow((1, 2)), Choose(("front-1", "front-2")))
    [choice] = look_back(events).points[0].choices

    three_left = 3 * (1 - 2 / 36)
    one_and_two_left = 3 * (1 - 3 / 36) + 1 / 36
    assert choice.best == (("front-3",),)
    assert choice.error == pytest.approx(three_left - one_and_two_left, abs=1e-12)


def test_a_correction_counts_as_corrected() -> None:
    events = told("golf", {}, TakeThrow((6, 6)), CorrectThrow((1, 1)), Choose(("front-2",)))
    [account] = look_back(events).points

    assert [choice.dice for choice in account.choices] == [(1, 1)]


def test_what_was_taken_back_was_not_played() -> None:
    plain = told("golf", {}, TakeThrow((6, 3)), Choose(("front-9",)), TakeThrow((1, 1)), Choose(("front-2",)))
    undone = told(
        "golf",
        {},
        TakeThrow((6, 3)),
        Choose(("front-3", "front-6")),
        Undo(),
        Choose(("front-9",)),
        TakeThrow((4, 4)),
        Choose(("front-8",)),
        CorrectThrow((1, 1)),
        Choose(("front-2",)),
    )

    assert look_back(undone) == look_back(plain)
    assert statistics_of([undone]).players == statistics_of([plain]).players
    assert statistics_of([undone]).dice == statistics_of([plain]).dice


def test_while_nobody_may_be_told_odds_neither_the_game_nor_its_players_are_told_by_them() -> None:
    events = played("pub", 1, (Player("Ann"), Player("Bob")), match="points")
    on = events[: next(at for at, event in enumerate(events, 1) if isinstance(event, TurnEnded))]
    with pytest.raises(NotNow, match="nobody sees the odds"):
        look_back(on)
    counted = statistics_of([on]).players
    assert sorted((each.turns, each.luck, each.errors) for each in counted) == [(0, None, None), (1, None, None)]
    over = [*on, *decide(_after(None, on), Abandon())]
    assert look_back(over).points[0].choices
    assert any(each.luck is not None for each in statistics_of([over]).players)


def test_a_turn_that_a_fault_ended_adds_up_too() -> None:
    events = told("golf", {}, TakeThrow((6, 3)), Choose(("front-9",)), TakeThrow((1, 3)), ReportFault(BLIND), EndTurn())
    [account] = look_back(events).points

    assert account.result == 36
    assert account.beside > 0
    assert_adds_up(account)


def test_tiles_moved_while_the_box_was_off_are_no_choice_s_doing() -> None:
    moved = ReportTiles((FoundTile("front-8", Position.OPEN, Position.SHUT),))
    events = told("golf", {}, TakeThrow((6, 3)), moved, CorrectGame(), Choose(("front-9",)))
    [plain] = look_back(told("golf", {}, TakeThrow((6, 3)), Choose(("front-9",)))).points
    [account] = look_back(events).points
    [choice] = account.choices

    assert choice.board == "1 2 3 4 5 6 7 . 9"
    assert account.expected == plain.expected
    assert account.beside < 0
    assert choice.error >= 0


def test_luck_is_nobody_s_on_average() -> None:
    """What a throw adds to the value has the mean 0: exactly, over all throws that the start may see."""
    rules = rules_of("pub")
    total = 0.0
    for throw, chance in throws_of(rules, 2):
        moves = rules.legal_moves(rules.start(), throw)
        move = Choose(tuple(tile.name for tile in moves[0])) if moves else AcceptLoss()
        [account, *_] = look_back(told("pub", {}, TakeThrow(throw.dice), move)).points
        total += chance * account.choices[0].luck

    assert total == pytest.approx(0, abs=1e-12)


def test_a_game_without_odds_says_why() -> None:
    events = told("two-level", {"alternate": True}, players=(Player("Ann"), Player("Bob")))

    assert "alternate" in look_back(events).missing


def told(
    game: str, options: Mapping[str, object], *commands: Command, players: tuple[Player, ...] = (Player("Ann"),)
) -> list[GameEvent]:
    """The events of a game that these commands lead to; the tiles come when they are asked for."""
    events = list(decide(None, StartGame(players, game, {"first": "chosen", **options})))
    events += decide(_after(None, events), ConfirmTiles())
    for command in commands:
        now = _after(None, events)
        if isinstance(now.phase, Moving):
            events += decide(now, ConfirmTiles())
            now = _after(None, events)
        events += decide(now, command)
    return events
