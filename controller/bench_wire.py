"""`shutbox bench wire`: commands, hands and faults drawn at random; what may never happen to the metal is counted."""

import asyncio
import random
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from controller.clock import run_jumping
from controller.fault_catalogue import apply_faults
from controller.metal_limits import TOLERANCE, UNMOVED_S, budget_a, tell_limits
from controller.output import Exit, answers, counted, print_json
from controller.processes import mapping, silence
from controller.simulated import simulated_world
from firmware.bank import TileBank
from firmware.messages import TileCommand
from hardware.box import Box, load_box
from hardware.errors import BoxFault
from hardware.sim.faults import FAULTS
from hardware.sim.world import World
from hardware.tiles import Position, TileId

_BOXES = ("two-level-9", "classic-9", "two-level-12", "rows-3")
_A_BOX = 50  # runs on one box, whose tiles stay as the run before has left them
_IN_PLACE = 200
_NOT_ON_THE_WIRE = ("camera", "calibration", "lid", "sag", "hot")
# With another tile's plug or sensor in its place, or one that says what is not so, a tile is driven against wood; with
# /OE shorted nothing can be switched off.
_MISLEADS = ("swapped", "swapped-sensor", "stuck-shut", "stuck")
_HANGS = 600.0  # seconds at the box; a command takes no longer, however often it is tried


@dataclass(frozen=True, slots=True)
class Batch:
    """So many runs on one box, drawn from one seed."""

    seed: int
    runs: int


@dataclass(frozen=True, slots=True)
class Strained:
    """What became of a batch: what went wrong in words, and the worst of what is allowed."""

    problems: tuple[str, ...]
    runs: int
    moved: int
    refused: int
    faults: int
    longest_s: float
    most_a: float


def bench_wire(runs: int, seed: int, *, as_json: bool) -> Exit:
    """Draw so many runs and tell whether any of them did what may never happen."""
    sizes = [_A_BOX] * (runs // _A_BOX) + ([runs % _A_BOX] if runs % _A_BOX else [])
    batches = [Batch(seed * 1_000_000 + number, size) for number, size in enumerate(sizes)]
    with mapping(in_place=runs <= _IN_PLACE, begin=silence) as each:
        done = each(strain, batches)
        found = [next_ for _, next_ in zip(counted(batches, "boxes"), done, strict=True)]
    return _tell(found, as_json=as_json)


def strain(batch: Batch) -> Strained:
    """Do the runs of one batch. Anything but a fault with a name is a problem."""
    return run_jumping(_Campaign(batch).run())


class _Campaign:
    """One box, and what is done to it."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._chance = random.Random(batch.seed)
        self._box: Box = load_box(self._chance.choice(_BOXES))
        self._problems: list[str] = []
        self._moved = self._refused = self._faults = 0
        self._touched = False

    async def run(self) -> Strained:
        async with simulated_world(self._box, seed=self._batch.seed) as (table, world):
            for number in range(self._batch.runs):
                await self._one(world, table.firmware.bank, f"seed {self._batch.seed} run {number}")
            strain = world.strain
            return Strained(
                tuple(self._problems),
                self._batch.runs,
                self._moved,
                self._refused,
                self._faults,
                strain.longest_s,
                strain.most_a / budget_a(self._box),
            )

    async def _one(self, world: World, bank: TileBank, name: str) -> None:
        """One command, with what hands and faults do meanwhile."""
        self._touched = False
        self._break_something(world)
        held = {fault.partition(":")[0] for fault in world.faults}
        meddling = asyncio.ensure_future(self._meddle(world))
        try:
            async with asyncio.timeout(_HANGS):
                await self._command(bank)
        except TimeoutError:
            self._problems.append(f"{name}: hangs")
        except Exception as error:  # whatever it is, it is what the benchmark looks for
            self._problems.append(f"{name}: {type(error).__name__}: {error}")
        finally:
            meddling.cancel()
            with suppress(asyncio.CancelledError):
                await meddling
        self._check(world, name, held)
        if world.faults and self._chance.random() < 0.4:
            world.lift()
        if self._chance.random() < 0.05:
            await bank.release()

    async def _command(self, bank: TileBank) -> None:
        """Send some tiles somewhere; sometimes think better of it."""
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
            self._moved += 1
        except BoxFault:
            self._refused += 1
        except TimeoutError:
            self._moved += 1

    def _break_something(self, world: World) -> None:
        if self._chance.random() > 0.5:
            return
        kind = self._chance.choice([kind for name, kind in FAULTS.items() if name not in _NOT_ON_THE_WIRE])
        part = self._chance.choice(list(kind.parts(self._box)))
        if f"{kind.name}:{part}" not in world.faults:
            apply_faults(world, [f"{kind.name}:{part}"])
            self._faults += 1

    async def _meddle(self, world: World) -> None:
        """A hand tips tiles, a loose wire makes contact again, a chip forgets once."""
        while True:
            await asyncio.sleep(self._chance.uniform(0.01, 2.0))
            match self._chance.randrange(4):
                case 0 if world.faults:
                    world.lift(self._chance.choice(world.faults))
                case 1:
                    world.forget(self._chance.choice((*self._box.servo_boards, *self._box.expanders)))
                case _:
                    with suppress(ValueError):
                        world.hand_moves(self._any_tile(), self._chance.choice((Position.OPEN, Position.SHUT)))
                        self._touched = True

    def _any_tile(self) -> TileId:
        return self._chance.choice(self._box.tile_ids)

    def _check(self, world: World, name: str, held: set[str]) -> None:
        """What may never happen, whichever faults were `held` when the command was given."""
        suffered = world.strain
        if suffered.longest_s > UNMOVED_S + TOLERANCE:
            tile = max(suffered.unmoved_s, key=lambda tile: suffered.unmoved_s[tile])
            self._problems.append(f"{name}: {tile} was driven {suffered.longest_s:.3f} s without moving")
            suffered.unmoved_s.clear()
        if suffered.most_a > budget_a(self._box) + TOLERANCE:
            self._problems.append(f"{name}: {suffered.most_a:.2f} A of {budget_a(self._box):.2f} A")
            suffered.most_a = 0.0
        # A hand may put a tile in the way of another one that is moving.
        if suffered.pushed and not self._touched and not held.intersection(_MISLEADS):
            self._problems.append(f"{name}: {', '.join(map(str, suffered.pushed))} driven against wood; {held}")
        suffered.pushed.clear()
        if world.breaks_stack_rule():
            self._problems.append(f"{name}: a tile lies behind one that stands")
        if world.driven and "oe" not in held:
            self._problems.append(f"{name}: {', '.join(map(str, world.driven))} still driven; {held}")


def _tell(found: Sequence[Strained], *, as_json: bool) -> Exit:
    problems = [problem for each in found for problem in each.problems]
    runs, moved, refused, faults = (
        sum(getattr(each, name) for each in found) for name in ("runs", "moved", "refused", "faults")
    )
    longest_s, most = max(each.longest_s for each in found), max(each.most_a for each in found)
    if as_json:
        print_json(
            {
                "runs": runs,
                "arrived": moved,
                "stopped": refused,
                "faults": faults,
                "longest_unmoved_s": longest_s,
                "most_of_budget": most,
                "problems": problems,
            }
        )
    else:
        answers.print(f"{runs} commands, {faults} faults: {moved} arrived, {refused} stopped by a fault with a name.")
        tell_limits(longest_s, most, problems)
    return Exit.NO if problems else Exit.DONE
