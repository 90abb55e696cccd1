"""`make test-pi`, a Raspberry Pi without one: arm64, a kernel's own header and bus, systemd, an emulated Pi 4."""
