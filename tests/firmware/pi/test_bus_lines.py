"""The bus's wires by `pinctrl`: taken, clocked and given back, against a stand-in that answers as raspi-utils does."""

import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pytest

from firmware.drivers.bus_clear import clear_bus
from firmware.pi.bus_lines import PinctrlLines


class Pinctrl:
    """Two lines with pull-ups, whose data a chip holds until it has got so many clocks; `said` has every call."""

    def __init__(self, clocks: int, alternative: str) -> None:
        self.functions = {2: alternative, 3: alternative}
        self.said: list[str] = []
        self.missing = False
        self._clocks = clocks

    def run(self, call: Sequence[str], **_options: Any) -> subprocess.CompletedProcess[str]:
        name, verb, lines, *words = call
        assert name == "pinctrl"
        if self.missing:
            raise FileNotFoundError(2, "No such file or directory", name)
        self.said.append(" ".join(call[1:]))
        told = ""
        for line in map(int, lines.split(",")):
            if verb == "set":
                self._set(line, words[0])
            level = "hi" if self._is_high(line) else "lo"
            told += f"{line:2d}: {self.functions[line]}    pu | {level} // GPIO{line} = {('SDA1', 'SCL1')[line - 2]}\n"
        return subprocess.CompletedProcess(call, 0, told if verb == "get" else "", "")

    def _set(self, line: int, function: str) -> None:
        if line == 3 and self.functions[3] == "op" and function == "ip":
            self._clocks -= 1
        self.functions[line] = function

    def _is_high(self, line: int) -> bool:
        return self.functions[line] != "op" and not (line == 2 and self._clocks > 0)


@pytest.fixture
def pinctrl(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Pinctrl:
    stand_in = Pinctrl(*getattr(request, "param", (4, "a0")))
    monkeypatch.setattr(subprocess, "run", stand_in.run)
    return stand_in


@pytest.mark.parametrize(
    ("pinctrl", "is_cleared"), [((4, "a0"), True), ((9, "a3"), True), ((20, "a0"), False)], indirect=["pinctrl"]
)
def test_the_wires_are_clocked_and_go_back_to_their_controller(pinctrl: Pinctrl, is_cleared: bool) -> None:
    before = dict(pinctrl.functions)
    with PinctrlLines() as lines:
        assert clear_bus(lines) is is_cleared
    assert pinctrl.functions == before
    assert pinctrl.said[:2] == ["get 2,3", "set 2,3 ip dl"], "nobody ever drives a wire high"
    assert not any("dh" in said for said in pinctrl.said)


def test_the_wires_go_back_whatever_happens(pinctrl: Pinctrl) -> None:
    with suppress(ZeroDivisionError), PinctrlLines() as lines:
        lines.hold_clock(low=True)
        assert pinctrl.functions[3] == "op"
        raise ZeroDivisionError
    assert pinctrl.functions == {2: "a0", 3: "a0"}


def test_without_the_command_it_is_an_error_and_nothing_is_touched(pinctrl: Pinctrl) -> None:
    pinctrl.missing = True
    with pytest.raises(FileNotFoundError), PinctrlLines():
        pytest.fail("there is no such command")
    assert pinctrl.said == []


@pytest.mark.parametrize(
    "error", [subprocess.CalledProcessError(1, "pinctrl"), subprocess.TimeoutExpired("pinctrl", 0.5)]
)
def test_a_command_that_fails_is_an_os_error(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fail(*_call: object, **_options: object) -> None:
        raise error

    monkeypatch.setattr(subprocess, "run", fail)
    with pytest.raises(OSError, match="pinctrl"), PinctrlLines():
        pytest.fail("it did not answer")


def test_an_answer_that_says_nothing_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", lambda call, **_: subprocess.CompletedProcess(call, 0, "no such pin\n", ""))
    with pytest.raises(OSError, match="does not tell"), PinctrlLines():
        pytest.fail("who knows what they do")
