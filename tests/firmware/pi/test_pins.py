"""The header through gpiozero's own factories: /OE, lines that are held, lines without edges, and lgpio's folder."""

import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from gpiozero import DigitalInputDevice, DigitalOutputDevice
from gpiozero.exc import PinUnknownPi

from firmware.errors import DeviceMissing, LibraryMissing
from firmware.guard.line import OutputEnableLine
from firmware.header import claim_line
from firmware.pi.pins import open_pin_factory
from firmware.wire import PinFactory
from hardware.wires import GpioPin
from tests.support.recorders.installed import install_lgpio, install_rpigpio
from tests.support.recorders.lines import HeaderLines

OE = GpioPin(22)
HANDLE = 1  # of chip 0, in the recorder
NO_PULL, PULL_UP = 128, 32  # lgpio.SET_PULL_NONE, SET_PULL_UP
IN, OUT, PUD_OFF = 1, 0, 20  # RPi.GPIO.IN, OUT, PUD_OFF

LIBRARIES = [("lgpio", install_lgpio), ("rpigpio", install_rpigpio)]
Install = Callable[[pytest.MonkeyPatch, HeaderLines], object]


def use(library: str, install: Install, monkeypatch: pytest.MonkeyPatch, lines: HeaderLines) -> PinFactory:
    """The header of a process that has just begun."""
    install(monkeypatch, lines)
    return open_pin_factory("lgpio" if library == "lgpio" else "rpigpio")


def enable_once(pins: PinFactory) -> None:
    guard = OutputEnableLine(OE, pins)
    guard.enable()
    guard.close()
    pins.close()


@pytest.mark.parametrize(("library", "install"), LIBRARIES)
def test_no_pulse_passes_before_it_may_nor_after(
    library: str, install: Install, monkeypatch: pytest.MonkeyPatch, lines: HeaderLines
) -> None:
    """/OE is low for pulses: what a killed process left low goes high with the first claim, and low with `enable`."""
    lines.drive(OE.number, 0)
    lines.levels.clear()
    pins = use(library, install, monkeypatch, lines)
    guard = OutputEnableLine(OE, pins)
    passing = [guard.enabled]
    assert set(lines.levels.pop(OE.number)) == {1}
    guard.enable()
    passing.append(guard.enabled)
    assert lines.levels.pop(OE.number) == [0]
    guard.cut()
    passing.append(guard.enabled)
    assert passing == [False, True, False]
    guard.close()
    pins.close()
    assert set(lines.levels[OE.number]) == {1}
    assert not lines.is_driven(OE.number)


def test_the_calls_for_the_output_enable_line_on_lgpio(monkeypatch: pytest.MonkeyPatch, lines: HeaderLines) -> None:
    calls = install_lgpio(monkeypatch, lines)
    enable_once(open_pin_factory("lgpio"))
    assert calls.of(OE.number) == [
        ("gpio_claim_input", (HANDLE, 22, NO_PULL)),
        ("gpio_claim_output", (HANDLE, 22, 1, NO_PULL)),
        ("gpio_write", (HANDLE, 22, 0)),
        ("gpio_write", (HANDLE, 22, 1)),
        ("gpio_claim_input", (HANDLE, 22, NO_PULL)),
        ("gpio_claim_input", (HANDLE, 22, NO_PULL)),
    ]
    assert [name for name, _ in calls.calls if name.startswith("gpiochip")] == ["gpiochip_open", "gpiochip_close"]


def test_the_calls_for_the_output_enable_line_on_rpigpio(monkeypatch: pytest.MonkeyPatch, lines: HeaderLines) -> None:
    calls = install_rpigpio(monkeypatch, lines)
    enable_once(open_pin_factory("rpigpio"))
    assert calls.of(OE.number) == [
        ("setup", (22, IN, PUD_OFF, -1)),
        ("setup", (22, OUT, PUD_OFF, 1)),
        ("output", (22, 0)),
        ("output", (22, 1)),
        ("cleanup", (22,)),
        ("cleanup", (22,)),
    ]
    assert [name for name, _ in calls.calls][-1] == "cleanup"


def test_gpiozeros_own_pin_lets_pulses_pass_for_a_moment(monkeypatch: pytest.MonkeyPatch, lines: HeaderLines) -> None:
    """Why there is a pin class of our own; where this fails, gpiozero was mended and it can go."""
    install_lgpio(monkeypatch, lines)
    from gpiozero.pins.lgpio import LGPIOFactory

    pins = LGPIOFactory(0)
    OutputEnableLine(OE, pins).close()
    pins.close()
    assert 0 in lines.levels[OE.number]


