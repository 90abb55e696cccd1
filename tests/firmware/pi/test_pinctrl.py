"""Whether a line stays an output once nobody has it: by the parameters that kernels of the Raspberry Pi have."""

from pathlib import Path

import pytest

from firmware.pi.computer import outputs_stay


@pytest.mark.parametrize(
    ("driver", "parameter", "value", "stay"),
    [
        ("bcm2835", "strict_gpiod", "N", True),
        ("bcm2835", "strict_gpiod", "Y", False),
        ("bcm2835", "persist_gpio_outputs", "Y", True),
        ("rp1", "persist_gpio_outputs", "N", False),
        ("rp1", "something_else", "N", None),
    ],
)
def test_each_name_of_the_parameter_is_known(
    tmp_path: Path, driver: str, parameter: str, value: str, stay: bool | None
) -> None:
    file = tmp_path / f"pinctrl_{driver}" / "parameters" / parameter
    file.parent.mkdir(parents=True)
    file.write_text(f"{value}\n")
    assert outputs_stay(tmp_path) is stay


def test_another_computer_does_not_tell(tmp_path: Path) -> None:
    assert outputs_stay(tmp_path / "nothing") is None
