"""`shutbox guard`: become the guard's process, which is `controller/box/guard.py`."""

import os
import sys

from controller.cli.options import BoxName, MockBox


def guard(mock_box: MockBox = False, box: BoxName = None) -> None:
    words = ["--mock-box"] * mock_box + (["--box", box] if box else [])
    # A guard stays small: it leaves the rest of this program behind.
    os.execv(sys.executable, [sys.executable, "-P", "-m", "controller.box.guard", *words])  # noqa: S606
