"""Park in a process of its own, `python -P -m controller.box.park`: systemd runs it whenever the daemon has ended.

The systemd units of installed boxes name this module, also those of other versions: do not move it.

The daemon restarts only after this has ended, so it imports the bus and the header, but no camera, game or command
line. It does the same as `shutbox park` without a running daemon.
"""

import asyncio

from controller.box.real_firmware import switch_off
from controller.box.start import settings_at_start
from controller.runtime.home import find_box_home
from controller.runtime.log import start_log
from controller.runtime.output import exit_in_words
from hardware.box import load_box


def main() -> None:
    """Release every servo of the box in the settings."""
    start_log()
    with exit_in_words():
        home = find_box_home()
        settings = settings_at_start(home).known
        asyncio.run(switch_off(load_box(settings.box), settings, home))


if __name__ == "__main__":
    main()
