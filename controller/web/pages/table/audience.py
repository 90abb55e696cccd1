"""The audiences of pages: all clients for whom a moment looks the same form one audience, and it is drawn once."""

from dataclasses import dataclass
from typing import Literal, get_args

from starlette.requests import HTTPConnection

from controller.game.core.actions import Action, ActionKind
from controller.game.core.message import Language
from controller.game.table.caller import Caller, may
from controller.game.table.snapshot import Snapshot
from controller.web.dependencies import language_of
from controller.web.security.principal import Principal

View = Literal["play", "wall", "start", "join", "kiosk"]
VIEWS: tuple[View, ...] = get_args(View)
# Views without actions for a seat: all see the same, except that clients at the table may invite others.
_ALIKE: frozenset[View] = frozenset({"wall", "start"})


@dataclass(frozen=True, slots=True)
class Audience:
    """All clients that look at one view in one language and may do the same."""

    view: View
    language: Language
    caller: Caller

    @property
    def may_invite(self) -> bool:
        """True for clients that may show the code of the game to others."""
        return self.caller.role != "spectator"

    def action(self, snapshot: Snapshot, kind: ActionKind) -> Action | None:
        """Return the action of this kind that the audience can do now; None if there is none."""
        return next((each for each in snapshot.actions if each.kind == kind and may(each, self.caller)), None)


def audience_of(connection: HTTPConnection, principal: Principal, view: View) -> Audience:
    """Return the audience that a client belongs to."""
    caller = principal.caller
    if view in _ALIKE:
        caller = Caller("page", "spectator" if caller.role == "spectator" else "player")
    return Audience(view, language_of(connection), caller)
