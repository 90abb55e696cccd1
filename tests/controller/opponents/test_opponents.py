"""The house players: what each strength chooses, why it says so, and how it is asked without anybody waiting."""

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from controller.game.core.commands import ConfirmTiles, StartGame
from controller.game.core.message import compose
from controller.game.core.players import STRENGTHS, Player, Strength
from controller.game.shutbox.commands import AcceptLoss, TakeThrow
from controller.game.shutbox.events import Motive
from controller.game.shutbox.state import Choosing, Game
from controller.odds.shutbox.advice import odds_of
from controller.odds.shutbox.aim import Aim
from controller.odds.shutbox.choosers import noise_in_points, weights_of
from controller.opponents.house import Decision, House, Judge
from controller.opponents.strength import STRENGTHS as PLAYERS
from controller.rules.board import Board
from controller.rules.shutbox.ruleset import Move, rules_of
from controller.rules.throw import Throw
from controller.runtime.threads import BackgroundThread
from tests.support.said import said
from tests.support.stories import play, score, with_board
from tests.support.tables import open_table_rig, until


def game_of(strength: Strength, board: str, *throw: int, game: str = "pub", **options: object) -> Game:
    """The house alone at the table, with a throw to choose for."""
    start = play(None, StartGame((Player("House", house=True, strength=strength),), game, options))
    return play(with_board(start, board), *((TakeThrow(throw),) if throw else ()))


def test_every_strength_of_the_game_is_defined_and_no_other() -> None:
    assert tuple(PLAYERS) == STRENGTHS


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_strength_makes_the_errors_that_its_noise_says(strength: Strength) -> None:
    """On all boards of 5 tiles more or less: how often the best move was made, as often as it is to be."""
    seen = made = wanted = 0.0
    for shut in range(512):
        board = " ".join("." if shut >> place & 1 else str(place + 1) for place in range(9))
        game = game_of(strength, board, 5, 3)
        moves = legal(game)
        if len(moves) < 2:
            continue
        values = odds_of(game.rules).values(game.board, throw_of(game), moves, Aim("score"))
        noise = noise_in_points(PLAYERS[strength].noise, game.rules)
        weights = weights_of([value - min(values) for value in values], noise) if noise else [1.0]
        best = moves[values.index(min(values))]
        seen, made = seen + 1, made + (House().choose(game).tiles == tuple(map(str, best)))
        wanted += max(weights) / sum(weights)

    assert seen > 100
    assert made == pytest.approx(wanted, abs=1e-9 if strength == "perfect" else 4 * (seen / 4) ** 0.5)


def test_the_careless_take_any_set_but_the_same_whenever_one_looks_again() -> None:
    boards = ("1 2 3 4 5 6 7 8 9", "1 2 3 . 5 6 7 8 9", "1 2 3 4 5 6 . 8 .")
    games = [game_of("careless", board, 5, 3) for board in boards]
    chosen = [House().choose(game).tiles for game in games]

    assert chosen == [House().choose(game).tiles for game in games]
    assert len(set(chosen)) > 1
    assert all(play(game).rules.move(tiles) in legal(game) for game, tiles in zip(games, chosen, strict=True))


def legal(game: Game) -> tuple[Move, ...]:
    return game.rules.legal_moves(game.board, throw_of(game)) if isinstance(game.phase, Choosing) else ()


def throw_of(game: Game) -> Throw:
    assert isinstance(game.phase, Choosing)
    return game.phase.throw


def test_perfect_plays_for_the_win_and_not_for_the_least_score() -> None:
    """Bob is last and has to beat 3: what leaves least on average is not what gets him there most often."""
    players = (Player("Ann"), Player("Bob", house=True, strength="perfect"))
    start = play(None, StartGame(players, "pub", {"first": "chosen", "one_die": "never"}))
    mine = score(play(start), 3)
    differing = list(boards_where_aims_differ(mine))

    assert differing
    for game, wins, least in differing[:3]:
        assert House().choose(game).tiles in wins
        assert not set(wins) & set(least)


def boards_where_aims_differ(game: Game) -> Iterator[tuple[Game, list[tuple[str, ...]], list[tuple[str, ...]]]]:
    odds = odds_of(game.rules)
    for shut in range(512):
        board = Board(game.rules.layout, tuple(shut >> column & 1 for column in range(9)))
        for dice in ((2, 5), (3, 5), (4, 5)):
            thrown = play(with_board(game, str(board)), TakeThrow(dice))
            if len(legal(thrown)) < 2:
                continue
            throw = throw_of(thrown)
            # Less than 3 wins the round, exactly 3 shares it: with 2 left nothing of the kind is on this board.
            wins, ties = (odds.after(board, throw, Aim("at-most", limit)) for limit in (2, 3))
            least = odds.after(board, throw, Aim("score"))
            if wins.best == ties.best and wins.value > 0 and not set(wins.best) & set(least.best):
                yield thrown, named(wins.best), named(least.best)


def named(moves: tuple[Move, ...]) -> list[tuple[str, ...]]:
    return [tuple(map(str, move)) for move in moves]


def why_of(decision: Decision) -> str:
    why = asdict(decision.why)
    return said(compose("choice.explained", player="House", dice=(), faces=("5",), tiles=decision.tiles, **why))


