"""What may hold a game of any family: tiles on their way, a fault, a pause, tiles that were moved while it was off.

How such a moment comes and goes is the same whatever is played; what it holds up is the family's own.
"""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from controller.errors import NotNow
from controller.game.core.commands import (
    Abandon,
    Believe,
    Command,
    GoOn,
    Park,
    PutRight,
    ReportFault,
    ReportTiles,
    TryAgain,
)
from controller.game.core.engine import AnyGame, OfFamily
from controller.game.core.events import (
    GameAbandoned,
    GameEvent,
    GameHalted,
    GameParked,
    GameResumed,
    TileBelieved,
    TilesConfirmed,
    TilesDiffer,
)
from controller.game.core.message import Datum, Message, compose
from controller.game.core.phases import Ended, FoundTile, Halted, Held, Moving, Parked, TileMismatch
from controller.rules.tiles import Layout
from hardware.errors import Fault


def decide_interruption(game: AnyGame, command: Command, due: str) -> tuple[GameEvent, ...] | None:
    """The events that follow from a command that holds a game or lets it go on; None for any other command.

    due: what the game waits for, in a few words. Raises `NotNow`.
    """
    match command:
        case GoOn() | TryAgain() | PutRight():
            return (GameResumed(),)
        case Believe():
            return (TileBelieved(game.phase.fault.part),) if isinstance(game.phase, Halted) else ()
        case ReportTiles(found):
            if isinstance(game.phase, Halted | Parked):
                raise NotNow(f"no tile is compared: {due}")
            told = game.phase.found if isinstance(game.phase, TileMismatch) else ()
            # People are asked, and asked again when it has changed.
            return () if found == told else (TilesDiffer(found),)
        case ReportFault(fault):
            is_told = isinstance(game.phase, Halted) and game.phase.fault == fault
            return () if is_told else (GameHalted(fault),)
        case Park():
            return () if isinstance(game.phase, Parked) else (GameParked(),)
        case Abandon():
            return (GameAbandoned(),)
    return None


def evolve_interruption(game: OfFamily, event: GameEvent) -> OfFamily | None:
    """The game after an event that holds it or lets it go on; None for any other event."""
    # What is held is of the game's own family, which no type can say of both at once.
    rest: Any = game.resting
    match event:
        case GameResumed() if isinstance(game.phase, Ended):
            # Giving up is taken back: the tiles are looked at as after any pause.
            before: OfFamily = game.phase.before
            return replace(before, phase=Moving(before.resting))
        case TilesConfirmed():
            return replace(game, phase=rest)
        case GameHalted(fault):
            # A tile that is asked about is no longer believed to be anywhere, until somebody says so again.
            return replace(game, phase=Halted(fault, rest), believed=game.believed - {fault.part})
        case GameParked():
            return replace(game, phase=Parked(rest))
        case GameResumed():
            return replace(game, phase=Moving(rest))
        case TileBelieved(tile):
            return replace(game, phase=Moving(rest), believed=game.believed | {tile})
        case TilesDiffer(found):
            return replace(game, phase=TileMismatch(found, rest))
    return None


def describe_interruption(phase: Halted[Any] | Parked[Any]) -> Message:
    """Return the message of a game that stands still for a fault or a pause."""
    if isinstance(phase, Halted):
        return compose("game.halted", **asdict(phase.fault))
    return compose("game.paused")


def found_args(found: Sequence[FoundTile]) -> dict[str, Datum]:
    """Return the arguments of a message about tiles that were moved while the box was off."""
    return {
        "tiles": tuple(tile.name for tile in found),
        "seen": tuple(str(tile.seen) for tile in found),
        "expected": tuple(str(tile.expected) for tile in found),
    }


def due_while_held(phase: Held[Any] | Ended, layout: Layout) -> str:
    """Return what a game waits for that is held or over, in a few words that end a refusal."""
    match phase:
        case Moving():
            return "the tiles are moving"
        case Halted(fault):
            # A tile is told by its mark and its row, anything else as it is called.
            tile, name = layout.by_name.get(fault.part), fault.part
            if tile is not None:
                places = {1: "in front", layout.rows: "behind"}
                row = f" {places.get(tile.row, f'in row {tile.row}')}" if layout.rows > 1 else ""
                name = f"tile {tile.mark}{row}"
            return f"{name} needs help"
        case Parked():
            return "the game is paused"
        case TileMismatch():
            return "tiles were moved while the box was off"
        case Ended():
            return "the game is over"


def describe_fault(fault: Fault) -> Message:
    """Return the notice of a fault that does not stop the game: one of the box, not of a tile."""
    return compose("fault", **asdict(fault))
