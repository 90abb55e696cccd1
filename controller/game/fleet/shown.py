"""What a snapshot says of a race, beside what it says of every game."""

from dataclasses import replace
from typing import TYPE_CHECKING

from controller.game.fleet.actions import actions_of_race
from controller.game.fleet.state import Race
from controller.game.fleet.view import view_of_race
from controller.game.views import by_name

if TYPE_CHECKING:
    from controller.game.snapshot import Snapshot, SnapshotContext


def show_race(race: Race, told: "Snapshot", context: "SnapshotContext") -> "Snapshot":
    """The snapshot of a race, of which `told` is the part that all games have."""
    return replace(
        told,
        scores=by_name(race.players, race.scores),
        coins=by_name(race.players, race.ledger.balances) if race.rules.terms.stake else {},
        pool=race.ledger.pool,
        example=f"2 2 3 5 6 {race.rules.card.joker}",
        actions=actions_of_race(race, can_throw=context.simulated and not context.comparing),
        race=view_of_race(race, context.colours, context.sight.own_dice),
    )
