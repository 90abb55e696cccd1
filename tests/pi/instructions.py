"""In a machine whose clock counts instructions: how many millions the program takes for what people wait for, as JSON.

A process's time there is its instructions, and the kernel's on its behalf, whatever else this or that machine does.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from controller.odds.shutbox.advice import odds_of
from controller.odds.shutbox.aim import Aim
from controller.rules.shutbox.ruleset import rules_of
from controller.rules.throw import Throw
from firmware.box_io import Firmware
from firmware.messages import TileCommand
from hardware.box import load_box
from hardware.tiles import Position
from tests.kernel.box import BOX
from tests.kernel.on_device import OPEN, SHUT, TILES, in_time, new_box, play, until
from vision.capture.files import load_picture
from vision.reader.reader import read_dice
from vision.reading import Reading

TOLD = "instructions: "
THROW = Path("/film/throw.png")
_PAGE, _PAGES = "http://box/start", 10
_TIMES = 8
_RUN = "from controller.cli.main import main; main()"


def main() -> None:
    """Measure and tell."""
    with TemporaryDirectory() as folder:
        told = {
            "a reading": reading(),
            "odds of a turn": odds(),
            "18 tiles": tiles(Path(folder)),
            "a page": page(Path(folder)),
        }
    print(TOLD + json.dumps({name: round(count, 1) for name, count in told.items()}))


def millions(work: Callable[[], object]) -> float:
    """Return the millions of instructions of this process for a piece of work."""
    before_ns = time.process_time_ns()
    work()
    return (time.process_time_ns() - before_ns) / 1e6


def reading() -> float:
    """A picture of two dice, where one has been read before."""
    box, pixels = load_box(BOX), load_picture(THROW)
    assert not isinstance(pixels, Reading)

    def read() -> None:
        read_dice(pixels, layout=box.field, die_mm=box.die_mm)

    read()
    return millions(read)


def odds() -> float:
    """The best move of Two Level's first throw, by odds that have to be worked out first."""
    rules = rules_of("two-level")
    throw = Throw((5, 3))
    return millions(lambda: odds_of(rules).after(rules.start(), throw, Aim("score")))


def tiles(folder: Path) -> float:
    """All tiles of the box down and up again, without the box itself: the least of several times.

    How often the tiles are looked at on the way depends on the box, another process, which answers now sooner and now
    later: half as many instructions again were counted in the same machine.
    """
    counts: list[float] = []

    async def story(firmware: Firmware) -> None:
        async def bring_all(to: Position) -> float:
            before_ns = time.process_time_ns()
            await firmware.bank.execute([TileCommand(tile, to) for tile in TILES])
            return (time.process_time_ns() - before_ns) / 1e6

        for _ in range(_TIMES):
            down, up = [await in_time(box, partial(bring_all, to)) for to in (SHUT, OPEN)]
            counts.append(down + up)

    with new_box(folder / "box.sock") as box:
        play(box, story)
    return min(counts)


def page(folder: Path) -> float:
    """The page that newcomers see first, of a daemon at rest, by its own socket."""
    (folder / "settings.toml").write_text('camera = "files:/film/frames"\n')
    surroundings = {**os.environ, "SHUTBOX_HOME": str(folder)}
    with (
        new_box(folder / "box.sock"),
        subprocess.Popen([sys.executable, "-c", _RUN, "run", "--anyway"], env=surroundings) as daemon,
        httpx.Client(transport=httpx.HTTPTransport(uds=str(folder / "shutbox.sock")), timeout=60.0) as asks,
    ):
        until((folder / "shutbox.sock").exists)
        clock = (~daemon.pid << 3) | 2  # man 3 clock_getcpuclockid: the processor time of another process
        asks.get(_PAGE).raise_for_status()
        before_ns = time.clock_gettime_ns(clock)
        for _ in range(_PAGES):
            asks.get(_PAGE).raise_for_status()
        count = (time.clock_gettime_ns(clock) - before_ns) / 1e6 / _PAGES
        daemon.kill()
    return count


if __name__ == "__main__":
    main()
