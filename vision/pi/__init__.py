"""The real camera of the box, through picamera2 or Video4Linux."""

from vision.pi.camera import PiCamera, open_camera
from vision.pi.v4l2 import V4l2Camera

__all__ = ["PiCamera", "V4l2Camera", "open_camera"]
