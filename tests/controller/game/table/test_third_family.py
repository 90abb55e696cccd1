"""A third family of games is played by everything in the core, once its name stands in the list of families."""

from pathlib import Path

import pytest

from controller.box.compatibility import EVERY_GAME
from controller.errors import JournalDiffers, NotNow, NotYours, VariantError
from controller.game.core.commands import Abandon, Command, ConfirmTiles, GoOn, Park, ReportFault, StartGame, TryAgain
from controller.game.core.engine import AnyGame
from controller.game.core.events import GameEnded, GameEvent
from controller.game.core.phases import Halted, Moving, Parked
from controller.game.core.players import Origin, Player
from controller.game.core.sight import CameraState, Holding, SnapshotContext
from controller.game.shutbox.commands import Choose, TakeThrow
from controller.game.shutbox.events import DiceThrown, MoveChosen
from controller.game.shutbox.state import AwaitingThrow
from controller.game.table import engines
from controller.game.table.caller import Caller, check_may, origin_of
from controller.game.table.engines import (
    ENGINES,
    actions_of,
    any_rules_of,
    decide,
    describe_moment,
    digest_of,
    evolve,
    known_games,
    news_of,
    replay,
)
from controller.game.table.snapshot import SNAPSHOT, scores_of, snapshot_of, winners_of
from controller.game.table.variants import load_variant
from controller.journal.export import rows_of_game
from controller.journal.replay import replay_checked
from controller.journal.store import Entry, Journal
from controller.opponents.statistics import statistics_of
from controller.rules.errors import IllegalMove, InvalidOption
from hardware.errors import Fault
from hardware.tiles import Position
from tests.support.coins import HEAD, HEADS_TO_WIN, TAIL, TOSSING, Coins
from tests.support.said import said, text_of
from tests.support.tables import open_table_rig, until

START = StartGame((Player("Ann"), Player("Bob")), "coins")
HEADS, TAILS = TakeThrow((HEAD,)), TakeThrow((TAIL,))
TO_THE_END: tuple[Command, ...] = (START, ConfirmTiles(), HEADS, TAILS, HEADS, HEADS, HEADS)
CONTEXT = SnapshotContext(1, 1, "two-level-9")


@pytest.fixture(autouse=True)
def _third(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "ENGINES", (*ENGINES, TOSSING))


def play(*commands: Command, game: AnyGame | None = None) -> tuple[AnyGame, list[GameEvent]]:
    """The game after these commands, and all that has happened in them."""
    found: list[GameEvent] = []
    for command in commands:
        events = decide(game, command)
        found += events
        for event in events:
            game = evolve(game, event)
    assert game is not None
    return game, found


def test_it_is_started_played_and_won() -> None:
    game, events = play(*TO_THE_END)

    assert isinstance(game, Coins)
    assert (game.is_over, winners_of(game), scores_of(game)) == (True, (0,), (3, 1))
    assert events[-2:] == [DiceThrown((HEAD,), "typed"), GameEnded((0,))]
    assert replay(events) == game
    # After its end any game can begin, and this one after any other.
    assert isinstance(play(START, game=play(StartGame((Player("Ann"),)), Abandon(), game=game)[0])[0], Coins)


def test_its_digest_tells_every_state_from_every_other() -> None:
    _, events = play(*TO_THE_END)
    digests = [digest_of(game) for until in range(1, len(events) + 1) if (game := replay(events[:until]))]

    assert len(set(digests)) == len(digests) == len(events)
    assert digests[-1] == digest_of(play(*TO_THE_END)[0])


def test_its_games_are_known_with_their_rules(tmp_path: Path) -> None:
    file = tmp_path / "coins.toml"
    file.write_text('game = "coins"\n')

    assert known_games()[-1] == load_variant(file).game == any_rules_of("coins", {}).name == "coins"
    with pytest.raises(InvalidOption, match="neither options nor marks"):
        decide(None, StartGame(START.players, "coins", {"stake": 5}))
    file.write_text('game = "coin"\n')
    with pytest.raises(VariantError, match=r"no game 'coin'; .*coins"):
        load_variant(file)


def test_what_cannot_be_done_is_refused() -> None:
    game, _ = play(START, ConfirmTiles())

    assert [action.kind for action in actions_of(game)] == ["park", "abandon", "dice"]
    with pytest.raises(NotNow, match=r"you cannot choose tiles now: Ann tosses the coin\. You can pause, give"):
        decide(game, Choose(("front-1",)))
    with pytest.raises(NotNow, match="you cannot start a game now: Ann tosses the coin"):
        decide(game, START)
    with pytest.raises(IllegalMove, match="a coin shows 1 or 2"):
        decide(game, TakeThrow((6,)))
    with pytest.raises(ValueError, match="move_chosen does not happen with coins"):
        evolve(game, MoveChosen(("front-1",)))
    with pytest.raises(NotYours, match="only Ann can say what the dice show now; you play for Bob here"):
        check_may(game, "dice", Caller("page", seats=frozenset({"Bob"}), taken=frozenset({"Ann"})))
    with pytest.raises(NotNow, match="you cannot say what the dice show now: the game is over"):
        decide(play(*TO_THE_END)[0], HEADS)


def test_whose_doing_it_was_is_told() -> None:
    game, _ = play(START, ConfirmTiles(), HEADS)

    assert origin_of(game, HEADS, Caller("page", seats=frozenset({"Ann", "Bob"}))) == Origin("page", 1)


