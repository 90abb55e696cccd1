"""What everybody may see of a game: one value, sent after every event, the same for page, terminal and phone."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar, assert_never

from pydantic import TypeAdapter

from controller.game import Game
from controller.match import Match, running_totals
from controller.phases import AwaitingThrow, Choosing, Ended, Halted, Moving, Parked, Phase, TurnDone, TurnLost
from controller.rules import NO_MARKS, Marks, Throw, Value
from hardware.errors import Fault

Number = TypeVar("Number", int, int | None)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table at one moment.

    number: of the snapshot, rising by one with each. event: the number of the last event of this game (0: no
    game). say: one sentence: whose turn, what now, what the box waits for. notice: what came up meanwhile, such
    as why the dice could not be read. moves: what may be chosen, in the order of its numbers (from 1).
    dice_allowed: with how many dice the next throw may be made; dice_wanted: what a house player asks for.
    scores: of this round; standing: of the match (totals or points), empty for a single round; coins: won and paid
    so far, and pool, empty and 0 without stakes. rolling: this throw is for who begins. example: a throw as one types
    it; camera_reads: whether the camera knows these dice. news: what just happened, in a sentence or two.
    """

    number: int
    box: str
    say: str
    event: int = 0
    phase: str = "idle"
    game: str | None = None
    options: dict[str, Value] = field(default_factory=dict)
    marks: Marks = NO_MARKS
    board: str | None = None
    players: tuple[str, ...] = ()
    scores: dict[str, int | None] = field(default_factory=dict)
    turn: str | None = None
    house: bool = False
    throw: tuple[int, ...] = ()
    moves: tuple[tuple[str, ...], ...] = ()
    dice_allowed: tuple[int, ...] = ()
    dice_wanted: int | None = None
    rolling: bool = False
    example: str = "5 3"
    camera_reads: bool = True
    match: str = "single"
    round: int = 1
    standing: dict[str, int] = field(default_factory=dict)
    coins: dict[str, int] = field(default_factory=dict)
    pool: int = 0
    winners: tuple[str, ...] = ()
    news: str = ""
    fault: Fault | None = None
    notice: str = ""


SNAPSHOT: TypeAdapter[Snapshot] = TypeAdapter(Snapshot)


def facts(game: Game) -> dict[str, Any]:
    """All that a game has come to, as plain values.

    Its options stand in its first event; a later version may know more of them and their defaults.
    """
    told = {
        "game": game.rules.preset.name,
        "players": [[player.name, player.house] for player in game.players],
        "turn": game.turn,
        "board": str(game.board),
        "scores": list(game.scores),
        "throws": game.throws,
        "phase": _phase_facts(game.phase),
    }
    # Before there were matches nothing was noted of one; a game without one is still told in the same words.
    plain = game.match == Match.plain(len(game.players))
    return told if plain else {**told, "match": _match_facts(game.match)}


@dataclass(frozen=True, slots=True)
class Around:
    """What a snapshot tells beside the game: its number, the game's event, the box, and what came up meanwhile."""

    number: int
    event: int
    box: str
    notice: str = ""
    news: str = ""
    dice_wanted: int | None = None


def snapshot_of(game: Game | None, around: Around) -> Snapshot:
    """What is to be seen of `game` now."""
    if game is None:
        return Snapshot(around.number, around.box, "No game is on. Start one.", notice=around.notice)
    throw = throw_of(game.phase)
    moves = game.rules.legal_moves(game.board, throw) if throw and isinstance(game.phase, Choosing) else ()
    return Snapshot(
        number=around.number,
        box=around.box,
        say=sentence(game) + _wish(game, around.dice_wanted),
        event=around.event,
        phase=phase_name(game.phase),
        game=game.rules.preset.name,
        options=dict(game.rules.chosen),
        marks=game.rules.marks,
        board=str(game.board),
        players=tuple(player.name for player in game.players),
        scores=_by_name(game, game.turn_scores),
        turn=game.player.name,
        house=game.player.house,
        throw=throw.dice if throw else (),
        moves=tuple(tuple(tile.name for tile in move) for move in moves),
        dice_allowed=tuple(sorted(game.dice_allowed)),
        dice_wanted=around.dice_wanted,
        rolling=bool(game.match.rolling),
        example=game.rules.example.replace(",", " "),
        camera_reads=game.rules.sides == 6,
        match=game.rules.terms.match,
        round=game.match.round,
        standing=_by_name(game, standing(game)),
        coins=_by_name(game, game.match.ledger.balances) if game.rules.terms.stake else {},
        pool=game.match.ledger.pool,
        winners=tuple(game.players[seat].name for seat in winners_of(game)),
        fault=game.phase.fault if isinstance(game.phase, Halted) else None,
        notice=around.notice,
        news=around.news,
    )


def standing(game: Game) -> tuple[int, ...]:
    """Per seat the totals or points of a match of several rounds; empty for a single round."""
    if game.rules.terms.match == "single":
        return ()
    return game.match.totals if running_totals(game.rules.terms) else game.match.points


