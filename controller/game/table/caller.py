"""Who gives a command, and through which door; whether they may is asked here, before any rule is.

What can be done now, and by which players, stands in `controller.game.core.actions`.
"""

from dataclasses import dataclass, field, replace

from controller.errors import NotYours
from controller.game.core.actions import OF_TURN, Action, ActionKind, Role
from controller.game.core.commands import ClientCommand, Command, StartGame, Undo
from controller.game.core.engine import AnyGame
from controller.game.core.english import join_and
from controller.game.core.players import Door, Origin
from controller.game.fleet.commands import OF_ONE
from controller.game.shutbox.actions import seat_of
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectGame, CorrectThrow, EndTurn, RollDice, TakeThrow
from controller.game.shutbox.state import Game
from controller.game.table.engines import actions_of, refusal


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who gives a command, or the part of the box that does.

    seats: the names of the players whose seats they hold. shares: they may act for seats that nobody holds, too; taken:
    those that others hold. others_share: somebody else who is there may act for seats that nobody holds. Whoever stands
    at the box itself, with a hand at its button, may act for all. client: whose the keys of the commands are; empty for
    everybody at this computer who has not sat down.
    """

    door: Door = "box"
    role: Role = "player"
    seats: frozenset[str] = frozenset()
    shares: bool = True
    taken: frozenset[str] = frozenset()
    others_share: bool = False
    client: str = field(default="", compare=False)  # pages are drawn once for all who may do the same

    def acts_for(self, name: str) -> bool:
        """True if the caller may do what this player may do."""
        return self.role != "operator" and (name in self.seats or (self.shares and name not in self.taken))


def may(action: Action, caller: Caller) -> bool:
    """True if the caller may do this, which can be done now."""
    if caller.role not in action.roles:
        return False
    # Who has no seat at this table may begin a game at it, stop what moves, and let it go on.
    if action.kind in ("start", "park", "go_on") or (caller.role == "operator" and action.kind not in OF_TURN):
        return True
    return any(map(caller.acts_for, action.by))


def check_may(game: AnyGame | None, kind: ActionKind, caller: Caller) -> None:
    """Raise `NotYours`, which says whose it is, if another than the caller may do what can be done now.

    Raises `NotNow`, with what this caller can do, for a part of a turn that nobody can do now. Of the rest the game
    itself knows whether it is refused: to pause what is paused is no mistake.
    """
    action = _action(game, kind)
    if action is None and kind in OF_TURN:
        mine = [each for each in actions_of(game) if may(each, caller)]
        if isinstance(game, Game) and game.player.house:
            # A house player chooses by itself.
            mine = [each for each in mine if each.kind != "choose"]
        raise refusal(game, kind, mine)
    if action is None or may(action, caller):
        return
    if caller.role == "spectator":
        raise NotYours(f"spectators cannot {action.label}; take a seat first")
    here = f"you play for {join_and(sorted(caller.seats))} here" if caller.seats else "take a seat first"
    raise NotYours(f"only {join_and(action.by)} can {action.label} now; {here}")


REMOTE_CLIENT = "remote"  # whose the keys are of what comes from the other box of a match
_OF_A_SIDE = (RollDice, TakeThrow, CorrectThrow, Choose, Undo, AcceptLoss, EndTurn, CorrectGame)


def check_side(game: AnyGame | None, command: Command, door: Door) -> None:
    """Raise `NotYours` where a part of a turn comes from the wrong box of a match, through whatever door.

    The other box alone throws, chooses, takes back and corrects for its players, and for nobody else. Neither button,
    camera and hands at this box may do it, nor whoever stands here; but all of them may pause it and mend it. What the
    other box is not asked for, it cannot do.
    """
    if isinstance(command, StartGame):
        if any(player.remote for player in command.players) and door != "remote":
            raise NotYours("a match of two boxes is begun by `shutbox together`")
        return
    if not isinstance(game, Game) or game.is_over or not isinstance(command, _OF_A_SIDE):
        return
    player = seat_of(game, command.do)
    if player.remote and door != "remote":
        raise NotYours(f"{player.name} plays at the other box, which throws and chooses for {player.name}")
    if door == "remote" and not player.remote:
        raise NotYours(f"{player.name} plays at this box, and the other one does nothing for {player.name}")


def for_player(game: AnyGame | None, command: ClientCommand, caller: Caller) -> ClientCommand:
    """The command with the player whose it is, where each does it alone and the caller plays for one alone.

    Raises `NotYours` where it is meant for a player for whom the caller does not act, or whom the house plays.
    """
    if not isinstance(command, OF_ONE):
        return command
    action = _action(game, command.do)
    if command.player is not None:
        if game is not None and any(player.house and player.name == command.player for player in game.players):
            raise NotYours(f"{command.player} plays by itself")
        if action is not None and command.player in action.by and not caller.acts_for(command.player):
            raise NotYours(f"{command.player} has to {action.label}; you do not play for {command.player}")
        return command
    if action is None:
        return command
    mine = [name for name in action.by if name in caller.seats] or [name for name in action.by if caller.acts_for(name)]
    return replace(command, player=mine[0]) if len(mine) == 1 else command


def origin_of(game: AnyGame | None, command: ClientCommand, caller: Caller) -> Origin:
    """Where the events of this command come from: whose it says it is, the one seat that the caller holds, or whose
    turn they play.
    """
    kind = command.do
    action = _action(game, kind)
    if game is None or action is None:
        return Origin(caller.door)
    if isinstance(command, OF_ONE) and command.player in action.by:
        return Origin(caller.door, [player.name for player in game.players].index(command.player))
    names = [name for name in action.by if name in caller.seats]
    if not names and kind in OF_TURN:
        names = [name for name in action.by if caller.acts_for(name)]
    seats = [player.name for player in game.players]
    return Origin(caller.door, seats.index(names[0]) if len(names) == 1 else None)


def _action(game: AnyGame | None, kind: ActionKind) -> Action | None:
    return next((action for action in actions_of(game) if action.kind == kind), None)
