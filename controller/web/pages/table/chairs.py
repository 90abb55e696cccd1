"""The chairs of the present game, as a client that wants to sit down sees them."""

from dataclasses import dataclass
from typing import Literal

from controller.game.table.snapshot import SeatView
from controller.web.pages.table.view import TableView

# house: played by the box.
# taken: by somebody who is present.
# mine: taken by this client.
# away: its holder has left.
# ours: played by this client, which has not taken it by name.
# shared: played by others at the table, who have not taken it by name.
ChairState = Literal["house", "taken", "mine", "away", "ours", "shared", "free"]


@dataclass(frozen=True, slots=True)
class Chair:
    """One chair and its present state."""

    seat: SeatView
    state: ChairState

    @property
    def can_be_taken(self) -> bool:
        return self.state not in ("house", "taken")


@dataclass(frozen=True, slots=True)
class ChairsView:
    """All chairs of the game, in the order of the seats."""

    chairs: tuple[Chair, ...]

    @property
    def mine(self) -> tuple[str, ...]:
        return tuple(each.seat.name for each in self.chairs if each.state == "mine")

    @property
    def can_sit(self) -> bool:
        return any(each.can_be_taken for each in self.chairs)

    @property
    def has_no_other(self) -> bool:
        """True if this client has a chair, and no other can be taken."""
        return bool(self.mine) and all(each.state == "mine" for each in self.chairs if each.can_be_taken)

    @property
    def is_full(self) -> bool:
        """True if others play every chair, so that at most the last one can be taken over."""
        open_to = [each.state for each in self.chairs if each.can_be_taken]
        # If one device plays several chairs, most of them are waiting for their players.
        return not open_to or open_to == ["shared"]


def chairs_of(table: TableView) -> ChairsView:
    """Return the chairs as this audience finds them."""
    caller = table.audience.caller

    def state_of(seat: SeatView) -> ChairState:
        if seat.house:
            return "house"
        if seat.name in caller.seats:
            return "mine"
        if seat.held:
            return "taken" if seat.here else "away"
        if caller.role != "spectator" and caller.acts_for(seat.name):
            return "ours"
        return "shared" if caller.others_share else "free"

    return ChairsView(tuple(Chair(seat, state_of(seat)) for seat in table.snapshot.seats))
