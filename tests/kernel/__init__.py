"""The real-kernel lane: unmodified Blinka, PureIO and chip drivers on a Linux kernel's own /dev/i2c-1.

`make test-kernel` starts `__main__` on the host, which boots a User-Mode Linux on the host's own folders; there `init`
is the first process and runs the tests of `on_device`, for which `box` offers the simulated box's bus as a device.
"""