def test_a_pause_a_fault_and_moved_tiles_hold_it_as_any_other() -> None:
    fault = Fault("M01", "front-1", "up", "down", "look")
    game, _ = play(START, ConfirmTiles(), HEADS)
    halted, _ = play(ReportFault(fault), game=game)

    assert play(Park(), game=game)[0].phase == Parked(AwaitingThrow())
    assert play(Park(), GoOn(), game=game)[0].phase == Moving(AwaitingThrow())
    assert play(Park(), GoOn(), ConfirmTiles(), game=game)[0] == game
    assert halted.phase == Halted(fault, AwaitingThrow())
    assert snapshot_of(halted, CONTEXT).fault == fault
    assert play(TryAgain(), ConfirmTiles(), game=halted)[0] == game
    assert decide(play(Park(), game=game)[0], Park()) == ()


def test_what_is_said_of_it() -> None:
    game, _ = play(START, ConfirmTiles())
    events = decide(game, HEADS)
    after, _ = play(HEADS, game=game)

    assert said(describe_moment(game)) == "Ann: throw one die with 2 sides."
    assert text_of(news_of(game, events, after)) == "Ann ends with 1 point."


def test_its_snapshot_has_all_that_every_game_has_and_its_own() -> None:
    game, _ = play(START, ConfirmTiles(), HEADS)
    seen = CameraState({"front-1": Position.SHUT})
    snapshot = snapshot_of(game, SnapshotContext(1, 3, "box", sight=seen, holdings={"Ann": Holding("page", here=True)}))

    assert (snapshot.game, snapshot.phase) == ("coins", "awaiting_throw")
    assert (snapshot.turn, snapshot.scores, snapshot.standing) == ("Bob", {"Ann": 1, "Bob": 0}, {"Ann": 1, "Bob": 0})
    assert (snapshot.sides, snapshot.example, snapshot.round, snapshot.race) == (2, "1", 1, None)
    assert [(seat.name, seat.plays, seat.held) for seat in snapshot.seats] == [
        ("Ann", True, "page"),
        ("Bob", True, None),
    ]
    assert [tile.seen for tile in snapshot.tiles] == [Position.SHUT, None, None]
    assert SNAPSHOT.validate_json(SNAPSHOT.dump_json(snapshot)) == snapshot
    assert snapshot.can("dice")
    assert snapshot_of(play(*TO_THE_END)[0], CONTEXT).winners == ("Ann",)


def test_before_its_tiles_were_looked_at_nobody_tosses() -> None:
    game, _ = play(START, ConfirmTiles())
    comparing = SnapshotContext(1, 1, "box", comparing=True)

    assert not snapshot_of(game, comparing).can("dice")
    assert [each.key for each in snapshot_of(game, comparing).messages] == ["game.comparing"]
    assert [each.key for each in snapshot_of(play(Park(), game=game)[0], comparing).messages] == ["throw.awaited"]


def test_the_journal_keeps_it_checks_it_and_tells_it(tmp_path: Path) -> None:
    _, events = play(*TO_THE_END)
    with Journal(tmp_path / "journal.sqlite3") as journal:
        game_id = journal.next_game_id()
        entries = [
            Entry(number, "2026-01-01T00:00:00", event, digest_of(game))
            for number, event in enumerate(events, 1)
            if (game := replay(events[:number]))
        ]
        journal.append(game_id, "two-level-9", entries)
        kept = journal.entries(game_id)
        told = rows_of_game(journal, game_id)

    assert replay_checked(kept) == play(*TO_THE_END)[0]
    assert told is not None
    row, rows = told
    assert not rows
    assert (row.name, row.rounds, row.outcome, row.winners) == ("coins", 1, "won", ("Ann",))
    with pytest.raises(JournalDiffers, match="event 4"):
        replay_checked([*kept[:3], Entry(4, kept[3].at, DiceThrown((HEAD,), "typed"), kept[3].digest), *kept[4:]])


async def test_the_referee_plays_it_on_a_box_that_sets_its_tiles_and_takes_it_up_again(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table:
        async with table.referee() as referee:
            with pytest.raises(InvalidOption):
                await referee.ask(StartGame(START.players, "coins", {"stake": 5}))
            await referee.ask(START)
            begun = await until(referee, "awaiting_throw")
            assert [tile.seen for tile in begun.tiles] == [Position.OPEN] * HEADS_TO_WIN
            assert (await referee.ask(HEADS)).news == "Ann ends with 1 point."
            with pytest.raises(IllegalMove):
                await referee.ask(TakeThrow((6,)))
            assert (await referee.ask(Park())).phase == "parked"
        async with table.referee() as referee:
            assert (await referee.ask(GoOn())).scores == {"Ann": 1, "Bob": 0}
            await until(referee, "awaiting_throw")
            for command in (TAILS, HEADS, TAILS, HEADS):
                snapshot = await referee.ask(command)
            assert (snapshot.phase, snapshot.winners, snapshot.game) == ("ended", ("Ann",), "coins")


def test_its_players_are_counted() -> None:
    ann, bob = statistics_of([play(*TO_THE_END)[1]]).players

    assert (ann.player, ann.game, ann.games, ann.wins, ann.best) == ("Ann", "coins", 1, 1, 3)
    assert (bob.player, bob.wins, bob.best) == ("Bob", 0, 1)


def test_the_box_lists_the_games_of_all_families_that_there_are() -> None:
    assert tuple(name for engine in ENGINES for name in engine.games) == EVERY_GAME


def test_without_its_line_it_is_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "ENGINES", ENGINES)

    with pytest.raises(InvalidOption, match="no game 'coins'"):
        decide(None, START)
