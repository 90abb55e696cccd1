"""What becomes of a header line that a program lets go of, or dies with."""

from pathlib import Path

# Parameters of the drivers of the header's lines, by the names they have in kernels, and the value with which outputs
# stay. Source: raspberrypi/linux, pull requests 6117 (strict_gpiod) and 6150 (persist_gpio_outputs).
_STAYING = {"persist_gpio_outputs": "Y", "strict_gpiod": "N"}


def outputs_stay(modules: Path = Path("/sys/module")) -> bool | None:
    """True if such a line stays the output that it was, as on a Raspberry Pi without `dtparam=strict_gpiod`; None: not
    known here.
    """
    for name, staying in _STAYING.items():
        for file in sorted(modules.glob(f"pinctrl_*/parameters/{name}")):
            return file.read_text("ascii").strip() == staying
    return None
