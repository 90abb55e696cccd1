"""The simulated camera: renders the simulated world as the box's camera would see it."""

from vision.sim.camera import FieldOfView, SimulatedCamera

__all__ = ["FieldOfView", "SimulatedCamera"]
