"""The lower bound on the time of a set of moves, whatever their order: `motion` measures plans against it."""

from collections.abc import Mapping, Sequence

from firmware.tiles.plan import PlannedMove
from hardware.tiles import TileId


def lower_bound_s(
    moves: Sequence[PlannedMove], travel_s: Mapping[TileId, float], at_once: int, rest_s: float = 0.0
) -> float:
    """The seconds until the last of these moves has arrived at least, when each takes its `travel_s` and `at_once`
    servos (1 or more) move together; 0 for no moves. A move stands behind those that it waits for, as `plan` orders
    them; it waits for their arrival. Each servo counts for `rest_s` more, which brings its rod to rest.

    The largest of three that hold for every order: all work shared out evenly; of the `m * at_once + 1` longest moves,
    for every m, the m + 1 shortest, which some place has to do one after the other, both without the rest of what
    comes last; and the longest chain of moves that wait for each other. The least time itself would need a search
    through all orders; a bound is enough to show that a plan is near it.
    """
    if not moves:
        return 0.0
    times = sorted((travel_s[move.tile] + rest_s for move in moves), reverse=True)
    in_a_row = [sum(times[last - last // at_once : last + 1]) for last in range(0, len(times), at_once)]
    done_s: dict[TileId, float] = {}
    for move in moves:
        begins_s = max((done_s.get(tile, 0.0) for tile in move.after), default=0.0)
        done_s[move.tile] = begins_s + travel_s[move.tile]
    return max(max(sum(times) / at_once, *in_a_row) - rest_s, max(done_s.values()))