def sentence(game: Game) -> str:
    """Whose turn, what now, what the box waits for: the same on the page, in the terminal and spoken."""
    name = game.player.name
    match game.phase:
        case AwaitingThrow() if game.match.rolling:
            return f"{name}: throw for who begins ({_dice(game)}); the {game.rules.terms.first} begins."
        case AwaitingThrow():
            return f"{name}: throw the dice ({_dice(game)})."
        case Choosing(throw):
            tail = f"{name} is thinking" if game.player.house else "choose tiles that make it"
            return f"{name} threw {_thrown(game, throw)}: {tail}."
        case TurnLost(throw):
            return f"{name} threw {_thrown(game, throw)}: {_lost(game, throw)}; confirm."
        case TurnDone():
            return f"The turn of {name} is over."
        case Moving(Ended()) | Moving(AwaitingThrow()) | Moving(TurnDone()):
            return f"The box moves its tiles for {name}."
        case Moving():
            return "The box puts its tiles back in place."
        case Halted(fault):
            return f"{fault.part}: expected {fault.expected}, seen {fault.seen}. {fault.cure}"
        case Parked():
            return "Paused. The tiles stay as they are; confirm to go on."
        case Ended(given_up=True):
            return "The game was given up."
        case Ended(winners):
            return _end(game, winners)
        case _:
            assert_never(game.phase)


def phase_name(phase: Phase) -> str:
    """The phase as one word: awaiting_throw, choosing, turn_lost, turn_done, moving, halted, parked, ended."""
    match phase:
        case AwaitingThrow():
            return "awaiting_throw"
        case Choosing():
            return "choosing"
        case TurnLost():
            return "turn_lost"
        case TurnDone():
            return "turn_done"
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


def _by_name(game: Game, values: Sequence[Number]) -> dict[str, Number]:
    return {player.name: value for player, value in zip(game.players, values, strict=bool(values))}


def _dice(game: Game) -> str:
    return " or ".join(_so_many(game, count) for count in sorted(game.dice_allowed))


def _so_many(game: Game, count: int) -> str:
    kind = f"{game.rules.sides}-sided " if game.rules.sides != 6 else ""
    return f"one {kind}die" if count == 1 else f"{count} {kind}dice"


def _wish(game: Game, dice: int | None) -> str:
    """What a house player asks of whoever throws for it."""
    return f" {game.player.name} wants {_so_many(game, dice)}." if dice and _waits_for_throw(game) else ""


def _waits_for_throw(game: Game) -> bool:
    return isinstance(game.phase, AwaitingThrow)


def _thrown(game: Game, throw: Throw) -> str:
    """The faces as they are marked, and what they make together."""
    faces = game.rules.marks.faces
    marks = ",".join(faces[face - 1] for face in throw.dice) if faces else str(throw)
    return marks if len(throw.dice) == 1 and not faces else f"{marks}, total {throw.total}"


def _lost(game: Game, throw: Throw) -> str:
    """What it means that nothing can be shut."""
    if game.rules.terms.race == "rotation":
        return "nothing can be shut, the next one throws"
    rules = game.rules
    if not rules.meets(throw):
        return f"a 7 ends the {'round' if rules.ends_round(throw) else 'turn'}. {_points(rules.score(game.board))}"
    if rules.first_move_key is not None and rules.terms.lost != "turn" and game.board == rules.start():
        return f"no set with the {rules.first_move_key}, and that loses. {_points(rules.score(game.board))}"
    return f"nothing can be shut. {_points(rules.score(game.board))}"


def _points(score: int) -> str:
    return f"{score} point{'' if score == 1 else 's'}"


def _end(game: Game, winners: tuple[int, ...]) -> str:
    if not winners:
        return "The game is over, and nobody wins."
    names = " and ".join(game.players[seat].name for seat in winners)
    if len(game.players) == 1 and game.rules.terms.match == "single" and not game.board.is_shut:
        return f"{names} ends with {_won_with(game, winners[0])}."
    how = "shuts the box and wins" if game.board.is_shut and winners == (game.turn,) else "wins"
    return f"{names} {how if len(winners) == 1 else 'share the win'} with {_won_with(game, winners[0])}."


def _won_with(game: Game, winner: int) -> str:
    rounds = f"{game.match.round} round{'s' if game.match.round > 1 else ''}"
    if game.rules.terms.match == "points":
        return f"{_points(game.match.points[winner])} after {rounds}"
    if running_totals(game.rules.terms):
        return f"{game.match.totals[winner]} in all after {rounds}"
    return _points(game.scores[winner] or 0)


def _match_facts(match: Match) -> dict[str, Any]:
    """A match as plain values."""
    told = asdict(match)
    return {**told, "lost": sorted(match.lost)}


def _phase_facts(phase: Phase) -> dict[str, Any]:
    """A phase as plain values, its name first."""
    found: dict[str, Any] = {"name": phase_name(phase)}
    match phase:
        case Choosing(throw) | TurnLost(throw):
            found["throw"] = list(throw.dice)
        case Ended(winners, given_up):
            found["winners"] = list(winners)
            if not winners and not given_up:
                found["nobody"] = True
        case Moving(then) | Parked(then):
            found["then"] = _phase_facts(then)
        case Halted(fault, then):
            found |= {"fault": asdict(fault), "then": _phase_facts(then)}
    return found
