"""The chairs of the game that is on, as somebody who wants to sit down is shown them."""

from dataclasses import dataclass
from typing import Literal

from controller.game import Caller, SeatView
from controller.web.pages.table.view import TableView

# house: the box plays it; taken: by somebody who is there. shared: somebody at the table plays it, who has not taken
# it by name; ours: so does who looks. away: whose holder has gone.
ChairState = Literal["house", "taken", "mine", "away", "ours", "shared", "free"]


@dataclass(frozen=True, slots=True)
class Chair:
    """One chair, and whose it is just now."""

    seat: SeatView
    state: ChairState

    @property
    def can_be_taken(self) -> bool:
        """True if who looks may sit down here."""
        return self.state not in ("house", "taken")


@dataclass(frozen=True, slots=True)
class ChairsView:
    """All chairs of the game, in the order of the seats."""

    chairs: tuple[Chair, ...]

    @property
    def mine(self) -> tuple[str, ...]:
        """The chairs that who looks has taken."""
        return tuple(each.seat.name for each in self.chairs if each.state == "mine")

    @property
    def can_sit(self) -> bool:
        """True if there is a chair on which who looks may sit down."""
        return any(each.can_be_taken for each in self.chairs)

    @property
    def is_full(self) -> bool:
        """True if somebody else plays every chair: the last one of them can be taken over at most."""
        open_to = [each.state for each in self.chairs if each.can_be_taken]
        # Of several that one device plays, most wait for those who will take them.
        return not open_to or open_to == ["shared"]


def chairs_of(table: TableView) -> ChairsView:
    """The chairs as this audience finds them."""
    caller = table.audience.caller
    return ChairsView(tuple(Chair(seat, _state(seat, caller)) for seat in table.snapshot.seats))


def _state(seat: SeatView, caller: Caller) -> ChairState:
    if seat.house:
        return "house"
    if seat.name in caller.seats:
        return "mine"
    if seat.held:
        return "taken" if seat.here else "away"
    if caller.role != "spectator" and caller.acts_for(seat.name):
        return "ours"
    return "shared" if caller.others_share else "free"
