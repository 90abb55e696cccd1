"""The layout of the drawing: places of header, chips and shared lines, computed before anything is drawn."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hardware.wiring import blocks, buses
from hardware.wiring.buses import LANE_MM, Trunk
from hardware.wiring.canvas import Point
from hardware.wiring.plan import Chip, Plan, Role

EDGE_MM, SPACE_MM = 8.0, 4.0
_TITLE_MM = 28.0
_ONE_BAND, _A_BAND = 6, 8  # most chips side by side: all of them, or of one kind


@dataclass(frozen=True, slots=True)
class Band:
    """A row of chips under its lines, with the place of each."""

    trunk: Trunk
    chips: Sequence[tuple[Chip, Point]]

    @property
    def right(self) -> float:
        return max(at.x + blocks.shape_of(chip).width_mm for chip, at in self.chips)

    @property
    def bottom(self) -> float:
        return max(at.y for _, at in self.chips) + blocks.CHIP_HEIGHT_MM


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of everything that is wired, in mm.

    links: the header pins that feed the shared lines.
    lanes: the places at which their wires go up to the lines.
    rises: the places at which the lines continue to further bands.
    """

    header_at: Point
    links: Mapping[Role, int]
    lanes: Mapping[Role, float]
    rises: Mapping[Role, float]
    bands: Sequence[Band]

    @property
    def trunk(self) -> Trunk:
        return self.bands[0].trunk

    @property
    def first_x(self) -> float:
        return self.bands[0].chips[0][1].x

    @property
    def right(self) -> float:
        return max(band.right for band in self.bands)

    @property
    def bottom(self) -> float:
        return max(band.bottom for band in self.bands)


def layout_of(plan: Plan) -> Layout:
    """Find a place for everything: the header on the left, the chips beside it in one band or several."""
    roles = [Role.SERVO_POWER, Role.GROUND, Role.CLOCK, Role.DATA, Role.OUTPUT_ENABLE, Role.LOGIC]
    if plan.expanders and "expander_interrupt" in plan.panel:
        roles.append(Role.INTERRUPT)
    # The first of several pins feeds a line.
    links: dict[Role, int] = {}
    for pin in plan.header:
        if pin.role in roles:
            links.setdefault(pin.role, pin.number)
    lefts = [role for role, pin in links.items() if pin % 2]
    rights = [role for role, pin in links.items() if not pin % 2]
    rows: list[Sequence[Chip]] = [(*plan.boards, *plan.expanders)]
    if len(rows[0]) > _ONE_BAND:
        rows = [
            chips[start : start + _A_BAND]
            for chips in (plan.boards, plan.expanders)
            for start in range(0, len(chips), _A_BAND)
        ]
    risers = [role for role in roles if any(_has_pad(row, role) for row in rows[1:])]
    trunk = buses.trunk_at(_TITLE_MM, roles)
    header_at = Point(EDGE_MM + LANE_MM * len(lefts), max(trunk.values()) + 5)
    header_right = header_at.x + blocks.HEADER_WIDTH_MM
    lanes = {role: header_at.x - LANE_MM * place for place, role in enumerate(lefts, 1)}
    ups = {role: header_right + LANE_MM * place for place, role in enumerate(rights, 1)}
    rises = {role: header_right + LANE_MM * place for place, role in enumerate(risers, len(rights) + 1)}
    first_x = header_right + LANE_MM * (len(ups) + len(rises) + 1) + 1
    # The bands lie one below the other; `trunk` has the lines above the first one.
    bands: list[Band] = []
    for row in rows:
        fed = [role for role in trunk if _has_pad(row, role)]
        lines = buses.trunk_at(bands[-1].bottom + 7, fed) if bands else trunk
        starts = itertools.accumulate((blocks.shape_of(chip).width_mm + SPACE_MM for chip in row), initial=first_x)
        bands.append(
            Band(lines, [(chip, Point(x, max(lines.values()) + 5)) for chip, x in zip(row, starts, strict=False)])
        )
    return Layout(header_at, links, lanes | ups, rises, bands)


def _has_pad(chips: Sequence[Chip], role: Role) -> bool:
    return any(role in blocks.shape_of(chip).pads for chip in chips)
