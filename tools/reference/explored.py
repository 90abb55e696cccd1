"""The steps between the phases of a family of games, as its own machine makes them: games that are played by chance.

People and the box do what comes to mind, also what is refused; each event is a step from one phase to another. The same
seed makes the same steps.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from controller.box.compatibility import choices_of
from controller.errors import ShutboxError
from controller.game.core.actions import ActionKind
from controller.game.core.commands import (
    Abandon,
    Believe,
    Command,
    ConfirmTiles,
    GoOn,
    Park,
    PutRight,
    ReportFault,
    ReportTiles,
    StartGame,
    TryAgain,
    Undo,
)
from controller.game.core.engine import AnyGame, Engine
from controller.game.core.phases import FoundTile, PhaseName, phase_name
from controller.game.core.players import Player
from controller.game.fleet.commands import CallGo, Claim, CountDown, EndRound, NameCombination, PassSecond, Shout
from controller.game.fleet.commands import WithdrawShout as Withdraw
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectGame, CorrectThrow, EndTurn, TakeThrow
from controller.game.shutbox.engine import moves_of, throw_of
from controller.game.table.engines import decide, evolve
from controller.rules.errors import RulesError
from controller.rules.fleet.cards import CARDS
from controller.rules.fleet.dice import JOKER_NAME, SET_SIZE
from controller.rules.options import Choice, Value
from firmware.errors import TileJammed
from hardware.tiles import Position

# What is done most of the time: what leads a game to its end. Everything else is tried now and then.
_PLAYED: tuple[ActionKind, ...] = ("dice", "choose", "accept", "name", "go", "shout", "claim", "go_on", "try_again")
# How often it is done, in one game and another, and after how many commands a game that does not end is left.
_STRAIGHT, _MOST_COMMANDS = (0.5, 0.8, 0.95, 1.0), 200
_PEOPLE = (Player("Ann"), Player("Bob"))
# Games of one die and few tiles or rounds end soon.
_SMALL: Mapping[str, tuple[Value, ...]] = {
    "tiles": (2, 4, 7),
    "dice": (1, 2),
    "domino_set": (15,),
    "columns": (1, 3),
    "rows": (2,),
    "rounds": (1, 2),
    "match_limit": (8,),
    "timer": (0, 5),
}


@dataclass(frozen=True, slots=True, order=True)
class Step:
    """One event, by its tag, with the phases before and after it; `idle` before the first one.

    rests_before, rests_after: the phases in which the game is once its tiles are in place and nothing holds it.
    """

    before: PhaseName
    event: str
    after: PhaseName
    rests_before: PhaseName
    rests_after: PhaseName


def explore(engine: Engine[Any], games: int, seed: int = 1) -> tuple[Step, ...]:
    """Return every step that games of this family made, each once, in order."""
    chance = random.Random(seed)
    return tuple(sorted({step for _ in range(games) for step in _play(engine, chance)}))


def _play(engine: Engine[Any], chance: random.Random) -> Iterator[Step]:
    """Play one game; whatever else might have been done in each of its states is tried beside it."""
    game: AnyGame | None = None
    straight = chance.choice(_STRAIGHT)
    for _ in range(_MOST_COMMANDS):
        tried = [_start(engine, chance)] if game is None else _tried(game, engine, chance)
        done = [found for command in tried if (found := _do(game, command))]
        for steps, _after in done:
            yield from steps
        if done:
            # Those that come first lead on.
            _, game = done[0] if chance.random() < straight else chance.choice(done)
        if game is not None and game.is_over and chance.random() < 0.5:
            return


def _do(game: AnyGame | None, command: Command) -> tuple[list[Step], AnyGame] | None:
    """Return the steps of a command and the game after it; None if it is refused, or nothing changes."""
    try:
        events = decide(game, command)
    except (ShutboxError, RulesError):
        return None
    steps = []
    for event in events:
        after = evolve(game, event)
        steps.append(Step(_phase(game), event.kind, _phase(after), _resting(game), _resting(after)))
        game = after
    return (steps, game) if steps and game is not None else None


def _phase(game: AnyGame | None) -> PhaseName:
    return "idle" if game is None else phase_name(game.phase)


def _resting(game: AnyGame | None) -> PhaseName:
    return "idle" if game is None else phase_name(game.resting)


def _start(engine: Engine[Any], chance: random.Random) -> Command:
    name = chance.choice(sorted(engine.games))
    options = {each.name: _value(each, chance) for each in choices_of(name) if chance.random() < 0.5}
    return StartGame(_PEOPLE[: chance.choice((1, 2, 2, 2))], name, options)


def _value(choice: Choice, chance: random.Random) -> Value:
    small = [value for value in _SMALL.get(choice.name, ()) if value in choice.allowed]
    return chance.choice(small or choice.allowed)


def _tried(game: AnyGame, engine: Engine[Any], chance: random.Random) -> list[Command]:
    """Return everything that may be done now, by people and by the box; what leads to the end of a game comes first."""
    possible = [action.kind for action in engine.actions(game, can_throw=True) if action.kind in _COMMANDS]
    chance.shuffle(possible)
    possible.sort(key=lambda kind: kind not in _PLAYED)
    asked = [_COMMANDS[kind](game, chance) for kind in possible]
    leading = sum(kind in _PLAYED for kind in possible)
    of_itself = (ConfirmTiles(), CountDown(), PassSecond())
    return [*of_itself[:2], *asked[:leading], of_itself[2], *asked[leading:], *_of_box(game, chance), Undo()]


def _of_box(game: AnyGame, chance: random.Random) -> tuple[Command, ...]:
    """Return what the box may report: a fault, and a tile that was moved while it was off."""
    tile = chance.choice(list(game.board.layout.by_name))
    seen = (Position.OPEN, Position.SHUT)
    expected, found = seen if game.board.stands(game.board.layout.by_name[tile]) else seen[::-1]
    fault = TileJammed(tile, expected=expected, seen=found).fault
    return ReportFault(fault), ReportTiles((FoundTile(tile, expected, found),))


def _dice(game: AnyGame, chance: random.Random) -> tuple[int, ...]:
    count = chance.choice((1, 2))
    return tuple(chance.randint(1, game.rules.sides) for _ in range(count))


def _choose(game: AnyGame, chance: random.Random) -> Command:
    return Choose(chance.choice(moves_of(game)))


def _correct(game: AnyGame, chance: random.Random) -> Command:
    throw = throw_of(game.phase)  # type: ignore[arg-type]
    return CorrectThrow(tuple(chance.randint(1, game.rules.sides) for _ in throw.dice) if throw else (1, 2))


def _anybody(game: AnyGame, chance: random.Random) -> str:
    return chance.choice(game.players).name


def _combination(game: AnyGame, chance: random.Random) -> str:
    return chance.choice(CARDS[game.rules.name].combinations)


def _claim(game: AnyGame, chance: random.Random) -> Command:
    """Six jokers are every combination in most games; any other dice hardly ever are one."""
    dice = (JOKER_NAME,) * SET_SIZE if chance.random() < 0.5 else tuple(chance.randint(2, 6) for _ in range(SET_SIZE))
    return Claim(dice, _anybody(game, chance))


_COMMANDS: Mapping[ActionKind, Callable[[AnyGame, random.Random], Command]] = {
    "dice": lambda game, chance: TakeThrow(_dice(game, chance)),
    "correct": _correct,
    "choose": _choose,
    "undo": lambda _game, _chance: Undo(vouched=True),
    "accept": lambda _game, _chance: AcceptLoss(),
    "go_on": lambda _game, _chance: GoOn(),
    "try_again": lambda _game, _chance: TryAgain(),
    "believe": lambda _game, _chance: Believe(),
    "end_turn": lambda _game, _chance: EndTurn(),
    "put_right": lambda _game, _chance: PutRight(),
    "correct_game": lambda _game, _chance: CorrectGame(),
    "name": lambda game, chance: NameCombination(_combination(game, chance), _anybody(game, chance)),
    "go": lambda _game, _chance: CallGo(),
    "shout": lambda game, chance: Shout(_combination(game, chance), _anybody(game, chance)),
    "claim": _claim,
    "withdraw": lambda game, chance: Withdraw(_anybody(game, chance)),
    "end_round": lambda _game, _chance: EndRound(),
    "park": lambda _game, _chance: Park(),
    "abandon": lambda _game, _chance: Abandon(),
}
