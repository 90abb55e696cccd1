"""What instruments would show of a simulated box, and no part of the program may know."""

from firmware.sim.i2c import pulse_sent_us
from hardware.sim.mechanism import StressRecord
from hardware.sim.world import World
from hardware.tiles import TileId


def end_errors_deg(world: World, tile: TileId, open_us: float, shut_us: float) -> tuple[float, float]:
    """Return the errors in degrees of these open and shut end points of `tile`, compared with the true ones."""
    board = world.box.tiles[tile].servo.board
    true_open_us, true_shut_us = world.end_points_us(tile)
    per_deg = (true_shut_us - true_open_us) / 90.0
    opened, shut = (pulse_sent_us(world, board, asked_us) for asked_us in (open_us, shut_us))
    return (opened - true_open_us) / per_deg, (shut - true_shut_us) / per_deg


def longest_s(stress: StressRecord) -> float:
    """Return the longest time for which a servo was driven without moving its tile."""
    return max(stress.unmoved_s.values(), default=0.0)


def dip(world: World) -> None:
    """Let the 3.3 V of the logic dip for a moment, so that every chip on the bus loses its registers."""
    world.catch_up()
    for address in (*world.box.servo_boards, *world.box.expanders):
        world.forget(address)
