"""The simulated camera (`camera`) renders a `scene`."""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from vision.sim.calibration_sheet import SimulatedPerson
    from vision.sim.camera import SimulatedCamera, VisibleWorld
    from vision.sim.claims import load_claim_set
    from vision.sim.exposed_camera import ExposedCamera
    from vision.sim.random_claims import LaidSet, random_claim
    from vision.sim.random_scenes import random_throw
    from vision.sim.remote import RemoteCamera, camera_handlers
    from vision.sim.scene import render
    from vision.sim.teacher import SimulatedTeacher
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "ExposedCamera",
    "LaidSet",
    "RemoteCamera",
    "SimulatedCamera",
    "SimulatedPerson",
    "SimulatedTeacher",
    "VisibleWorld",
    "camera_handlers",
    "load_claim_set",
    "random_claim",
    "random_throw",
    "render",
]
