"""Campaign `wire`: commands, hands and faults at random; counts what may never happen to the metal."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass

from controller.box.simulated import open_simulated_world
from controller.runtime.clock import run_jumping
from controller.runtime.output import Exit
from controller.runtime.threads import run_in_background
from firmware.messages import TileCommand
from firmware.tiles.bank import TileBank
from hardware.box import Box, load_box
from hardware.errors import BoxFault
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from tests.campaigns.builds import AS_DRAWN, Build
from tests.campaigns.campaign import Campaign, print_report, repeating
from tests.campaigns.limits import Load, MetalReport, measure_load, violations, worst_load
from tests.campaigns.pool import silence
from tests.campaigns.troubles import break_something, reset_a_chip, tip_a_tile
from tests.support.true_box import stress_of, take_stress

_BOXES = ("two-level-9", "classic-9", "two-level-12", "rows-3")
_COMMANDS_PER_BOX = 50
_IN_PLACE = 4  # boxes: see `Campaign.in_place`
# A servo that holds stalls on without pulses, and draws what no plan of the box knows of: that is why it is refused.
_NOT_ON_THE_WIRE = ("camera", "calibration", "lid", "sag", "hot", "busy", "header", "holds")
# With another tile's plug or sensor in its place, a servo that turns the other way, or a sensor that says what is not
# so, a tile is driven against wood; with /OE shorted nothing can be switched off.
_MISLEADS = ("swapped", "swapped-sensor", "reversed", "stuck-shut", "stuck")
_HANGS_S = 600.0  # at the box; a command takes no longer, however often it is tried


@dataclass(frozen=True, slots=True)
class Trial:
    """So many commands, one after the other, on one box; the box and all that happens to it are drawn from `seed`.

    The tiles stay as the command before has left them: most of what goes wrong begins on a board that nobody drew.
    """

    seed: int
    commands: int
    build: Build = AS_DRAWN


@dataclass(frozen=True, slots=True)
class Outcome:
    """The counts of one box: commands given, those that arrived, those stopped by a fault with a name, faults made;
    the worst for the metal, and what went wrong in words.
    """

    commands: int
    arrived: int
    stopped: int
    faults: int
    load: Load
    problems: tuple[str, ...]


def bench_wire(runs: int, seed: int, build: Build = AS_DRAWN, *, as_json: bool) -> Exit:
    """Draw `runs` commands and report what they did that may never happen; NO if there was any.

    The first box is drawn from `seed`, each further one from the next number.
    """
    results = Campaign("boxes", _trials(runs, seed, build), try_commands, in_place=_IN_PLACE, begin=silence).run()
    return print_report(_report(results.outcomes), results, as_json=as_json)


def try_commands(trial: Trial) -> Outcome:
    """Make one trial on a jumping loop. Whatever comes of a command but a fault with a name is a problem."""
    return run_jumping(_Commands(trial).run())


def _trials(runs: int, seed: int, build: Build) -> list[Trial]:
    boxes, rest = divmod(runs, _COMMANDS_PER_BOX)
    sizes = [_COMMANDS_PER_BOX] * boxes + ([rest] if rest else [])
    return [Trial(seed + number, size, build) for number, size in enumerate(sizes)]


class _Commands:
    """One box, the commands it gets, and the hands and faults that come between."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._chance = random.Random(trial.seed)
        self._box: Box = trial.build.box(load_box(self._chance.choice(_BOXES)))
        self._problems: list[str] = []
        self._loads: list[Load] = []
        self._arrived = self._stopped = self._faults = 0
        self._touched = False

    async def run(self) -> Outcome:
        """Give every command."""
        trial = self._trial
        opening = open_simulated_world(self._box, seed=trial.seed, tolerances=trial.build.tolerances())
        async with opening as (table, world):
            for number in range(trial.commands):
                await self._try_one(world, table.firmware.bank, number)
            load = worst_load((*self._loads, measure_load(world)))
        counts = (self._trial.commands, self._arrived, self._stopped, self._faults)
        return Outcome(*counts, load, tuple(self._problems))

    async def _try_one(self, world: World, bank: TileBank, number: int) -> None:
        """One command, with what hands and faults do meanwhile."""
        self._touched = False
        self._break_something(world)
        broken = {fault.partition(":")[0] for fault in world.faults}
        again = repeating("wire", self._trial.seed, number + 1, self._trial.build)
        name = f"{again}: broken: {', '.join(sorted(broken)) or 'nothing'}"
        async with run_in_background(self._meddle(world)):
            try:
                async with asyncio.timeout(_HANGS_S):
                    await self._command(bank)
            except TimeoutError:
                self._problems.append(f"{name}: hangs")
            except Exception as error:  # whatever it is, it is what the campaign looks for
                self._problems.append(f"{name}: {type(error).__name__}: {error}")
        self._check(world, name, broken)
        if world.faults and self._chance.random() < 0.4:
            world.lift()
        if self._chance.random() < 0.05:
            await bank.release()

    async def _command(self, bank: TileBank) -> None:
        """Send some tiles somewhere; sometimes cancel it on the way."""
        some = self._chance.sample(self._box.tile_ids, self._chance.randint(1, len(self._box.tile_ids)))
        one_way = self._chance.choice((Position.OPEN, Position.SHUT))
        both = self._chance.random() < 0.3
        commands = [
            TileCommand(tile, self._chance.choice((Position.OPEN, Position.SHUT)) if both else one_way)
            for tile in (self._box.tile_ids if self._chance.random() < 0.3 else some)
        ]
        try:
            if self._chance.random() < 0.1:
                async with asyncio.timeout(self._chance.uniform(0.0, 1.5)):
                    await bank.execute(commands)
            else:
                await bank.execute(commands)
            self._arrived += 1
        except BoxFault:
            self._stopped += 1
        except TimeoutError:
            self._arrived += 1

    def _break_something(self, world: World) -> None:
        if self._chance.random() <= 0.5 and break_something(world, self._chance, _NOT_ON_THE_WIRE):
            self._faults += 1

    async def _meddle(self, world: World) -> None:
        """A hand tips tiles, a loose wire makes contact again, a chip forgets once."""
        while True:
            await asyncio.sleep(self._chance.uniform(0.01, 2.0))
            match self._chance.randrange(4):
                case 0 if world.faults:
                    world.lift(self._chance.choice(world.faults))
                case 1:
                    reset_a_chip(world, self._chance)
                case _ if tip_a_tile(world, self._chance):
                    self._touched = True

    def _check(self, world: World, name: str, broken: set[str]) -> None:
        """Note what may never happen, whatever was `broken` when the command was given."""
        problems = list(violations(world, shorted="oe" in broken))
        stress = stress_of(world)
        # A hand may put a tile in the way of another one that is moving; so may a kick, but that one falls back.
        kicked = {tile for tile, _ in stress.kicks}
        pushed = [tile for tile in stress.pushed if not kicked.intersection(self._in_column(tile))]
        if pushed and not self._touched and not broken.intersection(_MISLEADS):
            problems.append(f"{', '.join(map(str, pushed))} driven against wood")
        self._problems += (f"{name}: {problem}" for problem in problems)
        # The next command answers only for what it does itself.
        self._loads.append(measure_load(world))
        take_stress(world)

    def _in_column(self, tile: TileId) -> tuple[TileId, ...]:
        return self._box.in_column(tile.column(self._box.columns))


def _report(outcomes: Sequence[Outcome]) -> MetalReport:
    runs, faults = sum(each.commands for each in outcomes), sum(each.faults for each in outcomes)
    arrived, stopped = sum(each.arrived for each in outcomes), sum(each.stopped for each in outcomes)
    return MetalReport(
        {"runs": runs, "arrived": arrived, "stopped": stopped, "faults": faults},
        [f"{runs} commands, {faults} faults: {arrived} arrived, {stopped} stopped by a fault with a name."],
        [each.load for each in outcomes],
        [problem for each in outcomes for problem in each.problems],
    )
