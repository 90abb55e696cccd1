"""The real camera of the box, through picamera2 or Video4Linux."""
