"""The list of faults needs no box, and what it lists can be asked for."""

import subprocess
import sys

import pytest

from controller.box.faults import apply_faults, fault_kinds, parse_faults
from controller.errors import BadFault
from hardware.box import load_box
from hardware.sim.world import World
from tests.support.sensed_box import sensed


def test_the_list_loads_no_camera_and_no_bus() -> None:
    heavy = "{'cv2', 'numpy', 'firmware', 'vision'}"
    question = f"import sys, controller.box.faults; print(sorted({heavy} & set(sys.modules)))"
    answer = subprocess.run([sys.executable, "-P", "-c", question], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"


def test_every_fault_of_the_list_can_be_asked_for() -> None:
    box = sensed()
    words = [f"{kind.name}:{next(iter(kind.parts(box)))}" for kind in fault_kinds()]
    world = World(box, lambda: 0.0, 1)
    apply_faults(world, parse_faults(",".join(words)))
    assert "calibration:missing" in world.faults


def test_a_fault_that_is_not_listed_is_refused_with_the_list() -> None:
    with pytest.raises(BadFault, match="allowed are jam:TILE"):
        apply_faults(World(load_box("two-level-9"), lambda: 0.0, 1), ["rust:front-1"])
