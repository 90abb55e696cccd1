"""A new box with mistakes in its wires, brought up as the program does it, and the wires as they truly are."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass

from controller.box.simulated import open_simulated_firmware
from firmware.calibration.bringup.chips import find_chips, tiles_on
from firmware.calibration.bringup.discovery import Clear, Discoverer, Discovery, Which
from firmware.calibration.bringup.findings import Finding
from firmware.calibration.bringup.responses import Lines, Prober, Watch
from firmware.calibration.bringup.wiring import changes_to, chip_findings, deduce, move_chips
from firmware.calibration.columns import Stroker
from hardware.box import Box
from hardware.sim.faults import apply_fault
from hardware.sim.servo import CAREFUL, Tolerances
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from hardware.wires import ServoChannel
from hardware.wiring.changes import Change, change_box
from tests.support.true_box import driven_tiles, servo_of


@dataclass(frozen=True, slots=True)
class BroughtUp:
    """What a bring-up came to."""

    findings: tuple[Finding, ...]
    changes: tuple[Change, ...]
    found: Discovery

    def kinds(self) -> set[tuple[str, str]]:
        """The findings by kind and part."""
        return {(finding.kind, finding.part) for finding in self.findings}


def new_world(
    box: Box,
    faults: Collection[str] = (),
    lying: Collection[str] = (),
    seed: int = 1,
    tolerances: Tolerances = CAREFUL,
) -> World:
    """The wood of a box with mistakes, some of its tiles laid by hand."""
    world = World(box, asyncio.get_running_loop().time, seed, tolerances=tolerances)
    for fault in faults:
        apply_fault(world, fault)
    for name in lying:
        world.hand_moves(TileId.parse(name), Position.SHUT)
    return world


async def bring_up(world: World, box: Box, which: Which | None = None, clear: Clear | None = None) -> BroughtUp:
    """Bring up the box of `world` as the profile `box` describes it: one servo at a time."""
    async with open_simulated_firmware(box, world) as firmware:
        chips = await find_chips(firmware.scan, box)
    moved = move_chips(box, chips)
    at = change_box(box, moved)
    async with open_simulated_firmware(at, world) as firmware:
        left_out: dict[TileId, str] = {}
        for chip in chips.missing:
            (firmware.servos if chip in box.servo_boards else firmware.sensors).set_aside(chip)
            left_out |= dict.fromkeys(tiles_on(box, chip), "silent")

        def watch_world(_tile: TileId, _pulse_us: float | None, _seen: Lines) -> None:
            assert len(driven_tiles(world)) <= 1

        watch = Watch(firmware.sensors)
        prober = Prober(at, Stroker(at, firmware.servos, firmware.sensors, firmware.panel), watch, watch_world)
        discoverer = Discoverer(
            at, prober, watch, left_out=left_out, which=which, clear=clear, tell=lambda _tile, _found: None
        )
        await firmware.servos.arm()
        began = await watch.look()
        found = await discoverer.run()
        wiring = deduce(at, found, at)
        await discoverer.put_back(discoverer.lying(began))
    findings = (*chip_findings(box, chips), *wiring.findings)
    return BroughtUp(findings, changes_to(box, wiring, moved), found)


def eyes(world: World, box: Box) -> Which:
    """Somebody who sees which tile the channel of a tile moves, by what `box` says of its wires."""

    async def look(channel: TileId, _likely: object) -> TileId:
        wire = box.tiles[channel].servo
        # By its own address in the wood, whichever of both the profile has.
        proper = world.chip_answering(wire.board) or wire.board
        return world._tile_on[ServoChannel(proper, wire.channel)]

    return look


def wrong_wires(world: World, box: Box) -> list[str]:
    """The tiles whose servo or its way, or whose sensors, are not as `box` says."""
    found = []
    for tile, wiring in box.tiles.items():
        board = world.chip_answering(wiring.servo.board)
        is_moved = board is None or world._tile_on.get(ServoChannel(board, wiring.servo.channel)) != tile
        if is_moved or servo_of(world, tile).reversed != wiring.reversed:
            found.append(str(tile))
    return found
