"""Three thousand matches by chance, with every option of every game: the books agree and the journal tells it all.

Boards are small and rules are made once a match, so that it is quick. A second book-keeper follows every event of every
match. Every fourth match is replayed at its end from events that went through JSON; every twentieth one is compared
with its replay, read back and put into sentences at each event.
"""

import random
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from controller.errors import NotNow
from controller.game.core.commands import (
    Abandon,
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
from controller.game.core.events import GameEvent, GameStarted
from controller.game.core.phases import Halted, Parked, TileMismatch
from controller.game.core.players import Player
from controller.game.shutbox.actions import throw_to_correct
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectGame, CorrectThrow, TakeThrow
from controller.game.shutbox.evolve import evolve_box_game as evolve
from controller.game.shutbox.evolve import replay_box_game as replay
from controller.game.shutbox.hands import can_correct_game
from controller.game.shutbox.messages import describe_phase
from controller.game.shutbox.messages import news_of_box_game as news_of
from controller.game.shutbox.state import AwaitingThrow, Choosing, Game, TurnLost, can_undo
from controller.game.table.engines import actions_of, decide, digest_of
from controller.game.table.wire import EVENT
from controller.rules.errors import IllegalMove, InvalidNotation, InvalidOption
from controller.rules.options import Value
from controller.rules.shutbox.games import GAMES
from controller.rules.shutbox.ruleset import Ruleset, rules_of
from controller.rules.throw import Throw
from controller.rules.tiles import Marks
from hardware.errors import Fault
from tests.support.auditor import Auditor
from tests.support.long import long_but_every
from tests.support.said import text_of
from tests.support.stories import found_by_chance

JAM = Fault("H-301", "front-1", "SHUT", "OPEN", "Free the tile.")
BLIND = Fault("V-101", "camera", "a picture", "none", "See to the camera.")
START = StartGame((Player("Ann"),))
NAMES = ("Ann", "Bob", "Cleo", "Dora", "Emil", "Fritz")
BATCHES, BATCH = 6, 500
MOST_EVENTS = 120

# Sizes that make quick matches; every other option takes any of its values.
_SIZES: Mapping[str, tuple[Value, ...]] = {
    "columns": (1, 2, 3, 4),
    "rows": (1, 2, 3),
    "dice": (1, 2, 3),
    "max_tiles": (0, 1, 2, 3),
    "match_limit": (0, 1, 3, 8, 12, 20),
    "rounds": (1, 2, 3),
    "stake": (0, 1, 2, 5),
}
_LEAST_TILES = {"3-down-extreme": 4, "lucky-7": 7, "even-stevens": 2, "2-to-go": 2, "3-to-go": 3}
# Dominoes are many; a match with them takes as long as ten others.
_GAMES = [name for name in GAMES if name != "dominoes"] * 5 + ["dominoes"]


def random_options(chance: random.Random, game: str) -> dict[str, object]:
    """Options that go together, each at random."""
    while True:
        given: dict[str, object] = {}
        for choice in GAMES[game].choices:
            if choice.name == "tiles":
                least = _LEAST_TILES.get(game, 1)
                given["tiles"] = chance.randint(least, least + 3)
            else:
                given[choice.name] = chance.choice(_SIZES.get(choice.name, choice.allowed))
        try:
            rules_of(game, given)
        except InvalidOption:
            continue
        return given


def start_of(chance: random.Random) -> StartGame:
    game = chance.choice(_GAMES)
    players = tuple(map(Player, NAMES[: chance.randint(1, len(NAMES))]))
    return StartGame(players, game, random_options(chance, game))


def next_command(chance: random.Random, game: Game) -> Command:
    """What is due, or now and then something else that may happen at a table."""
    if chance.random() < 0.03:
        return chance.choice((Park(), ReportFault(JAM), ReportFault(BLIND)))
    if not isinstance(game.phase, Halted | Parked) and chance.random() < 0.01:
        return found_by_chance(chance, game)
    if chance.random() < 0.0005:
        return Abandon()
    if can_undo(game) and chance.random() < 0.08:
        return Undo(vouched=True) if chance.random() < 0.7 else correction_of(chance, game)
    match game.phase:
        case AwaitingThrow():
            return throw_of(chance, game)
        case Choosing(throw) if chance.random() < 0.95:
            moves = game.rules.legal_moves(game.board, throw)
            return Choose(tuple(map(str, chance.choice(moves))))
        case TurnLost() if chance.random() < 0.95:
            return AcceptLoss()
        case Choosing() | TurnLost():
            return correction_of(chance, game)
        case Halted():
            return chance.choice((TryAgain(), ConfirmTiles()))
        case Parked():
            return GoOn()
        case TileMismatch():
            answer = CorrectGame() if can_correct_game(game) and chance.random() < 0.7 else PutRight()
            return answer if chance.random() < 0.8 else ConfirmTiles()
        case _:
            return ConfirmTiles()


def correction_of(chance: random.Random, game: Game) -> CorrectThrow:
    """A correction of the throw that lies, or of the last one."""
    [counts] = [action.counts for action in actions_of(game) if action.kind == "correct"]
    dice = [chance.randint(1, game.rules.sides) for _ in range(chance.choice(counts))]
    if throw_to_correct(game) == Throw(tuple(dice)):
        dice[0] = dice[0] % game.rules.sides + 1
    return CorrectThrow(tuple(dice))


def throw_of(chance: random.Random, game: Game) -> TakeThrow:
    count = chance.choice(sorted(game.dice_allowed))
    return TakeThrow(tuple(chance.randint(1, game.rules.sides) for _ in range(count)), "camera")


def copied(event: GameEvent) -> GameEvent:
    return EVENT.validate_json(EVENT.dump_json(event))


class AuditedMatch:
    """A match with its journal and its second book-keeper; `closely` replays it at every event."""

    def __init__(self, *, closely: bool) -> None:
        self.closely = closely
        self.game: Game | None = None
        self.journal: list[GameEvent] = []
        self.retold: Game | None = None
        self.auditor: Auditor | None = None

    def do(self, command: Command) -> Game:
        """Whatever `decide` raises, nothing has happened then."""
        before, happened = self.game, decide(self.game, command)
        for event in happened:
            self.note(event)
        assert self.game is not None
        if self.closely:
            check_resting(self.game)
            assert "\n" not in text_of((*news_of(before, happened, self.game), describe_phase(self.game)))
        return self.game

    def note(self, event: GameEvent) -> None:
        before, self.game = self.game, evolve(self.game, event)
        if isinstance(event, GameStarted):
            self.auditor = Auditor(event)
        assert self.auditor is not None
        self.auditor.hear(before, event, self.game)
        self.journal.append(event)
        if self.closely:
            self.retold = evolve(self.retold, copied(event))
            check_copy(self.retold, self.game)

    def check_replay(self) -> None:
        assert self.game is not None
        check_copy(replay(map(copied, self.journal)), self.game)


def check_resting(game: Game) -> None:
    """Between two commands whoever is at turn still plays, and a throw can be met exactly where one is to choose."""
    assert game.is_over or game.match.rolling or game.turn_scores[game.turn] is None
    if isinstance(game.phase, Choosing | TurnLost):
        moves = game.rules.legal_moves(game.board, game.phase.throw)
        assert bool(moves) == isinstance(game.phase, Choosing)


def check_copy(copy: Game | None, game: Game) -> None:
    assert copy == game
    assert digest_of(copy) == digest_of(game)
    assert game.rules.board(str(game.board)) == game.board


def rules_made_once() -> Callable[[str, Mapping[str, Value], Marks], Ruleset]:
    """`rules_of` that remembers the rules of the last match."""
    made: dict[object, Ruleset] = {}

    def remembered(game: str, options: Mapping[str, Value], marks: Marks) -> Ruleset:
        key = (game, tuple(sorted(options.items())))
        if key not in made:
            made.clear()
            made[key] = rules_of(game, options, marks)
        return made[key]

    return remembered


def play_and_audit(seed: int) -> str:
    """Play one match by chance, with its books. How it ended."""
    chance, match_ = random.Random(seed), AuditedMatch(closely=seed % 20 == 0)
    game = match_.do(start_of(chance))
    while not game.is_over:
        late = len(match_.journal) >= MOST_EVENTS
        game = match_.do(Abandon() if late else next_command(chance, game))
    if seed % 4 == 0:
        match_.check_replay()
    return match_.journal[-1].kind


@pytest.mark.long
@pytest.mark.parametrize("batch", long_but_every(6, range(BATCHES)))
def test_the_books_of_five_hundred_random_matches_agree(batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("controller.game.shutbox.decide", "controller.game.shutbox.evolve", "tests.support.auditor"):
        # By its name as a module: the face of `controller.game` has functions that are called like these files.
        monkeypatch.setattr(sys.modules[module], "rules_of", rules_made_once())

    ends = [play_and_audit(seed) for seed in range(batch * BATCH, (batch + 1) * BATCH)]

    assert set(ends) == {"game_ended", "game_abandoned"}
    assert ends.count("game_ended") > BATCH * 0.75, "few matches are so long that they are given up"


class RandomMatch(RuleBasedStateMachine):
    """Anything anybody may do in any order, at any kind of match: refusals change nothing, and the books agree."""

    @initialize(chance=st.randoms(use_true_random=False))
    def start(self, chance: random.Random) -> None:
        self.match = AuditedMatch(closely=True)
        self.match.do(start_of(chance))

    def game(self) -> Game:
        assert self.match.game is not None
        return self.match.game

    def try_out(self, command: Command) -> None:
        before = self.game()
        with suppress(NotNow, IllegalMove, InvalidNotation):
            self.match.do(command)
            return
        assert self.game() == before

    @rule(dice=st.lists(st.integers(0, 21), max_size=5))
    def throw_anything(self, dice: list[int]) -> None:
        self.try_out(TakeThrow(tuple(dice)))
        self.try_out(CorrectThrow(tuple(dice)))

    @rule(tiles=st.lists(st.sampled_from(["front-1", "front-2", "back-1", "front-7", "nothing"]), max_size=3))
    def choose_anything(self, tiles: list[str]) -> None:
        self.try_out(Choose(tuple(tiles)))

    @rule(
        command=st.sampled_from(
            [
                AcceptLoss(),
                Undo(),
                GoOn(),
                TryAgain(),
                PutRight(),
                CorrectGame(),
                ConfirmTiles(),
                Park(),
                ReportFault(JAM),
                START,
            ]
        )
    )
    def ask_anything(self, command: Command) -> None:
        if not (self.game().is_over and command == START):
            self.try_out(command)

    @precondition(lambda self: not self.game().is_over)
    @rule(chance=st.randoms(use_true_random=False), steps=st.integers(1, 20))
    def go_on(self, chance: random.Random, steps: int) -> None:
        for _ in range(steps):
            if not self.game().is_over:
                self.match.do(next_command(chance, self.game()))

    @invariant()
    def the_journal_tells_the_whole_story(self) -> None:
        self.match.check_replay()


TestRandomMatch = RandomMatch.TestCase
TestRandomMatch.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
