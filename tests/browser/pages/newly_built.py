"""A box that has just been built, and the phone of the operator who sets it up."""

import re
from pathlib import Path

from hardware.box import profile_text
from tests.browser.box_process import BoxProcess
from tests.browser.box_thread import BoxThread
from tests.browser.pages.device import Device


def box_line(folder: Path) -> str:
    """The settings of a box with two rows of three, measured in a few minutes, whose profile lies in `folder`."""
    # With a name of its own: what is measured of it is not of the box that Two Level needs.
    text = profile_text("two-level-9").replace("columns = 9", "columns = 3").replace("two-level-9", "three-columns", 1)
    kept = [line for line in text.splitlines() if not re.match(r"(front|back)-[4-9] ", line)]
    file = folder / "three-columns.toml"
    file.write_text("\n".join(kept) + "\n", "utf-8")
    return f'box = "{file}"\n'


def pair(box: BoxThread | BoxProcess, phone: Device) -> Device:
    """Make this phone an operator's, as somebody at the box does who sees its number."""
    begun = phone.context.request.post(f"{box.url}/api/access/pairings", data={"name": "Ann"}).json()
    box.confirm(begun["pairing"]["number"])
    return phone
