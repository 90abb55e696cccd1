"""Boxes that nobody has built, for benchmarks: any number of rows and columns, on any supply."""

from hardware.box import Box, Panel, Supply, TileWiring
from hardware.tiles import tiles_of
from hardware.wires import ExpanderPin, GpioPin, ServoChannel

_FIRST_BOARD, _FIRST_EXPANDER, _LINES = 0x40, 0x20, 16


def box_of(rows: int, columns: int, limit_a: float) -> Box:
    """A box of this size on a supply that carries `limit_a`, all its sensors on expanders."""
    tiles = tiles_of(rows, columns)
    wiring = {
        tile: TileWiring(
            servo=ServoChannel(_FIRST_BOARD + number // _LINES, number % _LINES),
            shut=_line(number),
            open=_line(len(tiles) + number),
        )
        for number, tile in enumerate(tiles)
    }
    return Box(
        name=f"bench-{rows}x{columns}",
        summary="A box for a benchmark",
        rows=rows,
        columns=columns,
        supply=Supply(limit_a=limit_a),
        panel=Panel(output_enable=GpioPin(22)),
        tiles=wiring,
    )


def _line(number: int) -> ExpanderPin:
    return ExpanderPin(_FIRST_EXPANDER + number // _LINES, number % _LINES)
