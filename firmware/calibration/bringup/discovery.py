"""Probes the channels of all tiles in an order that the stack rule allows, and puts the tiles back afterwards.

In a box of two rows, while the front tiles lie and the back tiles stand, every one of them can move both ways,
whichever channel it hangs at. So the front tiles are probed first, and left lying; then the back tiles are.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field

from firmware.calibration.bringup.responses import Lines, Prober, Response, Watch
from firmware.tiles.sensors import SensorLine
from hardware.box import Box
from hardware.tiles import Position, TileId

_MOST_ASKED = 3

Which = Callable[[TileId, Sequence[TileId]], Awaitable[TileId | None]]
"""Asks a person which tile the channel of a tile moves, by the likely ones; None: they have not seen it."""


@dataclass(slots=True)
class Discovery:
    """What was found out so far.

    responses: what the channel of each tile moves; None: nothing that a sensor sees.
    moved: which tile that is; a channel is missing here if the sensors contradict each other and nobody was asked.
    untested: tiles whose channel was not driven, with the reason. flickering: sensors that did not settle.
    """

    responses: dict[TileId, Response | None] = field(default_factory=dict)
    moved: dict[TileId, TileId] = field(default_factory=dict)
    untested: dict[TileId, str] = field(default_factory=dict)
    flickering: Lines = frozenset()


class Discoverer:
    """Probes every tile's channel once.

    left_out: tiles whose chips are silent, with the reason. which: None: nobody can be asked. tell: is called with the
    tile before its channel is probed, and after it.

    Lifetime: one discovery. Concurrency: one event loop. Raises `LidClosed`, `BusFault`, and what `which` raises.
    """

    def __init__(
        self,
        box: Box,
        prober: Prober,
        watch: Watch,
        *,
        left_out: dict[TileId, str],
        which: Which | None,
        tell: Callable[[TileId, Discovery], None],
    ) -> None:
        self._box = box
        self._prober = prober
        self._watch = watch
        self._which = which
        self._tell = tell
        self._at: dict[TileId, Position] = {}
        self._seen: Lines = frozenset()
        self.found = Discovery(untested=dict(left_out))

    async def run(self) -> Discovery:
        """Probe the channels; return what they move."""
        self._seen = await self._watch.look()
        left = [tile for tile in self._box.tile_ids if tile not in self.found.untested]
        # In the order of the box: so all front tiles lie before the first back tile moves, but those behind which one
        # lies, which lie too. What is in a tile's way may be moved by the channel of another one.
        while free := [tile for tile in left if self._obstacle(tile) is None]:
            for tile in free:
                if self._obstacle(tile) is None:
                    await self._probe(tile)
                    left.remove(tile)
        self.found.untested |= {tile: self._obstacle(tile) or "" for tile in left}
        self.found.flickering = self._watch.flickering
        return self.found

    async def put_back(self, began: Collection[TileId]) -> None:
        """Bring the tiles back to where they were: those of `began` lay, all others stood."""
        channels = {moved: tile for tile, moved in self.found.moved.items()}
        # Front tiles come up before back tiles go down: so each move has what it needs, or is not made.
        standing = [tile for tile in reversed(self._box.tile_ids) if tile not in began]
        lying = [tile for tile in self._box.tile_ids if tile in began]
        for tiles, to in ((standing, Position.OPEN), (lying, Position.SHUT)):
            for tile in tiles:
                response = self.found.responses.get(channels.get(tile, tile))
                if tile in channels and response is not None and self._at.get(tile) is not to:
                    await self._prober.bring(channels[tile], response, to)
                    self._at[tile] = to

    def lying(self, seen: Lines) -> tuple[TileId, ...]:
        """Return the tiles that lie, by the sensors that are known to be theirs."""
        shut = {moved: self.found.responses[tile] for tile, moved in self.found.moved.items()}
        return tuple(tile for tile, response in shut.items() if response is not None and response.at_down & seen)

    async def _probe(self, tile: TileId) -> None:
        self._tell(tile, self.found)
        response = self.found.responses[tile] = await self._prober.probe(tile)
        if response is not None:
            await self._take(tile, response)
        self._seen = await self._watch.look()
        self._tell(tile, self.found)

    async def _take(self, tile: TileId, response: Response) -> None:
        """Note which tile the channel of `tile` moves, and leave that where the others need it."""
        moved = await self._name(tile, response)
        if moved is None:
            return
        self.found.moved[tile] = moved
        to = Position.SHUT if self._box.rows > 1 and moved.row == 1 else Position.OPEN
        await self._prober.bring(tile, response, to)
        self._at[moved] = to

    async def _name(self, tile: TileId, response: Response) -> TileId | None:
        """Return the tile that most of plug and sensors name; ask where they do not agree. None: nobody knows."""
        named = Counter([tile, *(line.tile for line in response.lines)])
        likely = [each for each, _ in named.most_common()]
        if len(likely) > 1 and self._which is not None:
            for _ in range(_MOST_ASKED):
                answer = await self._which(tile, likely)
                if answer is not None:
                    return answer
                for to in (Position.SHUT, Position.OPEN):
                    await self._prober.bring(tile, response, to)
        most = [each for each in likely if named[each] == named[likely[0]]]
        return most[0] if len(most) == 1 else None

    def _obstacle(self, tile: TileId) -> str | None:
        """Return why the channel of `tile` may not be driven: another tile of its column is in the way."""
        if self._box.rows == 1:
            return None
        front, back = self._box.in_column(tile.column(self._box.columns))
        if tile == back and not self._lies(front) and not self._lies(back):
            return f"{front} must lie before it: tip it down by hand, and begin again"
        if tile == front and self._lies(back):
            return f"{back} must stand before it: set it up by hand, and begin again"
        return None

    def _lies(self, tile: TileId) -> bool:
        if tile in self._at:
            return self._at[tile] is Position.SHUT
        return SensorLine(tile, Position.SHUT) in self._seen
