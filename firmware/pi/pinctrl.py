"""The state of a header line after the program that held it has released it or died."""

from pathlib import Path

# Kernel parameters of the header's drivers, with the value at which outputs stay. Source: raspberrypi/linux, pull
# requests 6117 (strict_gpiod) and 6150 (persist_gpio_outputs).
_STAYING = {"persist_gpio_outputs": "Y", "strict_gpiod": "N"}


def outputs_stay(modules: Path = Path("/sys/module")) -> bool | None:
    """Return True if a header line stays an output after the program that drove it has released it or died.

    That is so on a Raspberry Pi without `dtparam=strict_gpiod`. None: unknown.
    """
    for name, staying in _STAYING.items():
        for file in sorted(modules.glob(f"pinctrl_*/parameters/{name}")):
            return file.read_text("ascii").strip() == staying
    return None
