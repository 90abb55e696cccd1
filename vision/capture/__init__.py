"""Pictures from a camera, a film or a file, and whether they are too dark, too bright or too blurred to be read."""

from vision.capture.colours import colour_name, least_colour
from vision.capture.files import load_picture
from vision.capture.film import FileCamera
from vision.capture.frame import Camera, Frame, Pixels
from vision.capture.libraries import cv2, np
from vision.capture.quality import BLURRED_SAY, GLARE_SAY, WHITE, blame_light_or_blur, is_blurred, refuse_bad_light

__all__ = [
    "BLURRED_SAY",
    "GLARE_SAY",
    "WHITE",
    "Camera",
    "FileCamera",
    "Frame",
    "Pixels",
    "blame_light_or_blur",
    "colour_name",
    "cv2",
    "is_blurred",
    "least_colour",
    "load_picture",
    "np",
    "refuse_bad_light",
]