@pytest.mark.parametrize(("library", "install"), LIBRARIES)
def test_an_input_hears_both_edges_with_its_pull_up(
    library: str, install: Install, monkeypatch: pytest.MonkeyPatch, lines: HeaderLines
) -> None:
    pins = use(library, install, monkeypatch, lines)
    line = DigitalInputDevice(4, pull_up=True, pin_factory=pins)
    heard: list[str] = []
    line.when_activated = lambda: heard.append("low")
    line.when_deactivated = lambda: heard.append("high")
    for low in (True, False, True):
        lines.pull(4, low)
        assert line.is_active is low
    assert heard == ["low", "high", "low"]
    line.close()
    pins.close()
    lines.pull(4, False)
    assert len(heard) == 3


def test_an_input_of_lgpio_is_claimed_with_its_pull_up_before_its_edges(
    monkeypatch: pytest.MonkeyPatch, lines: HeaderLines
) -> None:
    calls = install_lgpio(monkeypatch, lines)
    pins = open_pin_factory("lgpio")
    line = DigitalInputDevice(4, pull_up=True, pin_factory=pins)
    claims = [call for call in calls.of(4) if call[0] in ("gpio_claim_input", "gpio_claim_alert", "gpio_free")]
    assert claims[-3:] == [
        ("gpio_free", (HANDLE, 4)),
        ("gpio_claim_input", (HANDLE, 4, PULL_UP)),
        ("gpio_claim_alert", (HANDLE, 4, 3, PULL_UP, None)),
    ]
    line.close()
    pins.close()


@pytest.mark.parametrize(
    ("holder", "cure"),
    [
        ("spi0 CS0", "Switch SPI off"),
        ("onewire@0", "Switch 1-Wire off"),
        ("lg", "a second shutbox or its guard"),
        ("gpio-fan", "overlay"),
        ("", "overlay"),
    ],
)
def test_a_line_that_somebody_holds_is_named_with_its_holder(
    monkeypatch: pytest.MonkeyPatch, lines: HeaderLines, holder: str, cure: str
) -> None:
    lines.holders[OE.number] = holder
    install_lgpio(monkeypatch, lines)
    pins = open_pin_factory("lgpio")
    with pytest.raises(DeviceMissing) as caught:
        OutputEnableLine(OE, pins)
    fault = caught.value.fault
    assert (fault.code, fault.part, fault.expected) == ("H-207", "GPIO22", "the line of /OE, free to use")
    assert fault.seen == f"held by {holder or 'another program'}"
    assert cure in fault.cure
    pins.close()


@pytest.mark.parametrize(
    ("refusal", "cure"),
    [
        ("No access to /dev/mem.  Try running as root!", "group gpio"),
        ("Cannot determine SOC peripheral base address", 'pins = "lgpio"'),
    ],
)
def test_registers_that_cannot_be_reached_are_the_headers_fault(
    monkeypatch: pytest.MonkeyPatch, lines: HeaderLines, refusal: str, cure: str
) -> None:
    install_rpigpio(monkeypatch, lines, refusal)
    pins = open_pin_factory("rpigpio")
    with pytest.raises(DeviceMissing) as caught:
        OutputEnableLine(OE, pins)
    assert (caught.value.fault.part, caught.value.fault.seen) == ("header", refusal)
    assert cure in caught.value.cure
    pins.close()


def test_what_lgpio_refuses_without_a_reason_keeps_its_words(
    monkeypatch: pytest.MonkeyPatch, lines: HeaderLines
) -> None:
    recorder = install_lgpio(monkeypatch, lines)
    pins = open_pin_factory("lgpio")

    def refuse(*_words: object) -> int:
        raise recorder.error("unexpected error")

    monkeypatch.setattr(recorder, "gpio_claim_input", refuse)
    said = "GPIO25: expected the lamp, free to use, seen 'unexpected error'"
    with pytest.raises(DeviceMissing, match=said), claim_line(GpioPin(25), "the lamp"):
        DigitalOutputDevice(25, pin_factory=pins)
    pins.close()


def test_a_chip_that_does_not_open_is_named(monkeypatch: pytest.MonkeyPatch, lines: HeaderLines) -> None:
    install_lgpio(monkeypatch, lines, chips=())
    with pytest.raises(DeviceMissing) as caught:
        open_pin_factory("lgpio")
    assert (caught.value.fault.part, caught.value.fault.seen) == ("header", "'can not open gpiochip'")


@pytest.mark.parametrize(("library", "install"), LIBRARIES)
def test_a_pi_whose_model_nobody_tells_is_named(
    library: str, install: Install, monkeypatch: pytest.MonkeyPatch, lines: HeaderLines
) -> None:
    """Started by U-Boot or EFI with Debian's device tree, it has no revision code."""

    def untold() -> int:
        raise PinUnknownPi("unable to locate Pi revision in /proc/device-tree or /proc/cpuinfo")

    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", untold)
    with pytest.raises(DeviceMissing) as caught:
        use(library, install, monkeypatch, lines)
    assert (caught.value.fault.part, "locate Pi revision" in caught.value.fault.seen) == ("header", True)
    assert "device tree" in caught.value.cure


