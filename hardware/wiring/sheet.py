"""The sheet of paper: places of the cards, and the piece of plane that fills A4 or A3."""

from collections.abc import Sequence

from hardware.wiring.canvas import Area, Point
from hardware.wiring.cards import CARD_MM, Card
from hardware.wiring.layout import EDGE_MM, SPACE_MM

_A3, _A4 = (420, 297), (297, 210)
_A4_UP_TO = 0.8  # times the size of an A3 sheet: letters smaller than 2 mm are no longer read well


def arrange(
    cards: Sequence[Card], header_bottom: float, first_x: float, right: float, bottom: float
) -> tuple[list[tuple[Card, Point]], Area]:
    """The best places for the cards: under the header, under the chips, and in up to two columns beside them."""
    tries = [
        _columns(header_bottom, first_x, right + over, bottom) | _beside(right, count)
        for over, count in ((0.0, 0), (CARD_MM / 2, 0), (0.0, 1), (0.0, 2))
    ]
    least = max(header_bottom, bottom)
    arranged = [_fill(cards, columns, right, least) for columns in tries]
    return min(arranged, key=lambda found: _size(found[1]))


def _columns(header_bottom: float, first_x: float, right: float, bottom: float) -> dict[float, float]:
    """The left edges of the columns under header and chips, with the height from which each is free."""
    columns = {EDGE_MM: header_bottom}
    x = max(first_x, EDGE_MM + CARD_MM + SPACE_MM)
    while x + CARD_MM <= right:
        columns[x] = bottom + SPACE_MM
        x += CARD_MM + SPACE_MM
    return columns


def _beside(right: float, count: int) -> dict[float, float]:
    """So many columns beside the chips, free from the top."""
    return {right + SPACE_MM + (CARD_MM + SPACE_MM) * place: EDGE_MM for place in range(count)}


def _fill(
    cards: Sequence[Card], columns: dict[float, float], right: float, bottom: float
) -> tuple[list[tuple[Card, Point]], Area]:
    placed = []
    for card in cards:
        x = min(columns, key=lambda left: columns[left] + card.height_mm)
        placed.append((card, Point(x, columns[x])))
        columns[x] += card.height_mm + SPACE_MM
        right, bottom = max(right, x + CARD_MM), max(bottom, columns[x] - SPACE_MM)
    return placed, Area(0, 0, right + EDGE_MM, bottom + EDGE_MM)


def _size(content: Area) -> float:
    """The size of the content in A3 sheets; 1 fills one."""
    return max(content.right / _A3[0], content.bottom / _A3[1])


def paper_of(content: Area) -> tuple[Area, tuple[int, int]]:
    """The piece of plane that fills a sheet, the content in its middle."""
    times = _size(content)
    left, top = (content.right - _A3[0] * times) / 2, (content.bottom - _A3[1] * times) / 2
    return Area(left, top, left + _A3[0] * times, top + _A3[1] * times), _A4 if times <= _A4_UP_TO else _A3
