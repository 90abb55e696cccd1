"""The game as a pure machine: which events follow from a command, what they change, and what is said of it.

`decide` answers a command, `evolve` makes its events true; the state is a `Game` with its phase and its `Match`. It
knows no time, no metal, no disk and no terminal, so a journal leads to the same game wherever it is replayed.
"""

from controller.game.commands import (
    COMMAND,
    Abandon,
    Believe,
    Choose,
    ClientCommand,
    Command,
    Confirm,
    ConfirmTiles,
    EndTurn,
    Park,
    ReportFault,
    RollDice,
    StartGame,
    TakeThrow,
)
from controller.game.decide import decide
from controller.game.digest import digest_of
from controller.game.english import count, join_and, plural
from controller.game.events import (
    EVENT,
    DiceThrown,
    FirstRolled,
    GameEvent,
    GameResumed,
    GameStarted,
    MoveChosen,
    ThrowCorrected,
    TurnEnded,
)
from controller.game.evolve import evolve, replay
from controller.game.hands import Complete, Meaning, Unclear, Wrong, meaning_of
from controller.game.match import has_running_totals
from controller.game.narration import describe_countdown, describe_due, describe_meaning, describe_phase, news_of
from controller.game.phases import (
    AwaitingThrow,
    Choosing,
    Ended,
    Halted,
    Moving,
    Parked,
    PhaseName,
    TurnLost,
    phase_name,
)
from controller.game.players import MOST_PLAYERS, Player, Strength, check_players, default_players, read_players
from controller.game.questions import Question, legal_moves, names_of, parse_settings
from controller.game.snapshot import SNAPSHOT, Snapshot, SnapshotContext, snapshot_of, standing_of, winners_of
from controller.game.state import Game
from controller.game.variants import DEFAULT_GAME, GameChoice, load_marks, load_variant

__all__ = [
    "COMMAND",
    "DEFAULT_GAME",
    "EVENT",
    "MOST_PLAYERS",
    "SNAPSHOT",
    "Abandon",
    "AwaitingThrow",
    "Believe",
    "Choose",
    "Choosing",
    "ClientCommand",
    "Command",
    "Complete",
    "Confirm",
    "ConfirmTiles",
    "DiceThrown",
    "EndTurn",
    "Ended",
    "FirstRolled",
    "Game",
    "GameChoice",
    "GameEvent",
    "GameResumed",
    "GameStarted",
    "Halted",
    "Meaning",
    "MoveChosen",
    "Moving",
    "Park",
    "Parked",
    "PhaseName",
    "Player",
    "Question",
    "ReportFault",
    "RollDice",
    "Snapshot",
    "SnapshotContext",
    "StartGame",
    "Strength",
    "TakeThrow",
    "ThrowCorrected",
    "TurnEnded",
    "TurnLost",
    "Unclear",
    "Wrong",
    "check_players",
    "count",
    "decide",
    "default_players",
    "describe_countdown",
    "describe_due",
    "describe_meaning",
    "describe_phase",
    "digest_of",
    "evolve",
    "has_running_totals",
    "join_and",
    "legal_moves",
    "load_marks",
    "load_variant",
    "meaning_of",
    "names_of",
    "news_of",
    "parse_settings",
    "phase_name",
    "plural",
    "read_players",
    "replay",
    "snapshot_of",
    "standing_of",
    "winners_of",
]
