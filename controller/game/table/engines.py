"""The engines of the families of games, and which one plays a game: `GameStarted` chooses it.

A family is what a table can play by one machine of its own: its state, the events that follow from a command and what
they change, what can be done, and what is said. Journal, referee, seats and what may hold a game know none of it: they
ask here. A further family is a folder of rules, one of its game, and one more engine in `ENGINES`.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, cast

from controller.errors import NotNow
from controller.game.core.actions import LABELS, NO_GAME, Action, ActionKind, refuse
from controller.game.core.commands import Command, Park, StartGame, Undo
from controller.game.core.engine import AnyGame, AnyRules, Engine
from controller.game.core.events import GameEvent, GameResumed, GameStarted
from controller.game.core.message import Message, Messages
from controller.game.core.phases import Parked
from controller.game.fleet.engine import FleetEngine
from controller.game.shutbox.engine import ShutboxEngine
from controller.rules.errors import InvalidOption, describe_known
from controller.rules.tiles import NO_MARKS, Marks

ENGINES: tuple[Engine[Any], ...] = (ShutboxEngine(), FleetEngine())


def known_games() -> tuple[str, ...]:
    """The names of all games, family by family."""
    return tuple(name for engine in ENGINES for name in engine.games)


def any_rules_of(game: str, options: Mapping[str, object], marks: Marks = NO_MARKS) -> AnyRules:
    """The rules of a game of any family. Raises `InvalidOption` or `InvalidNotation`."""
    return engine_named(game).rules(game, options, marks)


def decide(game: AnyGame | None, command: Command) -> tuple[GameEvent, ...]:
    """The events that follow from `command`; none if nothing changes.

    Raises `NotNow`, `IllegalMove`, `InvalidNotation`, `InvalidOption` or `BadPlayers`.
    """
    if isinstance(command, Park) and (game is None or game.is_over or isinstance(game.phase, Parked)):
        return ()
    if isinstance(command, StartGame):
        check_can(game, "start")
        return engine_named(command.game).start(command)
    if isinstance(command, Undo) and game is not None and game.is_over:
        check_can(game, "undo")
        return (GameResumed(),)
    if game is None or game.is_over:
        kind = getattr(command, "do", None)
        raise NotNow("no game is on; start one first") if kind is None else refusal(game, kind, actions_of(game))
    return engine_of(game).decide(game, command)


def evolve(game: AnyGame | None, event: GameEvent) -> AnyGame:
    """The game after `event`; without a game before it, `event` must be `GameStarted`, else `ValueError` is raised."""
    if isinstance(event, GameStarted):
        return cast("AnyGame", engine_named(event.game).evolve(None, event))
    if game is None:
        raise ValueError(f"a game cannot begin with {event.kind}")
    return cast("AnyGame", engine_of(game).evolve(game, event))


def replay(events: Iterable[GameEvent]) -> AnyGame | None:
    """The game that these events lead to, from its first event on; None for no events."""
    return reduce(evolve, events, None)


def digest_of(game: AnyGame) -> str:
    """A short fingerprint of everything a game knows; see `controller.game.digest`."""
    return digest_facts(engine_of(game).facts(game))


def actions_of(game: AnyGame | None, *, can_throw: bool = True) -> tuple[Action, ...]:
    """Everything that a person, or a house player, can do now.

    can_throw: False while the camera reads dice that lie there, where it does not know those of this game, and after a
    start until the tiles were looked at; in a race, where people throw dice of their own.
    """
    if game is None:
        return (Action("start", LABELS["start"]),)
    return engine_of(game).actions(game, can_throw=can_throw)


def check_can(game: AnyGame | None, kind: ActionKind) -> None:
    """Raise `NotNow`, which says what can be done instead, if no such action is possible now."""
    if kind not in {action.kind for action in actions_of(game)}:
        raise refusal(game, kind, actions_of(game))


def refusal(game: AnyGame | None, kind: ActionKind, possible: Iterable[Action]) -> NotNow:
    """The refusal of an action that is not possible now, with those that are `possible`."""
    return refuse(kind, engine_of(game).due(game) if game else NO_GAME, possible)


def news_of(before: AnyGame | None, events: Sequence[GameEvent], after: AnyGame, by: int | None = None) -> Messages:
    """The news in `events`, which led from one game to the other; empty where they are nothing to the players.

    by: the seat whose doing it was; None where it was nobody's in particular.
    """
    return engine_of(after).news(before, events, after, by)


def describe_moment(game: AnyGame) -> Message:
    """The message for this moment: what now, and what the box waits for."""
    return engine_of(game).describe(game, None, camera_reads=True, house_throws=False)


def engine_of(game: AnyGame) -> Engine[Any]:
    """The engine that plays a game."""
    return next(engine for engine in ENGINES if isinstance(game, engine.state))


def engine_named(game: str) -> Engine[Any]:
    """The engine of a game by its name. Raises `InvalidOption` that lists all games there are."""
    for engine in ENGINES:
        if game in engine.games:
            return engine
    raise InvalidOption(f"no game {game!r}; {describe_known(known_games(), game, 'the games are')}")


def digest_facts(known: Mapping[str, Any]) -> str:
    """A short fingerprint of everything a game knows: 16 hexadecimal digits of the SHA-256 of its facts.

    It is to show mistakes, not forgery: 64 bits are enough, and it stands beside every event.
    """
    text = json.dumps(known, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
