"""Hands at a simulated box that is served: they throw what a test wants thrown, tip tiles, break things."""

import random
from collections import deque

from controller.box.faults import apply_faults
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from tests.support.stage import die
from tests.support.tables import FakeEyes
from vision.reading import Reading

_APART_MM = 40.0


class Hands:
    """Throw, tip and break. Dice of which nothing was planned fall by chance; they roll no longer than they must.

    keeps_tiles: the wood stays as it was left when the box is opened again.
    """

    def __init__(self, *, keeps_tiles: bool = False) -> None:
        self.keeps_tiles = keeps_tiles
        self._next: deque[tuple[int, ...]] = deque()
        self._laid = 0
        self._chance = random.Random(1)
        self._world: World | None = None
        self._eyes: FakeEyes | None = None

    def reach_into(self, world: World, eyes: FakeEyes) -> None:
        """The box is open: this is its world, and these are its eyes."""
        self._world, self._eyes = world, eyes

    @property
    def world(self) -> World:
        """What they reach into. Raises `RuntimeError` before the box is open."""
        if self._world is None:
            raise RuntimeError("the box is not open")
        return self._world

    def plan(self, *throws: tuple[int, ...]) -> None:
        """Have the next throws show this, one after the other."""
        self._next.extend(throws)

    def throw(self, count: int) -> None:
        """Throw so many dice; what is planned is laid down, if it is of as many."""
        is_planned = bool(self._next) and len(self._next[0]) == count
        values = self._next.popleft() if is_planned else [self._chance.randint(1, 6) for _ in range(count)]
        self._laid += 1
        # No two throws lie alike: eyes take dice that lie as before for those that lay there.
        shift_mm = self._laid % 50
        self.world.lay_dice(
            [die(value, 40.0 + index * _APART_MM + shift_mm, 60.0 + index * 25.0) for index, value in enumerate(values)]
        )

    def refuse(self, *readings: Reading) -> None:
        """Have the eyes refuse the next throws so, one after the other."""
        if self._eyes is not None:
            self._eyes.refusals.extend(reversed(readings))

    def tip(self, tile: str, to: Position) -> None:
        """Tip a tile."""
        self.world.hand_moves(TileId.parse(tile), to)

    def break_(self, *faults: str) -> None:
        """Break something, as `--faults` would."""
        apply_faults(self.world, faults)

    def mend(self) -> None:
        """Undo all that was broken."""
        self.world.lift()
