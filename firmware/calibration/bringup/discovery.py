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

Clear = Callable[[TileId, str], Awaitable[None]]
"""Asks a person to move a tile that is in the way by hand, so that it does `lie`, or `stand`."""
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

    left_out: tiles whose chips are silent, with the reason. which, clear: None: nobody can be asked. tell: is called
    with the tile before its channel is probed, and after it.

    Lifetime: one discovery. Concurrency: one event loop. Raises `LidClosed`, `BusFault`, and what `which` raises.
    """

    def __init__(
        self,
        box: Box,
        prober: Prober,
        watch: Watch,
        *,
        left_out: dict[TileId, str],
        which: Which | None = None,
        clear: Clear | None = None,
        tell: Callable[[TileId, Discovery], None],
    ) -> None:
        self._box = box
        self._prober = prober
        self._watch = watch
        self._which = which
        self._clear = clear
        self._asked: set[tuple[TileId, str]] = set()
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
        while free := [tile for tile in left if self._obstacle(tile) is None] or await self._wait_for_hands(left):
            for tile in free:
                if self._obstacle(tile) is None:
                    await self._probe(tile)
                    left.remove(tile)
        for tile in left:
            other, does = self._obstacle(tile) or (tile, "stand")
            self.found.untested[tile] = f"{other} must {does} before it: put it so by hand, and begin again"
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

    async def _wait_for_hands(self, left: Sequence[TileId]) -> list[TileId]:
        """Ask a person to move what is in the way of the tiles left, each once; return those that are free then."""
        for tile in left:
            obstacle = self._obstacle(tile)
            if self._clear is None or obstacle is None or obstacle in self._asked:
                continue
            self._asked.add(obstacle)
            await self._clear(*obstacle)
            self._seen = await self._watch.look()
            if self._obstacle(tile) is None:
                return [tile]
        return []

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

    def _obstacle(self, tile: TileId) -> tuple[TileId, str] | None:
        """Return the tile of its column that is in the way of `tile`, and whether it must `lie` or `stand`."""
        if self._box.rows == 1:
            return None
        front, back = self._box.in_column(tile.column(self._box.columns))
        if tile == back and not self._lies(front) and not self._lies(back):
            return front, "lie"
        if tile == front and self._lies(back):
            return back, "stand"
        return None

    def _lies(self, tile: TileId) -> bool:
        if tile in self._at:
            return self._at[tile] is Position.SHUT
        return SensorLine(tile, Position.SHUT) in self._seen
