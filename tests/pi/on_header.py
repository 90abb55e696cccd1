"""The firmware on a kernel's own header: `firmware.pi`, gpiozero and lgpio, unmodified, on a gpiochip of gpio-sim.

Not collected by `make test`: `make test-pi` runs it in an emulated machine, after `tests/kernel/on_device.py`.
"""

import asyncio
import gc
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import gpiod
import pytest

from controller.game.table.snapshot import Snapshot
from controller.runtime.home import find_home
from firmware.box_io import Firmware, open_panel
from firmware.errors import DeviceMissing, GuardGone
from firmware.panel import ButtonPressed, LidClosed, LidOpened, Light
from firmware.pi.pins import find_header_chip, open_pin_factory
from hardware.box import load_box
from hardware.errors import Fault
from hardware.tiles import Position
from hardware.wires import GpioPin
from tests.kernel.box import BOX
from tests.kernel.on_device import (
    FIVE,
    FRONT_7,
    LONGEST_STALL_S,
    OPEN,
    SHUT,
    KernelBox,
    bring,
    hold,
    play,
    until,
    until_driven,
)
from tests.kernel.on_device import box as box
from tests.pi.box import LABEL, make_chip
from tests.pi.play import play as play_game

PANEL = load_box(BOX).panel
OE = PANEL.output_enable
_SOON_S = 0.5  # an edge that is missed is found when somebody looks, after a second or more
_COMES_S = 60.0
_TRACE, _CHIPS = Path("/sys/kernel/tracing"), Path("/sys/class/gpio")
_SHUTBOX = "from controller.cli.main import main; main()"


def tip_to_and_fro(box: KernelBox) -> None:
    """Have a hand tip a tile down, if it stands, and up again: each time an edge tells of it."""

    async def story(firmware: Firmware) -> None:
        assert firmware.has_edges
        seen = (await firmware.bank.look())[FRONT_7]
        for position in (OPEN, SHUT, OPEN) if seen is Position.SHUT else (SHUT, OPEN):
            asked = asyncio.create_task(firmware.bank.wait_for_change(_COMES_S))
            await asyncio.sleep(0)
            began_s = time.monotonic()
            box.ask("tip", tile=str(FRONT_7), position=position)
            await asked
            assert time.monotonic() - began_s < _SOON_S
            assert (await firmware.bank.look())[FRONT_7] is Position(position)

    play(box, story)


def test_hands_are_told_by_edges(box: KernelBox) -> None:
    tip_to_and_fro(box)


def test_edges_come_in_a_header_that_is_opened_again(box: KernelBox) -> None:
    """The last header was closed while the expanders' line changed."""

    async def close_amid_edges(firmware: Firmware) -> None:
        box.ask("tip", tile=str(FRONT_7), position=SHUT)

    play(box, close_amid_edges)
    tip_to_and_fro(box)


def test_button_and_lid_are_told_by_edges(box: KernelBox) -> None:
    async def story() -> None:
        with open_panel(load_box(BOX), lambda: open_pin_factory("lgpio")) as panel:
            assert panel.has_edges
            began_s = time.monotonic()
            box.ask("press", seconds=0.2)
            assert await panel.next_event() == ButtonPressed(long=False)
            box.ask("lid", state="closed")
            assert isinstance(await panel.next_event(), LidClosed)
            assert panel.lid_is_closed
            box.ask("lid", state="open")
            assert isinstance(await panel.next_event(), LidOpened)
            assert time.monotonic() - began_s < 2 * _SOON_S

    asyncio.run(asyncio.wait_for(story(), _COMES_S))


def test_a_lid_that_is_down_from_the_start_is_seen(box: KernelBox) -> None:
    async def story() -> None:
        with open_panel(load_box(BOX), lambda: open_pin_factory("lgpio")) as panel:
            await asyncio.sleep(_SOON_S)  # gpio-sim takes the pull-up that is asked for as the box's own, for a moment
            assert panel.lid_is_closed

    box.ask("lid", state="closed")
    until(lambda: not is_high(box, PANEL.lid))
    asyncio.run(story())


def test_the_lamp_shines(box: KernelBox) -> None:
    async def story() -> None:
        with open_panel(load_box(BOX), lambda: open_pin_factory("lgpio")) as panel:
            for light, shines in ((Light.STEADY, True), (Light.OFF, False)):
                panel.show(light)
                until(lambda shines=shines: is_high(box, PANEL.led) is shines)  # type: ignore[misc]

    asyncio.run(story())


def is_high(box: KernelBox, wire: GpioPin | None) -> bool:
    return bool(box.ask("line", line=str(wire))["high"])


def test_pulses_are_off_from_the_moment_the_line_is_claimed(box: KernelBox) -> None:
    """What the kernel itself was told of /OE: high from the claim to the first move, and again from the last."""

    async def story(firmware: Firmware) -> None:
        await bring(box, firmware, FRONT_7, to=SHUT)

    with traced_levels() as levels:
        play(box, story)
    assert levels[0] == "1"
    assert "0" in levels
    assert levels[-1] == "1"


