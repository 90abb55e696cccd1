"""The firmware's tests on a kernel's own header and bus, in an emulated machine: real gpiozero, lgpio and Blinka.

The machine's clock counts its instructions, so that nothing there is late because this machine is busy.
"""

from tests.pi.image import make_disk
from tests.pi.machine import BY_INSTRUCTIONS, boot_plain

_PATIENCE_S = 3600.0  # seven minutes of a quiet machine


def test_the_firmware_on_a_header_of_the_kernels_own() -> None:
    make_disk()
    with boot_plain("/shutbox/tests/pi/guest_init", *BY_INSTRUCTIONS, words="run=tests/pi/on_header.sh") as machine:
        assert "exit status: 0" in machine.until_it_ends(_PATIENCE_S)
