"""Machines that QEMU emulates: a plain one that is called a Raspberry Pi 4, and a Pi 4 as far as QEMU has it."""

import os
import queue
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.pi.image import BOARD, CLOUD, DISK, edit_device_tree, make_initrd, program
from tests.pi.user_land import CACHE

MODEL = "Raspberry Pi 4 Model B Rev 1.5"
MEMORY = os.environ.get("MEMORY", "1G")  # of a machine that is no Pi: what the smallest one has that is recommended
# What a Pi's own firmware writes into the device tree; gpiozero asks for it. C03115: a Pi 4 of 4 GB.
_REVISION = ("-t", "x", "/system", "linux,revision", "c03115")
# What a Pi 4 has and QEMU's has not: its display, whose registers stop the kernel, and its second SD card
# controller. The card is at the first, where a Pi has its wireless chip, soldered.
_MISSING = (
    *("/gpu", "/emmc2bus/mmc@7e340000", "/soc/clock@7ef00000", "/soc/interrupt-controller@7ef00100"),
    *("/soc/hdmi@7ef00700", "/soc/hdmi@7ef05700", "/soc/i2c@7ef04500", "/soc/i2c@7ef09500"),
    *("/soc/hvs@7e400000", "/soc/txp@7e004000"),
    *(f"/soc/pixelvalve@7e{at}" for at in ("206000", "207000", "20a000", "216000")),
)
_CARD = "/soc/mmc@7e300000"
# Not the mini UART that is a Pi's console: QEMU's never stops to interrupt. On a Pi this one has the Bluetooth chip.
_CONSOLE = "/soc/serial@7e201000"
# Every instruction takes a nanosecond of the machine's own clock, about as on a Pi 4, and an idle processor waits for
# nothing: what is done in time there is so however busy this machine is.
BY_INSTRUCTIONS = ("-icount", "shift=0,sleep=off")


class Machine:
    """A machine that runs. Its console is read as it comes; `ask` runs commands where a shell waits at the console.

    Lifetime: `boot` makes it, and kills it at the end, as a power cut does.
    """

    def __init__(self, qemu: "subprocess.Popen[str]") -> None:
        self._qemu = qemu
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.said: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self._qemu.stdout or ():
            self._lines.put(line.rstrip("\r\n"))
        self._lines.put(None)

    def _lines_within(self, patience_s: float) -> Iterator[str]:
        """Yield the console's lines as they come, until the machine ends. Raises `TimeoutError`."""
        until_s = time.monotonic() + patience_s
        try:
            while (line := self._lines.get(timeout=max(0.0, until_s - time.monotonic()))) is not None:
                self.said.append(line)
                print(line, flush=True)
                yield line
        except queue.Empty:
            raise TimeoutError(f"{patience_s:.0f} s passed after: {self.said[-1:]}") from None

    def wait_for(self, wanted: str, patience_s: float) -> str:
        """Return the next line of the console in which the expression `wanted` is found. Raises `TimeoutError`."""
        for line in self._lines_within(patience_s):
            if re.search(wanted, line):
                return line
        raise TimeoutError(f"the machine ended before {wanted!r}")

    def until_it_ends(self, patience_s: float) -> list[str]:
        """Return all that the console says until the machine switches itself off. Raises `TimeoutError`."""
        return [*self.said, *self._lines_within(patience_s)]

    def ask(self, command: str, patience_s: float = 300.0) -> tuple[int, list[str]]:
        """Have the shell at the console run a line; return its exit status and what it said."""
        assert self._qemu.stdin is not None
        begun = len(self.said)
        self._qemu.stdin.write(f"{{ {command}; }} 2>&1; echo; echo 'status of the last command': $?\n")
        self._qemu.stdin.flush()
        end = self.wait_for(r"^status of the last command: \d+", patience_s)
        return int(end.rpartition(" ")[2]), [line for line in self.said[begun:-1] if line]


