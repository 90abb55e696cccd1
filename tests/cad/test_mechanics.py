"""The figures of the simulated box are those of the solids: mass, weight, inertia, magnets and the servo's torque."""

import math

import numpy as np
import pytest

pytest.importorskip("build123d", reason="needs build123d: make setup-cad")

from hardware.cad import checks
from hardware.cad.assembly import Kit
from hardware.cad.meshes import matrix_of
from hardware.column import ROWS, TRAVEL_DEG
from hardware.linkage import slotted
from hardware.sim import mechanics
from hardware.tiles import TileId
from tests.cad.boxes import bodies_of

# SG90 and MG90S data sheets: 1.2 to 1.8 kg cm at 4.8 V.
STALL_NM = 0.12


def weighed(kit: Kit, name: TileId) -> tuple[float, np.ndarray, float]:
    """Return mass in kg, middle in m and inertia about the axle in kg m2 of a standing tile with its magnets."""
    mass, moment, inertia = 0.0, np.zeros(3), 0.0
    axle = np.array([0.0, *kit.measures.rows[name.row - 1].axle_mm])
    for placed in kit.moving(name, 0.0):
        if placed.part not in (str(name), "magnet"):
            continue
        mesh = kit.mesh(placed.part).copy()
        mesh.apply_transform(matrix_of(placed.at))
        mesh.density = kit.solids[placed.part].mass_g * 1e-3 / mesh.volume
        middle = (mesh.center_mass - axle) * 1e-3
        mass += mesh.mass
        moment += mesh.mass * middle
        inertia += mesh.moment_inertia[0, 0] * 1e-6 + mesh.mass * float(middle[1] ** 2 + middle[2] ** 2)
    return mass, moment / mass, inertia


@pytest.mark.parametrize("name", [TileId(1, 5), TileId(2, 5)], ids=["front", "back"])
def test_a_tile_weighs_and_swings_as_the_simulated_one(name: TileId) -> None:
    mass, middle, inertia = weighed(bodies_of("two-level-9").kit, name)
    out, high = float(middle[1]), float(middle[2])
    print(f"{name}: {1000 * mass:.2f} g, {1e6 * inertia:.2f} kg mm2")
    assert inertia == pytest.approx(mechanics.INERTIA_KG_M2, rel=0.1)
    for deg in range(0, 96, 5):
        turn = math.radians(deg)
        # A positive turn about x lays the tile: what is above its axle goes to the front.
        weight_nm = 9.81 * mass * (high * math.sin(turn) - out * math.cos(turn))
        assert weight_nm == pytest.approx(mechanics.gravity_nm(deg), abs=1.5e-4), deg


def test_both_rows_stops_pull_as_the_simulated_one() -> None:
    bodies = bodies_of("two-level-9")
    for name in (TileId(1, 5), TileId(2, 5)):
        for deg in (0.0, 5.0, 10.0, 15.0, 20.0, 30.0):
            pulled = checks.stop_torque_nm(bodies, name, deg)
            assert pulled == pytest.approx(mechanics.magnet_nm(deg), abs=2.5e-4), (name, deg)


def test_a_servo_needs_a_fifth_of_its_torque_at_most() -> None:
    for row in ROWS:
        rod, worst = slotted(row), 0.0
        for reach in (rod.highest_deg, rod.lowest_deg):
            for step in range(-110, 130):
                one, other = reach(step / 2), reach(step / 2 + 0.5)
                if 0 <= one <= TRAVEL_DEG and 0 <= other <= TRAVEL_DEG:
                    torque_nm = mechanics.gravity_nm(one) + mechanics.magnet_nm(one)
                    worst = max(worst, abs(torque_nm * (other - one) / 0.5))
        print(f"at most {1000 * worst:.1f} mN m of {1000 * STALL_NM:.0f}")
        assert worst < 0.2 * STALL_NM
