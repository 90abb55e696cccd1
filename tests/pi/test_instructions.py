"""How many instructions the program takes on arm64, within a tenth of what it took before.

They do not depend on this machine or its load. Where a change is meant to cost, or saves, the table is brought up to
date.
"""

import json

import cv2
import pytest

from tests.pi.image import make_disk
from tests.pi.instructions import THROW, TOLD
from tests.pi.machine import BY_INSTRUCTIONS, boot_plain
from tests.pi.user_land import TREE
from tools.scenes.random_scenes import simulated_throw

# Millions, Cortex-A72, Python 3.13.5 of Debian 13.
BEFORE = {"a reading": 511.7, "odds of a turn": 126.5, "18 tiles": 304.5, "a page": 74.4}
_PATIENCE_S = 3600.0


def test_nothing_takes_many_more_instructions_than_before(capsys: pytest.CaptureFixture[str]) -> None:
    place = TREE / THROW.relative_to("/")
    place.parent.mkdir(exist_ok=True)
    cv2.imwrite(str(place), simulated_throw(2, 2)[0])
    make_disk()
    with boot_plain("/shutbox/tests/pi/guest_init", *BY_INSTRUCTIONS, words="run=tests/pi/instructions.sh") as machine:
        told = machine.wait_for(f"^{TOLD}", _PATIENCE_S)
    with capsys.disabled():
        print(f"\nmillions of {told}", flush=True)
    assert json.loads(told.removeprefix(TOLD)) == pytest.approx(BEFORE, rel=0.1)
