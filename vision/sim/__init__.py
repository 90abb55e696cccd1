"""The simulated camera: renders the simulated world as the box's camera would see it."""

from vision.sim.camera import FieldOfView, SimulatedCamera
from vision.sim.exposed import ExposedCamera
from vision.sim.remote import RemoteCamera, camera_handlers
from vision.sim.sheet import SimulatedPerson

__all__ = ["ExposedCamera", "FieldOfView", "RemoteCamera", "SimulatedCamera", "SimulatedPerson", "camera_handlers"]
