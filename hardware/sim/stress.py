"""The stress record of a simulated box: the highest loads of its servos and supply, for tests and benchmarks."""

from dataclasses import dataclass, field

from hardware.tiles import TileId


@dataclass(slots=True)
class StressRecord:
    """The highest loads of a box.

    unmoved_s: by tile, the longest time of pulses at a stretch during which the tile did not move.
    most_a: the highest current of all servos together.
    most_kicking_a: the highest while one of them was kicked.
    pushed: tiles that were driven against another tile.
    kicks: tiles whose servos received the runt of a cut pulse, with the time on the world's clock.
    """

    unmoved_s: dict[TileId, float] = field(default_factory=dict)
    most_a: float = 0.0
    most_kicking_a: float = 0.0
    pushed: set[TileId] = field(default_factory=set)
    kicks: list[tuple[TileId, float]] = field(default_factory=list)

    @property
    def longest_s(self) -> float:
        return max(self.unmoved_s.values(), default=0.0)

    def note_unmoved(self, tile: TileId, seconds: float) -> None:
        self.unmoved_s[tile] = max(seconds, self.unmoved_s.get(tile, 0.0))
