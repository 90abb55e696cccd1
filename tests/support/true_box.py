"""What instruments would show of a simulated box, and no part of the program may know."""

import errno
import os

from firmware.sim.i2c import LOOKS_S, oscillator_mhz
from hardware.column import LIFTS_TO_DEG, PUSHES_TO_DEG, TRAVEL_DEG, row_of
from hardware.sim.linkage import slotted
from hardware.sim.mechanics import ALONG, MEETS_DEG, US_PER_DEG
from hardware.sim.mechanism import StressRecord
from hardware.sim.servo import Servo
from hardware.sim.tile import Tile
from hardware.sim.world import World
from hardware.tiles import Position, TileId, tile_in_front

NOMINAL_MHZ = 25.0  # of a servo board; PCA9685 data sheet rev. 4, 7.3.5


def wood_of(world: World, tile: TileId) -> Tile:
    return world._mechanism.tiles[tile]


def servo_of(world: World, tile: TileId) -> Servo:
    return wood_of(world, tile).servo


def end_points_us(world: World, tile: TileId) -> tuple[float, float]:
    """Return the true pulse widths, in microseconds, for which the profile says open and shut.

    On a slotted rod those lift and push the tile to the angles of the drawing, whatever its play.
    """
    box, servo = world.box, servo_of(world, tile)
    open_us, rest_us, shut_us = box.pulse_us(tile, shut=False), box.rest_us(tile), box.pulse_us(tile, shut=True)
    if rest_us is not None:
        rod, half_deg = slotted(row_of(tile.row), open_us, rest_us, shut_us), servo.play_deg / 2
        way = 1 if shut_us > open_us else -1
        pulses = [rest_us + way * step for step in range(-1300, 900)]
        open_us = max(us for us in pulses if rod.high_deg(us) + half_deg <= LIFTS_TO_DEG)
        shut_us = min(us for us in pulses if rod.low_deg(us) - half_deg >= PUSHES_TO_DEG)
    return servo.real_us(open_us), servo.real_us(shut_us)


def kick(world: World, tile: TileId, pulse_us: float) -> None:
    """Turn the horn of a released servo as the runt of a cut pulse does, to where the profile's `pulse_us` leads."""
    world.catch_up()
    wood, servo = wood_of(world, tile), servo_of(world, tile)
    servo._turn_to(servo.real_us(pulse_us))
    wood.force_to(max(servo.low_deg, min(servo.high_deg, wood.angle_deg)))
    world._mechanism._sense(tile)
    world._mechanism.wake((tile,))


def hall_is_closed(world: World, tile: TileId) -> bool:
    """Return True if the field of the tile's magnet closes its Hall sensor, whatever its line shows."""
    return world._mechanism.halls[tile].closed


def play_deg(world: World, tile: TileId) -> float:
    return servo_of(world, tile).play_deg


def is_free(world: World, tile: TileId) -> bool:
    """Return True if rod and servo leave the tile free over its whole travel."""
    servo = servo_of(world, tile)
    return not servo.is_active and servo.low_deg <= 0.0 and servo.high_deg >= TRAVEL_DEG


def travel_s(world: World, tile: TileId, to: Position) -> float:
    """Return the seconds that the horn takes at full supply for its way to that end: from rest, if the rod has one."""
    open_us, shut_us = end_points_us(world, tile)
    rest_us = world.box.rest_us(tile)
    servo = servo_of(world, tile)
    from_us = servo.real_us(rest_us) if rest_us is not None else shut_us if to is Position.OPEN else open_us
    return abs((open_us if to is Position.OPEN else shut_us) - from_us) / servo.us_per_s


def breaks_stack_rule(world: World) -> bool:
    """Return True if a tile lies farther down than the back of its front tile lets it."""
    world.catch_up()
    pairs = ((tile, tile_in_front(tile, world.box.columns)) for tile in world.box.tile_ids)
    return any(
        wood_of(world, tile).angle_deg > MEETS_DEG + ALONG * wood_of(world, front).angle_deg + 1.0
        for tile, front in pairs
        if front is not None
    )


def pulse_sent_us(world: World, board: int, asked_us: float) -> float:
    """Return the pulse, in microseconds, that the servo board sends by its own clock for a requested `asked_us`."""
    return asked_us / world.box.clock_factor(board) * NOMINAL_MHZ / oscillator_mhz(world, board)


def end_errors_deg(world: World, tile: TileId, open_us: float, shut_us: float) -> tuple[float, float]:
    """Return the errors of these open and shut end points of `tile`, in degrees of the horn."""
    board = world.box.tiles[tile].servo.board
    true_open_us, true_shut_us = end_points_us(world, tile)
    opened, shut = (pulse_sent_us(world, board, asked_us) for asked_us in (open_us, shut_us))
    way = 1 if true_shut_us > true_open_us else -1
    return way * (opened - true_open_us) / US_PER_DEG, way * (shut - true_shut_us) / US_PER_DEG


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
    """Return the longest time for which a servo was driven and neither its horn nor its tile moved."""
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
