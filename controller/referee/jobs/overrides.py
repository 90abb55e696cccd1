"""Manual overrides: how long a person's word for a tile holds against its sensors."""

from collections.abc import Mapping

from controller.game import AnyGame
from hardware.tiles import Position, TileId

_PLACES = (Position.OPEN, Position.SHUT)


class Overrides:
    """The word of somebody who has looked at a tile holds until its sensors show another place than they did then.

    A sensor that is stuck keeps showing what it showed; one that moves on to show the other end has seen the tile move,
    and so has one that had come to agree. What is half way or contradicts itself proves nothing against a person.

    After a restart nobody knows what they showed then, and a hand may have tipped the tile meanwhile: a word given
    before it holds while they agree or show no place at all. So does one after which the electronics failed at once.

    Lifetime: as the executor. Concurrency: one event loop.
    """

    def __init__(self) -> None:
        self._shown: dict[TileId, Position] = {}
        self._asked: set[str] = set()

    def forget(self, tile: str) -> None:
        """The tile is asked about: what is said of it next is a new word."""
        self._asked.add(tile)
        self._shown = {each: shown for each, shown in self._shown.items() if str(each) != tile}

    def lose_sight(self) -> None:
        """The sensors cannot be asked for a while: what was said of a tile and not compared yet is no new word then."""
        self._asked.clear()

    def apply(
        self, game: AnyGame, wanted: Mapping[TileId, Position], seen: Mapping[TileId, Position]
    ) -> Mapping[TileId, Position]:
        """The places of the tiles that somebody vouches for: those of `wanted` whose override still holds.

        wanted: where the game has each tile. seen: where the sensors show it now. Forgets overrides of other tiles.
        """
        believed = {tile: target for tile, target in wanted.items() if str(tile) in game.believed}
        self._shown = {tile: shown for tile, shown in self._shown.items() if tile in believed}
        return {tile: target for tile, target in believed.items() if self._holds(tile, target, seen[tile])}

    def _holds(self, tile: TileId, target: Position, shown: Position) -> bool:
        is_new = str(tile) in self._asked or shown not in _PLACES
        first = self._shown.setdefault(tile, shown if is_new else target)
        if shown is target:
            self._shown[tile] = target
            return True
        return first is not target and (shown is first or shown not in _PLACES)
