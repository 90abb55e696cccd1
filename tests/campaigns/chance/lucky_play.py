"""A trial of `luck`: games of one kind, played by chance or as well as can be, and looked back on."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from controller.game.core.commands import Abandon, Command, StartGame
from controller.game.core.events import GameEvent
from controller.game.core.players import Player
from controller.game.shutbox.commands import Choose, TakeThrow
from controller.game.shutbox.evolve import evolve_box_game
from controller.game.shutbox.state import AwaitingThrow, Choosing, Game
from controller.game.table.engines import decide
from controller.odds.shutbox.model import Model
from controller.odds.work import TooManyBoards
from controller.opponents.house import House
from controller.opponents.lookback import Account, LookBack, look_back
from controller.rules.shutbox.games import GAMES
from controller.rules.shutbox.ruleset import Ruleset, rules_of
from tests.campaigns.any_game import draw_rules, next_by_chance

_MOST_BOARDS = 20_000  # two rows of nine have 19,683
_MOST_BY_SEAT = 600  # one row of nine has 512; with more boards the chances to win by seat take long: one plays alone
_MOST_EVENTS = 400  # then a game is given up: some matches last for hundreds of rounds
_NAMES = ("Ann", "Bea", "Carl")
_GREAT = 1000.0  # a score of digits has more of them than a number keeps: its gaps are told as parts of it


@dataclass(frozen=True, slots=True)
class Trial:
    """At least so many throws of one kind of game, drawn from `seed`.

    The seeds from 1 on go through all games by chance, then through all of them perfectly, each with its document's own
    options; the next ones do so with any options.
    """

    seed: int
    throws: int

    @property
    def game(self) -> str:
        """The name of the game."""
        return list(GAMES)[(self.seed - 1) % len(GAMES)]

    @property
    def perfect(self) -> bool:
        """True if everybody plays perfectly."""
        return (self.seed - 1) // len(GAMES) % 2 == 1

    @property
    def plain(self) -> bool:
        """True if the game is as its document has it."""
        return (self.seed - 1) // len(GAMES) in (0, 1)


@dataclass(slots=True)
class Sums:
    """The luck of many throws, in points as a part of what all tiles cost, or as a chance to win: their number, their
    sum and the sum of their squares.
    """

    throws: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, luck: float) -> None:
        """Count one throw more."""
        self.throws, self.total, self.squares = self.throws + 1, self.total + luck, self.squares + luck * luck


@dataclass(slots=True)
class Outcome:
    """The games of one trial.

    turns: finished ones, in points and in chances to win. gap: the greatest difference between a result and expectation
    + luck + errors, in points or as a chance; in thousandths of what all tiles cost where that is more than 1,000.
    errors: the greatest that the house made that plays perfectly.
    """

    trial: Trial
    games: int = 0
    turns: int = 0
    gap: float = 0.0
    errors: float = 0.0
    points: Sums = field(default_factory=Sums)
    wins: Sums = field(default_factory=Sums)
    problems: list[str] = field(default_factory=list)


def try_luck(trial: Trial) -> Outcome:
    """Play games of one kind until there are throws enough, and look back on each of them."""
    chance, outcome = random.Random(trial.seed), Outcome(trial)
    rules = _rules(trial, chance)
    while outcome.points.throws < trial.throws:
        back = look_back(play_game(rules, chance, perfect=trial.perfect))
        outcome.games += 1
        if back.missing:
            outcome.problems.append(back.missing)
            break
        _count(outcome, back, rules)
    return outcome


def play_game(rules: Ruleset, chance: random.Random, *, perfect: bool) -> list[GameEvent]:
    """The events of one game, whose players do what comes to mind, or who all are houses that play perfectly."""
    most = len(_NAMES) if Model.of(rules).size <= _MOST_BY_SEAT else 1
    players = tuple(Player(name, perfect, "perfect") for name in _NAMES[: chance.randint(1, most)])
    house, game, events = House(), None, list[GameEvent]()
    command: Command | None = StartGame(players, rules.preset.name, rules.chosen, rules.marks)
    while command is not None:
        more = decide(game, command)
        events += more
        for event in more:
            game = evolve_box_game(game, event)
        command = _next(game, house, chance, len(events)) if game is not None else None
    return events


def _rules(trial: Trial, chance: random.Random) -> Ruleset:
    """The game as its document has it, or with any of its options; where that has too many boards, a smaller one."""
    plain = rules_of(trial.game)
    if trial.plain and _is_small(plain):
        return plain
    return draw_rules(chance, trial.game, _is_small, alternate=False)


def _is_small(rules: Ruleset) -> bool:
    try:
        return Model.of(rules).size <= _MOST_BOARDS
    except TooManyBoards:
        return False


def _next(game: Game, house: House, chance: random.Random, events: int) -> Command | None:
    """What is done next; None once the game is over."""
    if game.is_over:
        return None
    if events > _MOST_EVENTS:
        return Abandon()
    match game.phase:
        case AwaitingThrow() if game.player.house and not game.match.rolling:
            dice = house.choose_dice(game)
            return TakeThrow(tuple(chance.randint(1, game.rules.sides) for _ in range(dice)))
        case Choosing() if game.player.house:
            return Choose(house.choose(game).tiles)
    return next_by_chance(game, chance)


def _count(outcome: Outcome, back: LookBack, rules: Ruleset) -> None:
    """Add what a look back on one game tells."""
    unit = float(rules.score(rules.start()))
    for accounts, sums, whole in ((back.points, outcome.points, unit), (back.wins, outcome.wins, 1.0)):
        for luck in _lucks(accounts):
            sums.add(luck / whole)
        finished = [account for account in accounts if account.result is not None]
        outcome.turns += len(finished)
        outcome.gap = max([outcome.gap, *(_gap(account) / max(1.0, whole / _GREAT) for account in finished)])
    if outcome.trial.perfect:
        # It plays for wins where there are any to win, else for points.
        judged = back.wins or back.points
        outcome.errors = max([outcome.errors, *(abs(account.errors) for account in judged)])


def _lucks(accounts: Sequence[Account]) -> Iterator[float]:
    """The luck of each throw; in a race, where nobody chooses, of each round."""
    for account in accounts:
        yield from (choice.luck for choice in account.choices)
        if not account.choices:
            yield account.luck


def _gap(account: Account) -> float:
    return abs(account.expected + account.luck + account.errors - (account.result or 0.0))
