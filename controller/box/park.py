"""Parking in a process of its own, `python -P -m controller.box.park`: systemd runs it whenever the daemon has ended.

The daemon is started again only after it: so it loads the bus and the header, and neither camera nor game nor command
line. It is `shutbox park` without a daemon that could be asked.
"""

import asyncio

from controller.box.real_firmware import switch_off
from controller.process import exit_in_words, start_log
from controller.settings import find_box_home, load_settings
from hardware.box import load_box


def main() -> None:
    """Let go of every servo of the box that the settings name."""
    start_log()
    with exit_in_words():
        home = find_box_home()
        settings = load_settings(home.settings)
        asyncio.run(switch_off(load_box(settings.box), settings, home))


if __name__ == "__main__":
    main()
