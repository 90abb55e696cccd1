"""The pins that hold for another Python on another machine."""

from tools.wheels import pins_for

PINS = """\
everywhere==1.0 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
only-arm==2.0 ; platform_machine == 'aarch64' and sys_platform == 'linux' \\
    --hash=sha256:cc
old==3.0 ; python_full_version < '3.13' \\
    --hash=sha256:dd
new==4.0 ; python_version >= '3.13' \\
    --hash=sha256:ee
"""


def test_the_pins_of_a_pi_are_chosen_on_any_machine() -> None:
    assert pins_for(PINS, "3.13", "aarch64") == [
        "everywhere==1.0 --hash=sha256:aa --hash=sha256:bb",
        "only-arm==2.0 --hash=sha256:cc",
        "new==4.0 --hash=sha256:ee",
    ]


def test_those_of_an_older_python_on_a_laptop_are_others() -> None:
    chosen = [pin.split("==")[0] for pin in pins_for(PINS, "3.11", "x86_64")]
    assert chosen == ["everywhere", "old"]
