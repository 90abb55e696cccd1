"""The real camera's lane: picamera2 on libcamera's virtual pipeline, in a Debian 13 tree. `make test-camera`."""
