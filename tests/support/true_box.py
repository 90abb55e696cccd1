"""What instruments would show of a simulated box, and no part of the program may know."""

import errno
import os

from firmware.sim.i2c import LOOKS_S, oscillator_mhz
from hardware.sim.mechanism import LEANS_DEG, StressRecord
from hardware.sim.servo import LIES_ABOVE_DEG, LOADED, Servo
from hardware.sim.world import World
from hardware.tiles import Position, TileId, tile_in_front

NOMINAL_MHZ = 25.0  # of a servo board; PCA9685 data sheet rev. 4, 7.3.5


def servo_of(world: World, tile: TileId) -> Servo:
    return world._mechanism.servos[tile]


def end_points_us(world: World, tile: TileId) -> tuple[float, float]:
    """Return the true pulse widths at which the tile stands (0 degrees) and lies (90 degrees), in microseconds."""
    servo = servo_of(world, tile)
    return servo._open_us, servo._open_us + 90.0 * servo._us_per_deg


def play_deg(world: World, tile: TileId) -> float:
    return servo_of(world, tile).play_deg


def travel_s(world: World, tile: TileId, to: Position) -> float:
    """Return the seconds that the tile takes for 90 degrees at full supply; coming up is the loaded way."""
    return 90.0 / servo_of(world, tile)._deg_s * (LOADED if to is Position.OPEN else 1.0)


def breaks_stack_rule(world: World) -> bool:
    """Return True if a tile lies whose front tile has not even begun to lie down."""
    world.catch_up()
    pairs = ((tile, tile_in_front(tile, world.box.columns)) for tile in world.box.tile_ids)
    return any(
        servo_of(world, tile).angle_deg >= LIES_ABOVE_DEG and servo_of(world, front).angle_deg <= LEANS_DEG
        for tile, front in pairs
        if front is not None
    )


def pulse_sent_us(world: World, board: int, asked_us: float) -> float:
    """Return the pulse, in microseconds, that the servo board sends by its own clock for a requested `asked_us`."""
    return asked_us / world.box.clock_factor(board) * NOMINAL_MHZ / oscillator_mhz(world, board)


def end_errors_deg(world: World, tile: TileId, open_us: float, shut_us: float) -> tuple[float, float]:
    """Return the errors in degrees of these open and shut end points of `tile`, compared with the true ones."""
    board = world.box.tiles[tile].servo.board
    true_open_us, true_shut_us = end_points_us(world, tile)
    per_deg = (true_shut_us - true_open_us) / 90.0
    opened, shut = (pulse_sent_us(world, board, asked_us) for asked_us in (open_us, shut_us))
    return (opened - true_open_us) / per_deg, (shut - true_shut_us) / per_deg


def driven_tiles(world: World) -> tuple[TileId, ...]:
    world.catch_up()
    return tuple(tile for tile in world.box.tile_ids if servo_of(world, tile).is_driven)


def stress_of(world: World) -> StressRecord:
    """Return the stress record so far, with the servos that are driven now without moving."""
    now_s, mechanism = world.catch_up(), world._mechanism
    for tile, since_s in mechanism._still_since_s.items():
        mechanism.stress.note_unmoved(tile, now_s - since_s)
    return mechanism.stress


def take_stress(world: World) -> StressRecord:
    """Return the stress record so far and begin a new one, in which present drives count from their beginning."""
    taken, world._mechanism.stress = stress_of(world), StressRecord()
    return taken


def longest_s(stress: StressRecord) -> float:
    """Return the longest time for which a servo was driven without moving its tile."""
    return max(stress.unmoved_s.values(), default=0.0)


def dip(world: World) -> None:
    """Let the 3.3 V of the logic dip for a moment, so that every chip on the bus loses its registers."""
    world.catch_up()
    for address in (*world.box.servo_boards, *world.box.expanders):
        world.forget(address)


def fail_at_once(seconds: float) -> None:
    """Pause for the wires of a bus without a clock: a hanging transfer fails at once, and others take no time."""
    if seconds >= LOOKS_S:
        raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
