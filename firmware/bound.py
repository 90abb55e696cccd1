"""How quickly any order at all could bring tiles where they shall be: what a plan is measured against."""

from collections.abc import Mapping, Sequence

from firmware.plan import PlannedMove
from hardware.tiles import TileId


def lower_bound_s(moves: Sequence[PlannedMove], travel_s: Mapping[TileId, float], at_once: int) -> float:
    """The least time that these moves take when each takes its `travel_s`, and `at_once` servos move together.

    The largest of three that hold for every order: all work shared out evenly; of the `m * at_once + 1` longest moves,
    for every m, the m + 1 shortest, which some place has to do one after the other; and the longest chain of moves
    that wait for each other.
    """
    if not moves:
        return 0.0
    times = sorted((travel_s[move.tile] for move in moves), reverse=True)
    in_a_row = [sum(times[last - last // at_once : last + 1]) for last in range(0, len(times), at_once)]
    done_s: dict[TileId, float] = {}
    for move in moves:
        begins_s = max((done_s.get(tile, 0.0) for tile in move.after), default=0.0)
        done_s[move.tile] = begins_s + travel_s[move.tile]
    return max(sum(times) / at_once, *in_a_row, max(done_s.values()))
