"""What everybody may see of a game: one value, sent after every event, the same for page, terminal and phone."""

from dataclasses import asdict, dataclass, field
from typing import Any, assert_never

from pydantic import TypeAdapter

from controller.game import Game
from controller.phases import AwaitingThrow, Choosing, Ended, Halted, Moving, Parked, Phase, TurnLost
from controller.rules import Throw, Value
from hardware.errors import Fault


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table at one moment.

    number: of the snapshot, rising by one with each. event: the number of the last event of this game (0: no
    game). say: one sentence: whose turn, what now, what the box waits for. notice: what came up meanwhile, such
    as why the dice could not be read. moves: what may be chosen, in the order of its numbers (from 1).
    dice_allowed: with how many dice the next throw may be made.
    """

    number: int
    box: str
    say: str
    event: int = 0
    phase: str = "idle"
    game: str | None = None
    options: dict[str, Value] = field(default_factory=dict)
    board: str | None = None
    players: tuple[str, ...] = ()
    scores: dict[str, int | None] = field(default_factory=dict)
    turn: str | None = None
    house: bool = False
    throw: tuple[int, ...] = ()
    moves: tuple[tuple[str, ...], ...] = ()
    dice_allowed: tuple[int, ...] = ()
    winners: tuple[str, ...] = ()
    fault: Fault | None = None
    notice: str = ""


SNAPSHOT: TypeAdapter[Snapshot] = TypeAdapter(Snapshot)


def facts(game: Game) -> dict[str, Any]:
    """All that a game has come to, as plain values.

    Its options stand in its first event; a later version may know more of them and their defaults.
    """
    return {
        "game": game.rules.preset.name,
        "players": [[player.name, player.house] for player in game.players],
        "turn": game.turn,
        "board": str(game.board),
        "scores": list(game.scores),
        "throws": game.throws,
        "phase": _phase_facts(game.phase),
    }


def snapshot_of(game: Game | None, *, number: int, event: int, box: str, notice: str) -> Snapshot:
    """What is to be seen of `game` now."""
    if game is None:
        return Snapshot(number, box, "No game is on. Start one.", notice=notice)
    throw = throw_of(game.phase)
    moves = game.rules.legal_moves(game.board, throw) if throw and isinstance(game.phase, Choosing) else ()
    return Snapshot(
        number=number,
        box=box,
        say=sentence(game),
        event=event,
        phase=phase_name(game.phase),
        game=game.rules.preset.name,
        options=dict(game.rules.chosen),
        board=str(game.board),
        players=tuple(player.name for player in game.players),
        scores={player.name: score for player, score in zip(game.players, game.scores, strict=True)},
        turn=game.player.name,
        house=game.player.house,
        throw=throw.dice if throw else (),
        moves=tuple(tuple(tile.name for tile in move) for move in moves),
        dice_allowed=tuple(sorted(game.rules.dice_allowed(game.board))),
        winners=tuple(game.players[seat].name for seat in winners_of(game)),
        fault=game.phase.fault if isinstance(game.phase, Halted) else None,
        notice=notice,
    )


def sentence(game: Game) -> str:
    """Whose turn, what now, what the box waits for: the same on the page, in the terminal and spoken."""
    name = game.player.name
    match game.phase:
        case AwaitingThrow():
            return f"{name}: throw the dice ({_dice(game)})."
        case Choosing(throw):
            tail = "is thinking" if game.player.house else "choose tiles that make it"
            return f"{name} threw {throw}, total {throw.total}: {tail}."
        case TurnLost(throw):
            score = game.rules.score(game.board)
            return f"{name} threw {throw}, total {throw.total}: nothing can be shut. {score} points; confirm."
        case Moving(Ended()) | Moving(AwaitingThrow()):
            return f"The box moves its tiles for {name}."
        case Moving():
            return "The box puts its tiles back in place."
        case Halted(fault):
            return f"{fault.part}: expected {fault.expected}, seen {fault.seen}. {fault.cure}"
        case Parked():
            return "Paused. The tiles stay as they are; confirm to go on."
        case Ended(winners):
            return _end(game, winners)
        case _:
            assert_never(game.phase)


def phase_name(phase: Phase) -> str:
    """The phase as one word: awaiting_throw, choosing, turn_lost, moving, halted, parked, ended."""
    match phase:
        case AwaitingThrow():
            return "awaiting_throw"
        case Choosing():
            return "choosing"
        case TurnLost():
            return "turn_lost"
        case Moving():
            return "moving"
        case Halted():
            return "halted"
        case Parked():
            return "parked"
        case Ended():
            return "ended"
        case _:
            assert_never(phase)


def throw_of(phase: Phase) -> Throw | None:
    """The throw that a phase is about, if it is about one."""
    match phase:
        case Choosing(throw) | TurnLost(throw):
            return throw
        case Moving(then) | Halted(_, then) | Parked(then):
            return throw_of(then)
    return None


def winners_of(game: Game) -> tuple[int, ...]:
    """The seats that won; none while the game is on or if it was given up."""
    return game.phase.winners if isinstance(game.phase, Ended) else ()


def _dice(game: Game) -> str:
    counts = sorted(game.rules.dice_allowed(game.board))
    return " or ".join("one die" if count == 1 else f"{count} dice" for count in counts)


def _end(game: Game, winners: tuple[int, ...]) -> str:
    if not winners:
        return "The game was given up."
    names = " and ".join(game.players[seat].name for seat in winners)
    how = "shuts the box and wins" if game.board.is_shut and len(winners) == 1 else "wins"
    points = game.scores[winners[0]]
    return f"{names} {how if len(winners) == 1 else 'share the win'} with {points} points."


def _phase_facts(phase: Phase) -> dict[str, Any]:
    """A phase as plain values, its name first."""
    found: dict[str, Any] = {"name": phase_name(phase)}
    match phase:
        case Choosing(throw) | TurnLost(throw):
            found["throw"] = list(throw.dice)
        case Ended(winners):
            found["winners"] = list(winners)
        case Moving(then) | Parked(then):
            found["then"] = _phase_facts(then)
        case Halted(fault, then):
            found |= {"fault": asdict(fault), "then": _phase_facts(then)}
    return found
