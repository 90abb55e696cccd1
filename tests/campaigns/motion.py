"""Campaign `motion`: the time of moves beside the least that travel, rest stroke, stack rule and supply allow.

The worst ratio is 1.96 (three rows on 10 A: the servos of the front row are still coming to rest when those behind
could start, and no single bound has both); 1.71 for one tile, and 1.48 for a reset of 18 tiles on 4 A, five servos at
once, which takes 1.7 s. With rigid rods, which need no rest stroke, the limit was 1.2.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

from rich.table import Table

from controller.box.simulated import open_simulated_world
from controller.runtime.clock import run_jumping
from controller.runtime.output import Exit
from controller.runtime.terminal import answers
from firmware.messages import TileCommand
from firmware.tiles.drive import _SETTLES_S
from firmware.tiles.plan import plan_moves
from hardware.box import Box, Motion, Panel, Supply, TileWiring
from hardware.sim.servo import Tolerances
from hardware.tiles import Position, TileId, tiles_of
from hardware.wires import ExpanderPin, GpioPin, ServoChannel
from tests.campaigns.campaign import Campaign, print_report
from tests.campaigns.lower_bound import lower_bound_s
from tests.support.true_box import travel_s

# Times the lower bound, which no plan need reach: see `lower_bound_s`. A servo takes of the supply until its rod is at
# rest, not only until its sensor answers. The bound knows the true speed of each servo; the box waits as long as the
# slowest sound one takes, for a frame with each pulse, and until a sensor has settled.
LIMIT = 2.0
# A kick is a matter of `kicks`: here its healing would be taken for a slow plan.
_WITHOUT_KICKS = Tolerances(kick_s=(0.0, 0.0))
# From where the rod of a whole-speed servo leaves a tile (36 degrees, 800 a second) to the Hall edge (77 at least).
_FALLS_S = 0.04
_BUDGETS_A, _ROWS, _COLUMNS = (2.0, 4.0, 10.0), (1, 2, 3), (9, 12)
_FIRST_BOARD, _FIRST_EXPANDER, _LINES = 0x40, 0x20, 16
_DOWN, _UP = Position.SHUT, Position.OPEN


@dataclass(frozen=True, slots=True)
class Measurement:
    """One kind of move on one kind of box: the run that was worst beside its bound.

    `took_s` is the time until the last tile is in place by its sensors, whatever the box does after it.
    """

    rows: int
    columns: int
    budget_a: float
    move: str
    tiles: int
    took_s: float
    bound_s: float

    @property
    def ratio(self) -> float:
        """Time taken by the least time possible."""
        return self.took_s / self.bound_s


@dataclass(frozen=True, slots=True)
class Trial:
    """So many simulated boxes of one size on one supply. Their servos differ by their seeds; the first is `seed`."""

    rows: int
    columns: int
    budget_a: float
    boxes: int
    seed: int


@dataclass(frozen=True, slots=True)
class MotionReport:
    """The worst of each kind of move on each kind of box, and the worst of all beside the limit."""

    motions: Sequence[Measurement]

    @property
    def worst(self) -> float:
        """The greatest of their ratios."""
        return max((motion.ratio for motion in self.motions), default=0.0)

    @property
    def passed(self) -> bool:
        """True if no move took longer than the limit allows."""
        return self.worst <= LIMIT

    def as_json(self) -> Mapping[str, Any]:
        """Every motion with its ratio, and the worst."""
        motions = [{**asdict(motion), "ratio": motion.ratio} for motion in self.motions]
        return {"motions": motions, "worst": self.worst, "limit": LIMIT}

    def show(self) -> None:
        """The same as a table."""
        grid = Table("Rows", "Columns", "Budget", "Move", "Tiles", "Took", "Least", "Ratio")
        for each in self.motions:
            size = (str(each.rows), str(each.columns), f"{each.budget_a:g} A")
            times = (f"{each.took_s:.3f} s", f"{each.bound_s:.3f} s", f"{each.ratio:.3f}")
            grid.add_row(*size, each.move, str(each.tiles), *times)
        answers.print(grid)
        answers.print(f"Worst: {self.worst:.3f} times the least time possible (limit {LIMIT}).")


def bench_motion(boxes: int, seed: int, *, as_json: bool) -> Exit:
    """Measure on `boxes` boxes of each kind, whose servos differ, and report the worst of each; NO over the limit."""
    trials = [Trial(*kind, boxes, seed) for kind in product(_ROWS, _COLUMNS, _BUDGETS_A)]
    results = Campaign("boxes", trials, measure_worst, in_place=len(trials)).run()
    report = MotionReport([motion for worst in results.outcomes for motion in worst])
    return print_report(report, results, as_json=as_json)


def measure_worst(trial: Trial) -> list[Measurement]:
    """The worst of all boxes of a trial for each kind of move."""
    box = make_box(trial.rows, trial.columns, trial.budget_a)
    runs = [run_jumping(_measure(box, trial.seed + number)) for number in range(trial.boxes)]
    return [max(same, key=lambda motion: motion.ratio) for same in zip(*runs, strict=True)]


async def _measure(box: Box, seed: int) -> list[Measurement]:
    """All kinds of moves on one box, one after the other."""
    loop, found = asyncio.get_running_loop(), []
    async with open_simulated_world(box, seed=seed, tolerances=_WITHOUT_KICKS) as (table, world):
        bank = table.firmware.bank
        for name, tiles, target in _moves(box):
            seen = await bank.look()
            moves = plan_moves(dict.fromkeys(tiles, target), seen, rows=box.rows, columns=box.columns)
            ways_s = {move.tile: travel_s(world, move.tile, target) for move in moves}
            falls_s = _FALLS_S if target is _DOWN else 0.0
            travels_s = {tile: way_s + falls_s for tile, way_s in ways_s.items()}
            # The horn goes back the way that it came.
            rest_s = min(ways_s.values()) + _SETTLES_S
            began_s = loop.time()
            reports = await bank.execute([TileCommand(tile, target) for tile in tiles])
            took_s = max(report.at_s for report in reports) - began_s
            bound_s = lower_bound_s(moves, travels_s, box.servos_at_once, rest_s)
            found.append(Measurement(box.rows, box.columns, box.supply.limit_a, name, len(moves), took_s, bound_s))
    return found


def _moves(box: Box) -> Iterator[tuple[str, Sequence[TileId], Position]]:
    """Moves of a game, in an order in which each finds the tiles as it needs them."""
    fronts = box.tile_ids[: box.columns]
    yield "one tile down", fronts[2:3], _DOWN
    yield "two tiles down", fronts[4:6], _DOWN
    yield "four tiles down", fronts[-4:], _DOWN
    if box.rows > 1:
        yield "the one behind", box.in_column(3)[1:2], _DOWN
    yield "the rest down", box.tile_ids, _DOWN
    yield "reset", box.tile_ids, _UP
    yield "all down", box.tile_ids, _DOWN


def make_box(rows: int, columns: int, limit_a: float) -> Box:
    """A box that nobody has built: of this size, on a supply that carries `limit_a`, all its sensors on expanders."""
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
        motion=Motion(link="slot", open_us=820, rest_us=1655, shut_us=2090),
        supply=Supply(limit_a=limit_a),
        panel=Panel(output_enable=GpioPin(22)),
        tiles=wiring,
    )


def _line(number: int) -> ExpanderPin:
    return ExpanderPin(_FIRST_EXPANDER + number // _LINES, number % _LINES)