def test_edges_go_on_after_a_line_was_closed(monkeypatch: pytest.MonkeyPatch, lines: HeaderLines) -> None:
    """lgpio tells all edges of the process in one thread, which ends with the first error: gpiozero's own pins leave
    their callbacks there, and these fail once their line or its header is closed.
    """
    pins = use("lgpio", install_lgpio, monkeypatch, lines)
    line = DigitalInputDevice(4, pull_up=True, pin_factory=pins)
    on_its_way = line.pin._call_when_changed
    line.close()
    del line
    gc.collect()
    assert not lines.is_watched(4)
    on_its_way(HANDLE, 4, 0, 0)
    pins.close()
    on_its_way(HANDLE, 4, 1, 0)


def test_an_empty_lgpio_counts_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no wheel, pip takes lgpio 0.0.0.2: a module without content."""
    monkeypatch.setitem(sys.modules, "lgpio", ModuleType("lgpio"))
    with pytest.raises(LibraryMissing) as caught:
        open_pin_factory("lgpio")
    assert "lgpio 0.2.2" in caught.value.fault.expected


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.setitem(sys.modules, "RPi", None)
    with pytest.raises(LibraryMissing) as caught:
        open_pin_factory("lgpio")
    assert (caught.value.code, "-e '.[pi]'" in caught.value.cure) == ("H-206", True)
    assert "lgpio" in caught.value.fault.expected
    with pytest.raises(LibraryMissing) as caught:
        open_pin_factory("rpigpio")
    assert "RPi.GPIO" in caught.value.fault.expected
    assert "-e '.[rpigpio]'" in caught.value.cure


def test_rpigpio_needs_no_lgpio(monkeypatch: pytest.MonkeyPatch, lines: HeaderLines) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    calls = install_rpigpio(monkeypatch, lines)
    open_pin_factory("rpigpio").close()
    assert [name for name, _ in calls.calls] == ["setmode", "setwarnings", "cleanup"]


def test_rpigpio_off_a_pi_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """RPi.GPIO raises RuntimeError while it is imported."""

    class Refusing(ModuleType):
        def __getattr__(self, name: str) -> object:
            raise RuntimeError("This module can only be run on a Raspberry Pi!")

    monkeypatch.setitem(sys.modules, "RPi", Refusing("RPi"))
    with pytest.raises(DeviceMissing) as caught:
        open_pin_factory("rpigpio")
    assert "Raspberry Pi" in caught.value.fault.seen


# A stand-in that does while it is imported what lgpio does: it makes its pipe, and opens it by its bare name.
PIPE_MAKER = """
import os
os.chdir(os.environ.get("LG_WD", "."))
os.mkfifo(".lgd-nfy0")
pipe = os.open(".lgd-nfy0", os.O_RDWR)
"""


@pytest.fixture
def pipe_maker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "library").mkdir()
    (tmp_path / "library/lgpio.py").write_text(PIPE_MAKER)
    monkeypatch.syspath_prepend(str(tmp_path / "library"))
    monkeypatch.setitem(sys.modules, "lgpio", ModuleType("lgpio"))
    del sys.modules["lgpio"]
    monkeypatch.delenv("LG_WD", raising=False)
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


def test_lgpio_leaves_no_pipe_where_the_program_was_started(pipe_maker: Path) -> None:
    # The stand-in has nothing but its pipe.
    with pytest.raises(LibraryMissing):
        open_pin_factory("lgpio")
    assert list(pipe_maker.iterdir()) == []
    assert Path.cwd() == pipe_maker
    os.close(sys.modules["lgpio"].pipe)


def test_a_folder_that_lgpio_is_sent_to_in_vain_is_named(pipe_maker: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LG_WD", "/nowhere")
    with pytest.raises(DeviceMissing) as caught:
        open_pin_factory("lgpio")
    assert caught.value.fault.seen == "LG_WD=/nowhere"
    assert "LG_WD out of the environment" in caught.value.cure
    assert Path.cwd() == pipe_maker


def test_a_computer_without_room_for_lgpios_pipe_says_so(monkeypatch: pytest.MonkeyPatch, lines: HeaderLines) -> None:
    def refuse(**_words: object) -> object:
        raise FileNotFoundError(2, "No usable temporary directory found in ['/tmp']")

    install_lgpio(monkeypatch, lines)
    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.setattr("firmware.pi.pins.TemporaryDirectory", refuse)
    with pytest.raises(DeviceMissing) as caught:
        open_pin_factory("lgpio")
    assert "No usable temporary directory" in caught.value.fault.seen
    assert "let this user write" in caught.value.cure
