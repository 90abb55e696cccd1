"""What counts as a position: what the sensors have shown unbroken for long enough."""

import asyncio
from collections.abc import Iterable, Mapping

import pytest

from firmware.tiles.sensors import DebouncedSensors, Debouncer
from hardware.tiles import Position, TileId

FRONT_7 = TileId(1, 7)


class Flickering:
    """Sensors that show one position after the other, each for so long."""

    def __init__(self, *shown: Position, each_s: float) -> None:
        self._shown = shown
        self._each_s = each_s

    async def look(self, tiles: Iterable[TileId]) -> Mapping[TileId, Position]:
        now_s = asyncio.get_running_loop().time()
        return dict.fromkeys(tiles, self._shown[int(now_s / self._each_s) % len(self._shown)])


async def test_a_tile_that_left_its_place_and_settles_nowhere_is_not_believed_to_be_there_still() -> None:
    loop = asyncio.get_running_loop()
    sensors = Flickering(Position.BETWEEN, Position.OPEN, each_s=0.012)
    debounced = DebouncedSensors(sensors, [FRONT_7])  # type: ignore[arg-type]
    debounced.debouncers[FRONT_7].settled = Position.SHUT
    assert await debounced.look([FRONT_7]) == {FRONT_7: Position.UNKNOWN}
    assert loop.time() == pytest.approx(0.25, abs=0.01), "it was given its time"


async def test_a_tile_that_shows_its_old_place_for_a_moment_is_there() -> None:
    """A sensor at its edge chatters: that is no move."""
    sensors = Flickering(Position.BETWEEN, Position.SHUT, each_s=0.012)
    debounced = DebouncedSensors(sensors, [FRONT_7])  # type: ignore[arg-type]
    debounced.debouncers[FRONT_7].settled = Position.SHUT
    assert await debounced.look([FRONT_7]) == {FRONT_7: Position.SHUT}


async def test_a_tile_is_not_called_unsure_because_the_computer_was_late() -> None:
    """One look takes longer than a tile is given to settle, as on a machine with too much to do."""

    class Late:
        async def look(self, tiles: Iterable[TileId]) -> Mapping[TileId, Position]:
            await asyncio.sleep(0.3)
            return dict.fromkeys(tiles, Position.OPEN)

    debounced = DebouncedSensors(Late(), [FRONT_7])  # type: ignore[arg-type]
    assert await debounced.look([FRONT_7]) == {FRONT_7: Position.OPEN}


@pytest.mark.parametrize(("held_s", "settled"), [(0.019, Position.OPEN), (0.021, Position.SHUT)])
def test_a_position_counts_when_it_was_shown_for_20_ms(held_s: float, settled: Position) -> None:
    debouncer = Debouncer()
    debouncer.settled = Position.OPEN
    for at_s in (0.0, held_s):
        debouncer.feed(Position.SHUT, at_s)
    assert debouncer.settled is settled