@contextmanager
def boot_plain(first: str, *options: str, words: str = "", disk: Path = DISK, keeps: bool = False) -> Iterator[Machine]:
    """Boot QEMU's plain arm64 machine with Debian's cloud kernel, one processor and 1 GB, up to the program `first`.

    words: more of the kernel's command line. keeps: what is written to the disk stays there.
    """
    [kernel] = (CACHE / "cloud").glob("usr/lib/modules/*")
    kind, tree = "virt,gic-version=3", CACHE / "plain.dtb"
    subprocess.run([*_qemu(f"{kind},dumpdtb={tree}")], check=True, capture_output=True)
    edit_device_tree(
        tree,
        ("-t", "s", "/", "model", MODEL),
        ("-t", "s", "/", "compatible", "raspberrypi,4-model-b", "brcm,bcm2711", "linux,dummy-virt"),
        ("-c", "/system"),
        _REVISION,
    )
    drive = f"file={disk},if=none,id=disk,format=raw,snapshot={'off' if keeps else 'on'}"
    command = [
        *_qemu(kind),
        *("-kernel", str(kernel / "vmlinuz"), "-initrd", str(make_initrd(kernel, CLOUD)), "-dtb", str(tree)),
        *("-drive", drive, "-device", "virtio-blk-pci,drive=disk", "-serial", "stdio"),
        *("-append", f"console=ttyAMA0 loglevel=3 panic=-1 first={first} {words}"),
        *options,
    ]
    with _run(command) as machine:
        yield machine


@contextmanager
def boot_board(
    first: str, *options: str, words: str = "", disk: Path = DISK, is_known: bool = True
) -> Iterator[Machine]:
    """Boot QEMU's Raspberry Pi 4 with Debian's kernel and device tree, one processor, up to the program `first`.

    QEMU 10 leads no interrupt of its bus and its header to the processor (hw/arm/bcm2838.c): transfers end by Linux's
    patience, and lines have no edges.

    words: more of the kernel's command line. is_known: the device tree has the revision code of the Pi's firmware.
    """
    [kernel] = (CACHE / "board").glob("usr/lib/modules/*")
    [plan] = (CACHE / "board").glob("usr/lib/linux-image-*/broadcom/bcm2711-rpi-4-b.dtb")
    [image] = (CACHE / "board" / "boot").glob("vmlinuz-*")
    tree = Path(shutil.copy(plan, CACHE / "board.dtb"))
    edit_device_tree(
        tree,
        *(("-t", "s", name, "status", "disabled") for name in _MISSING),
        *(("-d", _CARD, name) for name in ("mmc-pwrseq", "non-removable")),
        *(("-r", name) for name in (f"{_CARD}/wifi@1", f"{_CONSOLE}/bluetooth")),
        *((("-c", "/system"), _REVISION) if is_known else ()),
    )
    # One processor: where this machine has few, four are slower.
    command = [
        *_qemu("raspi4b"),
        *("-kernel", str(image), "-initrd", str(make_initrd(kernel, BOARD)), "-dtb", str(tree)),
        *("-drive", f"file={disk},if=sd,format=raw,snapshot=on", "-serial", "stdio"),
        *("-append", f"console=ttyAMA0 maxcpus=1 loglevel=3 panic=-1 first={first} {words}"),
        *options,
    ]
    with _run(command) as machine:
        yield machine


def _qemu(kind: str) -> list[str]:
    share = CACHE / "host" / "usr" / "share" / "qemu"
    board = ("-cpu", "cortex-a72", "-smp", "1", "-m", MEMORY) if kind.startswith("virt") else ()
    return [
        *program("qemu-system-aarch64"),
        *("-M", kind, *board, "-nodefaults", "-display", "none", "-no-reboot", "-L", str(share)),
    ]


@contextmanager
def _run(command: Sequence[str]) -> Iterator[Machine]:
    [libraries] = (CACHE / "host" / "usr" / "lib").glob("*-linux-gnu")
    surroundings = {**os.environ, "QEMU_MODULE_DIR": str(libraries / "qemu")}
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=surroundings,
    ) as qemu:
        try:
            yield Machine(qemu)
        finally:
            qemu.kill()