@pytest.mark.parametrize(
    ("strength", "board", "throw", "why"),
    [
        ("careless", "1 2 3 4 5 6 7 8 9", (5, 6), ": the first set that came to mind."),
        ("skilled", "1 2 3 4 5 6 7 8 9", (5, 3), ", the best move: the turn then ends with 9.04 points on average."),
        ("casual", "1 2 3 4 5 6 7 8 9", (5, 4), "points on average; with front-9 it would be "),
        ("perfect", ". . . . . . 7 8 .", (5, 3), ": nothing else fits."),
    ],
)
def test_the_house_says_why_it_chose(strength: Strength, board: str, throw: tuple[int, ...], why: str) -> None:
    assert why in why_of(House().choose(game_of(strength, board, *throw)))


def test_perfect_tells_how_often_it_wins() -> None:
    players = (Player("Ann"), Player("Bob", house=True, strength="perfect"))
    game = score(play(None, StartGame(players, "pub", {"first": "chosen"})), 20)

    why = why_of(House().choose(play(game, TakeThrow((5, 3)))))
    assert ", the best move: the turn then wins " in why
    assert why.endswith("% of the time.")


def test_in_a_play_off_a_shut_that_levels_one_before_is_worth_half() -> None:
    players = (Player("Ann"), Player("Bob", house=True, strength="perfect"))
    level = score(play(None, StartGame(players, "golf", {"first": "chosen", "ties": "play_off"})), 12, 12, 0)
    judge, last = Judge(), play(with_board(level, "1 2 . . . . . . ."), TakeThrow((1, 2)))

    assert judge.moves(last, throw_of(last), legal(last), judge.win(last), seed=1).values == (0.5,)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_the_number_of_dice_is_chosen_as_well_as_the_strength_says(strength: Strength) -> None:
    """With 5 and 6 left two dice are better, they also make 11, by 0.09 points: only the perfect always sees it."""
    games = [replace(game_of(strength, ". . . . 5 6 . . ."), throws=throws) for throws in range(40)]
    wished = [House().choose_dice(game) for game in games].count(2)

    assert wished == 40 if strength == "perfect" else 10 < wished < 30


def test_a_look_ahead_says_that_it_is_one() -> None:
    huge = game_of("skilled", str(rules_of("the-300").start()), 5, 3, 4, 4, game="the-300")
    assert "points in turns played out in thought" in why_of(House().choose(huge))
    players = tuple(Player(f"House {seat}", house=True, strength="perfect") for seat in range(12))
    crowd = play(play(None, StartGame(players, "two-level", {"first": "chosen"})), ConfirmTiles(), TakeThrow((5, 3)))
    why = why_of(House().choose(crowd))
    assert ", the best move: the turn then wins " in why
    assert why.endswith("% of the time if the others play for few points.")


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_game_whose_odds_cannot_be_counted_is_played_all_the_same(strength: Strength) -> None:
    start = " ".join(map(str, range(1, 13)))
    alternate = game_of(strength, "1 2 3 4/4 3 2 1", 2, 1, game="two-level", columns=4, alternate=True)
    assert alternate.rules.move(House().choose(alternate).tiles) in legal(alternate)
    huge = game_of(strength, f"{start}/{' '.join(reversed(start.split()))}", 5, 3, game="two-level", columns=12)
    assert huge.rules.move(House().choose(huge).tiles) in legal(huge)


def test_a_computer_with_little_memory_plays_by_the_rule_of_thumb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sysconf", lambda name: 1)
    decision = House().choose(game_of("skilled", "1 2 3 4 5 6 7 8 9", 5, 3))

    assert (decision.tiles, decision.why) == (("front-8",), Motive("thumb"))


async def test_asking_again_waits_for_the_same_answer_and_the_next_question_for_its_turn() -> None:
    """A wait that was given up leaves its thread behind: no second one may run beside it."""
    begun: list[str] = []
    go_on = threading.Event()

    def think(question: str) -> str:
        begun.append(question)
        go_on.wait()
        return question.upper()

    thread = BackgroundThread()
    given_up = asyncio.ensure_future(thread.run(think, "a"))
    await asyncio.sleep(0)
    given_up.cancel()
    await asyncio.wait([given_up])
    again, other = (asyncio.ensure_future(thread.run(think, word)) for word in ("a", "b"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert len(begun) == 1
    go_on.set()
    assert list(await asyncio.gather(again, other)) == ["A", "B"]
    assert begun == ["a", "b"]


async def test_what_goes_wrong_in_the_thread_is_raised_where_it_was_asked() -> None:
    def fail(_question: str) -> str:
        raise MemoryError("too big")

    with pytest.raises(MemoryError, match="too big"):
        await BackgroundThread().run(fail, "a")


async def test_a_house_players_wish_for_dice_is_said_to_whoever_throws(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path, box="classic-9") as table, table.referee() as referee:
        house = Player("House", house=True, strength="perfect")
        await referee.ask(StartGame((house,), "pub"))
        for dice in ((4, 5), (5, 3), (6, 1)):
            await until(referee, "awaiting_throw")
            await referee.ask(TakeThrow(dice))
        async with asyncio.timeout(60), referee.watch() as snapshots:
            snapshot = await snapshots.get()
            while snapshot.dice_wanted is None:
                snapshot = await snapshots.get()
        assert snapshot.say == "House throws two dice."


async def test_a_lone_player_hears_of_his_record(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path, box="classic-9") as table, table.referee() as referee:
        for expected in (
            "The first score of Ann on record in Lucky 7: 7.",
            "The best of 2 games is 7, the average 7.0.",
        ):
            await referee.ask(StartGame((Player("Ann"),), "lucky-7", {"race": "turn"}))
            await until(referee, "awaiting_throw")
            await referee.ask(TakeThrow((1, 1)))
            assert (await referee.ask(AcceptLoss())).news == expected
