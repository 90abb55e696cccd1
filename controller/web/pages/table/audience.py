"""Who looks at a page: all for whom the same moment is drawn the same are one audience, and it is drawn once."""

from dataclasses import dataclass
from typing import Literal, get_args

from starlette.requests import HTTPConnection

from controller.game import Action, ActionKind, Caller, Snapshot, may
from controller.web.languages import language_of
from controller.web.visitor import Visitor
from controller.words import Language

View = Literal["play", "wall", "start", "join", "kiosk"]
VIEWS: tuple[View, ...] = get_args(View)
# Where nobody acts for a seat: all see the same, but that who sits at the table may invite others.
_ALIKE: frozenset[View] = frozenset({"wall", "start"})


@dataclass(frozen=True, slots=True)
class Audience:
    """All who look at one view in one language and may do the same."""

    view: View
    language: Language
    caller: Caller

    @property
    def may_invite(self) -> bool:
        """True for who may show others the code of the game."""
        return self.caller.role != "spectator"

    def action(self, snapshot: Snapshot, kind: ActionKind) -> Action | None:
        """What can be done now and is theirs to do, of this kind; None where there is no such thing."""
        return next((each for each in snapshot.actions if each.kind == kind and may(each, self.caller)), None)


def audience_of(connection: HTTPConnection, visitor: Visitor, view: View) -> Audience:
    """The audience that somebody belongs to."""
    caller = visitor.caller
    if view in _ALIKE:
        caller = Caller("page", "spectator" if caller.role == "spectator" else "player")
    return Audience(view, language_of(connection), caller)
