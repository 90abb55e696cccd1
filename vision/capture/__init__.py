"""Pictures: from a camera, a film or a file; their colours, light and sharpness."""

from vision.capture.colours import colour_name
from vision.capture.files import load_picture
from vision.capture.film import FileCamera
from vision.capture.frame import Camera, Frame, Pixels
from vision.capture.quality import BLURRED_SAY, GLARE_SAY, WHITE, in_this_light, is_blurred, light_of

__all__ = [
    "BLURRED_SAY",
    "GLARE_SAY",
    "WHITE",
    "Camera",
    "FileCamera",
    "Frame",
    "Pixels",
    "colour_name",
    "in_this_light",
    "is_blurred",
    "light_of",
    "load_picture",
]
