"""`shutbox mock-box` with instruments: `python -P -m tests.campaigns.live.mock_box` and the words of the command."""

import sys
from collections.abc import Mapping

from controller.box import remote_simulated
from controller.cli.main import main
from hardware.sim.server import Handler, box_handlers
from tests.support.watched_world import WatchedWorld, instruments


def all_handlers(world: WatchedWorld) -> Mapping[str, Handler]:
    return {**box_handlers(world), **instruments(world)}


if __name__ == "__main__":
    sys.argv[0] = "shutbox"
    vars(remote_simulated).update(RecordingWorld=WatchedWorld, box_handlers=all_handlers)
    main()
