"""The stress record of a simulated box: the worst its servos and supply have suffered, for tests and benchmarks."""

from dataclasses import dataclass, field

from hardware.tiles import TileId


@dataclass(slots=True)
class StressRecord:
    """The worst that happened to a box.

    `unmoved_s`: how long a servo got pulses at a stretch while its tile did not move, by tile; `most_a`: the highest
    current of all servos together, `most_kicking_a` the highest while one of them was kicked; `pushed`: tiles that were
    driven against the wood of another one; `kicks`: the tiles whose servos got the runt of a cut pulse, each with the
    time on the world's clock.
    """

    unmoved_s: dict[TileId, float] = field(default_factory=dict)
    most_a: float = 0.0
    most_kicking_a: float = 0.0
    pushed: set[TileId] = field(default_factory=set)
    kicks: list[tuple[TileId, float]] = field(default_factory=list)

    @property
    def longest_s(self) -> float:
        """The longest that any servo was driven without its tile moving."""
        return max(self.unmoved_s.values(), default=0.0)

    def note_unmoved(self, tile: TileId, seconds: float) -> None:
        """A driven tile has not moved for so long."""
        self.unmoved_s[tile] = max(seconds, self.unmoved_s.get(tile, 0.0))
