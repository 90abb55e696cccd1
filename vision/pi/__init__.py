"""The real camera of the box, through picamera2."""

from vision.pi.camera import PiCamera, open_camera

__all__ = ["PiCamera", "open_camera"]
