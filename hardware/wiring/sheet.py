"""The sheet of paper: places of the cards, and the part of the plane that fills A4 or A3."""

from collections.abc import Sequence

from hardware.wiring.canvas import Area, Point
from hardware.wiring.cards import CARD_MM, Card
from hardware.wiring.layout import EDGE_MM, SPACE_MM

_A3, _A4 = (420, 297), (297, 210)
_A4_UP_TO = 0.8  # of an A3 sheet's size: on A4 a larger drawing has letters under 2 mm, which are hard to read


def arrange(
    cards: Sequence[Card], header_bottom: float, first_x: float, right: float, bottom: float
) -> tuple[list[tuple[Card, Point]], Area]:
    """Return the best places for the cards: below the header, below the chips, in up to two columns beside them."""
    arranged = []
    for over, count in ((0.0, 0), (CARD_MM / 2, 0), (0.0, 1), (0.0, 2)):
        # The left edges of the columns, with the height from which each is free.
        columns = {EDGE_MM: header_bottom}
        x = max(first_x, EDGE_MM + CARD_MM + SPACE_MM)
        while x + CARD_MM <= right + over:
            columns[x] = bottom + SPACE_MM
            x += CARD_MM + SPACE_MM
        columns |= {right + SPACE_MM + (CARD_MM + SPACE_MM) * place: EDGE_MM for place in range(count)}
        placed = []
        most_x, most_y = right, max(header_bottom, bottom)
        for card in cards:
            # Each card goes to the shortest column.
            x = min(columns, key=columns.__getitem__)
            placed.append((card, Point(x, columns[x])))
            columns[x] += card.height_mm + SPACE_MM
            most_x, most_y = max(most_x, x + CARD_MM), max(most_y, columns[x] - SPACE_MM)
        arranged.append((placed, Area(0, 0, most_x + EDGE_MM, most_y + EDGE_MM)))
    return min(arranged, key=lambda found: _size(found[1]))


def _size(content: Area) -> float:
    """Return the size of the content relative to an A3 sheet; 1 fills it."""
    return max(content.right / _A3[0], content.bottom / _A3[1])


def paper_of(content: Area) -> tuple[Area, tuple[int, int]]:
    """Return the part of the plane that fills a sheet with the content in its middle, and the size of that sheet."""
    times = _size(content)
    left, top = (content.right - _A3[0] * times) / 2, (content.bottom - _A3[1] * times) / 2
    return Area(left, top, left + _A3[0] * times, top + _A3[1] * times), _A4 if times <= _A4_UP_TO else _A3
