"""The families of games, and which one a game is of: `GameStarted` chooses it.

A family is what a table can play by one machine of its own: its state, the events that follow from a command and what
they change, what can be done, and what is said. Journal, referee, seats and what may hold a game know none of it: they
ask here. A further family is a folder of rules, one of its game, and one more name in `FAMILIES`.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from controller.errors import NotNow
from controller.game.actions import LABELS, NO_GAME, Action, ActionKind, refuse
from controller.game.actions import actions_of as actions_of_box_game
from controller.game.commands import Command, Park, StartGame
from controller.game.decide import decide_box_game, start_box_game
from controller.game.digest import digest_facts, facts
from controller.game.events import GameEvent, GameStarted
from controller.game.evolve import evolve_box_game
from controller.game.family import AnyGame, AnyRules, Family
from controller.game.fleet import RACING
from controller.game.message import Message, Messages
from controller.game.narration import describe_due, describe_phase
from controller.game.narration import news_of as news_of_box_game
from controller.game.phases import Parked
from controller.game.shown import show_box_game
from controller.game.state import Game
from controller.rules import GAMES, NO_MARKS, InvalidOption, Marks, describe_known, rules_of

SHUTTING = Family(
    games=GAMES,
    state=Game,
    rules=rules_of,
    start=start_box_game,
    decide=decide_box_game,
    evolve=evolve_box_game,
    facts=facts,
    actions=actions_of_box_game,
    news=news_of_box_game,
    describe=lambda game, dice_wanted, reads: describe_phase(game, dice_wanted, is_asked=reads),
    due=describe_due,
    show=show_box_game,
)
FAMILIES: tuple[Family, ...] = (SHUTTING, RACING)


def known_games() -> tuple[str, ...]:
    """The names of all games, family by family."""
    return tuple(name for family in FAMILIES for name in family.games)


def any_rules_of(game: str, options: Mapping[str, object], marks: Marks = NO_MARKS) -> AnyRules:
    """The rules of a game of any family. Raises `InvalidOption` or `InvalidNotation`."""
    return _family_named(game).rules(game, options, marks)


def decide(game: AnyGame | None, command: Command) -> tuple[GameEvent, ...]:
    """The events that follow from `command`; none if nothing changes.

    Raises `NotNow`, `IllegalMove`, `InvalidNotation`, `InvalidOption` or `BadPlayers`.
    """
    if isinstance(command, Park) and (game is None or game.is_over or isinstance(game.phase, Parked)):
        return ()
    if isinstance(command, StartGame):
        check_can(game, "start")
        return _family_named(command.game).start(command)
    if game is None or game.is_over:
        kind = getattr(command, "do", None)
        raise NotNow("no game is on; start one first") if kind is None else _refusal(game, kind)
    return family_of(game).decide(game, command)


def evolve(game: AnyGame | None, event: GameEvent) -> AnyGame:
    """The game after `event`; without a game before it, `event` must be `GameStarted`, else `ValueError` is raised."""
    if isinstance(event, GameStarted):
        return _family_named(event.game).evolve(None, event)
    if game is None:
        raise ValueError(f"a game cannot begin with {event.kind}")
    return family_of(game).evolve(game, event)


def replay(events: Iterable[GameEvent]) -> AnyGame | None:
    """The game that these events lead to, from its first event on; None for no events."""
    return reduce(evolve, events, None)


def digest_of(game: AnyGame) -> str:
    """A short fingerprint of everything a game knows; see `controller.game.digest`."""
    return digest_facts(family_of(game).facts(game))


def actions_of(game: AnyGame | None, *, can_throw: bool = True) -> tuple[Action, ...]:
    """Everything that a person, or a house player, can do now.

    can_throw: False while the camera reads dice that lie there, where it does not know those of this game, and after a
    start until the tiles were looked at; in a race, where people throw dice of their own.
    """
    if game is None or game.is_over:
        return (Action("start", LABELS["start"]),)
    return family_of(game).actions(game, can_throw=can_throw)


def check_can(game: AnyGame | None, kind: ActionKind) -> None:
    """Raise `NotNow`, which says what can be done instead, if no such action is possible now."""
    if kind not in {action.kind for action in actions_of(game)}:
        raise _refusal(game, kind)


def refusal(game: AnyGame | None, kind: ActionKind, possible: Iterable[Action]) -> NotNow:
    """The refusal of an action that is not possible now, with those that are `possible`."""
    return refuse(kind, family_of(game).due(game) if game else NO_GAME, possible)


def news_of(before: AnyGame | None, events: Sequence[GameEvent], after: AnyGame, by: int | None = None) -> Messages:
    """The news in `events`, which led from one game to the other; empty where they are nothing to the players.

    by: the seat whose doing it was; None where it was nobody's in particular.
    """
    return family_of(after).news(before, events, after, by)


def describe_moment(game: AnyGame) -> Message:
    """The message for this moment: what now, and what the box waits for."""
    return family_of(game).describe(game, None, True)


def _refusal(game: AnyGame | None, kind: ActionKind) -> NotNow:
    return refusal(game, kind, actions_of(game))


def family_of(game: AnyGame) -> Family:
    """The family of a game."""
    return next(family for family in FAMILIES if isinstance(game, family.state))


def check_known(game: str) -> None:
    """Raise `InvalidOption` that lists all games there are, unless this is one."""
    _family_named(game)


def _family_named(game: str) -> Family:
    """The family of a game by its name. Raises `InvalidOption` that lists all games there are."""
    for family in FAMILIES:
        if game in family.games:
            return family
    raise InvalidOption(f"no game {game!r}; {describe_known(known_games(), game, 'the games are')}")
