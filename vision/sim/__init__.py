"""The simulated camera: renders the simulated world as the box's camera would see it."""

from vision.sim.camera import FieldOfView, SimulatedCamera
from vision.sim.exposed import ExposedCamera
from vision.sim.remote import RemoteCamera, camera_handlers
from vision.sim.scene import render
from vision.sim.scenes import random_throw
from vision.sim.sheet import SimulatedPerson
from vision.sim.teacher import SimulatedTeacher

__all__ = [
    "ExposedCamera",
    "FieldOfView",
    "RemoteCamera",
    "SimulatedCamera",
    "SimulatedPerson",
    "SimulatedTeacher",
    "camera_handlers",
    "random_throw",
    "render",
]
