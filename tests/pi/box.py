"""A simulated box behind a kernel's own devices: its bus is /dev/i2c-1 by CUSE, its header a gpiochip of gpio-sim.

The chip is called as a Raspberry Pi 4's (`Documentation/admin-guide/gpio/gpio-sim.rst` of Linux). What the box pulls
is written to a line's `pull` in the thread in which it happens, so that a line has its level before the transfer ends
that made an expander pull it. gpio-sim tells nobody what a program drives: that is looked at.
"""

import os
import select
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path

import gpiod

from firmware.pi.pins import open_pin_factory
from firmware.sim.i2c import chips_on
from firmware.wire import PinFactory
from hardware.box import load_box
from hardware.sim.recorder import RecordingWorld
from hardware.sim.server import box_handlers, open_server
from hardware.wires import GpioPin
from tests.kernel.box import BOX, DEVICE, SEED, reset_handlers
from tests.kernel.cuse import serve_device
from tests.kernel.i2c_device import I2CDevice
from tests.support.true_box import fail_at_once

LABEL = "pinctrl-bcm2711"
_CHIP = Path("/sys/kernel/config/gpio-sim/header")
_LINES = 58  # of a BCM2711; the first 28 lead to the header, and 2 and 3 of these are the bus
_HEADER = range(4, 28)
_LOOKS_S = 0.002  # from a line to the servos: their pulses come every 20 ms
_PASSES_S = 0.02


def main(place: Path, is_there: Connection | None = None, store: Path | None = None) -> None:
    """Serve the box at `place`, its bus and its header as devices, until this process ends.

    store: where its tiles are kept, as wood keeps them while the power is out.
    """
    box = load_box(BOX)
    world = RecordingWorld(box, time.monotonic, SEED, store)
    driven = [wire for wire in (box.panel.output_enable, box.panel.led, box.panel.speaker) if wire is not None]
    lines, device = make_chip(LABEL)
    with ExitStack() as open_files, open_server(place, {**box_handlers(world), **reset_handlers(world)}, {}) as server:
        pulls = {number: _puller(open_files, lines / f"sim_gpio{number}" / "pull") for number in _HEADER}
        for number, pull in pulls.items():
            if GpioPin(number) not in driven:
                world.watch_line(GpioPin(number), pull)
        threading.Thread(target=_follow, args=(world, lines, device, pulls), daemon=True).start()
        threading.Thread(target=server.serve_forever, daemon=True).start()

        def tell() -> None:
            if is_there is not None:
                is_there.send(True)

        serve_device(DEVICE.name, I2CDevice(chips_on(world, fail_at_once)), tell)


def make_chip(label: str) -> tuple[Path, Path]:
    """Make a gpiochip of that label in place of the last box's; return the folder of its lines, and its device."""
    with suppress(FileNotFoundError):
        (_CHIP / "live").write_text("0")
        for folder in (*(_CHIP / "bank0").glob("line*"), _CHIP / "bank0", _CHIP):
            folder.rmdir()
    bank = _CHIP / "bank0"
    bank.mkdir(parents=True)
    (bank / "num_lines").write_text(str(_LINES))
    (bank / "label").write_text(label)
    (_CHIP / "live").write_text("1")
    chip = (bank / "chip_name").read_text().strip()
    return Path("/sys/devices/platform") / (_CHIP / "dev_name").read_text().strip() / chip, Path("/dev") / chip


def _puller(open_files: ExitStack, place: Path) -> Callable[[bool], None]:
    file = open_files.enter_context(place.open("w", buffering=1))
    return lambda high: print("pull-up" if high else "pull-down", file=file)


def _follow(world: RecordingWorld, lines: Path, device: Path, pulls: Mapping[int, Callable[[bool], None]]) -> None:
    """Tell the world what is driven, and let its time pass, so that fingers and tiles move on while nobody asks.

    A program that claims an input with a pull-up changes gpio-sim's own pull: what the box pulls is stronger.
    """
    driven: dict[int, bool | None] = {}
    passed_s = time.monotonic()
    with ExitStack() as open_files, gpiod.Chip(str(device)) as chip:
        values = {
            number: open_files.enter_context((lines / f"sim_gpio{number}" / "value").open("rb")) for number in pulls
        }
        claimed = [chip.watch_line_info(number) for number in pulls]
        while True:
            for info in claimed:
                if info.direction is gpiod.line.Direction.OUTPUT:
                    driven.setdefault(info.offset)
                else:
                    if driven.pop(info.offset, None) is not None:
                        world.set_line(GpioPin(info.offset), None)
                    pulls[info.offset](world.level(GpioPin(info.offset)))
            for number, before in driven.items():
                level = os.pread(values[number].fileno(), 1, 0) == b"1"
                if before is not level:
                    driven[number] = level
                    world.set_line(GpioPin(number), level)
            if (now_s := time.monotonic()) - passed_s > _PASSES_S:
                passed_s = now_s
                world.catch_up()
            comes = select.select((chip.fd,), (), (), _LOOKS_S if driven else _PASSES_S)[0]
            claimed = [chip.read_info_event().line_info] if comes else []


@contextmanager
def open_header(_place: Path) -> Iterator[Callable[[], PinFactory]]:
    """How the program opens the header of this box: as on a Pi."""
    yield lambda: open_pin_factory("lgpio")


if __name__ == "__main__":
    main(Path(sys.argv[1]), store=Path(sys.argv[2]))