def test_a_line_that_another_program_holds_is_named_with_its_holder(box: KernelBox) -> None:
    async def story(firmware: Firmware) -> None:
        await bring(box, firmware, FRONT_7, to=SHUT)

    for wire in (OE, PANEL.button, PANEL.expander_interrupt):
        assert wire is not None
        with gpiod.request_lines(f"/dev/gpiochip{find_header_chip()}", {wire.number: None}, "kettle"):
            refused = refusal(box, story)
            assert refused is not None
            assert (refused.part, refused.seen) == (str(wire), "held by kettle")
        gc.collect()  # gpiozero reserves a line until what could not have it is gone
    assert refusal(box, story) is None


def refusal(box: KernelBox, story: Callable[[Firmware], Awaitable[None]]) -> Fault | None:
    """Play a story; return why its header cannot be had."""
    try:
        play(box, story)
    except DeviceMissing as error:
        return error.fault
    return None


def test_a_chip_of_another_label_is_no_header() -> None:
    make_chip("pinctrl-kettle")
    with pytest.raises(DeviceMissing) as caught:
        find_header_chip()
    assert "pinctrl-kettle" in caught.value.fault.seen
    assert "pinctrl-bcm2711" in caught.value.fault.expected


@pytest.fixture
def guard(box: KernelBox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Iterator[subprocess.Popen[str]]":
    """The guard, in a process of its own as on a Pi; it has the line of /OE."""
    monkeypatch.setenv("SHUTBOX_HOME", str(tmp_path))
    with subprocess.Popen([sys.executable, "-m", "controller.box.guard"], text=True) as process:
        until(lambda: find_home().guard_socket.exists())
        yield process
        process.kill()


def test_the_guard_lets_pulses_pass_while_tiles_move(box: KernelBox, guard: "subprocess.Popen[str]") -> None:
    async def story(firmware: Firmware) -> None:
        await bring(box, firmware, *FIVE, to=SHUT)

    play(box, story, find_home().guard_socket)
    assert not box.ask("look")["enabled"]
    assert guard.poll() is None


def test_a_killed_guard_takes_every_pulse_with_it(box: KernelBox, guard: "subprocess.Popen[str]") -> None:
    async def story(firmware: Firmware) -> None:
        move = asyncio.create_task(bring(box, firmware, FRONT_7, to=SHUT))
        await until_driven(box, FRONT_7, move)
        guard.kill()
        with pytest.raises(GuardGone):
            await move
        assert box.is_quiet()

    hold(box, FRONT_7)
    play(box, story, find_home().guard_socket)


def test_the_guard_cuts_the_pulses_of_a_daemon_that_hangs(box: KernelBox, guard: "subprocess.Popen[str]") -> None:
    hold(box, FRONT_7)
    with subprocess.Popen([sys.executable, "-c", _DRIVES, str(box.place), str(find_home().guard_socket)]) as daemon:
        until(lambda: box.ask("look")["pulses_us"] and box.ask("look")["enabled"])
        daemon.send_signal(signal.SIGSTOP)
        stopped_s = time.monotonic()
        until(box.is_quiet)
        assert time.monotonic() - stopped_s < LONGEST_STALL_S
        daemon.kill()


_DRIVES = """
import asyncio, sys
from pathlib import Path
from tests.kernel.on_device import FRONT_7, SHUT, KernelBox, bring, play
box = KernelBox(Path(sys.argv[1]))
play(box, lambda firmware: bring(box, firmware, FRONT_7, to=SHUT), Path(sys.argv[2]))
"""


def test_two_turns_are_played_by_the_whole_program(box: KernelBox, guard: "subprocess.Popen[str]") -> None:
    """Daemon and guard as on a Pi; its camera shows an empty field, the dice are typed."""

    def throw(snapshot: Snapshot) -> tuple[int, ...]:
        return (6, 6) if 2 in snapshot.dice_allowed else (1 + snapshot.event % 2,)

    find_home().settings.write_text('camera = "files:/film/frames"\n')
    with subprocess.Popen([sys.executable, "-c", _SHUTBOX, "run", "--anyway"]) as daemon:
        until(lambda: find_home().socket.exists())
        game = play_game(find_home().socket, throw, lambda each: each.phase == "ended")
        asyncio.run(asyncio.wait_for(game, 20 * _COMES_S))
        assert SHUT in box.positions()
        daemon.send_signal(signal.SIGTERM)
        assert daemon.wait(_COMES_S) == 0
    assert box.is_quiet()
    assert guard.poll() is None


@contextmanager
def traced_levels() -> "Iterator[list[str]]":
    """The levels that the kernel sets on the line of /OE inside the block, in their order; complete after it."""
    levels: list[str] = []
    (_TRACE / "trace").write_text("")
    (_TRACE / "events/gpio/gpio_value/enable").write_text("1")
    try:
        yield levels
    finally:
        (_TRACE / "events/gpio/gpio_value/enable").write_text("0")
    # "gpio_value: 542 set 1", by the kernel's own numbers.
    [chip] = [label.parent for label in _CHIPS.glob("gpiochip*/label") if label.read_text().strip() == LABEL]
    is_set = [str(int((chip / "base").read_text()) + OE.number), "set"]
    told = [line.rpartition("gpio_value: ")[2].split() for line in (_TRACE / "trace").read_text().splitlines()]
    levels += [words[2] for words in told if words[:2] == is_set]
