"""`python -m tests.on_box`: print the empty form, which stands in `docs/evidence/on-hardware.md`."""

from hardware.box import load_box
from tests.on_box import test_electronics, test_tiles, test_vision
from tests.on_box.form import Form

FORMED_BY = (test_electronics, test_tiles, test_vision)  # their tests are its rows


def empty_page() -> str:
    """Return the empty form of the reference box."""
    return Form(load_box("two-level-9")).empty_page()


if __name__ == "__main__":
    print(empty_page(), end="")
